// What the hosts of a run do: parameters of the workloads (docs/workloads.md). Keys: [traffic].
//
//   workload_config c;                       // DeTail's mixed workload
//   c.rate = 500;
//   c.burst_period = 50ms;
//   c.burst_duration = 5ms;
//   c.burst_rate = 10'000;
//   config_errors wrong = c.validate();
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/protocol/frame.h"
#include "weir/traffic/apps/application.h"
#include "weir/traffic/apps/arrival_process.h"
#include "weir/traffic/transport/transport_config.h"

namespace weir::traffic {

/// Largest response: a query's request carries its length in 32 bits.
inline constexpr bytes largest_reply{(std::int64_t{1} << 32) - 1};
/// Largest plain flow.
inline constexpr bytes largest_flow{1'000'000'000'000};

/// Ours; workloads.h registers them.
enum class workload_kind : std::uint8_t {
    none,                 ///< nothing but background flows, if any
    query,                ///< request to a random server, response of a random size (TR 8.1.1)
    sequential_web,       ///< web request = queries one after another (TR 8.1.2)
    partition_aggregate,  ///< web request = queries in parallel (TR 8.1.2)
    incast,               ///< one server asks all others at once, round after round (TR Fig. 3)
    poisson,              ///< plain flows of drawn sizes at a load
    permutation,          ///< each host sends to one other host, and receives from one
    bernoulli,            ///< slotted arrivals of single datagrams
    trace                 ///< flows that the program hands in
};

/// Which servers ask (front ends) and which answer (back ends).
enum class server_split : std::uint8_t {
    by_kind,    ///< `alternate` for the web workloads, `everyone` for queries
    everyone,   ///< every server asks every other
    alternate,  ///< front ends spread evenly over the numbers: even ones at a half (each rack alike)
    random,     ///< front ends drawn with the seed (slides)
    first       ///< the lowest numbers are front ends: at 0.75, three pods ask the fourth (slides)
};
constexpr auto names_of(server_split) {
    return enum_names<server_split>({
        {server_split::by_kind, "by_kind", "`alternate` for the web workloads, `everyone` for queries"},
        {server_split::everyone, "everyone", "every server sends requests to every other"},
        {server_split::alternate, "alternate", "front ends spread evenly over the server numbers"},
        {server_split::random, "random", "front ends chosen at random, from run.seed"},
        {server_split::first, "first", "the servers with the lowest numbers are front ends"},
    });
}

/// How the sizes of one sequential web request come about.
enum class request_sizes : std::uint8_t { deck, independent };
constexpr auto names_of(request_sizes) {
    return enum_names<request_sizes>({
        {request_sizes::deck, "deck",
         "each size equally often, in random order; traffic.queries_per_request must be a multiple of the "
         "number of sizes"},
        {request_sizes::independent, "independent", "each query draws its size independently"},
    });
}

/// How all but Bernoulli datagrams and background flows are carried is `transport`; queries never by UDP.
struct workload_config {
    workload_kind kind = workload_kind::query;
    picoseconds start{0};
    picoseconds stop{0};

    // Arrivals: query, sequential_web, partition_aggregate ---------------------------------------------
    double rate = 500;
    picoseconds burst_period{0};
    picoseconds burst_duration{5ms};
    double burst_rate = 10'000;
    bool burst_stagger = false;

    // Queries ------------------------------------------------------------------------------------------
    std::vector<bytes> sizes{2_KB, 8_KB, 32_KB};
    bytes request{1460};
    std::vector<pfc_class> priorities{7};
    server_split split = server_split::by_kind;
    double front_end_fraction = 0.5;

    // Web requests -------------------------------------------------------------------------------------
    std::uint32_t queries_per_request = 10;
    std::vector<bytes> web_sizes{4_KB, 6_KB, 8_KB, 10_KB, 12_KB};
    request_sizes web_size_draw = request_sizes::deck;
    std::vector<std::uint32_t> fan_out{10, 20, 40};
    bytes aggregate_bytes{2_KB};

