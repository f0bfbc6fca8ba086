// What a fabric's frames share and may wait for: every link, lookup pipeline, crossbar and packet memory, and
// how much of each has been used.
//
//   const resource_readings before = read_resources(network, config.device, now);    // settle the nodes first
//   const resource_readings after = read_resources(network, config.device, now + measured);
//   const resource_load load = after.load_since(before, 0, measured);
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "weir/base/enum_names.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

using weir::to_text;

enum class resource_kind : std::uint8_t {
    link,          ///< a transmitter of a switch's port
    host_link,     ///< a host's transmitter: what the traffic offers, or what flow control lets through
    lookup,        ///< a switch's lookup pipeline, where it has an interval
    crossbar,      ///< an output of a crossbar of frames; in cell mode all of them
    memory,        ///< reads and writes of a packet memory with one port (1rw)
    memory_read,   ///< with two: reads
    memory_write,  ///< writes
    count
};
inline constexpr unsigned resource_kinds = static_cast<unsigned>(resource_kind::count);
constexpr auto names_of(resource_kind) {
    return enum_names<resource_kind>({{resource_kind::link, "link"},
                                      {resource_kind::host_link, "host_link"},
                                      {resource_kind::lookup, "lookup"},
                                      {resource_kind::crossbar, "crossbar"},
                                      {resource_kind::memory, "memory"},
                                      {resource_kind::memory_read, "memory_read"},
                                      {resource_kind::memory_write, "memory_write"}});
}

/// Of what a port or a switch has several of; `whole`: a switch has one.
enum class resource_part : std::uint8_t { whole, tx, rx, slice };
constexpr auto names_of(resource_part) {
    return enum_names<resource_part>({{resource_part::whole, ""},
                                      {resource_part::tx, "tx"},
                                      {resource_part::rx, "rx"},
                                      {resource_part::slice, "slice"}});
}

/// What its capacity is counted in, a second.
enum class resource_unit : std::uint8_t { bits, frames, cells };
constexpr auto names_of(resource_unit) {
    return enum_names<resource_unit>(
        {{resource_unit::bits, "b/s"}, {resource_unit::frames, "frames/s"}, {resource_unit::cells, "cells/s"}});
}

/// A resource binds from here on: busy for so much of the time, or awaited for so much by a port that was
/// sending or stood still for as much. Conventions. Unit: %.
inline constexpr double binding_busy_percent = 90;
inline constexpr double binding_stalled_percent = 1;
/// A resource that binds for a smaller share of its busy time does not limit a run: smooth traffic at 65 % load
/// fills every link now and then. Convention. Unit: %.
inline constexpr double limiting_bound_percent = 10;

/// A resource's use in a stretch of time.
struct resource_load {
    /// Range: 0 to 100.
    double busy_percent = 0;
    /// Time that a port (the worst one, where several use it) had something to send and stood still for it, and
    /// that this port was sending or stood still. Both 0 where none stood still.
    double stalled_percent = 0;
    double port_used_percent = 0;
    std::uint64_t lost_frames = 0;

    bool binds() const {
        const bool stalls =
            stalled_percent >= binding_stalled_percent && port_used_percent >= binding_busy_percent;
        return busy_percent >= binding_busy_percent || stalls || lost_frames > 0;
    }
};

/// What all resources have done since the end of the warm-up, up to one time.
struct resource_readings {
    /// A port that may stand still for a resource.
    struct waiting_port {
        picoseconds stalled{0};
        /// It was sending, or stood still for this or another memory.
        picoseconds used{0};

        bool operator==(const waiting_port& other) const {
            return stalled == other.stalled && used == other.used;
        }
    };
    struct counts {
        resource_kind kind = resource_kind::link;
        picoseconds busy{0};
        std::uint64_t lost_frames = 0;
        /// In `ports`: those of this resource.
        std::uint32_t first_port = 0;
        std::uint32_t end_port = 0;

        bool operator==(const counts& other) const {
            return busy == other.busy && lost_frames == other.lost_frames;
        }
    };
    /// In the order of nodes (hosts first) and kinds, which is the same at all times of a run.
    std::vector<counts> resources;
    std::vector<waiting_port> ports;

    /// Nothing was done in between.
    bool operator==(const resource_readings& other) const {
        return resources == other.resources && ports == other.ports;
    }
    /// Of the same resources, before anything was done.
    resource_readings zeros() const;

