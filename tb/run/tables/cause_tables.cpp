#include "tb/run/tables/cause_tables.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "tb/run/samples/json_values.h"
#include "tb/run/tables/pause_attribution.h"
#include "tb/support/record/record_table.h"
#include "tb/support/text/port_text.h"
#include "weir/model/memory/memory_organisation.h"

namespace weir::tb {

namespace {

using nlohmann::ordered_json;

const cause_log* log_of(const fabric& made, std::uint32_t node) {
    const node_ref n = made.plan().node_at(node);
    if (!made.is_here(n)) {
        return nullptr;
    }
    if (!n.is_host()) {
        return made.device(n.index).causes();
    }
    return made.host(n.index) != nullptr ? made.host(n.index)->causes() : nullptr;
}

/// What nodes have kept, in their order, of all ranks: on rank 0; elsewhere nothing.
class cause_logs {
 public:
    /// Collective.
    explicit cause_logs(const fabric& made) {
        std::vector<std::pair<std::uint32_t, cause_log>> own;
        for (std::uint32_t node = 0; node < made.plan().nodes(); ++node) {
            if (const cause_log* const log = log_of(made, node)) {
                if (made.team().is_alone()) {
                    m_logs.emplace_back(node, log);
                } else {
                    own.emplace_back(node, *log);
                }
            }
        }
        if (made.team().is_alone()) {
            return;
        }
        m_received = gathered(made.team(), std::move(own));
        for (const auto& [node, log] : m_received) {
            m_logs.emplace_back(node, &log);
        }
        std::sort(m_logs.begin(), m_logs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    }

    const std::vector<std::pair<std::uint32_t, const cause_log*>>& all() const { return m_logs; }
    /// All records of one kind, in the order of time, then of nodes.
    template <class Record>
    std::vector<std::pair<std::uint32_t, const Record*>> in_order(const std::vector<Record>& (cause_log::*get)()
                                                                      const) const {
        std::vector<std::pair<std::uint32_t, const Record*>> records;
        for (const auto& [node, log] : m_logs) {
            for (const Record& record : (log->*get)()) {
                records.emplace_back(node, &record);
            }
        }
        std::stable_sort(records.begin(), records.end(), [](const auto& a, const auto& b) {
            return std::tie(a.second->time, a.first) < std::tie(b.second->time, b.first);
        });
        return records;
    }

 private:
    std::vector<std::pair<std::uint32_t, const cause_log*>> m_logs;
    /// Of ranks, this one included.
    std::vector<std::pair<std::uint32_t, cause_log>> m_received;
};

class cause_writer {
 public:
    cause_writer(const topology& plan, const cause_logs& logs, bool is_shared, std::uint32_t flows)
        : m_plan(plan), m_logs(logs), m_is_shared(is_shared), m_flows(flows) {}

    /// Writes the lines of all records of a kind; returns the number of records.
    template <class Row, class Record>
    std::size_t write_all(output_file file, const std::vector<Record>& (cause_log::*get)() const) {
        record_table<Row> table(std::move(file));
        const auto records = m_logs.in_order(get);
        for (const auto& [node, record] : records) {
            write(table, node, *record);
        }
        table.finish();
        return records.size();
    }

    /// Flows and adapters with most time of others come first, time without a cause last.
    void write_flows(output_file file, const pause_attribution& causes) {
        record_table<pause_flow_row> table(std::move(file));
        std::vector<pause_attribution::adapter_fault> adapters(causes.adapters());
        std::stable_sort(adapters.begin(), adapters.end(),
                         [](const auto& a, const auto& b) { return a.others > b.others; });
        auto adapter = adapters.begin();
        const auto write = [&](pause_flow_row row, const pause_attribution::fault_time& times) {
            row.others = whole(times.others);
            row.own = whole(times.own);
            row.idle = whole(times.idle);
            table.write(row);
        };
        const auto write_adapters = [&](double least) {
            for (; adapter != adapters.end() && adapter->others >= least; ++adapter) {
                const host_or_address host{m_plan.node_at(adapter->node).index, {}};
                write({pause_culprit::adapter, {}, host, {}}, *adapter);
            }
        };
        for (const pause_attribution::flow_fault& f : causes.flows()) {
            write_adapters(f.others);
            write({pause_culprit::flow, f.flow.flow, host(f.flow.src), host(f.flow.dst)}, f);
        }
        write_adapters(0);
        if (causes.nobody().all() >= 0.5) {
            write({pause_culprit::unknown}, causes.nobody());
        }
        table.finish();
    }

