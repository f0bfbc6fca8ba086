// Parameters of the workloads that the hosts of a run execute (docs/workloads.md). Keys: [traffic].
//
//   workload_config c;                       // DeTail's mixed workload
//   c.rate = 500;
//   c.burst_period = 50ms;
//   c.burst_duration = 5ms;
//   c.burst_rate = 10'000;
//   config_errors wrong = c.validate();
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/config_field.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/protocol/frame.h"
#include "weir/traffic/apps/application.h"
#include "weir/traffic/apps/arrival_process.h"
#include "weir/traffic/apps/background_config.h"
#include "weir/traffic/apps/program_config.h"
#include "weir/traffic/apps/workload_choices.h"
#include "weir/traffic/apps/workload_parts.h"
#include "weir/traffic/sizes/known_size_distributions.h"
#include "weir/traffic/udp/udp_config.h"

namespace weir::traffic {

/// How all but Bernoulli datagrams, background flows and the stream are carried is `transport`; queries never
/// by UDP.
struct workload_config {
    workload_kind kind{};
    picoseconds start{0};
    picoseconds stop{0};

    // Arrivals: query, sequential_web, partition_aggregate ---------------------------------------------
    /// Not set: as `load` says.
    std::optional<double> rate = 500;
    rate_scope rate_per = rate_scope::host;
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
    /// Of all responses together; the first servers send a byte more where it does not divide.
    bytes aggregate_total{0};
    scatter_gather_config scatter_gather{};
    program_config program{};

    // Beside any kind ----------------------------------------------------------------------------------
    background_config background{};
    stream_config stream{};

    // Incast -------------------------------------------------------------------------------------------
    std::uint32_t incast_rounds = 25;
    /// The first servers send a byte more where it does not divide.
    bytes incast_bytes{1_MB};
    std::uint32_t incast_flows = 1;
    host_id incast_target = 0;
    bool incast_all_to_all = false;
    response_delay_config response_delay{};

    // Plain flows: poisson, permutation, bernoulli -----------------------------------------------------
    double load = 0.5;
    load_basis load_of = load_basis::host_link;
    /// Names of nodes, as the program resolves them (`workload_inputs`).
    std::vector<std::string> sources;
    std::vector<std::string> destinations;
    transport_kind transport{};
    std::string distribution;
    /// An endless flow is 1 TB over TCP; over UDP what its rate carries until `stop`, at most 1 TB.
    bytes flow_bytes{0};
    std::uint64_t flows_per_host = 1;
    std::uint32_t parallel_flows = 1;
    partner_rule partners = partner_rule::permutation;
    write_config writes{};
    picoseconds slot{0};
    /// Payload of a bernoulli datagram, and of the permutation's UDP datagrams: `udp.payload`.
    bytes datagram{1472};
    /// What a datagram's wire time adds: headers, FCS, preamble, gap. 46 B of `udp.header`, 20 B of
    /// `link.wire_overhead`.
    bytes datagram_overhead{66};

