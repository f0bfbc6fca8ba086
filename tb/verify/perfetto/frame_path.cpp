#include "tb/verify/perfetto/frame_path.h"

#include <algorithm>
#include <utility>

namespace weir::tb {

namespace {

/// Sequence numbers of other frames are no offsets.
bool is_data(const ethernet_frame& frame) {
    return frame.kind == frame_kind::tcp_data || frame.kind == frame_kind::udp ||
           frame.kind == frame_kind::roce_data;
}

frame_filter filter_of(const frame_choice& choice) {
    if (choice.most_detours) {
        return is_data;
    }
    return [choice](const ethernet_frame& frame) {
        return is_data(frame) && frame.transfer.flow == choice.flow && frame.transfer.sequence == choice.offset;
    };
}

std::vector<std::uint32_t> all_nodes(const topology& plan) {
    std::vector<std::uint32_t> nodes(plan.hosts() + plan.switches());
    for (std::uint32_t n = 0; n < nodes.size(); ++n) {
        nodes[n] = n;
    }
    return nodes;
}

}  // namespace

frame_path_trace::frame_path_trace(const run_config& config, const std::vector<fabric_change>& changes,
                                   fabric& network, wire_taps& taps, const run_directory& directory)
    : m_plan(network.plan()),
      m_wanted(*frame_choice::parse(config.trace.frame_path)),
      m_table(directory.create<frame_path_row>()),
      m_records(config, changes, network, all_nodes(m_plan), taps, filter_of(m_wanted)) {}

void frame_path_trace::take(picoseconds sure) {
    m_records.take(sure, [this](const journey_record& r) { process(r); });
}

void frame_path_trace::process(const journey_record& r) {
    switch (r.kind) {
        case journey_record::what::placed:
            on_placed(r);
            break;
        case journey_record::what::sent:
            on_sent(r);
            break;
        case journey_record::what::drop:
            on_drop(r);
            break;
        case journey_record::what::pauses:
            break;
    }
}

frame_path_trace::stop& frame_path_trace::add_stop(path& p, std::uint32_t node,
                                                   const std::optional<frame_arrival>& arrived) {
    const auto visits =
        std::count_if(p.stops.begin(), p.stops.end(), [&](const stop& s) { return s.index == node; });
    stop& s = p.stops.emplace_back();
    s.index = node;
    s.node = m_plan.name(m_plan.node_at(node));
    s.visit = static_cast<std::uint64_t>(visits) + 1;
    if (arrived) {
        s.arrived = arrived->last_bit;
    }
    return s;
}

/// What is known of the frame at the node where it is now.
frame_path_trace::stop& frame_path_trace::stop_at(path& p, const journey_record& r,
                                                  const std::optional<frame_arrival>& arrived) {
    return p.stops.empty() || p.stops.back().sent ? add_stop(p, r.node, arrived) : p.stops.back();
}

void frame_path_trace::on_placed(const journey_record& r) {
    const journey_step step = m_book.at(r.frame, r.node);
    const auto known = m_open.find(step.number);
    if (known == m_open.end()) {
        return;  // it left its source before the window
    }
    path& p = known->second;
    stop& s = stop_at(p, r, step.arrived);
    s.placed = r.time;
    s.wanted_port = r.wanted;
    s.wanted_peer = peer(s, r.wanted);
    s.held_bytes = r.held_bytes;
    const bool detours = r.frame.detours != p.frame.detours;
    s.event = detours ? "detoured" : r.port != r.wanted ? "other_path" : "forwarded";
    p.frame = r.frame;
}

void frame_path_trace::on_sent(const journey_record& r) {
    const node_ref to = m_records.far_end(r);
    const frame_arrival arrival = m_records.arrival_of(r);
    const std::uint32_t next = m_plan.node_index(to);
    const journey_step step = m_book.sent(r.frame, r.node, next, !to.is_host(), arrival);
    const bool is_source = m_plan.node_at(r.node).is_host();
    if (!is_source && m_open.find(step.number) == m_open.end()) {
        return;
    }
    path& p = m_open[step.number];
    p.frame = r.frame;
    stop& s = stop_at(p, r, step.arrived);
    s.sent = r.time;
    s.port = r.port;
    s.peer = peer(s, r.port);
    if (s.event.empty()) {
        s.event = is_source ? "sent" : "forwarded";
    }
    if (to.is_host()) {
        add_stop(p, next, arrival).event = "delivered";
        close(step.number);
    }
}

void frame_path_trace::on_drop(const journey_record& r) {
    const journey_step step = m_book.ended(r.frame, r.node);
    if (const auto known = m_open.find(step.number); known != m_open.end()) {
        stop_at(known->second, r, step.arrived).event = name_of(r.reason);
        close(step.number);
        return;
    }
    // At its destination, whose link was cut or has errors.
    for (path& p : m_chosen) {
        stop& last = p.stops.back();
        if (last.index == r.node && last.arrived == r.time) {
            last.event = name_of(r.reason);
        }
    }
}

void frame_path_trace::close(std::uint64_t number) {
    const auto closed = m_open.find(number);
    if (!m_wanted.most_detours) {
        m_chosen.push_back(std::move(closed->second));
    } else if (m_chosen.empty() || closed->second.frame.detours > m_chosen[0].frame.detours) {
        m_chosen = {std::move(closed->second)};
    }
    m_open.erase(closed);
}

std::uint32_t frame_path_trace::far_node(const stop& s, unsigned port) const {
    return m_plan.node_index(m_plan.far_end(m_plan.node_at(s.index), port).node);
}

std::string_view frame_path_trace::peer(const stop& s, unsigned port) const {
    return m_plan.name(m_plan.node_at(far_node(s, port)));
}

// Frames that are still under way come last; of the frame with most detours, one of them may be it.
void frame_path_trace::finish(picoseconds end) {
    m_records.finish(end, [this](const journey_record& r) { process(r); });
    while (!m_open.empty()) {
        path& p = m_open.begin()->second;
        const stop& last = p.stops.back();
        if (last.sent) {
            add_stop(p, far_node(last, *last.port), {});
        }
        p.stops.back().event = "inside";
        close(m_open.begin()->first);
    }
    for (std::size_t copy = 0; copy < m_chosen.size(); ++copy) {
        const path& p = m_chosen[copy];
        for (stop s : p.stops) {
            s.copy = copy + 1;
            s.flow = p.frame.flow();
            s.offset = p.frame.transfer.sequence;
            m_table.write(s);
        }
    }
    m_table.finish();
}

std::vector<std::string> frame_path_trace::warnings(const std::string& window) const {
    if (m_chosen.empty()) {
        return {"frame_path.csv has no row: its frame was not sent in " + window};
    }
    if (m_wanted.most_detours && m_chosen[0].frame.detours == 0) {
        return {"frame_path.csv has the first frame that arrived: none was detoured in " + window};
    }
    return {};
}

}  // namespace weir::tb
