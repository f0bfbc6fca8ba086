// The least time of a transfer whose frames may each take another of the shortest paths (per-packet balancing:
// DeTail, packet scatter). On one path frames follow each other; on several, a short last segment overtakes the
// full one before it, and links side by side carry more than one of them does.
//
// A **row** is what stands side by side at one distance from the destination: lookups, crossbars or links. A
// frame takes one of them. The bound is that of a fabric in which each row has the quickest of its members'
// services and delays, in as many members as it has, and every member leads to every next one:
//
//     k-th full segment at the last link  >= a lone one there + the time in which the rows before let k pass
//     last segment there                  >= its place behind the others up to the first row with a choice,
//                                            then alone
//     end                                 >= any arrival there + the last link's work from that arrival on
//
// No choice of paths is quicker. Where paths are alike and the host's link is not the fastest of them, some
// choice is as quick, but for moments at which two frames meet in the last crossbar (at most a frame's time in
// it).
//
//   spread_rows rows = rows_between(fabric, all_links_up(fabric), distances, from_switch, to_switch, delays);
//   if (rows.has_choice()) { least_spread_completion(rows.rows, transfer, delays); }
#pragma once

#include <cstdint>
#include <vector>

#include "weir/model/analysis/unloaded_time.h"
#include "weir/model/forwarding/routing.h"
#include "weir/model/topology/topology.h"

namespace weir::model {

struct spread_row {
    /// The quickest of each: highest rate, shortest delay, shortest slot.
    path_stage quickest;
    /// How many frames can be served at a time. Range: >= 1.
    std::int64_t width = 1;
};

/// From the lookup of the source's switch to the crossbar of the destination's.
struct spread_rows {
    std::vector<spread_row> rows;
    /// All members of each row have the same rates and delays.
    bool alike = true;

    /// There is more than one path.
    bool has_choice() const;
};

/// Between two edge switches, which may be the same. Empty where there is no path.
spread_rows rows_between(const topology& fabric, const link_states& link_up,
                         const std::vector<std::uint32_t>& distance_to_destination, switch_id from,
                         switch_id to, const unloaded_delays& delays);

/// From the application's start to the last byte at the receiver's application, without a handshake and without
/// any wait for a slot. `rows`: from the source's NIC to the last link, both of width 1.
picoseconds least_spread_completion(const std::vector<spread_row>& rows, bytes transfer,
                                    const unloaded_delays& delays);

}  // namespace weir::model
