// Options [traffic].
#include <algorithm>

#include "tb/options/option_table.h"
#include "tb/options/run_config.h"
#include "weir/traffic/apps/workloads.h"
#include "weir/traffic/host/transports.h"

namespace weir {

template <>
struct enum_names<workload_kind> : registered_names<workload_kind, workloads> {};
template <>
struct enum_names<server_split> {
    static constexpr enum_name<server_split> list[] = {
        {server_split::by_kind, "by_kind", "`alternate` for the web workloads, `everyone` for queries"},
        {server_split::everyone, "everyone", "every server sends requests to every other"},
        {server_split::alternate, "alternate", "front ends spread evenly over the server numbers"},
        {server_split::random, "random", "front ends chosen at random, from run.seed"},
        {server_split::first, "first", "the servers with the lowest numbers are front ends"},
    };
};
template <>
struct enum_names<request_sizes> {
    static constexpr enum_name<request_sizes> list[] = {
        {request_sizes::deck, "deck",
         "each size equally often, in random order; traffic.queries_per_request must be a multiple of the "
         "number of sizes"},
        {request_sizes::independent, "independent", "each query draws its size independently"},
    };
};
template <>
struct enum_names<transport_kind> : registered_names<transport_kind, transports> {};
template <>
struct enum_names<trace_file_format> {
    static constexpr enum_name<trace_file_format> list[] = {
        {trace_file_format::csv, "csv", "the project's own: start_ns,src,dst,bytes,priority,tag"},
        {trace_file_format::hpcc, "hpcc", "flow list of the HPCC simulator"},
        {trace_file_format::htsim, "htsim", "connection matrix (.cm)"},
        {trace_file_format::pcap, "pcap", "packet capture: pcap or pcapng"},
    };
};
template <>
struct enum_names<packet_grouping> {
    static constexpr enum_name<packet_grouping> list[] = {
        {packet_grouping::flows, "flows", "transfers are reassembled from their packets"},
        {packet_grouping::packets, "packets", "each packet with payload is a transfer"},
    };
};
template <>
struct enum_names<address_rule> {
    static constexpr enum_name<address_rule> list[] = {
        {address_rule::order, "order", "the n-th address that appears is host n, from 0"},
        {address_rule::modulo, "modulo", "as order, but n modulo the number of hosts"},
        {address_rule::fabric, "fabric", "the host of the fabric that has this IPv4 address"},
    };
};
template <>
struct enum_names<start_unit> {
    static constexpr enum_name<start_unit> list[] = {
        {start_unit::undeclared, "undeclared", "no unit given; a start time other than 0 is refused"},
        {start_unit::ps, "ps", "picoseconds"},
        {start_unit::ns, "ns", "nanoseconds"},
        {start_unit::us, "us", "microseconds"},
    };
};
template <>
struct enum_names<cdf_unit> {
    static constexpr enum_name<cdf_unit> list[] = {
        {cdf_unit::undeclared, "undeclared", "no unit given; the file is refused"},
        {cdf_unit::percent, "percent", "0 to 100"},
        {cdf_unit::fraction, "fraction", "0 to 1"},
    };
};

namespace {

using block_writer = option_table::block_writer;
using kind = workload_kind;

relevance only_for(const workload_config& traffic, std::vector<workload_kind> kinds) {
    return only_with("traffic.kind", traffic.kind, std::move(kinds));
}
/// For the workloads of which this holds.
template <class Holds>
relevance only_where(const workload_config& traffic, Holds&& holds) {
    std::vector<workload_kind> kinds;
    for (std::size_t number = 0; number < workloads().entries().size(); ++number) {
        if (holds(workloads().entries()[number].traits)) {
            kinds.push_back(static_cast<workload_kind>(number));
        }
    }
    return only_for(traffic, std::move(kinds));
}
relevance with_requests(const workload_config& traffic) {
    return only_where(traffic, [](const workload_traits& traits) { return traits.has_requests; });
}
relevance with_bursts(const workload_config& traffic) {
    return with_requests(traffic) &&
           relevance{"traffic.burst_period above 0", [&traffic] { return traffic.burst_period > 0_ps; }};
}
relevance with_background(const workload_config& traffic) {
    return {"traffic.background_flows above 0", [&traffic] { return traffic.background_flows > 0; }};
}
relevance with_split(const workload_config& traffic) {
    return {"traffic.kind = query, sequential_web or partition_aggregate, or traffic.background_to_back_ends",
            [&traffic] {
                return traffic.has_requests() ||
                       (traffic.background_flows > 0 && traffic.background_to_back_ends);
            }};
}
relevance with_drawn_sizes(const workload_config& traffic) {
    return {"traffic.kind = query, or poisson without traffic.distribution", [&traffic] {
                return traffic.kind == kind::query ||
                       (traffic.kind == kind::poisson && traffic.distribution.empty());
            }};
}
relevance with_load(const workload_config& traffic) {
    return {"traffic.kind = poisson, bernoulli, or permutation with traffic.transport = udp", [&traffic] {
                return traffic.kind == kind::poisson || traffic.kind == kind::bernoulli ||
                       (traffic.kind == kind::permutation && traffic.transport == transport_kind::udp);
            }};
}
relevance with_size_file(const workload_config& traffic) {
    return only_for(traffic, {kind::poisson}) &&
           relevance{"traffic.distribution = file", [&traffic] { return traffic.distribution == "file"; }};
}
relevance with_trace(const workload_config& traffic, const traffic_files& files,
                     std::vector<trace_file_format> formats) {
    return only_for(traffic, {kind::trace}) && only_with("traffic.format", files.format, std::move(formats));
}

void add_arrivals(block_writer& block, workload_config& traffic) {
    block.add("start", traffic.start)
        .range(workload_config::time_range)
        .doc("No traffic starts before this time.")
        .source("project");
    block.add("stop", traffic.stop)
        .range(workload_config::time_range)
        .doc(
            "Hosts start no new traffic at or after this time; traffic that has started is completed, "
            "including its responses. 0: no end, so the run needs run.duration.")
        .source("project");
    block.add("rate", traffic.rate)
        .range(workload_config::rate_range)
        .matters(with_requests(traffic))
        .doc(
            "Poisson rate of queries or web requests outside bursts, for each host that sends them. Unit: 1/s.")
        .source("DeTail 8.1.1, steady: 500 to 2,500");
    block.add("burst_period", traffic.burst_period)
        .range(workload_config::time_range)
        .matters(with_requests(traffic))
        .doc(
            "Time from the start of one burst to the start of the next, counted from traffic.start. 0: no "
            "bursts.")
        .source("DeTail 8.1.1: 50 ms");
    block.add("burst_duration", traffic.burst_duration)
        .range(workload_config::time_range)
        .matters(with_bursts(traffic))
        .doc("Length of a burst; above 0 and at most traffic.burst_period.")
        .source("DeTail 8.1.1, bursty: 2.5 to 12.5 ms; mixed: 5 ms");
    block.add("burst_rate", traffic.burst_rate)
        .range(workload_config::rate_range)
        .matters(with_bursts(traffic))
        .doc("Poisson rate of queries or web requests inside bursts, for each host that sends them. Unit: 1/s.")
        .source("DeTail 8.1.1: 10,000");
    block.add("burst_stagger", traffic.burst_stagger)
        .matters(with_bursts(traffic))
        .doc("Shift each host's bursts by a random part of the period.")
        .source("DeTail 8.1.1 gives one interval for all servers");
}

void add_queries(block_writer& block, workload_config& traffic) {
    block.add("sizes", traffic.sizes)
        .range(workload_config::reply_range)
        .matters(with_drawn_sizes(traffic))
        .doc(
            "Sizes of responses, and of flows without traffic.distribution. Each is equally likely; at most 64 "
            "sizes.")
        .source("DeTail 8.1.1: 2, 8, 32 KB");
    block.add("request", traffic.request)
        .range(workload_config::reply_range)
        .matters(
            only_for(traffic, {kind::query, kind::sequential_web, kind::partition_aggregate, kind::incast}))
        .doc("Size of a query's request.")
        .source("DeTail 8.1.1: one full segment");
    block.add("priorities", traffic.priorities)
        .range(workload_config::priority_range)
        .matters(only_where(traffic, [](const workload_traits& traits) { return traits.generated; }))
        .doc(
            "Priorities of queries, web requests, incast rounds and flows. Each is equally likely; at most 64 "
            "entries. 7 is the most urgent.")
        .source("DeTail 8.1.1, prioritised: two");
    block.add("split", traffic.split)
        .matters(with_split(traffic))
        .doc("Which servers send requests (front ends) and which send responses (back ends).")
        .source("DeTail 8.1.1 (all-to-all), 8.1.2 (halves); 2013 presentation");
    block.add_share("front_end_fraction", traffic.front_end_fraction)
        .range(workload_config::front_end_fraction_range)
        .matters(with_split(traffic) &&
                 relevance{"a traffic.split other than everyone",
                           [&traffic] { return traffic.effective_split() != server_split::everyone; }})
        .doc(
            "Share of servers that are front ends, rounded to whole servers. There is at least one front end "
            "and one back end.")
        .source("DeTail 8.1.2: half");
}

void add_web(block_writer& block, workload_config& traffic) {
    block.add("queries_per_request", traffic.queries_per_request)
        .range(workload_config::queries_range)
        .matters(only_for(traffic, {kind::sequential_web}))
        .doc("Number of queries in one sequential web request.")
        .source("DeTail 8.1.2: 10");
    block.add("web_sizes", traffic.web_sizes)
        .range(workload_config::reply_range)
        .matters(only_for(traffic, {kind::sequential_web}))
        .doc("Response sizes of the queries of a sequential web request; at most 16 sizes.")
        .source("DeTail 8.1.2: 4, 6, 8, 10, 12 KB");
    block.add("web_size_draw", traffic.web_size_draw)
        .matters(only_for(traffic, {kind::sequential_web}))
        .doc("How the response sizes of one sequential web request are drawn.")
        .source("DeTail 8.1.2: 80 KB in all");
    block.add("fan_out", traffic.fan_out)
        .range(workload_config::queries_range)
        .matters(only_for(traffic, {kind::partition_aggregate}))
        .doc(
            "Number of parallel queries of one partition/aggregate request. Each value is equally likely; at "
            "most 64 values.")
        .source("DeTail 8.1.2: 10, 20, 40");
    block.add("aggregate_bytes", traffic.aggregate_bytes)
        .range(workload_config::reply_range)
        .matters(only_for(traffic, {kind::partition_aggregate}))
        .doc("Response size of each query of a partition/aggregate request.")
        .source("DeTail 8.1.2: 2 KB");
}

void add_background_and_incast(block_writer& block, workload_config& traffic) {
    block.add("background_flows", traffic.background_flows)
        .range(workload_config::background_flows_range)
        .doc(
            "Number of long TCP flows to random servers that each server keeps active, in addition to the "
            "traffic of any traffic.kind.")
        .source("DeTail 8.1.2: 1");
    block.add("background_bytes", traffic.background_bytes)
        .range(workload_config::long_flow_range)
        .matters(with_background(traffic))
        .doc("Size of a background flow.")
        .source("DeTail 8.1.2: 1 MB");
    block.add("background_priority", traffic.background_priority)
        .range(workload_config::priority_range)
        .matters(with_background(traffic))
        .doc("Priority of background flows.")
        .source("DeTail 8.1.2: low");
    block.add("background_to_back_ends", traffic.background_to_back_ends)
        .matters(with_background(traffic))
        .doc("Only front ends have background flows, and only to back ends.")
        .source("DeTail 8.2 (Click): on");
    block.add("incast_rounds", traffic.incast_rounds)
        .range(workload_config::incast_rounds_range)
        .matters(only_for(traffic, {kind::incast}))
        .doc("Number of incast rounds; each starts when the one before is complete.")
        .source("DeTail figure 3: 25");
    block.add("incast_bytes", traffic.incast_bytes)
        .range(workload_config::long_flow_range)
        .matters(only_for(traffic, {kind::incast}))
        .doc("Total size of the responses of one round, all servers together.")
        .source("DeTail figure 3: 1 MB");
    block.add("incast_target", traffic.incast_target)
        .range(0, UINT32_MAX)
        .matters(only_for(traffic, {kind::incast}))
        .doc("Number (from 0) of the server that sends the requests and receives the responses.")
        .source("project");
}

void add_plain_flows(block_writer& block, workload_config& traffic) {
    block.add_share("load", traffic.load)
        .range(workload_config::load_range)
        .matters(with_load(traffic))
        .doc(
            "Load that each host offers, as a share of its link's rate. poisson: payload only, up to 1000%. "
            "permutation with UDP: bits on the wire, up to 100%. bernoulli: probability that a slot has a "
            "datagram, up to 100%.")
        .source("oracles: 0.3 to 0.95");
    block.add("transport", traffic.transport)
        .matters(
            only_where(traffic, [](const workload_traits& traits) { return traits.carried != carriage::tcp; }))
        .doc(
            "Transport of poisson, permutation and trace flows. bernoulli is always UDP, all other kinds are "
            "always TCP.")
        .source("project");
    block.add("distribution", traffic.distribution)
        .rule(workload_config::distributions(), workload_config::is_distribution)
        .matters(only_for(traffic, {kind::poisson}))
        .doc(
            "Size distribution of poisson flows: one of the built-in distributions, or file "
            "(traffic.distribution_file). empty: traffic.sizes.")
        .source("HPCC simulator, traffic_gen");
    block.add("flow_bytes", traffic.flow_bytes)
        .range(workload_config::flow_bytes_range)
        .matters(only_for(traffic, {kind::permutation}))
        .doc("permutation: bytes of each flow. 0: one endless flow; over TCP it needs run.duration.")
        .source("project");
    block.add("flows_per_host", traffic.flows_per_host)
        .range(0, UINT64_MAX)
        .matters(only_for(traffic, {kind::permutation}) &&
                 relevance{"traffic.flow_bytes above 0", [&traffic] { return traffic.flow_bytes > 0_B; }})
        .doc("permutation: flows of each host, one after another. 0: until traffic.stop.")
        .source("project");
    block.add("slot", traffic.slot)
        .range(workload_config::time_range)
        .matters(only_for(traffic, {kind::bernoulli}))
        .doc(
            "bernoulli: slot time. 0: transmission time of one full datagram, overhead included, at the rate "
            "of the host link.")
        .source("project");
}

void add_files(block_writer& block, const workload_config& traffic, traffic_files& files) {
    block.add("file", files.file)
        .path()
        .matters(only_for(traffic, {kind::trace}))
        .doc("trace: path of the flow trace.")
        .source("project");
    block.add("format", files.format)
        .matters(only_for(traffic, {kind::trace}))
        .doc("trace: format of traffic.file.")
        .source("HPCC, htsim");
    block.add("packets", files.packets)
        .matters(with_trace(traffic, files, {trace_file_format::pcap}))
        .doc("pcap: how packets are turned into transfers.")
        .source("project");
    block.add("addresses", files.addresses)
        .matters(with_trace(traffic, files, {trace_file_format::pcap}))
        .doc("pcap: which host an IP address is mapped to. Use `fabric` for captures that weir wrote.")
        .source("project");
    block.add("packet_idle", files.packet_idle)
        .range(picoseconds{1us}, longest_time)
        .matters(with_trace(traffic, files, {trace_file_format::pcap}))
        .doc(
            "pcap with traffic.packets = flows: after a gap of this length, packets between the same ports "
            "belong to a new transfer.")
        .source("project");
    block.add("start_unit", files.unit)
        .matters(with_trace(traffic, files, {trace_file_format::htsim}))
        .doc("trace: unit of start times in `htsim` files; the format does not define it.")
        .source("htsim reads picoseconds, its writers write microseconds");
    block.add("trigger_delay", files.trigger_delay)
        .range(picoseconds{0}, 1s)
        .matters(with_trace(traffic, files, {trace_file_format::htsim}))
        .doc(
            "trace: delay from a trigger to the start of the flows that wait for it. Triggers between "
            "different hosts need at least the fabric's lookahead; with 0, triggers must stay within one host.")
        .source("htsim: 0");
    block.add("default_priority", files.default_priority)
        .range(workload_config::priority_range)
        .matters(with_trace(traffic, files, {trace_file_format::csv, trace_file_format::htsim}))
        .doc("trace: priority of flows whose line has no priority.")
        .source("project");
    block.add("distribution_file", files.distribution_file)
        .path()
        .matters(with_size_file(traffic))
        .doc("File with a size distribution, one `size fraction` per line, for traffic.distribution = file.")
        .source("HPCC simulator, traffic_gen");
    block.add("distribution_fraction", files.distribution_units.fraction)
        .matters(with_size_file(traffic))
        .doc("Unit of the second column of traffic.distribution_file.")
        .source("HPCC: percent; others: fraction");
    block.add("distribution_size", files.distribution_units.size)
        .range(0_B, 65'535_B)
        .matters(with_size_file(traffic))
        .doc(
            "Unit of the first column of traffic.distribution_file: 1B, or the payload of a packet if sizes "
            "are in packets. 0: no unit given; the file is refused.")
        .source("HPCC: 1 B; others: packets of 1,460 B");
}

config_errors check_traffic(const run_config& config) {
    config_errors errors = config.traffic.validate();
    // What `run_config::resolve` takes from other options has been checked with them.
    errors.erase(std::remove_if(errors.begin(), errors.end(),
                                [](const config_error& error) {
                                    return error.key == "traffic.datagram" ||
                                           error.key == "traffic.datagram_overhead";
                                }),
                 errors.end());
    const auto needed = [&](const char* key, const char* why) {
        errors.push_back({"", 0, key, std::string("'' is empty; expected a path, because ") + why});
    };
    if (config.traffic.kind == workload_kind::trace && config.files.file.empty()) {
        needed("traffic.file", "traffic.kind = trace");
    }
    const bool from_file = config.traffic.distribution == "file";
    if (from_file && config.files.distribution_file.empty()) {
        needed("traffic.distribution_file", "traffic.distribution = file");
    }
    if (from_file && config.files.distribution_units.fraction == cdf_unit::undeclared) {
        errors.push_back({"", 0, "traffic.distribution_fraction",
                          "'undeclared' gives no unit, which traffic.distribution = file needs; expected "
                          "percent, fraction"});
    }
    if (from_file && config.files.distribution_units.size == 0_B) {
        errors.push_back(
            {"", 0, "traffic.distribution_size",
             "'0B' gives no unit, which traffic.distribution = file needs; expected 1B to 65535B"});
    }
    return errors;
}

}  // namespace

void add_traffic_options(option_table& table, run_config& config) {
    auto block = table.block("traffic", "What the hosts send.");
    block.add("kind", config.traffic.kind).doc("The workload.").source("DeTail 8.1; oracles");
    add_arrivals(block, config.traffic);
    add_queries(block, config.traffic);
    add_web(block, config.traffic);
    add_background_and_incast(block, config.traffic);
    add_plain_flows(block, config.traffic);
    add_files(block, config.traffic, config.files);
    table.check([&config] { return check_traffic(config); });
}

}  // namespace weir
