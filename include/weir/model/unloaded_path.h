// What a frame, and a whole transfer, take through a fabric that carries nothing else.
//
// A frame: transmission by the source's NIC, the link's latency, and per switch the lookup, the crossbar
// transfer, the transmission by the egress port and its link's latency. Every switch stores and forwards.
// A transfer: its segments leave back to back, as with an infinite window, and follow each other through
// the same stages, of which each serves one frame at a time. Each of these is an exact integer: the
// denominator of a flow's slowdown (`ideal_ns`), and what a model without load must show.
//
//   unloaded_paths paths(fabric, {});
//   picoseconds one_way = paths.frame_time(0, 17, 1530_B);
//   picoseconds ideal = paths.ideal_completion(0, 17, 32_KB);
#pragma once

#include <cstdint>
#include <vector>

#include "weir/model/routing.h"
#include "weir/model/topology.h"

namespace weir {

/// The delays that do not belong to links.
struct unloaded_delays {
    /// Preamble, start-of-frame delimiter and inter-frame gap, on wires and in crossbars. IEEE 802.3: 20 B;
    /// DeTail counts none.
    bytes wire_overhead{20};
    /// From a frame's last bit to its place in a VOQ. DeTail 7.1: 3.1 us. Range: >= 0.
    picoseconds lookup_delay{3100ns};
    /// A switch's crossbar moves a frame at this times the rate of its fastest port. Range: >= 1. DeTail: 4.
    std::uint32_t speedup = 4;
    /// From the application to the NIC. Range: >= 0.
    picoseconds stack_out{0};
    /// From a frame's last bit to the application. Range: >= 0.
    picoseconds stack_in{0};
    /// Payload of a full segment. Range: >= 1 B.
    bytes segment_payload{1460};
    /// What a segment adds to its payload, destination address to FCS: Ethernet 14 + 4, IPv4 20, TCP 20.
    bytes header{58};
    /// Shorter frames are padded. IEEE 802.3: 64 B.
    bytes min_frame{64};

    /// Length of the frame that carries `payload`.
    bytes frame_length(bytes payload) const {
        const bytes length = payload + header;
        return length < min_frame ? min_frame : length;
    }
};

/// A server that frames pass one at a time, in order, and a delay after it that they pass side by side.
struct path_stage {
    /// Of the wire, or of the crossbar.
    bit_rate rate{0};
    /// From the end of this stage's service to the start of the next one's.
    picoseconds delay_after{0};
};

/// The stages of one path: NIC, and per switch the crossbar and the egress port.
using path_stages = std::vector<path_stage>;

/// Stages of `path`, which must be a path from a host to a host. The lookup stands before the crossbar.
path_stages stages_of(const topology& fabric, const std::vector<path_hop>& path, const unloaded_delays& delays);

/// Of the shortest paths (fewest links) the one that is quickest for a full frame; among equals the one with
/// the lowest ports. Empty: can not be reached. Range: src and dst differ.
std::vector<path_hop> quickest_path(const topology& fabric, const link_states& link_up, host_id src,
                                    host_id dst, const unloaded_delays& delays);

/// What `quickest_path` follows: per switch its egress port towards the switch `to`, and ~0 where there is
/// none (at `to` itself, and where it can not be reached).
std::vector<unsigned> quickest_ports(const topology& fabric, const link_states& link_up, switch_id to,
                                     const unloaded_delays& delays);

/// From the first bit that leaves the source to the last bit at the destination, for one frame.
picoseconds frame_time(const path_stages& stages, bytes frame_length, const unloaded_delays& delays);

/// From the application's start to the last byte at the receiver's application. A transfer of 0 B is one
/// empty segment. `by_recursion` follows each segment through each stage (finish = max(finish of the segment
/// before, own arrival) + service); `in_closed_form` uses that all segments but the last are equal.
picoseconds completion_by_recursion(const path_stages& stages, bytes transfer, const unloaded_delays& delays);
picoseconds completion_in_closed_form(const path_stages& stages, bytes transfer, const unloaded_delays& delays);

/// Longest transfer, in segments, that `ideal_completion` follows one by one.
inline constexpr std::int64_t recursion_segments = 64;
/// The first up to `recursion_segments`, the second beyond.
picoseconds ideal_completion(const path_stages& stages, bytes transfer, const unloaded_delays& delays);

/// The paths between all hosts, with all links up; each destination's edge switch is searched for once, at
/// its first use. Not to be shared between threads. The fabric must outlive it.
class unloaded_paths {
 public:
    unloaded_paths(const topology& fabric, const unloaded_delays& delays)
        : m_fabric(fabric), m_delays(delays), m_all_up(all_links_up(fabric)), m_ports_to(fabric.switches()) {}

    const unloaded_delays& delays() const { return m_delays; }
    /// Range: src and dst differ.
    path_stages stages(host_id src, host_id dst);
    picoseconds frame_time(host_id src, host_id dst, bytes frame_length) {
        return weir::frame_time(stages(src, dst), frame_length, m_delays);
    }
    picoseconds ideal_completion(host_id src, host_id dst, bytes transfer) {
        return weir::ideal_completion(stages(src, dst), transfer, m_delays);
    }

 private:
    const topology& m_fabric;
    unloaded_delays m_delays;
    link_states m_all_up;
    /// By destination's edge switch; empty until used.
    std::vector<std::vector<unsigned>> m_ports_to;
};

}  // namespace weir
