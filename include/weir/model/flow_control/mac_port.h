// One port's MAC: its transmitter, what the link partner has paused, what it asks the partner to pause, and
// counters. Switches and host NICs have the same one.
//
// Flow control at a port has four delays, none folded into another (design section 6):
//   T_O   a frame in transmission is never preempted: `sending` lasts until its end, at both ends of the link
//   T_pfc the PFC frame is a frame on the wire, and takes its own time
//   T_P   the link's latency
//   T_R   `response`: from a PFC frame's last bit until the transmitter obeys; the node schedules
//         `pause_timers::apply` that much later
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "weir/base/time.h"
#include "weir/model/flow_control/pause_requests.h"
#include "weir/model/flow_control/pause_sample.h"
#include "weir/model/flow_control/pause_timers.h"
#include "weir/model/frame/frame_slab.h"
#include "weir/model/link/port_config.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// Frames and bytes (destination address to FCS) by class, PFC and PAUSE frames apart.
struct mac_stats {
    std::array<std::uint64_t, pfc_classes> tx_frames{};
    std::array<std::uint64_t, pfc_classes> tx_bytes{};
    std::array<std::uint64_t, pfc_classes> rx_frames{};
    std::array<std::uint64_t, pfc_classes> rx_bytes{};
    std::uint64_t tx_control_frames = 0;
    std::uint64_t rx_control_frames = 0;
    /// Time that the transmitter was busy, overhead and PFC frames included.
    picoseconds tx_busy{0};
};

/// What a port has on the wire. The effects of a transmission's end (memory, counts) are settled when they are
/// next read, with the time at which it ended; it is an event only where something waits for it.
struct transmission {
    /// The port can begin another frame from here on.
    picoseconds end{0};
    /// Data frame whose last bit leaves at `end`, if that is not settled yet.
    frame_slot frame = no_slot;
    /// The node's agenda has an event at `end`.
    bool end_scheduled = false;

    bool busy(picoseconds now) const { return now < end; }
    void begin(frame_slot slot, picoseconds until) {
        frame = slot;
        end = until;
    }
    /// The frame that has left at or before `now`, once; else `no_slot`.
    frame_slot take_done(picoseconds now) {
        if (frame == no_slot || now < end) {
            return no_slot;
        }
        const frame_slot done = frame;
        frame = no_slot;
        return done;
    }
};

struct mac_port {
    mac_port(const pause_config& config, bit_rate rate, picoseconds response_time)
        : requests(config, rate), link(rate), response(response_time) {}

    pause_timers timers;
    pause_requests requests;
    serializer link;
    picoseconds response;
    transmission sending;
    /// False while the link is cut.
    bool up = true;
    /// Arrivals have to be looked at: the link has errors, or changes during the run.
    bool impaired = false;
    /// When the last cut was over; before any, no frame has left as early.
    picoseconds last_mended{-1};

    /// A frame whose first bit left at `sent` and that arrives now met a cut link on its way.
    bool is_cut_since(picoseconds sent) const { return !up || sent < last_mended; }

    /// The port is on its node's list of those that choose a frame at the end of the instant.
    bool transmit_pending = false;
    /// The link may be down, or a PFC frame due: before its next data frame the port looks at that.
    bool needs_attention = false;
    mac_stats stats;
    /// One event for each is in the node's agenda at most.
    picoseconds expiry_scheduled = never;
    bool refresh_scheduled = false;

    /// A link that comes up again has no class paused on either side, so pauses that still hold are
    /// announced again. PAUSE quanta are bit times of the rate that the link has now; with another rate they
    /// last another time, so that the refresh that was planned may come too late: such pauses are announced
    /// again too. The port's `wire_output` has the latency, its `wire_input` the error rates.
    void apply(const link_change& change, picoseconds now) {
        if (change.rate.count() > 0) {
            link = serializer{change.rate};
            requests.set_rate(change.rate);
            requests.announce_again();
        }
        if (change.up.value_or(up) && !up) {
            pause_fields none;
            none.class_enable = 0xFF;
            timers.apply(none, now, link);
            requests.announce_again();
            last_mended = now;
        }
        up = change.up.value_or(up);
    }

    /// The end of the warm-up. What the timers and requests have counted by then is kept, to be subtracted.
    void restart_statistics() {
        sent_before = classes_sent();
        stats = {};
        at_former_rates.clear();
        timers_before = timers.stats();
        requests_before = requests.stats();
    }
    /// A PFC or PAUSE frame has come in or was sent.
    bool has_pauses() const { return timers.stats().frames_received != 0 || requests.stats().frames_sent != 0; }
    /// Adds this port's share to a sample.
    void add_to(pause_sample& sample, picoseconds now) {
        timers.settle(now);
        for (unsigned c = 0; c < pfc_classes; ++c) {
            sample.paused_time[c] += timers.stats().paused_time[c];
            sample.xoff_sent[c] += requests.stats().xoff_sent[c];
        }
        sample.pfc_frames_sent += requests.stats().frames_sent;
    }
    /// Classes of which this port has sent a data frame since the start of the run.
    class_mask classes_sent() const {
        class_mask sent = sent_before;
        for (unsigned c = 0; c < pfc_classes; ++c) {
            sent = static_cast<class_mask>(sent | (stats.tx_frames[c] != 0 ? 1U << c : 0U));
        }
        return sent;
    }

    /// Since the end of the warm-up: time that the class's frames were on the wire, overhead included. `wire`:
    /// this port's, at the rate that it has now.
    template <class Wire>
    picoseconds time_on_wire(pfc_class c, const Wire& wire) const {
        const former_rates former = at_former_rates.empty() ? former_rates{} : at_former_rates[c];
        const picoseconds overhead = wire.wire_time(bytes{0});
        const auto frames = static_cast<std::int64_t>(stats.tx_frames[c] - former.frames);
        const bytes length{static_cast<std::int64_t>(stats.tx_bytes[c] - former.bytes)};
        return former.time + wire.wire_time(length) - overhead + overhead * frames;
    }
    /// Before the wire's rate changes.
    template <class Wire>
    void close_rate(const Wire& wire) {
        std::vector<former_rates> closed;
        for (unsigned k = 0; k < pfc_classes; ++k) {
            const auto c = static_cast<pfc_class>(k);
            closed.push_back({time_on_wire(c, wire), stats.tx_frames[c], stats.tx_bytes[c]});
        }
        at_former_rates = std::move(closed);
    }
    /// What the class has sent at rates that the link had before the present one.
    struct former_rates {
        picoseconds time{0};
        std::uint64_t frames = 0;
        std::uint64_t bytes = 0;
    };
    /// By class; empty: the link has had one rate only.
    std::vector<former_rates> at_former_rates;
    pause_timer_stats timers_before;
    pause_request_stats requests_before;
    class_mask sent_before = 0;
};

}  // namespace weir::model