    ordered_json tree(const pause_attribution& causes, std::uint64_t left_out) const {
        ordered_json j;
        j["paused_ns"] = json_ns(whole(causes.paused()));
        j["unknown_ns"] = json_ns(whole(causes.unknown()));
        j["events_left_out"] = left_out;
        j["hops"] = ordered_json::array();
        for (std::size_t hop = 0; hop < causes.by_hop().size(); ++hop) {
            const double time = causes.by_hop()[hop];
            ordered_json one;
            one["hop"] = hop + 1;
            one["paused_ns"] = json_ns(whole(time));
            one["share"] = std::round(1e6 * time / causes.paused()) / 1e6;
            j["hops"].push_back(one);
        }
        j["roots"] = roots(causes.tree());
        return j;
    }

 private:
    static picoseconds whole(double time) { return picoseconds{std::llround(time)}; }

    std::string name(const transmitter& queue) const {
        return port_text(m_plan.name(m_plan.node_at(queue.node)), port_side::egress,
                         std::to_string(queue.port)) +
               " class " + std::to_string(queue.frame_class);
    }
    host_or_address host(ipv4_address address) const { return {m_plan.host_of(address), address}; }

    void write(record_table<pause_cause_row>& table, std::uint32_t node, const xoff_record& x) {
        struct part {
            const filling_queue* queue;
            const filling_flow* flow;
        };
        std::vector<part> parts;
        for (const filling_queue& q : x.queues) {
            for (const filling_flow& f : q.flows) {
                parts.push_back({&q, &f});
            }
        }
        std::stable_sort(parts.begin(), parts.end(),
                         [](const part& a, const part& b) { return a.flow->of.bytes > b.flow->of.bytes; });
        const node_ref self = m_plan.node_at(node);
        pause_cause_row common;
        common.time = x.time;
        common.node = m_plan.name(self);
        common.port = x.ingress_port;
        common.frame_class = x.frame_class;
        common.peer = m_plan.name(m_plan.far_end(self, x.ingress_port).node);
        common.occupancy = x.occupancy;
        common.counted = x.counted;
        common.because = x.because;
        if (m_is_shared) {
            common.own = x.own;
            common.threshold = x.threshold;
        }
        // Bytes of all other flows: by group where others' bytes are the cause, else together.
        const bool by_group = x.because != pause_reason::own_bytes;
        std::map<std::pair<std::uint16_t, pfc_class>, std::uint64_t> rest;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const part& p = parts[i];
            if (i >= m_flows) {
                rest[{p.flow->from_port, by_group ? p.queue->frame_class : pfc_class{0}}] += p.flow->of.bytes;
                continue;
            }
            pause_cause_row row = common;
            row.from_port = p.flow->from_port;
            if (p.queue->egress_port != filling_queue::lookup) {
                row.from_class = row.egress_class = p.queue->frame_class;
                row.egress_port = p.queue->egress_port;
                row.egress_paused = p.queue->paused;
            }
            row.flow = p.flow->of.flow;
            row.src = host(p.flow->of.src);
            row.dst = host(p.flow->of.dst);
            row.flow_bytes = p.flow->of.bytes;
            table.write(row);
        }
        for (const auto& [group, bytes] : rest) {
            pause_cause_row row = common;
            row.from_port = group.first;
            row.from_class = by_group ? std::optional(group.second) : std::nullopt;
            row.flow_bytes = bytes;
            if (bytes > 0) {
                table.write(row);
            }
        }
    }

