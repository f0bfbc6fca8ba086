#include "tb/perfetto/journey_trace.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "tb/text/name_pattern.h"
#include "weir/base/unit_text.h"

namespace weir {

using json = nlohmann::ordered_json;

/// One thing that a node has done. `source` orders what happens at one time.
struct journey_trace::record {
    enum class what : std::uint8_t { sent, pauses, drop };
    picoseconds time;
    std::uint32_t source;
    std::uint32_t node;
    std::uint16_t port;
    what kind;
    class_mask paused;
    drop_reason reason;
    /// Of a frame that is sent: how long it is on the wire.
    picoseconds duration;
    ethernet_frame frame;
};

/// What a node tells beside its transmissions; filled by the node's thread.
class journey_trace::recorder final : public node_watch {
 public:
    recorder(std::uint32_t source, std::uint32_t node) : m_source(source), m_node(node) {}

    void on_pauses(unsigned port, class_mask paused, picoseconds now) override {
        add(now, port, record::what::pauses, {}).paused = paused;
    }
    void on_drop(unsigned port, drop_reason reason, const ethernet_frame& frame, picoseconds now) override {
        record& r = add(now, port, record::what::drop, frame);
        r.reason = reason;
    }
    std::vector<record>& records() { return m_records; }

 private:
    record& add(picoseconds now, unsigned port, record::what kind, const ethernet_frame& frame) {
        m_records.push_back({now, m_source, m_node, static_cast<std::uint16_t>(port), kind, 0,
                             drop_reason::count, picoseconds{0}, frame});
        return m_records.back();
    }

    std::uint32_t m_source;
    std::uint32_t m_node;
    std::vector<record> m_records;
};

/// What leaves at one port, within the window; filled by the node's thread.
class journey_trace::tap final : public wire_tap {
 public:
    tap(std::uint32_t source, std::uint32_t node, unsigned port, const wire_output& wire, picoseconds start,
        picoseconds end)
        : m_source(source), m_node(node), m_port(port), m_wire(wire), m_start(start), m_end(end) {}

    void on_sent(const ethernet_frame& frame, picoseconds first_bit) override {
        if (first_bit >= m_start && first_bit < m_end) {
            m_records.push_back({first_bit, m_source, m_node, static_cast<std::uint16_t>(m_port),
                                 record::what::sent, 0, drop_reason::count, m_wire.wire_time(frame.length()),
                                 frame});
        }
    }
    void stop() { m_end = picoseconds{0}; }
    std::vector<record>& records() { return m_records; }

