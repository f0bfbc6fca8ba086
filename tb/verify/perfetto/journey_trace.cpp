#include "tb/verify/perfetto/journey_trace.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "weir/base/unit_text.h"

namespace weir::tb {

using json = nlohmann::ordered_json;

namespace {

/// Classes that a PFC frame stops (`xoff`) or releases.
json classes_of(const pause_fields& pause, bool xoff) {
    json list = json::array();
    for (unsigned c = 0; c < pfc_classes; ++c) {
        if ((pause.class_enable >> c & 1) != 0 && (pause.quanta[c] != 0) == xoff) {
            list.push_back(c);
        }
    }
    return list;
}

/// A frame may stop some classes and release others.
const char* pfc_name(const pause_fields& pause) {
    const bool stops = !classes_of(pause, true).empty();
    const bool releases = !classes_of(pause, false).empty();
    return stops && releases ? "PFC XOFF/XON" : stops ? "PFC XOFF" : "PFC XON";
}

/// `flow 12`, `syn 12`, `PFC XOFF`.
std::string title_of(const ethernet_frame& frame) {
    const std::string flow = std::to_string(frame.flow());
    switch (frame.kind) {
        case frame_kind::tcp_data:
        case frame_kind::udp:
        case frame_kind::roce_data:
        case frame_kind::pfabric_data:
            return "flow " + flow;
        case frame_kind::tcp_ack:
        case frame_kind::roce_ack:
        case frame_kind::pfabric_ack:
            return "ack " + flow;
        case frame_kind::pfabric_probe:
            return "probe " + flow;
        case frame_kind::roce_nak:
            return "nak " + flow;
        case frame_kind::tcp_syn:
            return "syn " + flow;
        case frame_kind::tcp_syn_ack:
            return "syn-ack " + flow;
        case frame_kind::pfc:
            return pfc_name(frame.pause);
        case frame_kind::pause:
            return frame.pause.quanta[0] == 0 ? "PAUSE XON" : "PAUSE XOFF";
        case frame_kind::cnp:
            return "CNP of flow " + flow;
        case frame_kind::qcn:
            return "QCN message of flow " + flow;
        case frame_kind::foreign:
        case frame_kind::count:
            break;
    }
    return "frame";
}

}  // namespace

struct journey_trace::node_tracks {
    /// Frames in one ingress port's memory: no two on a track at once.
    struct lane {
        track_id track;
        picoseconds free_from;
    };
    trace_event_file::process_id process;
    std::map<std::string, track_id> named;
    std::vector<std::vector<lane>> lanes;
    std::vector<class_mask> paused;
    std::vector<std::array<picoseconds, pfc_classes>> paused_since;
};

journey_trace::journey_trace(const run_config& config, const std::vector<fabric_change>& changes,
                             fabric& network, const std::vector<std::uint32_t>& nodes, wire_taps& taps,
                             const run_directory& directory)
    : m_network(network),
      m_plan(network.plan()),
      m_limit(config.trace.journeys.limit),
      m_start(config.trace.window_start),
      m_end(config.trace.window_end.value_or(never)),
      m_one_class(config.flow_control.mode == flow_control_mode::pause),
      m_file(directory.create("perfetto.json")),
      m_records(config, changes, network, nodes, taps) {
    for (const std::uint32_t n : nodes) {
        const node_ref reference = m_plan.node_at(n);
        const std::size_t ports = m_plan.ports(reference).size();
        auto tracks = std::make_unique<node_tracks>();
        tracks->process = m_file.add_process(m_plan.name(reference));
        tracks->lanes.resize(ports);
        tracks->paused.resize(ports);
        tracks->paused_since.resize(ports);
        m_nodes[n] = std::move(tracks);
    }
}

journey_trace::~journey_trace() = default;

void journey_trace::take(picoseconds sure) {
    m_records.take(sure, [this](const journey_record& r) { process(r); });
}

void journey_trace::process(const journey_record& r) {
    if (m_cut != never) {
        return;
    }
    if (m_file.events() >= m_limit) {
        m_cut = r.time;
        m_records.stop();
        return;
    }
    switch (r.kind) {
        case journey_record::what::sent:
            on_sent(r);
            break;
        case journey_record::what::pauses:
            on_pauses(r);
            break;
        case journey_record::what::drop:
            on_drop(r);
            break;
        case journey_record::what::placed:
            break;
    }
}

journey_trace::track_id journey_trace::track(node_tracks& node, const std::string& name) {
    const auto known = node.named.find(name);
    if (known != node.named.end()) {
        return known->second;
    }
    return node.named[name] = m_file.add_track(node.process, name);
}

std::string journey_trace::host_name(ipv4_address address) const {
    const host_id h = m_network.host_of(address);
    return h < m_plan.hosts() ? m_plan.name(node_ref::of_host(h)) : "?";
}

void journey_trace::on_sent(const journey_record& r) {
    node_tracks& node = *m_nodes.at(r.node);
    const node_ref to = m_records.far_end(r);
    json args;
    event_chain chain;
    if (r.frame.is_flow_control()) {
        if (r.frame.kind == frame_kind::pfc) {
            args["xoff"] = classes_of(r.frame.pause, true);
            args["xon"] = classes_of(r.frame.pause, false);
            args["quanta"] = r.frame.pause.quanta;
        }
    } else {
        const journey_step step =
            m_book.sent(r.frame, r.node, m_plan.node_index(to), !to.is_host(), m_records.arrival_of(r));
        chain = {step.number, step.arrived.has_value(), !to.is_host()};
        if (step.arrived) {
            write_residence(node, r, step);
        }
        args["from"] = host_name(r.frame.src);
        args["to"] = host_name(r.frame.dst);
        args["class"] = r.frame.priority;
        args["sequence"] = std::uint64_t{r.frame.transfer.sequence};
        if ((r.frame.flags & retransmitted) != 0) {
            args["retransmitted"] = true;
        }
    }
    args["bytes"] = r.frame.frame_bytes;
    const std::string name = "tx" + std::to_string(r.port) + " to " + m_plan.name(to);
    m_file.add_slice(track(node, name), title_of(r.frame), r.time, r.time + r.duration, args, chain);
}

// The time that a frame spends in a switch. Frames of one ingress port overlap; each takes the first track that
// was free when it came.
void journey_trace::write_residence(node_tracks& node, const journey_record& r, const journey_step& step) {
    const frame_arrival& arrival = *step.arrived;
    const picoseconds begin = arrival.last_bit;
    if (begin >= r.time) {
        return;
    }
    const bool goes_on = r.kind == journey_record::what::sent;
    std::vector<node_tracks::lane>& lanes = node.lanes[arrival.port];
    auto free = std::find_if(lanes.begin(), lanes.end(), [&](const auto& l) { return l.free_from <= begin; });
    if (free == lanes.end()) {
        const std::string number = lanes.empty() ? "" : " " + std::to_string(lanes.size() + 1);
        lanes.push_back(
            {m_file.add_track(node.process, "rx" + std::to_string(arrival.port) + " memory" + number),
             picoseconds{0}});
        free = std::prev(lanes.end());
    }
    free->free_from = r.time;
    json args;
    args["class"] = r.frame.priority;
    args["bytes"] = r.frame.frame_bytes;
    args["wait_ns"] = (r.time - begin).count() / 1000;
    args[goes_on ? "leaves_at" : "lost"] = goes_on ? "tx" + std::to_string(r.port) : name_of(r.reason);
    m_file.add_slice(free->track, title_of(r.frame), begin, r.time, args, {step.number, true, goes_on});
}

void journey_trace::on_pauses(const journey_record& r) {
    node_tracks& node = *m_nodes.at(r.node);
    const class_mask mask = m_one_class ? static_cast<class_mask>(r.paused != 0 ? 1 : 0) : r.paused;
    const unsigned changed = mask ^ node.paused[r.port];
    for (unsigned c = 0; c < pfc_classes; ++c) {
        picoseconds& since = node.paused_since[r.port][c];
        if ((changed >> c & 1) == 0) {
            continue;
        }
        if ((mask >> c & 1) != 0) {
            since = r.time;
        } else {
            end_pause(node, r.port, c, since, r.time);
        }
    }
    node.paused[r.port] = mask;
}

void journey_trace::end_pause(node_tracks& node, unsigned port, unsigned c, picoseconds begin,
                              picoseconds end) {
    begin = std::max(begin, m_start);
    end = std::min(end, m_end);
    if (begin < end) {
        const std::string name = "tx" + std::to_string(port) + " paused" +
                                 (m_one_class ? std::string() : " class " + std::to_string(c));
        m_file.add_slice(track(node, name), "paused", begin, end, json::object());
    }
}

void journey_trace::on_drop(const journey_record& r) {
    node_tracks& node = *m_nodes.at(r.node);
    const journey_step last = m_book.ended(r.frame, r.node);
    if (r.time < m_start || r.time >= m_end) {
        return;
    }
    if (last.arrived) {
        write_residence(node, r, last);
    }
    json args;
    args["frame"] = title_of(r.frame);
    args["port"] = r.port;
    args["from"] = host_name(r.frame.src);
    args["to"] = host_name(r.frame.dst);
    args["class"] = r.frame.priority;
    args["bytes"] = r.frame.frame_bytes;
    m_file.add_mark(track(node, "lost frames"), name_of(r.reason), r.time, args);
}

void journey_trace::finish(picoseconds end) {
    m_records.finish(end, [this](const journey_record& r) { process(r); });
    for (auto& [index, node] : m_nodes) {
        for (unsigned port = 0; m_cut == never && port < node->paused.size(); ++port) {
            for (unsigned c = 0; c < pfc_classes; ++c) {
                if ((node->paused[port] >> c & 1) != 0) {
                    end_pause(*node, port, c, node->paused_since[port][c], end);
                }
            }
        }
    }
    m_file.finish();
}

std::vector<std::string> journey_trace::warnings(const std::string& window) const {
    if (m_file.events() == 0 && m_cut == never) {
        return {"perfetto.json has no journey: nothing came in " + window};
    }
    if (m_cut == never) {
        return {};
    }
    return {"perfetto.json ends at " + to_text(m_cut) + ": trace.perfetto_limit = " + std::to_string(m_limit) +
            " slices and marks"};
}

}  // namespace weir::tb
