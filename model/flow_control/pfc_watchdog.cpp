#include "weir/model/flow_control/pfc_watchdog.h"

#include <algorithm>

namespace weir::model {

void pfc_watchdog::note_xoff(unsigned port, class_mask classes, picoseconds now) {
    for (unsigned c = 0; c < pfc_classes; ++c) {
        if ((classes >> c & 1) != 0) {
            m_ports[port].queues[c].last_xoff = now;
        }
    }
}

// A storm: a paused queue whose first frame has not changed for the detection time. It ends when no XOFF has
// come for the restoration time.
pfc_watchdog::verdict pfc_watchdog::look(unsigned port, pfc_class c, const queue_view& queue, picoseconds now) {
    port_state& p = m_ports[port];
    queue_state& q = p.queues[c];
    const auto bit = static_cast<class_mask>(1U << c);
    if ((p.storms & bit) != 0) {
        if (now - q.last_xoff < m_restoration) {
            return verdict::nothing;
        }
        p.storms = static_cast<class_mask>(p.storms & ~bit);
        q.head = no_head;
        return verdict::restored;
    }
    if (!queue.paused || queue.head != q.head) {
        q.head = queue.paused ? queue.head : no_head;
        q.since = now;
        return verdict::nothing;
    }
    if (q.head == no_head || now - q.since < m_detection) {
        return verdict::nothing;
    }
    p.storms = static_cast<class_mask>(p.storms | bit);
    q.last_xoff = std::max(q.last_xoff, now);  // its pauses are counted from here on
    return verdict::storm;
}

}  // namespace weir::model
