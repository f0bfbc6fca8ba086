// Drives voq_crossbar.sv with what a slot log shows.
#pragma once

#include <functional>
#include <utility>

#include "support/slot_log.h"
#include "tb/verify/rtl/voq_pins.h"

namespace weir::test {

using namespace tb;

/// One slot behind the log: the frames that came after a slot began are given to the RTL while it runs.
class voq_driver {
 public:
    /// What the switch saw and did, and what the RTL did.
    using visitor = std::function<void(const slot_record&, const std::vector<moved_cell>&)>;
    explicit voq_driver(visitor visit) : m_visit(std::move(visit)) {}

    void take(const slot_record& slot) {
        if (m_open) {
            m_rtl.begin_slot(slot_log_iterations, m_slot.room);
        }
        for (const voq_arrival& a : slot.arrivals) {
            m_rtl.arrive(a.ingress, a.egress, a.frame_class, a.cells);
        }
        finish_slot();
        m_slot = slot;
        m_open = true;
    }
    void finish() {
        if (m_open) {
            m_rtl.begin_slot(slot_log_iterations, m_slot.room);
        }
        finish_slot();
    }
    /// In the midst of a slot that has begun; the log starts anew.
    void reset() {
        if (m_open) {
            m_rtl.begin_slot(slot_log_iterations, m_slot.room);
        }
        m_open = false;
        m_rtl.reset();
    }
    const voq_crossbar_rtl& rtl() const { return m_rtl; }

 private:
    void finish_slot() {
        if (!m_open) {
            return;
        }
        const voq_slot made = m_rtl.finish_slot();
        std::vector<moved_cell> moved;
        for (unsigned e = 0; e < slot_log_ports; ++e) {
            if ((made.moved >> e & 1) != 0) {
                moved.push_back({e, made.ingress[e], made.frame_class[e], (made.last >> e & 1) != 0});
            }
        }
        m_visit(m_slot, moved);
        m_open = false;
    }

    visitor m_visit;
    voq_crossbar_rtl m_rtl;
    slot_record m_slot;
    bool m_open = false;
};

}  // namespace weir::test