 private:
    std::uint32_t m_source;
    std::uint32_t m_node;
    unsigned m_port;
    const wire_output& m_wire;
    picoseconds m_start;
    picoseconds m_end;
    std::vector<record> m_records;
};

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

namespace {

/// A frame may stop some classes and release others.
const char* pfc_name(const pause_fields& pause) {
    bool stops = false;
    bool releases = false;
    for (unsigned c = 0; c < pfc_classes; ++c) {
        if ((pause.class_enable >> c & 1) != 0) {
            (pause.quanta[c] != 0 ? stops : releases) = true;
        }
    }
    return stops && releases ? "PFC XOFF/XON" : stops ? "PFC XOFF" : "PFC XON";
}

std::string title_of(const ethernet_frame& frame) {
    const std::string flow = std::to_string(frame.is_flow_control() ? 0 : std::uint64_t{frame.transfer.flow});
    switch (frame.kind) {
        case frame_kind::tcp_data:
        case frame_kind::udp:
            return "flow " + flow;
        case frame_kind::tcp_ack:
            return "ack " + flow;
        case frame_kind::tcp_syn:
            return "syn " + flow;
        case frame_kind::tcp_syn_ack:
            return "syn-ack " + flow;
        case frame_kind::pfc:
            return pfc_name(frame.pause);
        case frame_kind::pause:
            return frame.pause.quanta[0] == 0 ? "PAUSE XON" : "PAUSE XOFF";
        case frame_kind::foreign:
            break;
    }
    return "frame";
}

json classes_of(const pause_fields& pause, bool xoff) {
    json list = json::array();
    for (unsigned c = 0; c < pfc_classes; ++c) {
        if ((pause.class_enable >> c & 1) != 0 && (pause.quanta[c] != 0) == xoff) {
            list.push_back(c);
        }
    }
    return list;
}

}  // namespace

std::vector<std::uint32_t> nodes_in_journeys(const journey_options& options, const topology& plan,
                                             config_errors& errors) {
    std::vector<std::uint32_t> chosen;
    std::vector<bool> used(options.nodes.size(), !options.perfetto);
    for (std::uint32_t n = 0; options.perfetto && n < plan.nodes(); ++n) {
        bool any = options.nodes.empty();
        for (std::size_t t = 0; t < options.nodes.size(); ++t) {
            if (fits_pattern(options.nodes[t], plan.name(plan.node_at(n)))) {
                used[t] = true;
                any = true;
            }
        }
        if (any) {
            chosen.push_back(n);
        }
    }
    for (std::size_t t = 0; t < used.size(); ++t) {
        if (!used[t]) {
            errors.push_back(
                {{},
                 0,
                 "trace.perfetto_nodes",
                 "'" + options.nodes[t] +
                     "' matches no node; expected hosts and switches that `weir run --dry-run` lists, "
                     "such as " +
                     plan.name(plan.node_at(0)) + "; * stands for any text"});
        }
    }
    return chosen;
}

journey_trace::journey_trace(const run_config& config, const std::vector<fabric_change>& changes,
                             fabric& network, const std::vector<std::uint32_t>& nodes, wire_taps& taps,
                             const run_directory& directory)
    : m_network(network),
      m_plan(network.plan()),
      m_limit(config.trace.journeys.limit),
      m_start(config.trace.window_start),
      m_end(config.trace.window_end.value_or(never)),
      m_ends_with_traffic(config.run.duration == picoseconds{0}),
      m_one_class(config.flow_control.mode == flow_control_mode::pause),
      m_wire_overhead(config.link.wire_overhead),
      m_file(directory.create("perfetto.json")) {
    for (const topology_link& link : m_plan.links()) {
        m_links.emplace_back(port_config{link.rate, link.latency, m_wire_overhead});
    }
    for (const fabric_change& change : in_order(changes)) {
        m_links[change.link].add({change.at, 0, change.up, change.rate, change.latency});
    }
    std::uint32_t source = 0;
    for (const std::uint32_t n : nodes) {
        const node_ref reference = m_plan.node_at(n);
        node& at = reference.is_host() ? static_cast<node&>(*network.host(reference.index))
                                       : network.device(reference.index);
        auto tracks = std::make_unique<node_tracks>();
        tracks->process = m_file.add_process(m_plan.name(reference));
        tracks->lanes.resize(at.ports());
        tracks->paused.resize(at.ports());
        tracks->paused_since.resize(at.ports());
        m_nodes[n] = std::move(tracks);
        m_recorders.push_back(std::make_unique<recorder>(source++, n));
        at.set_watch(*m_recorders.back());
        for (unsigned port = 0; port < at.ports(); ++port) {
            m_taps.push_back(std::make_unique<tap>(source++, n, port, at.output(port), m_start, m_end));
            taps.add(at.output(port), *m_taps.back());
        }
    }
}

journey_trace::~journey_trace() = default;

void journey_trace::gather() {
    const auto take_from = [this](std::vector<record>& records) {
        m_pending.insert(m_pending.end(), records.begin(), records.end());
        records.clear();
    };
    for (const auto& r : m_recorders) {
        take_from(r->records());
    }
    for (const auto& t : m_taps) {
        take_from(t->records());
    }
    std::stable_sort(m_pending.begin(), m_pending.end(), [](const record& a, const record& b) {
        return std::tie(a.time, a.source) < std::tie(b.time, b.source);
    });
}

// What comes after a run's end is not written, and nodes may run past it.
void journey_trace::take(picoseconds time) {
    gather();
    const picoseconds done = time - picoseconds{1};
    process(m_ends_with_traffic ? std::min(done, m_network.last_activity()) : done);
}

void journey_trace::process(picoseconds until) {
    std::size_t next = 0;
    for (; next < m_pending.size() && m_pending[next].time <= until; ++next) {
        const record& r = m_pending[next];
        if (m_cut != never) {
            continue;
        }
        if (m_file.events() >= m_limit) {
            m_cut = r.time;
            for (const auto& t : m_taps) {
                t->stop();
            }
            continue;
        }
        switch (r.kind) {
            case record::what::sent:
                on_sent(r);
                break;
            case record::what::pauses:
                on_pauses(r);
                break;
            case record::what::drop:
                on_drop(r);
                break;
        }
    }
    m_pending.erase(m_pending.begin(), m_pending.begin() + static_cast<std::ptrdiff_t>(next));
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

frame_arrival journey_trace::arrival_of(const record& r) {
    const link_id id = m_plan.ports(m_plan.node_at(r.node))[r.port];
    const topology_link& link = m_plan.link(id);
    const bool from_a = m_plan.node_index(link.a.node) == r.node && link.a.port == r.port;
    return {r.time + m_links[id].at(r.time).latency + r.duration, (from_a ? link.b : link.a).port};
}

void journey_trace::on_sent(const record& r) {
    node_tracks& node = *m_nodes.at(r.node);
    const link_id id = m_plan.ports(m_plan.node_at(r.node))[r.port];
    const topology_link& link = m_plan.link(id);
    const bool from_a = m_plan.node_index(link.a.node) == r.node && link.a.port == r.port;
    const node_ref to = (from_a ? link.b : link.a).node;
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
            m_book.sent(r.frame, r.node, m_plan.node_index(to), !to.is_host(), arrival_of(r));
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
void journey_trace::write_residence(node_tracks& node, const record& r, const journey_step& step) {
    const frame_arrival& arrival = *step.arrived;
    const picoseconds begin = arrival.last_bit;
    if (begin >= r.time) {
        return;
    }
    const bool goes_on = r.kind == record::what::sent;
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
    args[goes_on ? "leaves_at" : "lost"] = goes_on ? "tx" + std::to_string(r.port) : to_text(r.reason);
    m_file.add_slice(free->track, title_of(r.frame), begin, r.time, args, {step.number, true, goes_on});
}

void journey_trace::on_pauses(const record& r) {
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

void journey_trace::on_drop(const record& r) {
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
    m_file.add_mark(track(node, "lost frames"), to_text(r.reason), r.time, args);
}

void journey_trace::finish(picoseconds end) {
    gather();
    process(end);
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

}  // namespace weir
