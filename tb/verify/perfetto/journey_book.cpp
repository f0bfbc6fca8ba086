#include "tb/verify/perfetto/journey_book.h"

namespace weir::tb {

// A frame that a module of a user's own has made may have nothing but its addresses. Switches mark frames on
// their way.
journey_book::key journey_book::key_of(const ethernet_frame& frame, std::uint32_t node) {
    return {node,
            frame.src,
            frame.dst,
            frame.transfer.flow,
            frame.transfer.sequence,
            static_cast<std::uint32_t>(frame.transfer.connection),
            frame.frame_bytes,
            frame.kind,
            static_cast<std::uint8_t>(frame.flags & ~(ecn_marked | detoured))};
}

std::optional<journey_book::waiting> journey_book::take(const key& k) {
    const auto found = m_waiting.find(k);
    if (found == m_waiting.end()) {
        return std::nullopt;
    }
    const waiting first = found->second.front();
    found->second.pop_front();
    if (found->second.empty()) {
        m_waiting.erase(found);
    }
    --m_open;
    return first;
}

journey_step journey_book::sent(const ethernet_frame& frame, std::uint32_t from, std::uint32_t to,
                                bool to_switch, const frame_arrival& arrival) {
    const auto before = take(key_of(frame, from));
    journey_step step;
    step.number = before ? before->number : ++m_last;
    if (before) {
        step.arrived = before->arrival;
    }
    if (to_switch) {
        m_waiting[key_of(frame, to)].push_back({step.number, arrival});
        ++m_open;
    }
    return step;
}

journey_step journey_book::at(const ethernet_frame& frame, std::uint32_t node) const {
    const auto found = m_waiting.find(key_of(frame, node));
    return found == m_waiting.end() ? journey_step{}
                                    : journey_step{found->second.front().number, found->second.front().arrival};
}

journey_step journey_book::ended(const ethernet_frame& frame, std::uint32_t node) {
    const auto last = take(key_of(frame, node));
    return last ? journey_step{last->number, last->arrival} : journey_step{};
}

}  // namespace weir::tb
