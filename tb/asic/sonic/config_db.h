// A SONiC switch's config_db.json, as its templates render it: buffer tables, QoS maps, ports and cables.
//
//     "BUFFER_POOL":    {"ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "12766208"}}
//     "BUFFER_PROFILE": {"pg_lossless_40000_5m_profile": {"pool": "ingress_lossless_pool", "size": "56368",
//                        "xon": "18432", "xoff": "55120", "xon_offset": "2496", "dynamic_th": "-3"}}
//     "BUFFER_PG":      {"Ethernet0,Ethernet4|3-4": {"profile": "pg_lossless_40000_5m_profile"}}
//
//   const config_db read = read_config_db("{}", "config_db.json");
//   read.ports[0].groups[3].profile;   // index in read.profiles; Ethernet0, priority group 3
//
// Names of pools, profiles and maps may be plain, or as older versions write them, [BUFFER_POOL|name]. Tables
// and fields: sonic-net/sonic-buildimage, files/build_templates/buffers_config.j2 and qos_config.j2, and
// src/sonic-yang-models; sonic-net/sonic-swss, doc/swss-schema.md.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/field_range.h"
#include "weir/base/units.h"

namespace weir::tb {

/// Traffic classes, PFC priorities, priority groups, and queues for unicast.
inline constexpr unsigned sonic_classes = 8;
/// With the queues for multicast.
inline constexpr unsigned sonic_queues = 20;

enum class sonic_side : std::uint8_t { ingress, egress, both };

struct sonic_pool {
    std::string name;
    sonic_side type = sonic_side::both;
    /// Nothing where the dynamic buffer model computes it.
    std::optional<bytes> size;
    /// Of a shared headroom pool; nothing, or 0: none.
    std::optional<bytes> xoff;

    bool has_headroom_pool() const { return xoff && *xoff > 0_B; }
    bool is_of(sonic_side side) const { return type == side || type == sonic_side::both; }
};

struct sonic_profile {
    std::string name;
    /// In `config_db::pools`.
    std::size_t pool = 0;
    bytes size{0};
    /// Logarithm of alpha to base 2, or a number of bytes; one of the two.
    std::optional<std::int64_t> dynamic_th;
    std::optional<bytes> static_th;
    std::optional<bytes> xon;
    std::optional<bytes> xon_offset;
    /// 0 is as if it were missing.
    std::optional<bytes> xoff;
    /// A BUFFER_PORT_..._PROFILE_LIST has it, too.
    bool is_in_port_lists = false;
    /// Of a factor that shared memories take: 2^-9 is above 0.001, 2^10 the largest.
    static constexpr field_range<std::int64_t> dynamic_th_range{-9, 10};
};

/// What BUFFER_PG or BUFFER_QUEUE says of one group or queue.
struct sonic_buffer {
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    /// In `config_db::profiles`; `none`: nothing is said, or the dynamic model computes it (NULL).
    std::size_t profile = none;
    /// Key of the entry; empty: there is none.
    std::string entry;

    bool has_profile() const { return profile != none; }
};

using sonic_map = std::array<std::uint8_t, sonic_classes>;
inline constexpr sonic_map identity_map{0, 1, 2, 3, 4, 5, 6, 7};

/// By number: `sonic_classes` priority groups, or `sonic_queues` queues.
using sonic_buffers = std::array<sonic_buffer, sonic_queues>;

struct sonic_port {
    std::string name;
    /// Nothing where the platform's own files have it.
    std::optional<bit_rate> speed;
    /// CABLE_LENGTH. Unit: m.
    std::optional<std::int64_t> cable;
    sonic_buffers groups;
    sonic_buffers queues;
    /// Its key in PORT_QOS_MAP; empty: it is not there.
    std::string qos_entry;
    /// Bit: PFC priority.
    std::uint8_t pfc_enable = 0;
    sonic_map tc_to_pg = identity_map;
    sonic_map tc_to_queue = identity_map;
    sonic_map pfc_to_queue = identity_map;
    sonic_map pfc_to_pg = identity_map;
};

struct config_db {
    nlohmann::ordered_json document;
    std::vector<sonic_pool> pools;
    std::vector<sonic_profile> profiles;
    /// EthernetN only, by N: switch ports 0, 1, ...
    std::vector<sonic_port> ports;
    bool has_qos = false;
    /// Tables whose entries are referred to as older versions do, [TABLE|entry].
    std::set<std::string> bracketed;
    /// DEVICE_METADATA: platform and HWSKU, in lower case.
    std::string device;
    /// What is there but has no counterpart in the model.
    std::vector<std::string> warnings;
    /// Key: `TABLE|entry`; the message begins with the field.
    config_errors errors;

    /// `sonic_buffer::none` where there is none of that name.
    std::size_t pool_named(const std::string& name) const;
};

/// `name` is what errors call the file.
config_db read_config_db(const std::string& text, const std::string& name);
/// The same; a file that cannot be read is an error of `key`.
config_db read_config_db_file(const std::string& path, const std::string& key);

/// The PFC priorities that most of the ports enable that enable any; 0: none does, or the file has errors.
std::uint8_t lossless_priorities(const config_db& read);

}  // namespace weir::tb
