#include "tb/results/cause_tables.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tb/results/pause_attribution.h"
#include "tb/results/summary_writer.h"
#include "tb/text/port_text.h"
#include "tb/text/text_format.h"

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
    template <class Record, class Get>
    std::vector<std::pair<std::uint32_t, const Record*>> in_order(Get&& get) const {
        std::vector<std::pair<std::uint32_t, const Record*>> records;
        for (const auto& [node, log] : m_logs) {
            for (const Record& record : get(*log)) {
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

    /// Returns the number of rows, as the next one.
    std::size_t write_xoffs(output_file& file) {
        file.write(
            "time_ns,node,port,class,peer,occupancy_bytes,counted_bytes,because,own_bytes,threshold_bytes,"
            "from_port,from_class,egress_port,egress_class,egress_paused,flow,src,dst,flow_bytes\n");
        const auto get = [](const cause_log& log) -> const std::vector<xoff_record>& { return log.xoffs(); };
        const auto records = m_logs.in_order<xoff_record>(get);
        for (const auto& [node, record] : records) {
            write_xoff(file, node, *record);
        }
        return records.size();
    }

    std::size_t write_drops(output_file& file) {
        file.write(
            "time_ns,node,port,class,reason,flow,src,dst,frame_bytes,full,limit_bytes,in_use_bytes,"
            "filling_flow,filling_src,filling_dst,filling_bytes\n");
        const auto get = [](const cause_log& log) -> const std::vector<drop_record>& { return log.drops(); };
        const auto records = m_logs.in_order<drop_record>(get);
        for (const auto& [node, record] : records) {
            write_drop(file, node, *record);
        }
        return records.size();
    }

    /// Flows and adapters, those with most time of others first; what is nobody's comes last.
    void write_flows(output_file& file, const pause_attribution& causes) {
        file.write("kind,flow,src,dst,others_paused_ns,own_paused_ns,idle_paused_ns\n");
        std::vector<pause_attribution::adapter_fault> adapters(causes.adapters());
        std::stable_sort(adapters.begin(), adapters.end(),
                         [](const auto& a, const auto& b) { return a.others > b.others; });
        auto adapter = adapters.begin();
        for (const pause_attribution::flow_fault& f : causes.flows()) {
            for (; adapter != adapters.end() && adapter->others >= f.others; ++adapter) {
                write_adapter(file, *adapter);
            }
            m_line.add_name("flow");
            add_flow(f.flow);
            add_times(file, f);
        }
        for (; adapter != adapters.end(); ++adapter) {
            write_adapter(file, *adapter);
        }
        if (causes.nobody().all() >= 0.5) {
            m_line.add_name("unknown").add_nothing(3);
            add_times(file, causes.nobody());
        }
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
    /// The host's number, as in flows.csv; the address of who is none of the fabric's hosts.
    void add_host(ipv4_address address) {
        const std::optional<host_id> host = m_plan.host_of(address);
        host ? m_line.add(*host) : m_line.add_name(to_text(address));
    }
    void add_flow(const flow_bytes& f) {
        m_line.add(f.flow);
        add_host(f.src);
        add_host(f.dst);
    }

    void add_times(output_file& file, const pause_attribution::fault_time& times) {
        m_line.add_ns(whole(times.others)).add_ns(whole(times.own)).add_ns(whole(times.idle));
        file.write(m_line.end());
    }
    void write_adapter(output_file& file, const pause_attribution::adapter_fault& a) {
        m_line.add_name("adapter").add_nothing(1).add(m_plan.node_at(a.node).index).add_nothing(1);
        add_times(file, a);
    }

    void write_xoff(output_file& file, std::uint32_t node, const xoff_record& x) {
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
        const auto begin = [&] {
            m_line.add_ns(x.time).add_name(m_plan.name(self)).add(x.ingress_port).add(x.frame_class);
            m_line.add_name(m_plan.name(m_plan.far_end(self, x.ingress_port).node))
                .add(x.occupancy)
                .add(x.counted)
                .add_name(name_of(x.because));
            if (m_is_shared) {
                m_line.add(x.own).add(x.threshold);
            } else {
                m_line.add_nothing(2);
            }
        };
        // Of all others: by group where others' bytes are the cause, else together.
        std::map<std::pair<std::uint16_t, pfc_class>, std::uint64_t> rest;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const part& p = parts[i];
            if (i >= m_flows) {
                const bool by_group = x.because != pause_reason::own_bytes;
                rest[{p.flow->from_port, by_group ? p.queue->frame_class : pfc_class{0}}] += p.flow->of.bytes;
                continue;
            }
            begin();
            m_line.add(p.flow->from_port);
            if (p.queue->egress_port == filling_queue::lookup) {
                m_line.add_nothing(4);
            } else {
                m_line.add(p.queue->frame_class);
                m_line.add(p.queue->egress_port).add(p.queue->frame_class).add(p.queue->paused ? 1 : 0);
            }
            add_flow(p.flow->of);
            m_line.add(p.flow->of.bytes);
            file.write(m_line.end());
        }
        for (const auto& [group, bytes] : rest) {
            if (bytes == 0) {
                continue;
            }
            begin();
            m_line.add(group.first);
            if (x.because == pause_reason::own_bytes) {
                m_line.add_nothing(1);
            } else {
                m_line.add(group.second);
            }
            m_line.add_nothing(6).add(bytes);
            file.write(m_line.end());
        }
    }

    void write_drop(output_file& file, std::uint32_t node, const drop_record& d) {
        const auto begin = [&] {
            m_line.add_ns(d.time).add_name(m_plan.name(m_plan.node_at(node))).add(d.port).add(d.frame_class);
            m_line.add_name(name_of(d.reason));
            add_flow(d.frame);
            m_line.add(d.frame.bytes).add_name(name_of(d.full)).add(d.limit).add(d.in_use);
        };
        std::uint64_t rest = 0;
        for (std::size_t i = 0; i < d.filling.size(); ++i) {
            if (i >= m_flows) {
                rest += d.filling[i].bytes;
                continue;
            }
            begin();
            add_flow(d.filling[i]);
            m_line.add(d.filling[i].bytes);
            file.write(m_line.end());
        }
        if (rest > 0 || d.filling.empty()) {
            begin();
            m_line.add_nothing(3).add(rest);
            file.write(m_line.end());
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
    csv_line m_line;
};

}  // namespace

std::vector<std::string> write_causes(const run_directory& directory, const fabric& made,
                                      const switch_setup& setup, const cause_options& options,
                                      std::uint32_t flows, class_mask paused_classes, picoseconds end) {
    const cause_logs logs(made);
    cause_writer writer(made.plan(), logs, setup.shared.kind == buffer_kind::shared, flows);
    std::vector<std::string> empty;
    if (options.pauses) {
        output_file xoffs = directory.create("pause_causes.csv");
        if (writer.write_xoffs(xoffs) == 0) {
            empty.emplace_back("pause_causes.csv");
        }
        xoffs.finish();
        const unsigned classes = made.switches() > 0 ? setup.device.classes : pfc_classes;
        pause_attribution causes(made.plan(), end, classes, paused_classes);
        std::uint64_t left_out = 0;
        for (const auto& [node, log] : logs.all()) {
            causes.add(node, *log);
            left_out += log->left_out();
        }
        causes.work_out();
        output_file faults = directory.create("pause_flows.csv");
        writer.write_flows(faults, causes);
        faults.finish();
        directory.write("pause_tree.json", to_text(writer.tree(causes, left_out)));
    }
    if (options.drops) {
        output_file drops = directory.create("drop_causes.csv");
        if (writer.write_drops(drops) == 0) {
            empty.emplace_back("drop_causes.csv");
        }
        drops.finish();
    }
    return empty;
}

}  // namespace weir::tb
