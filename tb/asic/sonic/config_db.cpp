#include "tb/asic/sonic/config_db.h"

#include <algorithm>
#include <iterator>

#include "tb/asic/sonic/sonic_names.h"
#include "tb/asic/sonic/sonic_port_tables.h"
#include "tb/support/files/input_file.h"
#include "tb/support/text/joined.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

constexpr const char* port_lists[] = {"BUFFER_PORT_INGRESS_PROFILE_LIST", "BUFFER_PORT_EGRESS_PROFILE_LIST"};

/// Tables of buffers and QoS that are not read, and what of the model is in their place.
constexpr std::array<std::pair<const char*, const char*>, 12> tables_without_effect{{
    {port_lists[0], "ports have no limits of their own"},
    {port_lists[1], "ports have no limits of their own"},
    {"DEFAULT_LOSSLESS_BUFFER_PARAMETER", "headroom of the dynamic buffer model: shared.headroom"},
    {"LOSSLESS_TRAFFIC_PATTERN", "headroom of the dynamic buffer model: shared.headroom"},
    {"DSCP_TO_TC_MAP", "a transfer's priority is its traffic class"},
    {"DOT1P_TO_TC_MAP", "a transfer's priority is its traffic class"},
    {"MPLS_TC_TO_TC_MAP", "a transfer's priority is its traffic class"},
    {"SCHEDULER", "switch.scheduler"},
    {"WRED_PROFILE", "marking.kind, shared.ecn_threshold"},
    {"QUEUE", "switch.scheduler, marking.kind"},
    {"PFC_WD", "pfc.watchdog"},
    {"TC_TO_DSCP_MAP", "frames are not remarked"},
}};

class reader : sonic_port_tables {
 public:
    reader(const std::string& text, const std::string& file) : sonic_port_tables(text, file) {}

    config_db read() {
        if (has_errors()) {
            return take();
        }
        read_device();
        read_ports();
        read_pools();
        read_profiles();
        read_port_lists();
        read_buffers(sonic_side::ingress, &sonic_port::groups, sonic_classes);
        read_buffers(sonic_side::egress, &sonic_port::queues, sonic_queues);
        read_qos();
        read_cables();
        for (const auto& [table, instead] : tables_without_effect) {
            if (document().contains(table)) {
                m_without_effect.push_back(std::string(table) + " (" + instead + ")");
            }
        }
        if (!m_without_effect.empty()) {
            warn("", "has tables without effect in the model: " + joined(m_without_effect, ", "));
        }
        return take();
    }

 private:
    config_db take() {
        m_read.errors = errors();
        m_read.warnings = warnings();
        m_read.bracketed = bracketed();
        m_read.document = std::move(document());
        return std::move(m_read);
    }

    void read_pools() {
        each_entry("BUFFER_POOL", [&](const std::string& key, const std::string& name,
                                      const ordered_json& entry) {
            check_fields(key, entry, {"type", "mode", "size", "xoff"});
            const std::string type = entry.value("type", ordered_json()).is_string()
                                         ? entry["type"].get<std::string>()
                                         : std::string{};
            if (type != "ingress" && type != "egress" && type != "both") {
                fail(key, "type: '" + type + "' is unknown; expected ingress, egress or both");
            }
            const ordered_json mode = entry.value("mode", ordered_json());
            if (mode != "static" && mode != "dynamic") {
                fail(key, "mode: " + quoted(mode) + " is unknown; expected static or dynamic");
            }
            const sonic_pool pool{name,
                                  type == "ingress"  ? sonic_side::ingress
                                  : type == "egress" ? sonic_side::egress
                                                     : sonic_side::both,
                                  size(key, entry, "size"), size(key, entry, "xoff")};
            if (pool.has_headroom_pool() && !pool.is_of(sonic_side::ingress)) {
                fail(key, "xoff: has no effect in an egress pool; expected no xoff");
            }
            if (entry.find("size") == entry.end()) {
                warn(key, "has no size (the dynamic buffer model computes it); the option of the pool applies");
            }
            m_read.pools.push_back(pool);
        });
        if (m_read.pools.empty() && !has_errors()) {
            fail("BUFFER_POOL", "names no pool; expected those of the switch, such as ingress_lossless_pool");
        }
    }