    /// What resource `i` has done since `before`, which was `measured` earlier; 0 of no time. `before` may be
    /// empty: the end of the warm-up.
    resource_load load_since(const resource_readings& before, std::size_t i, picoseconds measured) const {
        const counts& now = resources[i];
        const counts then = before.resources.empty() ? counts{} : before.resources[i];
        resource_load load;
        load.busy_percent = share_percent(now.busy - then.busy, measured);
        load.lost_frames = now.lost_frames - then.lost_frames;
        if (now.first_port != now.end_port) {
            add_stalls(load, before, i, measured);
        }
        return load;
    }
    /// Whether that load binds.
    bool binds_since(const resource_readings& before, std::size_t i, picoseconds measured) const {
        const counts& now = resources[i];
        const counts& then = before.resources[i];
        if (now.first_port != now.end_port || now.lost_frames != then.lost_frames) {
            return load_since(before, i, measured).binds();
        }
        return 100.0 * static_cast<double>((now.busy - then.busy).count()) >=
               binding_busy_percent * static_cast<double>(measured.count());
    }

 private:
    static double share_percent(picoseconds part, picoseconds whole) {
        if (whole == picoseconds{0}) {
            return 0;
        }
        const double share = 100.0 * static_cast<double>(part.count()) / static_cast<double>(whole.count());
        return std::clamp(share, 0.0, 100.0);
    }
    void add_stalls(resource_load& load, const resource_readings& before, std::size_t i,
                    picoseconds measured) const;
};

/// What one is, and what it has served since the end of the warm-up.
struct resource_service {
    resource_kind kind = resource_kind::link;
    /// In `capacity_unit`.
    double capacity = 0;
    resource_unit capacity_unit = resource_unit::bits;
    /// Frames; cells where the crossbar moves cells.
    std::uint64_t served = 0;
    /// Frames that waited for it, their mean and longest wait; not known of links and crossbars.
    bool knows_waits = false;
    std::uint64_t waited = 0;
    picoseconds wait_time{0};
    picoseconds longest_wait{0};
    /// Accesses to a bank that was busy while another was not.
    std::uint64_t bank_conflicts = 0;
};

/// Since the end of the warm-up.
struct resource_use : resource_load, resource_service {
    /// The plan's, which outlives this; null: of no node, or just received from another rank.
    const std::string* node_name = nullptr;
    std::uint32_t node_index = 0;
    resource_part part_kind = resource_part::whole;
    std::uint32_t part_number = 0;
    /// Of the time, the intervals in which it bound (limit_timeline.h), from the first one's start to the last
    /// one's end. All 0 where it never did.
    double bound_percent = 0;
    picoseconds bound_from{0};
    picoseconds bound_to{0};

    /// All but the name, which each process has of its own plan.
    template <class Octets>
    void fields(Octets& o) {
        o(static_cast<resource_load&>(*this), static_cast<resource_service&>(*this), node_index, part_kind,
          part_number, bound_percent, bound_from, bound_to);
    }
    bool ever_binds() const { return binds() || bound_percent > 0; }
    /// It is what frames waited for: it bound over the whole time, or for a good part of its busy time.
    bool limits_run() const {
        return binds() || (bound_percent > 0 && 100 * bound_percent >= limiting_bound_percent * busy_percent);
    }
    std::string node() const { return node_name != nullptr ? *node_name : std::string(); }
    /// `tx3`, `rx3`, `slice0`; empty where a switch has one.
    std::string part() const {
        return part_kind == resource_part::whole ? "" : name_of(part_kind) + std::to_string(part_number);
    }
    /// `tor0.tx3`.
    std::string name() const { return part_kind == resource_part::whole ? node() : node() + "." + part(); }
};

/// Nodes are settled up to `now`.
/// `expected`: how many there are, where that is known.
resource_readings read_resources(const fabric& made, const switch_config& device, picoseconds now,
                                 std::size_t expected = 0);
/// The node of each of them, as a place among all.
std::vector<std::uint32_t> nodes_of_resources(const fabric& made, const switch_config& device);
/// The same with names, and with all numbers of `limits.csv` but when each bound, of all ranks: on rank 0;
/// elsewhere none. `measured`: above 0. Collective.
std::vector<resource_use> resources_of(const fabric& made, const switch_config& device, picoseconds now,
                                       picoseconds measured);

}  // namespace weir::tb