    // Conditions of options, by what the registered workloads are (workloads.h).
    static std::string kinds_with_requests();
    static std::string generated_kinds();
    static std::string kinds_with_transport();
    /// And those with `server_split::named`.
    static std::string kinds_with_places();

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
        fields(field("start", &self::start).range(time_range).help("No traffic starts before this time."));
        fields(field("stop", &self::stop)
                   .range(time_range)
                   .help("Hosts start no new traffic at or after this time; traffic that has started is "
                         "completed, including its responses. 0: no end, so the run needs run.duration."));
        fields.all_need(requests);
        fields(field("rate", &self::rate)
                   .range(rate_range)
                   .help("Poisson rate of queries or web requests outside bursts. auto: the rate at which "
                         "their responses make up traffic.load. Unit: 1/s.")
                   .source("DeTail 8.1.1, steady: 500 to 2,500"));
        fields(field("rate_per", &self::rate_per)
                   .help("Whether traffic.rate (unless auto) and traffic.burst_rate apply to each host or to "
                         "the network.")
                   .source("DeTail 8.1.1: host; DIBS 5.3: network, 300 to 15,000 queries/s"));
        fields(field("burst_period", &self::burst_period)
                   .range(time_range)
                   .help("Time from the start of one burst to the start of the next, counted from "
                         "traffic.start. 0: no bursts.")
                   .source("DeTail 8.1.1: 50 ms"));
        fields.all_need(requests, "traffic.burst_period above 0");
        fields(field("burst_duration", &self::burst_duration)
                   .range(time_range)
                   .help("Length of a burst; above 0 and at most traffic.burst_period.")
                   .source("DeTail 8.1.1, bursty: 2.5 to 12.5 ms; mixed: 5 ms"));
        fields(field("burst_rate", &self::burst_rate)
                   .range(rate_range)
                   .help("Poisson rate of queries or web requests inside bursts. Unit: 1/s.")
                   .source("DeTail 8.1.1: 10,000"));
        fields(field("burst_stagger", &self::burst_stagger)
                   .help("Shift each host's bursts by a random part of the period.")
                   .source("DeTail 8.1.1 gives one interval for all servers"));
        fields.all_need();
        fields(field("sizes", &self::sizes)
                   .range(reply_range)
                   .needs("sizes_are_drawn")
                   .help("Sizes of responses, and of flows without traffic.distribution. Each is equally "
                         "likely; at most 64 sizes.")
                   .source("DeTail 8.1.1: 2, 8, 32 KB"));
        fields(field("request", &self::request)
                   .range(reply_range)
                   .needs("traffic.kind = query or sequential_web or partition_aggregate or incast or "
                          "scatter_gather")
                   .help("Size of a query's request.")
                   .source("DeTail 8.1.1: one full segment"));
        fields(field("priorities", &self::priorities)
                   .range(priority_range)
                   .needs(generated_kinds().c_str())
                   .help("Priorities of queries, web requests, incast rounds and flows. Each is equally "
                         "likely; at most 64 entries. 7 is the most urgent.")
                   .source("DeTail 8.1.1, prioritised: two"));
        fields(field("split", &self::split)
                   .needs("front_ends_ask_back_ends")
                   .help("Which servers send requests (front ends) and which send responses (back ends).")
                   .source("DeTail 8.1.1 (all-to-all), 8.1.2 (halves); 2013 presentation"));
        fields(field("front_end_fraction", &self::front_end_fraction)
                   .share()
                   .range(0.0, 1.0, range_ends::both_excluded)
                   .needs("front_ends_ask_back_ends", "split_has_a_fraction")
                   .help("Share of servers that are front ends, rounded to whole servers. There is at least "
                         "one front end and one back end.")
                   .source("DeTail 8.1.2: half"));
        fields.all_need("traffic.kind = sequential_web");
        fields(field("queries_per_request", &self::queries_per_request)
                   .range(queries_range)
                   .help("Number of queries in one sequential web request.")
                   .source("DeTail 8.1.2: 10"));
        fields(field("web_sizes", &self::web_sizes)
                   .range(reply_range)
                   .help("Response sizes of the queries of a sequential web request; at most 16 sizes.")
                   .source("DeTail 8.1.2: 4, 6, 8, 10, 12 KB"));
        fields(field("web_size_draw", &self::web_size_draw)
                   .help("How the response sizes of one sequential web request are drawn.")
                   .source("DeTail 8.1.2: 80 KB in all"));
        fields.all_need("traffic.kind = partition_aggregate");
        fields(field("fan_out", &self::fan_out)
                   .range(queries_range)
                   .help("Number of parallel queries of one partition/aggregate request. Each value is equally "
                         "likely; at most 64 values.")
                   .source("DeTail 8.1.2: 10, 20, 40"));
        fields(field("aggregate_total", &self::aggregate_total)
                   .range(0_B, largest_reply)
                   .help("Size of all responses of one partition/aggregate request, in equal parts. 0: each "
                         "has traffic.aggregate_bytes.")
                   .source("FlowBender 4.2.5: 1 MB over 4 to 32 servers"));
        fields(field("aggregate_bytes", &self::aggregate_bytes)
                   .range(reply_range)
                   .needs("no traffic.aggregate_total")
                   .help("Response size of each query of a partition/aggregate request.")
                   .source("DeTail 8.1.2: 2 KB"));
        fields.part(&self::scatter_gather);
        fields.part(&self::program);
        fields.part(&self::background);
        fields.part(&self::stream);
        fields.all_need("traffic.kind = incast");
        fields(field("incast_rounds", &self::incast_rounds)
                   .range(1U, 1'000'000'000U)
                   .help("Number of incast rounds; each starts when the one before is complete.")
                   .source("DeTail figure 3: 25"));
        fields(field("incast_bytes", &self::incast_bytes)
                   .range(long_flow_range)
                   .needs("no traffic.distribution")
                   .help("Total size of the responses of one round, all servers together.")
                   .source("DeTail figure 3: 1 MB"));
        fields(field("incast_flows", &self::incast_flows)
                   .range(queries_range)
                   .help("Responses of each server in one round, all at the same time.")
                   .source("DIBS 5.2: 10"));
        fields(field("incast_target", &self::incast_target)
                   .range(0, UINT32_MAX)
                   .help("Number (from 0) of the server that sends the requests and receives the responses."));
        fields(field("incast_all_to_all", &self::incast_all_to_all)
                   .help("Every server is the target of rounds of its own, all at the same time. off: "
                         "traffic.incast_target alone.")
                   .source("DeTail 6.3: all-to-all Incast"));
        fields.part(&self::response_delay);
        fields.all_need("load_is_read");
        fields(
            field("load", &self::load)
                .share()
                .range(0.0, 10.0, range_ends::low_excluded)
                .help("Load that each host offers, as a share of its link's rate (or of what traffic.load_of "
                      "says). poisson: payload only, up to 1000%. permutation with UDP: bits on the wire, up "
                      "to 100%. bernoulli: probability that a slot has a datagram, up to 100%. requests: "
                      "payload of the responses.")
                .source("oracles: 0.3 to 0.95"));
        fields.all_need();
        fields(field("load_of", &self::load_of)
                   .needs("hosts_offer_load")
                   .help("What traffic.load is a share of.")
                   .source("FlowBender 4.2.3: the bisection"));
        fields(field("sources", &self::sources)
                   .rule(background_config::node_names, background_config::is_node_name)
                   .needs("hosts_have_places")
                   .help("Hosts that send: hosts, or switches for all hosts on them; * stands for any text. "
                         "Empty: all.")
                   .source("FlowBender 4.2.2: one rack, 4.3: one rack"));
        fields(field("destinations", &self::destinations)
                   .rule(background_config::node_names, background_config::is_node_name)
                   .needs("hosts_have_places")
                   .help("Hosts that receive, as traffic.sources.")
                   .source("FlowBender 4.2.2: one rack of another pod"));
        fields(field("transport", &self::transport)
                   .needs(kinds_with_transport().c_str())
                   .help("Transport of the workload. UDP has no acknowledgements, and carries only poisson, "
                         "permutation and trace flows. bernoulli is always UDP; background flows have "
                         "traffic.background_transport."));
        fields.all_need("traffic.kind = poisson or incast");
        fields(field("distribution", &self::distribution)
                   .rule(size_choices().c_str(), is_size_choice)
                   .help("Size distribution of poisson flows, and of the responses of an incast: one of the "
                         "built-in distributions, or file (traffic.distribution_file). empty: traffic.sizes, "
                         "and equal parts of traffic.incast_bytes.")
                   .source("HPCC simulator, traffic_gen; cross-layer study IV-C5"));
        fields.all_need("traffic.kind = permutation");
        fields(
            field("flow_bytes", &self::flow_bytes)
                .range(0_B, largest_flow)
                .help("permutation: bytes of each flow. 0: one endless flow; over TCP it needs run.duration."));
        fields(field("flows_per_host", &self::flows_per_host)
                   .range(0, UINT64_MAX)
                   .needs("traffic.flow_bytes above 0")
                   .help("permutation: flows of each host, one after another. 0: until traffic.stop."));
        fields(field("parallel_flows", &self::parallel_flows)
                   .range(queries_range)
                   .help("permutation: flows that each host has to its partner at the same time; "
                         "traffic.flows_per_host holds for each of them. UDP: they share the load.")
                   .source("DIBS 5.6: 1 to 16; FlowBender table 1: 1 to 3"));
        fields(field("partners", &self::partners)
                   .help("permutation: who sends to whom. Drawn once with run.seed; with traffic.sources or "
                         "traffic.destinations each source gets one destination, and sources are spread as "
                         "evenly as possible over destinations.")
                   .source("DIBS 5.6: pairs"));
        fields.part(&self::writes);
        fields.all_need("traffic.kind = bernoulli");
        fields(field("slot", &self::slot)
                   .range(time_range)
                   .help("bernoulli: slot time. 0: transmission time of one full datagram, overhead included, "
                         "at the rate of the host link."));
    }

    /// `stop`, or `never`.
    picoseconds stop_time() const { return stop == picoseconds{0} ? never : stop; }
    /// `split`, with by_kind resolved.
    server_split effective_split() const;

    /// Requests and responses: query, sequential_web, partition_aggregate.
    bool has_requests() const;
    /// `sources` and `destinations` say who sends, and to whom.
    bool has_places() const;
    /// What hosts send follows from `load` and `load_of`.
    bool offers_load() const;
    /// A distribution of sizes comes from a file.
    bool reads_sizes() const { return distribution == "file" || background.distribution == "file"; }
    /// Whether any transfer is carried by it.
    bool uses(transport_kind carrier) const;
    /// True if the workload's transfers are sent at a rate, since nothing confirms them.
    bool sends_datagrams() const { return !transports()[transport].confirms; }

    /// What is wrong with the values by themselves. Keys are `traffic.<field>`.
    config_errors validate() const;
    /// The same, and what is wrong for a fabric of so many hosts. `given_by`: the options that say how many.
    config_errors validate(host_id hosts, const std::string& given_by = {}) const;
};

}  // namespace weir::traffic
