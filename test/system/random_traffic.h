// The traffic of a random configuration: every workload, and traces in all formats.
#pragma once

#include <map>
#include <sstream>
#include <string>

#include "random_fabric.h"

namespace weir::test {

namespace detail {

/// Two different hosts.
inline std::pair<unsigned, unsigned> some_pair(dice& d, unsigned hosts) {
    const unsigned src = d.below(hosts);
    return {src, (src + d.between(1, hosts - 1)) % hosts};
}

inline std::string csv_trace(dice& d, const random_fabric& fabric) {
    std::ostringstream text;
    text << "start_ns,src,dst,bytes,priority,tag\n";
    const auto last = static_cast<unsigned>(fabric.duration_ns() * 2 / 3);
    const bool sorted = d.chance(60);
    const unsigned flows = d.between(5, 60);
    for (unsigned i = 0; i < flows; ++i) {
        const auto [src, dst] = some_pair(d, fabric.hosts());
        const unsigned start = sorted ? last / flows * i : d.below(last);
        text << start << (d.chance(30) ? ".125" : "") << ',' << src << ',' << dst << ',' << d.between(1, 30'000)
             << ',' << d.below(8) << ',' << d.of({"", "query", "bulk"}) << '\n';
    }
    return text.str();
}

inline std::string hpcc_trace(dice& d, const random_fabric& fabric) {
    std::ostringstream text;
    const unsigned flows = d.between(5, 40);
    text << flows << '\n';
    for (unsigned i = 0; i < flows; ++i) {
        const auto [src, dst] = some_pair(d, fabric.hosts());
        text << src << ' ' << dst << ' ' << d.below(8) << " 100 " << d.between(1, 30'000) << ' '
             << d.below(static_cast<unsigned>(fabric.duration_ns() / 2)) << "e-9\n";
    }
    return text.str();
}

/// Chains of flows: each host's later flows wait for its earlier ones.
inline std::string htsim_trace(dice& d, const random_fabric& fabric) {
    const unsigned chains = d.between(2, 8);
    std::ostringstream text;
    text << "Nodes " << fabric.hosts() << "\nConnections " << 2 * chains << "\nTriggers " << chains << '\n';
    for (unsigned i = 1; i <= chains; ++i) {
        const auto [src, dst] = some_pair(d, fabric.hosts());
        const unsigned other = (src + d.between(1, fabric.hosts() - 1)) % fabric.hosts();
        text << src << "->" << dst << " id " << 2 * i - 1 << " start " << d.below(5'000) << " size "
             << d.between(1, 40'000) << " send_done_trigger " << i << " prio " << d.below(8) << '\n'
             << src << "->" << other << " id " << 2 * i << " trigger " << i << " size " << d.between(1, 40'000)
             << '\n';
    }
    for (unsigned i = 1; i <= chains; ++i) {
        text << "trigger id " << i << " oneshot\n";
    }
    return text.str();
}

inline void draw_trace(dice& d, const random_fabric& fabric, ini_text& ini,
                       std::map<std::string, std::string>& files) {
    ini.set("traffic.file", "flows.txt");
    const std::string format = d.of({"csv", "csv", "hpcc", "htsim"});
    ini.set("traffic.format", format);
    if (format == "htsim") {
        ini.set("traffic.start_unit", "ns");
    }
    files["flows.txt"] = format == "csv"    ? csv_trace(d, fabric)
                         : format == "hpcc" ? hpcc_trace(d, fabric)
                                            : htsim_trace(d, fabric);
}

}  // namespace detail

inline void draw_traffic(dice& d, const random_fabric& fabric, ini_text& ini,
                         std::map<std::string, std::string>& files) {
    const std::string kind =
        d.of({"query", "sequential_web", "partition_aggregate", "scatter_gather", "incast", "poisson",
              "permutation", "permutation", "bernoulli", "trace", "trace", "goal", "goal"});
    ini.set("traffic.kind", kind);
    // Of requests per host: some 10 to 40 in a run.
    const auto rate = [&] {
        return std::to_string(d.between(10, 40) * 1'000'000'000ULL / fabric.duration_ns());
    };
    if (kind == "query" || kind == "sequential_web" || kind == "partition_aggregate" ||
        kind == "scatter_gather") {
        ini.set("traffic.rate", d.chance(15) ? "auto" : rate());
        ini.set("traffic.load", d.of({"10%", "30%"}));
        ini.set("traffic.rate_per", d.of({"host", "host", "network"}));
        ini.set("traffic.aggregate_total", d.of({"0B", "0B", "20KB"}));
        ini.set("traffic.sizes", d.of({"2KB, 8KB, 32KB", "1B, 1461B, 100KB"}));
        ini.set("traffic.fan_out", d.of({"1, 2", "3"}));
        if (d.chance(30)) {
            ini.set("traffic.burst_period", to_ns(fabric.duration_ns() / 3));
            ini.set("traffic.burst_duration", to_ns(fabric.duration_ns() / 10));
            ini.set("traffic.burst_rate", std::to_string(200'000'000'000ULL / fabric.duration_ns()));
            ini.set("traffic.burst_stagger", d.of({"on", "off"}));
        }
    } else if (kind == "incast") {
        ini.set("traffic.incast_bytes", d.of({"20KB", "200KB"}));
        ini.set("traffic.incast_rounds", d.of({"2", "10"}));
        ini.set("traffic.incast_flows", d.of({"1", "3"}));
        if (d.chance(30)) {
            ini.set("traffic.distribution", "google_rpc_2008");
        }
        ini.set("traffic.response_delay", d.of({"0ps", "50us"}));
        ini.set("traffic.response_delay_distribution", d.of({"fixed", "exponential", "lognormal"}));
        ini.set("traffic.response_delay_deviation", d.of({"30%", "100%"}));
    } else if (kind == "poisson") {
        ini.set("traffic.distribution", d.of({"web_search", "hadoop", "google_rpc_2008"}));
        ini.set("traffic.load", d.of({"40%", "80%"}));
        ini.set("traffic.transport", d.of({"tcp", "udp", "roce", "pfabric"}));
    } else if (kind == "permutation") {
        ini.set("traffic.transport", d.of({"tcp", "udp", "roce", "pfabric"}));
        ini.set("traffic.load", d.of({"30%", "70%", "100%"}));
        ini.set("traffic.flow_bytes", d.of({"0B", "10KB"}));
        ini.set("traffic.flows_per_host", d.of({"1", "5"}));
        ini.set("traffic.parallel_flows", d.of({"1", "1", "3"}));
        if (fabric.hosts() % 2 == 0) {
            ini.set("traffic.partners", d.of({"permutation", "pairs"}));
        }
        ini.set("udp.random_gaps", d.of({"on", "off", "off"}));
        if (d.chance(25)) {
            ini.set("traffic.transport", "tcp");
            ini.set("traffic.flow_bytes", "0B");
            ini.set("traffic.write_loads", "20%");
            if (d.chance(50)) {
                const std::uint64_t part = fabric.duration_ns() / 5;
                ini.set("traffic.write_loads", "5%, 150%, 0%, 30%");
                ini.set("traffic.write_times", to_ns(part) + ", " + to_ns(2 * part) + ", " + to_ns(3 * part));
            }
        }
    } else if (kind == "goal") {
        ini.set("traffic.program", d.of({"ring_all_reduce", "tree_all_reduce", "all_to_all", "pipeline",
                                         "nas_bt", "nas_cg", "nas_ft", "nas_is", "nas_mg"}));
        ini.set("traffic.program_class", "S");
        ini.set("traffic.program_bytes", d.of({"100B", "30KB"}));
        ini.set("traffic.program_piece", d.of({"3KB", "1MB"}));
        ini.set("traffic.program_iterations", d.of({"1", "3"}));
        ini.set("traffic.program_compute", d.of({"0ps", "5us"}));
        ini.set("traffic.rank_placement", d.of({"linear", "random"}));
        ini.set("traffic.eager_limit", d.of({"0B", "2KB", "64KiB"}));
        ini.set("traffic.message_turns", d.of({"beside", "in_turn"}));
        ini.set("traffic.message_overhead", d.of({"0ps", "700ns"}));
    } else if (kind == "bernoulli") {
        ini.set("traffic.load", d.of({"50%", "90%", "100%"}));
    } else {
        detail::draw_trace(d, fabric, ini, files);
    }
    if (kind != "poisson" && kind != "permutation" && kind != "bernoulli" && d.chance(25)) {
        ini.set("traffic.transport", d.of({"roce", "pfabric"}));
    }
    if (kind != "trace") {
        ini.set("traffic.priorities", d.of({"0", "7", "1, 6", "0, 3, 7"}));
    }
    if (d.chance(15)) {
        ini.set("traffic.background_flows", "1");
        ini.set("traffic.background_transport", d.of({"tcp", "tcp", "pfabric"}));
        ini.set("traffic.background_bytes", d.of({"10KB", "1MB"}));
    } else if (d.chance(15)) {
        ini.set("traffic.background_interarrival", to_ns(fabric.duration_ns() / 10));
        if (d.chance(50)) {
            ini.set("traffic.background_distribution", "hadoop");
        } else {
            ini.set("traffic.background_exponential", d.of({"on", "off"}));
            ini.set("traffic.background_bytes", "10KB");
        }
        ini.set("traffic.background_transport", d.of({"tcp", "udp"}));
        ini.set("traffic.background_rack_share", d.of({"auto", "70%"}));
    }
    if (d.chance(15)) {
        ini.set("traffic.stream_rate", "300Mbps");
        ini.set("udp.path_every", d.of({"0", "2"}));
        ini.set("output.segments", "on");
        ini.set("output.ideal_jobs", "on");
        ini.set("output.fairness_window", to_ns(fabric.duration_ns() / 7));
        ini.set("output.busy_links", "90%");
    }
    if (d.chance(25)) {
        ini.set("output.windows", "*");
        ini.set("output.rates", "*");
        ini.set("output.occupancy_nodes", d.of({"", "h*"}));
    }
}

}  // namespace weir::test
