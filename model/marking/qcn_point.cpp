#include "weir/model/marking/qcn_point.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace weir::model {

static constexpr unsigned feedback_bits = 6;
static constexpr double largest_feedback = (1U << feedback_bits) - 1;

/// Of the interval without congestion, by the upper three bits of the feedback (Pan's table: 150 KB, 75, 50,
/// 37.5, 30, 25, 21.5, 18.5).
static constexpr std::array<double, 8> interval_shares{150. / 150, 75. / 150, 50. / 150,  37.5 / 150,
                                                       30. / 150,  25. / 150, 21.5 / 150, 18.5 / 150};

static unsigned bits_of(double whole) {
    unsigned bits = 0;
    for (auto left = static_cast<std::uint64_t>(whole); left != 0; left >>= 1) {
        ++bits;
    }
    return bits;
}

qcn_point::qcn_point(const qcn_config& config)
    : m_quantiser(config.quantiser),
      m_set_point(static_cast<double>(config.set_point.count())),
      m_weight(config.weight),
      m_largest(m_set_point * (2 * m_weight + 1)),
      m_interval(static_cast<double>(config.sample_interval.count())),
      m_bits_cut(std::max(bits_of(m_largest), feedback_bits) - feedback_bits) {}

qcn_feedback qcn_point::feedback(const qcn_point_state& s, std::uint64_t length) const {
    const auto now = static_cast<double>(length);
    qcn_feedback said;
    said.raw = (m_set_point - now) - m_weight * (now - static_cast<double>(s.length));
    said.clamped = std::clamp(said.raw, -m_largest, 0.0);
    said.quantised = quantise(-said.clamped);
    return said;
}

std::uint8_t qcn_point::quantise(double excess) const {
    if (m_quantiser == qcn_quantiser::msb) {
        return static_cast<std::uint8_t>(static_cast<std::uint64_t>(excess) >> m_bits_cut);
    }
    return static_cast<std::uint8_t>(std::floor(excess * largest_feedback / m_largest));
}

void qcn_point::sample(qcn_point_state& s, std::uint64_t length, const qcn_feedback& said,
                       double jitter) const {
    s.length = length;
    s.left = m_interval * interval_shares[said.quantised / 8] * jitter;
}

}  // namespace weir::model
