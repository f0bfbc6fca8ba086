#include "tb/replay/ns3_red_queue.h"

#include <algorithm>
#include <cmath>

namespace weir::tb {

void ns3_red_queue::arrive(std::uint32_t frame_bytes, bool ecn_capable, double draw, picoseconds now) {
    const drop answer = decide(frame_bytes, draw, now);
    const bool marks = m_scenario.use_ecn && ecn_capable;
    if (answer == drop::early ? !marks : answer == drop::forced && (m_scenario.use_hard_drop || !marks)) {
        return;
    }
    const std::uint64_t more = m_scenario.in_bytes ? frame_bytes : 1;
    if (length() + more <= m_scenario.limit) {
        m_sizes.push_back(frame_bytes);
        m_bytes += frame_bytes;
        m_empty_since.reset();
    }
}

void ns3_red_queue::depart(picoseconds now) {
    if (m_sizes.empty()) {
        m_idle_since = now;
        return;
    }
    m_idle_since.reset();
    m_bytes -= m_sizes.front();
    m_sizes.pop_front();
    if (m_sizes.empty()) {
        m_empty_since = now;
    }
}

ns3_red_queue::drop ns3_red_queue::decide(std::uint32_t frame_bytes, double draw, picoseconds now) {
    const model::red_parameters& red = m_scenario;
    double idle_frames = 0;
    if (m_idle_since) {
        const double idle_s = static_cast<double>((now - *m_idle_since).count()) * 1e-12;
        idle_frames = std::floor(idle_s * m_scenario.link_bps / (8 * red.mean_frame));
        m_idle_since.reset();
    }
    const auto found = static_cast<double>(length());
    m_average = m_average * std::pow(1 - red.weight, idle_frames + 1) + red.weight * found;
    ++m_count;
    m_count_bytes += frame_bytes;
    if (m_average < red.min || found <= 1) {
        m_was_above = false;
        return drop::none;
    }
    if (m_average >= (red.gentle ? 2 : 1) * red.max) {
        return drop::forced;
    }
    if (!m_was_above) {
        m_was_above = true;
        m_count = 1;
        m_count_bytes = frame_bytes;
        return drop::none;
    }
    if (draw > probability(frame_bytes)) {
        return drop::none;
    }
    m_count = m_count_bytes = 0;
    return drop::early;
}

double ns3_red_queue::probability(std::uint32_t frame_bytes) const {
    const model::red_parameters& red = m_scenario;
    double p = red.gentle && m_average >= red.max ? (1 - red.p_max) / red.max * m_average + 2 * red.p_max - 1
                                                  : red.p_max * (m_average - red.min) / (red.max - red.min);
    p = std::min(p, 1.0);
    const double count = red.in_bytes ? std::floor(static_cast<double>(m_count_bytes) / red.mean_frame)
                                      : static_cast<double>(m_count);
    const double expected = count * p;
    if (red.wait) {
        p = expected < 1 ? 0 : expected < 2 ? p / (2 - expected) : 1;
    } else {
        p = expected < 1 ? p / (1 - expected) : 1;
    }
    if (red.in_bytes && p < 1) {
        p *= frame_bytes / red.mean_frame;
    }
    return std::min(p, 1.0);
}

}  // namespace weir::tb
