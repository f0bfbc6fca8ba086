// One port's MAC: its transmitter, what the link partner has paused, what it asks the partner to pause, and
// counters. Switches and host NICs have the same one.
//
// Flow control at a port has four delays, each modelled separately (docs/timing-model.md, "Flow control"):
//   T_O   a frame in transmission is never preempted: `sending` lasts until its end, at both ends of the link
//   T_pfc the PFC frame is a frame on the wire, and takes its own time
//   T_P   the link's latency
//   T_R   `response`: from a PFC frame's last bit until the transmitter obeys; the node schedules
//         `pause_timers::apply` that much later
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "weir/base/time.h"
#include "weir/model/flow_control/pause_requests.h"
#include "weir/model/flow_control/pause_timers.h"
#include "weir/model/frame/frame_slab.h"
#include "weir/model/link/port_config.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// Data frames of one class. Bytes: from destination address to FCS.
struct class_traffic {
    std::uint64_t tx_frames = 0;
    std::uint64_t tx_bytes = 0;
    /// On the wire, overhead included; a frame that has begun counts whole.
    picoseconds tx_time{0};
    std::uint64_t rx_frames = 0;
    std::uint64_t rx_bytes = 0;

    void count_sent(std::uint64_t frame_bytes, picoseconds time) {
        ++tx_frames;
        tx_bytes += frame_bytes;
        tx_time += time;
    }
    void count_received(std::uint64_t frame_bytes) {
        ++rx_frames;
        rx_bytes += frame_bytes;
    }
};

/// PFC and PAUSE frames apart from data.
struct mac_stats {
    /// What a frame counts lies together.
    std::array<class_traffic, pfc_classes> classes{};
    std::uint64_t tx_control_frames = 0;
    std::uint64_t rx_control_frames = 0;
    picoseconds tx_control_time{0};

    /// Of all classes.
    class_traffic data() const {
        class_traffic sum;
        for (const class_traffic& c : classes) {
            sum.tx_frames += c.tx_frames;
            sum.tx_bytes += c.tx_bytes;
            sum.tx_time += c.tx_time;
            sum.rx_frames += c.rx_frames;
            sum.rx_bytes += c.rx_bytes;
        }
        return sum;
    }
    /// Time that the transmitter was busy.
    picoseconds tx_busy() const { return data().tx_time + tx_control_time; }
};

/// A port's transmitter, and what it has on the wire. The effects of a transmission's end (memory, counts) are
/// settled when they are next read, with the time at which it ended; it is an event only where something waits
/// for it.
struct transmission {
    /// The port can begin another frame from here on.
    picoseconds end{0};
    /// Data frame whose last bit leaves at `end`, if that is not settled yet.
    frame_slot frame = no_slot;
    /// A switch's: memory that this frame gives back then. Unit: B.
    std::uint32_t charged_bytes = 0;
    pfc_class frame_class = 0;
    /// Preamble and inter-frame gap of the port's link. Unit: B.
    std::uint16_t wire_overhead = 0;
    /// The node's agenda has an event at `end`.
    bool end_scheduled = false;
    /// The port is on its node's list of those that choose a frame at the end of the instant.
    bool pending = false;
    /// The link may be down, or a PFC frame due: before its next data frame the port looks at that.
    bool needs_attention = false;

    bool busy(picoseconds now) const { return now < end; }
    void begin(frame_slot slot, picoseconds until) {
        frame = slot;
        end = until;
    }
    void begin(frame_slot slot, const frame_route& route, picoseconds until) {
        begin(slot, until);
        charged_bytes = route.charged_bytes;
        frame_class = route.frame_class;
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

    // What each frame reads comes first: these two, of the timers their mask.
    transmission sending;
    pause_timers timers;
    mac_stats stats;
    pause_requests requests;
    serializer link;
    picoseconds response;
    /// False while the link is cut.
    bool up = true;
    /// Arrivals have to be looked at: the link has errors, or changes during the run.
    bool impaired = false;
    /// When the last cut was over; before any, no frame has left as early.
    picoseconds last_mended{-1};

    /// A frame whose first bit left at `sent` and that arrives now met a cut link on its way.
    bool is_cut_since(picoseconds sent) const { return !up || sent < last_mended; }

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
        auto before = std::make_unique<counts_before>(counts_before{timers.stats(), requests.stats(), {}});
        for (unsigned c = 0; c < pfc_classes; ++c) {
            before->traffic[c] = traffic_of(static_cast<pfc_class>(c));
        }
        m_before = std::move(before);
        stats = {};
    }
    /// Bytes of a class since the start of the run, whatever the warm-up.
    struct byte_counts {
        std::uint64_t rx = 0;
        std::uint64_t tx = 0;
    };
    byte_counts traffic_of(pfc_class c) const {
        const byte_counts& earlier = before().traffic[c];
        return {earlier.rx + stats.classes[c].rx_bytes, earlier.tx + stats.classes[c].tx_bytes};
    }
    /// Classes of which this port has sent a data frame since the start of the run.
    class_mask classes_sent() const {
        class_mask sent = sent_before;
        for (unsigned c = 0; c < pfc_classes; ++c) {
            sent = static_cast<class_mask>(sent | (stats.classes[c].tx_frames != 0 ? 1U << c : 0U));
        }
        return sent;
    }

    class_mask sent_before = 0;

    /// What timers and requests had counted at the end of the warm-up.
    const pause_timer_stats& timers_before() const { return before().timers; }
    const pause_request_stats& requests_before() const { return before().requests; }

 private:
    struct counts_before {
        pause_timer_stats timers;
        pause_request_stats requests;
        std::array<byte_counts, pfc_classes> traffic;
    };
    const counts_before& before() const {
        static const counts_before none{};
        return m_before != nullptr ? *m_before : none;
    }
    // Null without a warm-up.
    std::unique_ptr<counts_before> m_before;
};

}  // namespace weir::model