    void read_profiles() {
        each_entry("BUFFER_PROFILE", [&](const std::string& key, const std::string& name,
                                         const ordered_json& entry) {
            check_fields(key, entry,
                         {"pool", "size", "dynamic_th", "static_th", "xon", "xon_offset", "xoff", "mode",
                          "packet_discard_action"});
            sonic_profile profile;
            profile.name = name;
            const std::string pool = reference(key, entry, "pool", "BUFFER_POOL");
            profile.pool =
                pool.empty()
                    ? sonic_buffer::none
                    : find(key, "pool", "BUFFER_POOL", pool, m_read.pools).value_or(sonic_buffer::none);
            if (entry.find("size") == entry.end()) {
                fail(key, "size: is missing; expected bytes");
            }
            profile.size = size(key, entry, "size").value_or(0_B);
            profile.dynamic_th = number(key, entry, "dynamic_th", sonic_profile::dynamic_th_range.low,
                                        sonic_profile::dynamic_th_range.high, " (alpha's logarithm to base 2)");
            profile.static_th = size(key, entry, "static_th");
            const bool both = entry.contains("dynamic_th") && entry.contains("static_th");
            if (both || (!entry.contains("dynamic_th") && !entry.contains("static_th"))) {
                fail(key, std::string("dynamic_th: ") +
                              (both ? "is given together with static_th" : "is missing") +
                              "; expected one of dynamic_th and static_th");
            }
            const ordered_json mode = entry.value("mode", ordered_json());
            if (!mode.is_null() && mode != (entry.contains("static_th") ? "static" : "dynamic")) {
                fail(key, "mode: " + quoted(mode) +
                              " is not the mode of the threshold that is given; expected " +
                              (entry.contains("static_th") ? "static" : "dynamic"));
            }
            if (entry.value("packet_discard_action", ordered_json("drop")) != "drop") {
                fail(key, "packet_discard_action: " + quoted(entry["packet_discard_action"]) +
                              " is not what the model does with a frame that has no room; expected drop");
            }
            profile.xon = size(key, entry, "xon");
            profile.xon_offset = size(key, entry, "xon_offset");
            profile.xoff = size(key, entry, "xoff");
            if (profile.xoff == 0_B) {
                profile.xoff.reset();
            }
            m_read.profiles.push_back(profile);
        });
    }