    void write(record_table<drop_cause_row>& table, std::uint32_t node, const drop_record& d) {
        drop_cause_row row;
        row.time = d.time;
        row.node = m_plan.name(m_plan.node_at(node));
        row.port = d.port;
        row.frame_class = d.frame_class;
        row.reason = d.reason;
        row.flow = d.frame.flow;
        row.src = host(d.frame.src);
        row.dst = host(d.frame.dst);
        row.frame_bytes = d.frame.bytes;
        row.full = d.full;
        row.limit = d.limit;
        row.in_use = d.in_use;
        std::uint64_t rest = 0;
        for (std::size_t i = 0; i < d.filling.size(); ++i) {
            const flow_bytes& filling = d.filling[i];
            if (i >= m_flows) {
                rest += filling.bytes;
                continue;
            }
            row.filling_flow = filling.flow;
            row.filling_src = host(filling.src);
            row.filling_dst = host(filling.dst);
            row.filling_bytes = filling.bytes;
            table.write(row);
        }
        if (rest > 0 || d.filling.empty()) {
            row.filling_flow.reset();
            row.filling_src.reset();
            row.filling_dst.reset();
            row.filling_bytes = rest;
            table.write(row);
        }
    }

    /// Each place with what hangs below it, most time first.
    ordered_json roots(const std::vector<pause_attribution::tree_node>& tree) const {
        std::vector<double> below(tree.size());
        std::vector<std::vector<std::uint32_t>> children(tree.size());
        std::vector<std::uint32_t> top;
        for (auto i = static_cast<std::uint32_t>(tree.size()); i-- > 0;) {
            below[i] += tree[i].paused;
            if (tree[i].parent != pause_attribution::tree_node::no_parent) {
                below[tree[i].parent] += below[i];
                children[tree[i].parent].push_back(i);
            } else {
                top.push_back(i);
            }
        }
        return places(tree, below, children, top);
    }
    ordered_json places(const std::vector<pause_attribution::tree_node>& tree, const std::vector<double>& below,
                        const std::vector<std::vector<std::uint32_t>>& children,
                        std::vector<std::uint32_t> list) const {
        std::sort(list.begin(), list.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::make_tuple(-below[a], tree[a].queue) < std::make_tuple(-below[b], tree[b].queue);
        });
        ordered_json array = ordered_json::array();
        for (const std::uint32_t i : list) {
            if (below[i] <= 0) {
                continue;  // an XOFF that no pause came of
            }
            ordered_json place;
            place["queue"] = name(tree[i].queue);
            if (tree[i].depth == 0) {
                place["kind"] = tree[i].adapter ? "adapter" : "congested";
            } else {
                place["paused_ns"] = json_ns(whole(tree[i].paused));
            }
            place["all_paused_ns"] = json_ns(whole(below[i]));
            if (!children[i].empty()) {
                place["pauses"] = places(tree, below, children, children[i]);
            }
            array.push_back(std::move(place));
        }
        return array;
    }

    const topology& m_plan;
    const cause_logs& m_logs;
    bool m_is_shared;
    std::uint32_t m_flows;
};

}  // namespace

std::vector<std::string> write_causes(const run_directory& directory, const fabric& made,
                                      const switch_setup& setup, const cause_options& options,
                                      std::uint32_t flows, class_mask paused_classes, picoseconds end) {
    const cause_logs logs(made);
    cause_writer writer(made.plan(), logs, organisation_of(setup.device).is_shared, flows);
    std::vector<std::string> empty;
    if (options.pauses) {
        if (writer.write_all<pause_cause_row>(directory.create<pause_cause_row>(), &cause_log::xoffs) == 0) {
            empty.emplace_back(pause_cause_row::table.file);
        }
        const unsigned classes = made.switches() > 0 ? setup.device.classes : pfc_classes;
        pause_attribution causes(made.plan(), end, classes, paused_classes);
        std::uint64_t left_out = 0;
        for (const auto& [node, log] : logs.all()) {
            causes.add(node, *log);
            left_out += log->left_out();
        }
        causes.work_out();
        writer.write_flows(directory.create<pause_flow_row>(), causes);
        directory.write("pause_tree.json", to_text(writer.tree(causes, left_out)));
    }
    if (options.drops &&
        writer.write_all<drop_cause_row>(directory.create<drop_cause_row>(), &cause_log::drops) == 0) {
        empty.emplace_back(drop_cause_row::table.file);
    }
    return empty;
}

}  // namespace weir::tb
