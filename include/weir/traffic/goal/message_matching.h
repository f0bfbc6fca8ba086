// One rank's posted receives and unexpected messages, as MPI matches them: by source and tag, each of which a
// receive may leave open, in the order of arrival and of posting.
//
//   message_matching<bytes> queues;
//   queues.arrive({2, 7}, length);                  // false: no receive waits for it; kept
//   queues.post({any_rank, 7}, receive);            // the length: matched, and taken out
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "weir/traffic/goal/goal_schedule.h"

namespace weir::traffic {

struct message_envelope {
    /// Of a receive: also `any_rank`.
    std::uint32_t src = 0;
    /// Of a receive: also `any_tag`.
    std::uint32_t tag = 0;
};

/// `Message`: what is kept of a message that no receive waits for.
template <class Message>
class message_matching {
 public:
    /// The first receive posted that takes the message, if there is one; else the message is kept.
    std::optional<goal_index> arrive(const message_envelope& sent, const Message& message) {
        const auto found = std::find_if(m_posted.begin(), m_posted.end(),
                                        [&](const auto& each) { return takes(each.first, sent); });
        if (found == m_posted.end()) {
            m_unexpected.emplace_back(sent, message);
            return std::nullopt;
        }
        const goal_index receive = found->second;
        m_posted.erase(found);
        return receive;
    }
    /// The first message kept that the receive takes, if there is one; else the receive is posted.
    std::optional<Message> post(const message_envelope& wanted, goal_index receive) {
        const auto found = std::find_if(m_unexpected.begin(), m_unexpected.end(),
                                        [&](const auto& each) { return takes(wanted, each.first); });
        if (found == m_unexpected.end()) {
            m_posted.emplace_back(wanted, receive);
            return std::nullopt;
        }
        const Message message = found->second;
        m_unexpected.erase(found);
        return message;
    }

    const std::vector<std::pair<message_envelope, Message>>& unexpected() const { return m_unexpected; }
    const std::vector<std::pair<message_envelope, goal_index>>& posted() const { return m_posted; }

 private:
    static bool takes(const message_envelope& wanted, const message_envelope& sent) {
        return (wanted.src == any_rank || wanted.src == sent.src) &&
               (wanted.tag == any_tag || wanted.tag == sent.tag);
    }

    std::vector<std::pair<message_envelope, goal_index>> m_posted;
    std::vector<std::pair<message_envelope, Message>> m_unexpected;
};

}  // namespace weir::traffic
