#include "weir/traffic/udp/incoming_datagrams.h"

#include <algorithm>

namespace weir::traffic {

bool incoming_datagrams::add(const transfer_fields& transfer, std::uint64_t payload, picoseconds now) {
    if (payload >= transfer.flow_bytes) {
        return true;  // its only datagram
    }
    const std::uint64_t flow = transfer.flow;
    progress* known = m_incomplete.find(flow);
    if (known == nullptr) {
        if (m_incomplete.size() >= m_forget_at) {
            forget(now);
        }
        known = &m_incomplete.add(flow);
    }
    known->arrived += payload;
    if (known->arrived >= transfer.flow_bytes) {
        m_incomplete.remove(flow);
        return true;
    }
    const picoseconds wait = patience(transfer);
    known->forget_after = wait == never ? never : now + wait;
    return false;
}

void incoming_datagrams::forget(picoseconds now) {
    m_incomplete.remove_if([now](const progress& p) { return p.forget_after < now; });
    m_forget_at = std::max(few, 2 * m_incomplete.size());
}

}  // namespace weir::traffic
