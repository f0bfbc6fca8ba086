// Joins what the receiver of a transfer knows (when it was complete) with what its sender knows, which comes
// later: how often it had to send again. Transfers leave in the order in which they were delivered.
//
// A sender cannot know that a transfer is complete before it is; so deliveries are added before the sender
// records of the same time. A record without a delivery is one of a transfer that never arrived, or UDP's,
// which says nothing, and is forgotten. So what is kept are transfers delivered and not yet confirmed, and
// those that wait behind them.
//
// A sender that is cut off after its last byte has arrived would hold up all that comes after. So a transfer
// waits for its sender only while `most_held` further ones are delivered: what the sender says after the end
// of the last of them is too late, and the transfer leaves without. Whether it is too late depends on the times
// in the records alone, not on when they are added.
//
//   joiner.add(delivery);
//   joiner.add(sent);
//   joiner.take_ready(write);
//   joiner.take_all(write);            // at the end
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "weir/traffic/host/records.h"
#include "weir/traffic/host/transports.h"

namespace weir::tb {

struct completed_flow {
    delivery_record delivery;
    /// False: the sender said nothing in time, and the numbers below mean nothing.
    bool sender_known = false;
    std::uint32_t retransmits = 0;
    std::uint32_t timeouts = 0;
};

class flow_joiner {
 public:
    /// 2^18 lines and their index take 38 MiB.
    static constexpr std::size_t default_most_held = std::size_t{1} << 18;

    /// Range: most_held >= 1.
    explicit flow_joiner(std::size_t most_held = default_most_held) : m_most_held(most_held) {
        for (const auto& entry : transports().entries()) {
            m_confirms.push_back(entry.traits.confirms ? 1 : 0);
        }
    }

    /// It waits neither for its sender nor for a transfer before it: added, it would leave first and as it is,
    /// and need not be added.
    bool leaves_at_once(const delivery_record& delivery) const { return m_lines.empty() && !waits(delivery); }
    /// In order of completion. Where the sender is told nothing, the transfer is complete as it is.
    void add(const delivery_record& delivery) {
        const bool is_complete = !waits(delivery);
        if (!is_complete) {
            m_waiting[delivery.flow] = m_taken + m_lines.size();
        }
        m_lines.push_back({{delivery, is_complete, 0, 0}, is_complete});
    }
    void add(const sender_record& record) {
        const auto found = m_waiting.find(record.flow);
        if (found == m_waiting.end()) {
            return;
        }
        const std::size_t place = found->second - m_taken;
        m_waiting.erase(found);
        line& joined = m_lines[place];
        joined.complete = true;
        const std::size_t last = place + m_most_held;
        if (last >= m_lines.size() || record.time <= m_lines[last].flow.delivery.end) {
            joined.flow.sender_known = true;
            joined.flow.retransmits = record.retransmits;
            joined.flow.timeouts = record.timeouts;
        }
    }

    /// Those that nothing before them holds back. All records up to the latest delivery have been added.
    template <class Take>
    void take_ready(Take&& take) {
        while (!m_lines.empty() && (m_lines.front().complete || m_lines.size() > m_most_held)) {
            if (!m_lines.front().complete) {
                m_waiting.erase(m_lines.front().flow.delivery.flow);
            }
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
    bool waits(const delivery_record& delivery) const {
        return m_confirms[static_cast<std::size_t>(delivery.transport)] != 0;
    }

    std::size_t m_most_held;
    /// By `transport_kind`: a sender's record follows.
    std::vector<std::uint8_t> m_confirms;
    std::deque<line> m_lines;
    std::size_t m_taken = 0;
    /// Number of the line of each transfer that waits for its sender. Never iterated.
    std::unordered_map<std::uint64_t, std::size_t> m_waiting;
};

}  // namespace weir::tb
