#include "weir/model/marking/qcn_marker.h"

#include <algorithm>

#include "weir/model/config/qcn_config.h"

namespace weir::model {

qcn_marker::qcn_marker(const qcn_config& config, std::size_t queues, unsigned classes, unsigned node,
                       frame_origin& origin)
    : m_rule(config),
      m_jitter(config.jitter),
      m_classes(classes),
      m_node(node),
      m_priority(static_cast<pfc_class>(config.priority)),
      m_set_point(config.set_point.count()),
      m_origin(origin),
      m_states(queues, m_rule.open()) {}

frame_action qcn_marker::decide(const queue_sight& queue) {
    if (queue.frame.is_notification()) {
        return frame_action::keep;
    }
    qcn_point_state& s = m_states[queue.port * m_classes + queue.frame_class];
    if (!qcn_point::is_sampled(s, queue.frame.frame_bytes)) {
        return frame_action::keep;
    }
    const std::uint64_t length = queue.bytes + queue.frame.frame_bytes;
    const qcn_feedback said = m_rule.feedback(s, length);
    if (said.quantised > 0) {
        notify(queue, said.quantised, length, s.length);
    }
    m_rule.sample(s, length, said, m_jitter > 0 ? 1 + m_jitter * (2 * queue.chance.uniform() - 1) : 1);
    return frame_action::keep;
}

static std::int32_t limited(std::int64_t bytes) {
    constexpr std::int64_t most = INT32_MAX;
    return static_cast<std::int32_t>(std::clamp(bytes, -most, most));
}

void qcn_marker::notify(const queue_sight& queue, std::uint8_t feedback, std::uint64_t length,
                        std::uint64_t before) {
    ethernet_frame message;
    message.kind = frame_kind::qcn;
    message.src = queue.frame.dst;
    message.dst = queue.frame.src;
    message.frame_bytes = static_cast<std::uint16_t>(qcn_frame_bytes.count());
    message.path_tag = queue.frame.path_tag;
    message.priority = m_priority;
    message.notification = notification_fields{};
    notification_fields& fields = message.notification;
    fields.flow = queue.frame.flow();
    fields.sampled_dst = queue.frame.dst;
    fields.node = m_node;
    fields.port = static_cast<std::uint16_t>(queue.port);
    fields.sampled_class = queue.frame_class;
    fields.feedback = feedback;
    fields.offset_bytes = limited(m_set_point - static_cast<std::int64_t>(length));
    fields.delta_bytes = limited(static_cast<std::int64_t>(length) - static_cast<std::int64_t>(before));
    m_origin.originate(message);
}

static std::unique_ptr<marker> make_qcn(const marker_setup& setup) {
    return std::make_unique<qcn_marker>(setup.qcn, setup.queues(), setup.classes, setup.node, setup.origin);
}

static marking_start qcn_start(const marking_config&, const qcn_config& qcn, pfc_class) {
    return {"qcn.set_point", qcn.set_point, {}};
}

marker_entry qcn_marker_kind() {
    marker_traits traits{make_qcn, false, qcn_start, "the queue is full before QCN holds it at that length"};
    traits.counts_arrivals = true;
    traits.notifies = true;
    return {"qcn", "QCN: none; switches send notifications to the sources of frames that they sample", traits};
}

}  // namespace weir::model
