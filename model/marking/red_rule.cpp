#include "weir/model/marking/red_rule.h"

#include <algorithm>
#include <cmath>

namespace weir::model {

void red_rule::arrive(red_state& s, double length, double idle_frames) const {
    if (length > 0) {
        s.average = (1 - m_red.weight) * s.average + m_red.weight * length;
    } else {
        s.average *= std::pow(1 - m_red.weight, idle_frames);
    }
}

red_rule::chance red_rule::chance_of(const red_state& s, double frame_bytes) const {
    double p = 0;
    if (s.average < m_red.max) {
        p = m_red.p_max * (s.average - m_red.min) / (m_red.max - m_red.min);
    } else {
        p = m_red.p_max + (1 - m_red.p_max) * (s.average - m_red.max) / m_red.max;
    }
    if (m_red.in_bytes) {
        p = std::min(p * frame_bytes / m_red.mean_frame, 1.0);
    }
    const double expected = static_cast<double>(s.count + 1) * p;
    double corrected = 1;
    if (m_red.wait) {
        corrected = expected < 1 ? 0 : expected < 2 ? p / (2 - expected) : 1;
    } else if (expected < 1) {
        corrected = p / (1 - expected);
    }
    return {p, std::min(corrected, 1.0)};
}

red_answer red_rule::decide(red_state& s, double frame_bytes, double draw) const {
    if (s.average < m_red.min) {
        s.count = -1;
        return red_answer::pass;
    }
    if (!is_early(s)) {
        s.count = 0;
        return red_answer::forced;
    }
    const double p = chance_of(s, frame_bytes).corrected;
    ++s.count;
    if (draw > p) {
        return red_answer::pass;
    }
    s.count = 0;
    return red_answer::early;
}

}  // namespace weir::model
