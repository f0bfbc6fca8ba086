// What all RoCE senders and receivers of a host share: parameters in the form in which the frame path needs
// them, the rate control, and what it keeps of each sender.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/traffic/roce/rate_control.h"
#include "weir/traffic/roce/roce_config.h"
#include "weir/traffic/transport/flow_states.h"
#include "weir/traffic/transport/segment_bitmaps.h"
#include "weir/traffic/transport/timer_queue.h"

namespace weir::traffic {

/// `roce_config` in plain numbers. Lengths in B.
struct roce_constants {
    std::uint64_t payload;
    std::uint64_t window;
    std::uint32_t header;
    /// Frame of a full payload, and of an ACK or NAK.
    std::uint16_t full_frame;
    std::uint16_t ack_frame;
    std::uint32_t ack_every;
    bool selective;
    picoseconds ack_timeout;
    picoseconds nak_interval;
    picoseconds cnp_interval;
    pfc_class cnp_priority;
    std::optional<pfc_class> ack_priority;
    /// What a link adds to a frame.
    bytes wire_overhead;

    roce_constants(const roce_config& config, bytes overhead);
};

/// Senders, by slot, that wait for the NIC to take their next frame: a FIFO for each priority. A sender is in
/// one at most.
class waiting_senders {
 public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    /// Link of a sender that does not wait.
    static constexpr std::uint32_t absent = none - 1;

    /// `next`: the link of the sender with this slot.
    template <class Links>
    void push(pfc_class priority, std::uint32_t slot, Links&& next) {
        list& l = m_lists[priority];
        next(slot) = none;
        (l.first == none ? l.first : next(l.last)) = slot;
        l.last = slot;
        m_priorities |= 1U << priority;
    }
    /// Those for which somebody waits, one bit each.
    unsigned priorities() const { return m_priorities; }
    std::uint32_t first(pfc_class priority) const { return m_lists[priority].first; }
    /// Takes the sender out, wherever it stands.
    template <class Links>
    void remove(pfc_class priority, std::uint32_t slot, Links&& next) {
        list& l = m_lists[priority];
        std::uint32_t before = none;
        for (std::uint32_t each = l.first; each != slot; each = next(each)) {
            before = each;
        }
        (before == none ? l.first : next(before)) = next(slot);
        if (l.last == slot) {
            l.last = before;
        }
        m_priorities &= ~(l.first == none ? 1U << priority : 0U);
        next(slot) = absent;
    }

 private:
    struct list {
        std::uint32_t first = none;
        std::uint32_t last = none;
    };
    std::array<list, pfc_classes> m_lists{};
    unsigned m_priorities = 0;
};

struct roce_context : roce_constants {
    /// `line`: the link's rate. `first_timer`: pacing's, and behind it retransmission's.
    roce_context(const roce_config& config, bytes overhead, bit_rate line, timer_kind first_timer);

    rate_state& rate_of(std::uint32_t slot) { return rates.of<rate_state>(slot); }
    std::uint64_t pacing_timer(std::uint32_t slot) const { return timer_id(pacing, slot); }
    std::uint64_t retransmission_timer(std::uint32_t slot) const { return timer_id(retransmission, slot); }

    std::unique_ptr<const rate_control> control;
    bool heeds_marks;
    timer_kind pacing;
    timer_kind retransmission;
    // By sender slot.
    flow_states rates;
    /// Of senders: what was confirmed out of order. Of receivers: what has arrived so.
    segment_bitmaps bitmaps;
};

}  // namespace weir::traffic
