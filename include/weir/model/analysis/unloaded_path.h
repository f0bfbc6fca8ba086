// The path that a frame takes through a fabric that carries nothing else, and what it takes (unloaded_time.h).
//
// A frame: transmission by the source's NIC, the link's latency, and per switch the lookup, the crossbar
// transfer, the transmission by the egress port and its link's latency. Every switch stores and forwards.
// The whole transfer's time is the denominator of a flow's slowdown (`ideal_ns`), and what a model without load
// must show.
//
// With per-packet balancing a transfer's frames take several paths (unloaded_spread.h).
//
//   unloaded_paths paths(fabric, {});
//   picoseconds one_way = paths.frame_time(0, 17, 1530_B);
//   picoseconds ideal = paths.ideal_completion(0, 17, 32_KB);
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "weir/model/analysis/unloaded_spread.h"
#include "weir/model/analysis/unloaded_time.h"
#include "weir/model/forwarding/routing.h"
#include "weir/model/topology/topology.h"

namespace weir::model {

/// The crossbar of switch `s`.
path_stage crossbar_of(const topology& fabric, switch_id s, const unloaded_delays& delays);
/// Range: delays.lookup_interval > 0.
path_stage lookup_with_interval(const unloaded_delays& delays);

/// Stages of `path`, which must be a path from a host to a host. The lookup stands before the crossbar.
path_stages stages_of(const topology& fabric, const std::vector<path_hop>& path, const unloaded_delays& delays);

/// Of the shortest paths (fewest links) the one that is quickest for a full frame; among equals the one with
/// the lowest ports. Empty: cannot be reached. Range: src and dst differ.
std::vector<path_hop> quickest_path(const topology& fabric, const link_states& link_up, host_id src,
                                    host_id dst, const unloaded_delays& delays);

/// What `quickest_path` follows: per switch its egress port towards the switch `to`, and ~0 where there is
/// none (at `to` itself, and where it cannot be reached).
std::vector<unsigned> quickest_ports(const topology& fabric, const link_states& link_up, switch_id to,
                                     const unloaded_delays& delays);

/// The paths between all hosts, with all links up; each destination's edge switch is searched for once, at
/// its first use. Not to be shared between threads. The fabric must outlive it.
class unloaded_paths {
 public:
    unloaded_paths(const topology& fabric, const unloaded_delays& delays)
        : m_fabric(fabric),
          m_delays(delays),
          m_all_up(all_links_up(fabric)),
          m_ports_to(fabric.switches()),
          m_distance_to(fabric.switches()) {}

    const unloaded_delays& delays() const { return m_delays; }
    /// Range: src and dst differ.
    path_stages stages(host_id src, host_id dst);
    picoseconds frame_time(host_id src, host_id dst, bytes frame_length) {
        return model::frame_time(stages(src, dst), frame_length, m_delays);
    }
    /// With a handshake if `delays` say so. Along the quickest path; where frames may take different ones
    /// (`delays.spread`), what no choice of paths can beat (unloaded_spread.h).
    picoseconds ideal_completion(host_id src, host_id dst, bytes transfer);
    /// Of all pairs of hosts that reach each other: the longest time in which a frame of length `there` gets
    /// from one's software to the other's and one of length `back` returns. 0: there is no such pair.
    picoseconds longest_round_trip(bytes there, bytes back);

 private:
    const std::vector<unsigned>& ports_to(switch_id to);
    const spread_rows& rows_between_switches(switch_id from, switch_id to);
    /// Without a handshake.
    picoseconds one_way(host_id src, host_id dst, bytes transfer);

    const topology& m_fabric;
    unloaded_delays m_delays;
    link_states m_all_up;
    /// By destination's edge switch; empty until used.
    std::vector<std::vector<unsigned>> m_ports_to;
    std::vector<std::vector<std::uint32_t>> m_distance_to;
    /// By source's and destination's edge switch.
    std::unordered_map<std::uint64_t, spread_rows> m_rows;
};

}  // namespace weir::model
