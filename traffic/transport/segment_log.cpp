#include "weir/traffic/transport/segment_log.h"

#include <algorithm>

namespace weir::traffic {

namespace {

void add_to(std::vector<std::uint64_t>& sum, const std::vector<std::uint64_t>& more) {
    sum.resize(std::max(sum.size(), more.size()));
    for (std::size_t i = 0; i < more.size(); ++i) {
        sum[i] += more[i];
    }
}

void count_at(std::vector<std::uint64_t>& counts, std::size_t place) {
    if (place >= counts.size()) {
        counts.resize(place + 1);
    }
    ++counts[place];
}

std::uint16_t path_of(std::uint16_t tag, std::uint64_t flow) {
    return static_cast<std::uint16_t>(tag - path_tag_of(flow));
}

}  // namespace

void segment_counts::add(const segment_counts& other) {
    received += other.received;
    marked += other.marked;
    early += other.early;
    tcp_received += other.tcp_received;
    late += other.late;
    acks += other.acks;
    echoes += other.echoes;
    retransmits += other.retransmits;
    timeouts += other.timeouts;
    path_changes += other.path_changes;
    udp_sent_bytes += other.udp_sent_bytes;
    udp_received_bytes += other.udp_received_bytes;
    add_to(late_by, other.late_by);
    add_to(by_path, other.by_path);
}

void segment_log::on_frame(const ethernet_frame& frame) {
    switch (frame.kind) {
        case frame_kind::tcp_data:
        case frame_kind::udp:
        case frame_kind::roce_data:
        case frame_kind::pfabric_data: {
            segment_counts& counts = of(frame);
            ++counts.received;
            counts.tcp_received += frame.kind == frame_kind::tcp_data ? 1 : 0;
            if (frame.kind == frame_kind::udp && frame.transfer.sequence < frame.transfer.flow_bytes) {
                counts.udp_received_bytes +=
                    std::min(m_udp_payload, frame.transfer.flow_bytes - frame.transfer.sequence);
            }
            counts.marked += (frame.flags & ecn_marked) != 0 ? 1 : 0;
            count_at(counts.by_path, path_of(frame.path_tag, frame.transfer.flow));
            break;
        }
        case frame_kind::tcp_ack:
        case frame_kind::roce_ack:
        case frame_kind::pfabric_ack: {
            segment_counts& counts = of(frame);
            ++counts.acks;
            counts.echoes += (frame.flags & ecn_echo) != 0 ? 1 : 0;
            break;
        }
        default:
            break;
    }
}

void segment_log::on_late(const ethernet_frame& frame, std::uint64_t behind) {
    segment_counts& counts = of(frame);
    ++counts.late;
    count_at(counts.late_by, std::min(behind, most_behind));
}

void segment_log::leave_path(const ethernet_frame& header, path_change change, picoseconds now,
                             std::uint64_t max, path_end why) {
    const transfer_fields& transfer = header.transfer;
    const stay_begin first{transfer.start(), 0};
    stay_begin& begin = m_begins.try_emplace(transfer.flow, first).first->second;
    m_stays.push_back({transfer.flow, header.dst, transfer.tag, path_of(change.from, transfer.flow),
                       path_of(change.to, transfer.flow), why, begin.time, now, max - begin.bytes});
    begin = {now, max};
    if (why != path_end::done) {
        ++of(header).path_changes;
    }
}

void segment_log::finish(const ethernet_frame& header, std::uint16_t tag, picoseconds now) {
    if (m_begins.count(header.transfer.flow) != 0) {
        leave_path(header, {tag, tag}, now, header.transfer.flow_bytes, path_end::done);
        m_begins.erase(header.transfer.flow);
    }
}

}  // namespace weir::traffic