    // Background flows, beside any kind ----------------------------------------------------------------
    std::uint32_t background_flows = 0;
    bytes background_bytes{1_MB};
    pfc_class background_priority = 0;
    bool background_to_back_ends = false;

    // Incast -------------------------------------------------------------------------------------------
    std::uint32_t incast_rounds = 25;
    /// The first servers send a byte more where it does not divide.
    bytes incast_bytes{1_MB};
    host_id incast_target = 0;

    // Plain flows: poisson, permutation, bernoulli -----------------------------------------------------
    double load = 0.5;
    transport_kind transport = transport_kind::tcp;
    std::string distribution;
    /// An endless flow is 1 TB over TCP; over UDP what its rate carries until `stop`, at most 1 TB.
    bytes flow_bytes{0};
    std::uint64_t flows_per_host = 1;
    picoseconds slot{0};
    /// Payload of a bernoulli datagram, and of the permutation's UDP datagrams: `udp.payload`.
    bytes datagram{1472};
    /// What a datagram's wire time adds: headers, FCS, preamble, gap. 46 B of `udp.header`, 20 B of
    /// `link.wire_overhead`.
    bytes datagram_overhead{66};

    static constexpr field_range<pfc_class> priority_range{0, pfc_classes - 1};
    static constexpr const char* front_ends =
        "traffic.kind = query, sequential_web or partition_aggregate, or traffic.background_to_back_ends";
    static bool is_distribution(const std::string& name);
    /// What `is_distribution` takes, in words.
    static std::string distributions();
    // Conditions of options, by what the registered workloads are (workloads.h).
    static std::string kinds_with_requests();
    static std::string generated_kinds();
    static std::string kinds_with_transport();

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        constexpr field_range time_range{0_ps, longest_time};
        constexpr field_range rate_range{0.0, 1e9};
        constexpr field_range reply_range{1_B, largest_reply};
        constexpr field_range queries_range{1U, 65'535U};
        constexpr field_range long_flow_range{1_B, largest_flow};
        const std::string with_requests = kinds_with_requests();
        const char* const requests = with_requests.c_str();
        fields(field("kind", &self::kind).help("The workload.").source("DeTail 8.1; oracles"));
        fields(field("start", &self::start)
                   .range(time_range)
                   .help("No traffic starts before this time.")
                   .source("project"));
        fields(field("stop", &self::stop)
                   .range(time_range)
                   .help("Hosts start no new traffic at or after this time; traffic that has started is "
                         "completed, including its responses. 0: no end, so the run needs run.duration.")
                   .source("project"));
        fields(field("rate", &self::rate)
                   .range(rate_range)
                   .needs(requests)
                   .help("Poisson rate of queries or web requests outside bursts, for each host that sends "
                         "them. Unit: 1/s.")
                   .source("DeTail 8.1.1, steady: 500 to 2,500"));
        fields(field("burst_period", &self::burst_period)
                   .range(time_range)
                   .needs(requests)
                   .help("Time from the start of one burst to the start of the next, counted from "
                         "traffic.start. 0: no bursts.")
                   .source("DeTail 8.1.1: 50 ms"));
        fields(field("burst_duration", &self::burst_duration)
                   .range(time_range)
                   .needs(requests, "traffic.burst_period above 0")
                   .help("Length of a burst; above 0 and at most traffic.burst_period.")
                   .source("DeTail 8.1.1, bursty: 2.5 to 12.5 ms; mixed: 5 ms"));
        fields(field("burst_rate", &self::burst_rate)
                   .range(rate_range)
                   .needs(requests, "traffic.burst_period above 0")
                   .help("Poisson rate of queries or web requests inside bursts, for each host that sends "
                         "them. Unit: 1/s.")
                   .source("DeTail 8.1.1: 10,000"));
        fields(field("burst_stagger", &self::burst_stagger)
                   .needs(requests, "traffic.burst_period above 0")
                   .help("Shift each host's bursts by a random part of the period.")
                   .source("DeTail 8.1.1 gives one interval for all servers"));
        fields(field("sizes", &self::sizes)
                   .range(reply_range)
                   .needs("traffic.kind = query, or poisson without traffic.distribution")
                   .help("Sizes of responses, and of flows without traffic.distribution. Each is equally "
                         "likely; at most 64 sizes.")
                   .source("DeTail 8.1.1: 2, 8, 32 KB"));
        fields(field("request", &self::request)
                   .range(reply_range)
                   .needs("traffic.kind = query or sequential_web or partition_aggregate or incast")
                   .help("Size of a query's request.")
                   .source("DeTail 8.1.1: one full segment"));
        fields(field("priorities", &self::priorities)
                   .range(priority_range)
                   .needs(generated_kinds().c_str())
                   .help("Priorities of queries, web requests, incast rounds and flows. Each is equally "
                         "likely; at most 64 entries. 7 is the most urgent.")
                   .source("DeTail 8.1.1, prioritised: two"));
        fields(field("split", &self::split)
                   .needs(front_ends)
                   .help("Which servers send requests (front ends) and which send responses (back ends).")
                   .source("DeTail 8.1.1 (all-to-all), 8.1.2 (halves); 2013 presentation"));
        fields(field("front_end_fraction", &self::front_end_fraction)
                   .share()
                   .range(0.0, 1.0, range_ends::both_excluded)
                   .needs(front_ends, "a traffic.split other than everyone")
                   .help("Share of servers that are front ends, rounded to whole servers. There is at least "
                         "one front end and one back end.")
                   .source("DeTail 8.1.2: half"));
        fields(field("queries_per_request", &self::queries_per_request)
                   .range(queries_range)
                   .needs("traffic.kind = sequential_web")
                   .help("Number of queries in one sequential web request.")
                   .source("DeTail 8.1.2: 10"));
        fields(field("web_sizes", &self::web_sizes)
                   .range(reply_range)
                   .needs("traffic.kind = sequential_web")
                   .help("Response sizes of the queries of a sequential web request; at most 16 sizes.")
                   .source("DeTail 8.1.2: 4, 6, 8, 10, 12 KB"));
        fields(field("web_size_draw", &self::web_size_draw)
                   .needs("traffic.kind = sequential_web")
                   .help("How the response sizes of one sequential web request are drawn.")
                   .source("DeTail 8.1.2: 80 KB in all"));
        fields(field("fan_out", &self::fan_out)
                   .range(queries_range)
                   .needs("traffic.kind = partition_aggregate")
                   .help("Number of parallel queries of one partition/aggregate request. Each value is equally "
                         "likely; at most 64 values.")
                   .source("DeTail 8.1.2: 10, 20, 40"));
        fields(field("aggregate_bytes", &self::aggregate_bytes)
                   .range(reply_range)
                   .needs("traffic.kind = partition_aggregate")
                   .help("Response size of each query of a partition/aggregate request.")
                   .source("DeTail 8.1.2: 2 KB"));
        fields(field("background_flows", &self::background_flows)
                   .range(0U, 65'535U)
                   .help("Number of long TCP flows to random servers that each server keeps active, in "
                         "addition to the traffic of any traffic.kind.")
                   .source("DeTail 8.1.2: 1"));
        fields(field("background_bytes", &self::background_bytes)
                   .range(long_flow_range)
                   .needs("traffic.background_flows above 0")
                   .help("Size of a background flow.")
                   .source("DeTail 8.1.2: 1 MB"));
        fields(field("background_priority", &self::background_priority)
                   .range(priority_range)
                   .needs("traffic.background_flows above 0")
                   .help("Priority of background flows.")
                   .source("DeTail 8.1.2: low"));
        fields(field("background_to_back_ends", &self::background_to_back_ends)
                   .needs("traffic.background_flows above 0")
                   .help("Only front ends have background flows, and only to back ends.")
                   .source("DeTail 8.2 (Click): on"));
        fields(field("incast_rounds", &self::incast_rounds)
                   .range(1U, 1'000'000'000U)
                   .needs("traffic.kind = incast")
                   .help("Number of incast rounds; each starts when the one before is complete.")
                   .source("DeTail figure 3: 25"));
        fields(field("incast_bytes", &self::incast_bytes)
                   .range(long_flow_range)
                   .needs("traffic.kind = incast")
                   .help("Total size of the responses of one round, all servers together.")
                   .source("DeTail figure 3: 1 MB"));
        fields(field("incast_target", &self::incast_target)
                   .range(0, UINT32_MAX)
                   .needs("traffic.kind = incast")
                   .help("Number (from 0) of the server that sends the requests and receives the responses.")
                   .source("project"));
        fields(field("load", &self::load)
                   .share()
                   .range(0.0, 10.0, range_ends::low_excluded)
                   .needs("traffic.kind = poisson, bernoulli, or permutation with traffic.transport = udp")
                   .help("Load that each host offers, as a share of its link's rate. poisson: payload only, up "
                         "to 1000%. permutation with UDP: bits on the wire, up to 100%. bernoulli: probability "
                         "that a slot has a datagram, up to 100%.")
                   .source("oracles: 0.3 to 0.95"));
        fields(field("transport", &self::transport)
                   .needs(kinds_with_transport().c_str())
                   .help("Transport of the workload. UDP, which confirms nothing, carries poisson, permutation "
                         "and trace flows only; bernoulli is always UDP, background flows are always TCP.")
                   .source("project"));
        fields(field("distribution", &self::distribution)
                   .rule(distributions().c_str(), is_distribution)
                   .needs("traffic.kind = poisson")
                   .help("Size distribution of poisson flows: one of the built-in distributions, or file "
                         "(traffic.distribution_file). empty: traffic.sizes.")
                   .source("HPCC simulator, traffic_gen"));
        fields(
            field("flow_bytes", &self::flow_bytes)
                .range(0_B, largest_flow)
                .needs("traffic.kind = permutation")
                .help("permutation: bytes of each flow. 0: one endless flow; over TCP it needs run.duration.")
                .source("project"));
        fields(field("flows_per_host", &self::flows_per_host)
                   .range(0, UINT64_MAX)
                   .needs("traffic.kind = permutation", "traffic.flow_bytes above 0")
                   .help("permutation: flows of each host, one after another. 0: until traffic.stop.")
                   .source("project"));
        fields(field("slot", &self::slot)
                   .range(time_range)
                   .needs("traffic.kind = bernoulli")
                   .help("bernoulli: slot time. 0: transmission time of one full datagram, overhead included, "
                         "at the rate of the host link.")
                   .source("project"));
    }

    /// `stop`, or `never`.
    picoseconds stop_time() const { return stop == picoseconds{0} ? never : stop; }
    /// Arrivals of queries or web requests at one host. `phase` shifts its bursts.
    arrival_spec arrivals(picoseconds phase) const;
    /// `split`, with by_kind resolved.
    server_split effective_split() const;

    /// Requests and responses: query, sequential_web, partition_aggregate.
    bool has_requests() const;
    /// Whether any transfer is carried by it.
    bool uses(transport_kind carrier) const;
    bool uses_tcp() const { return uses(transport_kind::tcp); }
    bool uses_udp() const { return uses(transport_kind::udp); }
    bool uses_roce() const { return uses(transport_kind::roce); }
    bool uses_pfabric() const { return uses(transport_kind::pfabric); }

    /// What is wrong with the values by themselves. Keys are `traffic.<field>`.
    config_errors validate() const;
    /// The same, and what is wrong for a fabric of so many hosts. `given_by`: the options that say how many.
    config_errors validate(host_id hosts, const std::string& given_by = {}) const;
};

}  // namespace weir::traffic
