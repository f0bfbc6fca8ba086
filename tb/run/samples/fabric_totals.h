// Sums over a fabric's nodes: where all frames have gone, who was paused for how long, and the time that means,
// percentiles and shares of a run cover.
//
//   frame_account account = account_of(count_frames(network, false));
//   if (!account.violation.empty()) { ... }      // frames are missing, or too many
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weir/model/fabric/fabric.h"

namespace weir::tb {

/// The reasons that every run names.
std::vector<drop_reason> common_reasons();
/// Those that a run of this fabric names: also those of its switches' rules. Collective (rank_team.h), as all
/// that follows: of all ranks.
std::vector<drop_reason> reported_reasons(const fabric& made);

/// Frames that the host has lost. Those that a cut link kept it from sending were never on a wire, and do not
/// count.
drop_counts drops_of(const host_node& host);

/// Data frames, counted since the start of the run at the places where they pass.
struct frame_counts {
    std::uint64_t host_sent = 0;       ///< first bit left a host's MAC
    std::uint64_t host_received = 0;   ///< last bit came in at a host
    std::uint64_t delivered = 0;       ///< handed to an endpoint
    std::uint64_t in_host_stacks = 0;  ///< received, on their way to the endpoint
    std::uint64_t switch_sent = 0;
    std::uint64_t switch_received = 0;
    std::uint64_t switch_inside = 0;
    std::uint64_t originated = 0;  ///< made by a switch itself
    drop_counts drops{};
    /// Reasons that results name.
    std::vector<drop_reason> reasons = common_reasons();
    /// Lost at a host before they were on a wire, because its link was cut; not in `drops`.
    std::uint64_t unsent_link_down = 0;
    /// On their way over a wire, counted in inboxes and stores. Not known where PFC frames may get lost:
    /// on links with errors or changes, and with modules that are not ours.
    std::optional<std::uint64_t> on_wires;

    /// Of another rank; `reasons` and `on_wires` are those of all already.
    void add(const frame_counts& other);
    template <class Octets>
    void fields(Octets& o) {
        o(host_sent, host_received, delivered, in_host_stacks, switch_sent, switch_received, switch_inside,
          originated, drops, reasons, unsent_link_down, on_wires);
    }
};

/// sent + originated = delivered + dropped + inside, where sent are the frames that a host's MAC began to
/// transmit.
struct frame_account {
    std::uint64_t sent = 0;
    /// By switches.
    std::uint64_t originated = 0;
    std::uint64_t delivered = 0;
    std::uint64_t dropped = 0;
    /// In switches, on wires (first bit sent, last bit not here), in the stacks of receiving hosts.
    std::uint64_t inside = 0;
    /// By reason; `nic_full` was never on a wire, and is not in `dropped`.
    drop_counts drops{};
    /// Reasons that results name.
    std::vector<drop_reason> reasons = common_reasons();
    std::uint64_t unsent_link_down = 0;
    /// Empty where the account balances.
    std::string violation;
};

/// At a barrier, when all nodes have reached the same time. `links_change`: the run cuts, mends or degrades
/// links.
frame_counts count_frames(fabric& made, bool links_change);
frame_account account_of(const frame_counts& counts);

/// Since the end of the warm-up.
struct pause_totals {
    __extension__ using wide_picoseconds = __int128;
    /// Announcements, one for each of the classes in each PFC frame, refreshes included. An 802.3x PAUSE is one
    /// for each.
    std::uint64_t xoff_sent = 0;
    std::uint64_t xon_sent = 0;
    /// PFC and PAUSE frames, whatever classes they announced.
    std::uint64_t frames_sent = 0;
    struct tier {
        /// Time that transmitters were paused, summed over them. A transmitter is one class of one port. Unit:
        /// ps.
        wide_picoseconds paused = 0;
        std::uint64_t transmitters = 0;
    };
    /// By the tier of the node that was paused.
    std::map<std::string, tier> tiers;

    void add(const pause_totals& other);
    template <class Octets>
    void fields(Octets& o) {
        o(xoff_sent, xon_sent, frames_sent, tiers);
    }
};
/// Of these classes; settle the fabric first.
pause_totals count_pauses(fabric& made, class_mask classes);

/// Classes of which some node has sent a data frame since the start of the run. An XOFF for any other class,
/// and the time that it pauses, delay nothing.
class_mask classes_sent(fabric& made);

/// Data frames that finished one link transmission, since the start of the run.
std::uint64_t packet_hops(fabric& made);

/// `host`, `tier1` (switches with hosts), `tier2`, ...
std::string tier_name(const topology& plan, node_ref n);

/// From the end of the warm-up to the end of the run. Without a warm-up it starts at the first frame, so that a
/// trace whose first flow starts at 2 s is not averaged over two idle seconds. Before that frame nothing is
/// busy, paused or occupied, so only the length changes.
struct averaged_time {
    picoseconds start{0};
    /// 0 if the run ends before the warm-up does.
    picoseconds length{0};
    /// Time before the first frame that is left out. 0 with a warm-up, which restarts the statistics.
    picoseconds idle{0};
};

/// When the first frame of any kind began to leave a host, PAUSE and PFC frames included; `never` if none did.
/// Collective.
picoseconds first_frame(const fabric& made);

/// Collective. All nodes have run to `end` at least.
averaged_time averaged_time_of(const fabric& made, picoseconds warmup, picoseconds end);

/// Warning if more than a tenth of the averaged time passes before the first data frame; else empty. Without a
/// warm-up that happens only if a PAUSE or PFC frame leaves a host first. Collective.
std::string idle_warning(const fabric& made, const averaged_time& averaged);

}  // namespace weir::tb
