#include "weir/model/marking/red_marker.h"

#include <algorithm>

namespace weir::model {

marking red_marker::decide(const queue_sight& queue) {
    red_state& s = m_states[queue.port * m_rules.size() + queue.frame_class];
    const red_rule& rule = m_rules[queue.frame_class];
    // An arrival ends the idle time, also if the frame is dropped and the queue stays empty.
    picoseconds& arrived = m_arrived[queue.port * m_rules.size() + queue.frame_class];
    double idle_frames = 0;
    if (queue.empty_since != never) {
        idle_frames = static_cast<double>((queue.now - std::max(queue.empty_since, arrived)).count()) /
                      static_cast<double>(m_mean_frame_times[queue.port].count());
    }
    arrived = queue.now;
    const std::uint64_t length = m_options.in_frames ? queue.frames : queue.bytes;
    rule.arrive(s, static_cast<double>(length), idle_frames);
    const bool can_mark = (queue.frame.flags & ecn_capable) != 0;
    const bool may_drop = (m_options.lossy >> queue.frame_class & 1) != 0;
    const bool is_spared = rule.is_early(s) && m_options.spares_control && !queue.frame.has_payload();
    if (is_spared || (!can_mark && !may_drop)) {
        return marking::pass;
    }
    const red_answer answer =
        rule.decide(s, queue.frame.frame_bytes, rule.is_early(s) ? queue.chance.uniform() : 0);
    if (answer == red_answer::pass) {
        return marking::pass;
    }
    return may_drop && (answer == red_answer::forced || !can_mark) ? marking::drop : marking::mark;
}

}  // namespace weir::model
