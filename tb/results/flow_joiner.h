// Joins what the receiver of a transfer knows (when it was complete) with what its sender knows, which comes
// later: how often it had to send again. Transfers leave in the order in which they were delivered.
//
// A sender can not know that a transfer is complete before it is; so deliveries are added before the sender
// records of the same time. A record without a delivery is one of a transfer that never arrived, or UDP's,
// which says nothing, and is forgotten. So what is kept are transfers delivered and not yet confirmed, and
// those that wait behind them.
//
//   joiner.add(delivery);
//   joiner.add(sender_record);
//   joiner.take_ready([&](const completed_flow& flow) { ... });
//   joiner.take_all(...);                                          // at the end
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>

#include "weir/traffic/records.h"

namespace weir {

struct completed_flow {
    delivery_record delivery;
    std::uint32_t retransmits = 0;
    std::uint32_t timeouts = 0;
};

class flow_joiner {
 public:
    /// In order of completion. A UDP transfer is complete as it is.
    void add(const delivery_record& delivery) {
        const bool waits = delivery.transport == transport_kind::tcp;
        if (waits) {
            m_waiting[delivery.flow] = m_taken + m_lines.size();
        }
        m_lines.push_back({{delivery, 0, 0}, !waits});
    }
    void add(const sender_record& record) {
        const auto found = m_waiting.find(record.flow);
        if (found == m_waiting.end()) {
            return;
        }
        line& joined = m_lines[found->second - m_taken];
        joined.flow.retransmits = record.retransmits;
        joined.flow.timeouts = record.timeouts;
        joined.complete = true;
        m_waiting.erase(found);
    }

    /// Those that nothing before them holds back.
    template <class Take>
    void take_ready(Take&& take) {
        while (!m_lines.empty() && m_lines.front().complete) {
            take(m_lines.front().flow);
            m_lines.pop_front();
            ++m_taken;
        }
    }
    /// All, with what is known of them.
    template <class Take>
    void take_all(Take&& take) {
        for (line& left : m_lines) {
            left.complete = true;
        }
        m_waiting.clear();
        take_ready(take);
    }
    std::size_t held() const { return m_lines.size(); }

 private:
    struct line {
        completed_flow flow;
        bool complete;
    };
    std::deque<line> m_lines;
    std::size_t m_taken = 0;
    /// Number of the line of each transfer that waits for its sender. Never iterated.
    std::unordered_map<std::uint64_t, std::size_t> m_waiting;
};

}  // namespace weir
