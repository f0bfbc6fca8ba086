// QCN's congestion points (qcn_point.h), one at each egress queue: where a sample shows congestion the switch
// sends a notification of 64 B to the source of the frame that was sampled. Marks nothing.
//
// The length counts the frame that comes. Notifications themselves are not sampled.
//
//   qcn_marker marker(qcn_config{}, 32 * 8, 8, node, device);
#pragma once

#include <vector>

#include "weir/model/marking/marker.h"
#include "weir/model/marking/qcn_point.h"

namespace weir::model {

class qcn_marker final : public marker {
 public:
    /// `origin` outlives this. `node`: index of the switch among the nodes.
    qcn_marker(const qcn_config& config, std::size_t queues, unsigned classes, unsigned node,
               frame_origin& origin);

    frame_action decide(const queue_sight& queue) override;

 private:
    /// `before`: the length at the last sample.
    void notify(const queue_sight& queue, std::uint8_t feedback, std::uint64_t length, std::uint64_t before);

    qcn_point m_rule;
    double m_jitter;
    std::size_t m_classes;
    unsigned m_node;
    pfc_class m_priority;
    std::int64_t m_set_point;
    frame_origin& m_origin;
    // By port and class.
    std::vector<qcn_point_state> m_states;
};

marker_entry qcn_marker_kind();

}  // namespace weir::model
