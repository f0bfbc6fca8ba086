#include "weir/traffic/pfabric/pfabric_receiver.h"

#include <algorithm>

#include "weir/traffic/transport/reliable_transport.h"

namespace weir::traffic {

ethernet_frame make_ack(const pfabric_context& pfabric, const ethernet_frame& frame, std::uint64_t next) {
    ethernet_frame ack = make_answer(frame, frame_kind::pfabric_ack, next, pfabric.empty_frame);
    ack.transfer.set_rank(0);
    return ack;
}

void pfabric_receiver::open(const pfabric_context& pfabric, const ethernet_frame& frame) {
    m_ack = make_ack(pfabric, frame, 0);
    m_kept = {};
}

bool pfabric_receiver::on_frame(transport_context& context, pfabric_context& pfabric,
                                const ethernet_frame& frame) {
    const std::uint64_t before = m_ack.transfer.sequence;
    const std::uint64_t flow_bytes = m_ack.transfer.flow_bytes;
    std::uint64_t next = before;
    std::uint32_t selected = 0;
    if (frame.kind == frame_kind::pfabric_data) {
        if (frame.transfer.sequence == before) {
            next = std::min(before + pfabric.payload, flow_bytes);
            if (m_kept.any()) {
                next = m_kept.take_from(pfabric.bitmaps, next, pfabric.payload, flow_bytes);
            }
        } else if (!on_other_order(context, pfabric, frame.transfer.sequence, selected)) {
            return false;
        }
    }
    context.counters.delivered_bytes += next - before;
    m_ack.path_tag = frame.path_tag;
    m_ack.transfer.sequence = next & transfer_fields::length_mask;
    m_ack.transfer.set_selected(selected);
    context.send(m_ack);
    return next == flow_bytes;
}

bool pfabric_receiver::on_other_order(transport_context& context, pfabric_context& pfabric,
                                      std::uint64_t offset, std::uint32_t& selected) {
    const std::uint64_t expected = m_ack.transfer.sequence;
    if (offset < expected) {
        ++context.counters.duplicate_segments;
        return true;
    }
    const std::uint64_t ahead = (offset - expected) / pfabric.payload;
    if (offset >= m_ack.transfer.flow_bytes || ahead >= pfabric.reach) {
        ++context.counters.outside_window;
        return false;
    }
    if (m_kept.add(pfabric.bitmaps, offset / pfabric.payload)) {
        context.count_early(m_ack);
    } else {
        ++context.counters.duplicate_segments;
    }
    selected = static_cast<std::uint32_t>(ahead);
    return true;
}

}  // namespace weir::traffic