    void read_device() {
        const auto table = document().find("DEVICE_METADATA");
        if (table == document().end() || !table->is_object() || !table->contains("localhost")) {
            return;
        }
        for (const char* const field : {"platform", "hwsku"}) {
            const ordered_json& host = (*table)["localhost"];
            if (host.is_object() && host.contains(field) && host[field].is_string()) {
                m_read.device += host[field].get<std::string>() + " ";
            }
        }
        std::transform(m_read.device.begin(), m_read.device.end(), m_read.device.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    }

    void read_port_lists() {
        for (const char* const table : port_lists) {
            each_entry(table, [&](const std::string& key, const std::string&, const ordered_json& entry) {
                check_fields(key, entry, {"profile_list"});
                const ordered_json list = entry.value("profile_list", ordered_json(""));
                std::vector<ordered_json> names;
                if (list.is_array()) {
                    names.assign(list.begin(), list.end());
                } else if (list.is_string()) {
                    for (const std::string& name : split(list.get<std::string>(), ',')) {
                        names.emplace_back(name);
                    }
                } else {
                    names.push_back(list);
                }
                for (const ordered_json& name : names) {
                    const std::string plain =
                        reference(key, {{"profile_list", name}}, "profile_list", "BUFFER_PROFILE");
                    const auto profile =
                        plain.empty() ? std::nullopt
                                      : find(key, "profile_list", "BUFFER_PROFILE", plain, m_read.profiles);
                    if (profile) {
                        m_read.profiles[*profile].is_in_port_lists = true;
                    }
                }
            });
        }
    }

    /// `3`, `3-4`; all numbers, or none and an error.
    std::vector<unsigned> numbers(const std::string& key, const std::string& text, unsigned most) {
        const std::vector<std::string> ends = split(text, '-');
        const std::optional<std::int64_t> low = number_of(ends.front(), 0, most);
        const std::optional<std::int64_t> high = number_of(ends.back(), 0, most);
        std::vector<unsigned> all;
        if (ends.size() > 2 || !low || !high || *low > *high) {
            fail(key, "'" + text + "' is no number or range; expected 0 to " + std::to_string(most) +
                          ", such as 3 or 3-4");
            return all;
        }
        for (std::int64_t n = *low; n <= *high; ++n) {
            all.push_back(static_cast<unsigned>(n));
        }
        return all;
    }

    void read_buffers(sonic_side side, sonic_buffers sonic_port::*buffers, unsigned count) {
        const char* const table = buffer_table(side);
        each_entry(table, [&](const std::string& key, const std::string& name, const ordered_json& entry) {
            const std::vector<std::string> parts = split(name, '|');
            if (parts.size() != 2) {
                return fail(key, std::string("is no entry of a port; expected PORT|NUMBERS, such as "
                                             "Ethernet0|3-4 (no system ports of a VOQ chassis)"));
            }
            check_fields(key, entry, {"profile"});
            const std::string profile = reference(key, entry, "profile", "BUFFER_PROFILE");
            const std::size_t used = profile.empty() || profile == "NULL"
                                         ? sonic_buffer::none
                                         : find(key, "profile", "BUFFER_PROFILE", profile, m_read.profiles)
                                               .value_or(sonic_buffer::none);
            const std::size_t pool =
                used == sonic_buffer::none ? sonic_buffer::none : m_read.profiles[used].pool;
            if (pool != sonic_buffer::none && !m_read.pools[pool].is_of(side)) {
                warn(key, "profile: '" + profile + "' is of pool " + m_read.pools[pool].name +
                              ", whose type is that of the other side; it is taken as one of both sides");
                m_read.pools[pool].type = sonic_side::both;
            }
            const std::vector<unsigned> all = numbers(key, parts[1], count - 1);
            for (const std::size_t port : ports(key, parts[0])) {
                for (const unsigned n : all) {
                    sonic_buffer& buffer = (m_read.ports[port].*buffers)[n];
                    if (!buffer.entry.empty()) {
                        fail(key, std::string(member_name(side)) + " " + std::to_string(n) + " of " +
                                      m_read.ports[port].name + " is in entry '" + sonic_key(buffer.entry) +
                                      "', too; expected it in one entry");
                    }
                    buffer = {used, name};
                    if (n >= sonic_classes) {
                        warn(table, "has queues above 7, which the model does not have");
                    }
                }
            }
        });
    }

    std::vector<std::string> m_without_effect;
};

}  // namespace

std::size_t config_db::pool_named(const std::string& name) const {
    const auto found =
        std::find_if(pools.begin(), pools.end(), [&](const sonic_pool& pool) { return pool.name == name; });
    return found == pools.end() ? sonic_buffer::none : static_cast<std::size_t>(found - pools.begin());
}

config_db read_config_db(const std::string& text, const std::string& name) {
    return reader(text, name).read();
}

config_db read_config_db_file(const std::string& path, const std::string& key) {
    // It is read twice: for the classes, and for the rest when the fabric is known.
    input_file opened = open_input(path, input_kind::stored);
    if (!opened.why_not.empty()) {
        config_db failed;
        failed.errors.push_back(unreadable(key, path, opened.why_not, "a config_db.json"));
        return failed;
    }
    return read_config_db({std::istreambuf_iterator<char>(opened.text), {}}, path);
}

std::uint8_t lossless_priorities(const config_db& read) {
    std::array<std::size_t, 1U << sonic_classes> ports{};
    std::uint8_t most = 0;
    for (const sonic_port& port : read.ports) {
        ++ports[port.pfc_enable];
    }
    for (const sonic_port& port : read.ports) {
        if (port.pfc_enable != 0 && read.errors.empty() &&
            (most == 0 || ports[port.pfc_enable] > ports[most])) {
            most = port.pfc_enable;
        }
    }
    return most;
}

}  // namespace weir::tb
