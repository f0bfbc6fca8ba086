// QCN's congestion point: which frames of a queue are sampled, and how congested the queue is then (R. Pan,
// pseudo-code of IEEE 802.1, 2007; 802.1Qau). Knows neither frames nor switches.
//
//     F_b = (Q_eq - length) - w (length - length at the last sample)
//
// limited to [-Q_eq (2 w + 1), 0] and quantised to six bits. A queue is sampled when as many bytes have come as
// the last sample said: the interval for an uncongested queue, less the more congested it was.
//
//   const qcn_point rule{qcn_config{}};
//   qcn_point_state s = rule.open();
//   if (rule.is_sampled(s, 1500)) {
//       rule.sample(s, 44'785, rule.feedback(s, 44'785), 1);
//   }
#pragma once

#include <cstdint>

#include "weir/model/config/qcn_config.h"

namespace weir::model {

/// Of one queue.
struct qcn_point_state {
    /// At the last sample. Unit: B.
    std::uint64_t length = 0;
    /// Until the next sample. Unit: B.
    double left = 0;
};

struct qcn_feedback {
    /// F_b, and within its limits. Unit: B.
    double raw = 0;
    double clamped = 0;
    /// Range: 0-63; 0: not congested.
    std::uint8_t quantised = 0;
};

class qcn_point {
 public:
    explicit qcn_point(const qcn_config& config);

    qcn_point_state open() const { return {0, m_interval}; }
    /// `length`: of the queue with the frame that comes. Unit: B.
    qcn_feedback feedback(const qcn_point_state& s, std::uint64_t length) const;
    /// A frame has come. True: it is the one to sample.
    static bool is_sampled(qcn_point_state& s, std::uint32_t frame_bytes) {
        s.left -= frame_bytes;
        return s.left < 0;
    }
    /// `said`: the feedback with this length. `jitter`: a factor on the interval that begins.
    void sample(qcn_point_state& s, std::uint64_t length, const qcn_feedback& said, double jitter) const;

 private:
    std::uint8_t quantise(double excess) const;

    qcn_quantiser m_quantiser;
    // Unit: B.
    double m_set_point;
    double m_weight;
    double m_largest;
    double m_interval;
    /// Of the largest excess, beyond the six that are sent.
    unsigned m_bits_cut;
};

}  // namespace weir::model
