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
#include "weir/base/field_range.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/protocol/frame.h"
#include "weir/traffic/apps/application.h"
#include "weir/traffic/apps/arrival_process.h"
#include "weir/traffic/transport/transport_config.h"

namespace weir {

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

/// How the sizes of one sequential web request come about.
enum class request_sizes : std::uint8_t {
    deck,        ///< each size equally often, in random order: the total is always the same
    independent  ///< each query on its own: the total varies
};

/// How UDP permutations and plain flows are carried is `transport`; queries are always TCP. A field's range
/// stands below it.
struct workload_config {
    /// Range: any. Default query: TR 8.1.1.
    workload_kind kind = workload_kind::query;

    /// Nothing starts before. Default 0.
    picoseconds start{0};
    /// Nothing of the hosts' own accord starts at or after it; what has started is finished. 0 = no end: the
    /// run needs a duration. Else later than start.
    picoseconds stop{0};
    /// Of all times of this block.
    static constexpr field_range time_range{0_ps, longest_time};

    // Arrivals: query, sequential_web, partition_aggregate ---------------------------------------------
    /// Poisson rate of queries or web requests outside bursts, per host (web: per front end). Unit: 1/s.
    /// Default 500: TR 8.1.1, steady, lowest rate.
    double rate = 500;
    /// Of both rates.
    static constexpr field_range rate_range{0.0, 1e9};
    /// A burst begins every period, counted from `start`. 0 = no bursts. Default none; TR 8.1.1: 50 ms.
    picoseconds burst_period{0};
    /// Above 0 and at most burst_period, where there are bursts. Default 5 ms: TR 8.1.1, mixed.
    picoseconds burst_duration{5ms};
    /// Poisson rate inside bursts. Unit: 1/s. Default 10,000: TR 8.1.1.
    double burst_rate = 10'000;
    /// Each host's bursts are shifted by a random part of the period. Default off: TR 8.1.1 gives one
    /// interval for all servers.
    bool burst_stagger = false;

    // Queries ------------------------------------------------------------------------------------------
    /// Sizes of responses, and of plain flows without a distribution; equal chance. Unit: B. 1 to 64 of them.
    /// Default 2, 8, 32 KB: TR 8.1.1.
    std::vector<bytes> sizes{2_KB, 8_KB, 32_KB};
    /// Request of a query. Unit: B. Default 1,460 B, one full segment: TR 8.1.1.
    bytes request{1460};
    /// Of all requests and responses.
    static constexpr field_range reply_range{1_B, largest_reply};
    /// Priorities of queries, web requests, incast rounds and plain flows; equal chance for each. 1 to 64 of
    /// them. Default 7 for all; TR 8.1.1, prioritised: two.
    std::vector<pfc_class> priorities{7};
    static constexpr field_range<pfc_class> priority_range{0, pfc_classes - 1};
    /// Default by_kind: TR 8.1.1 (all-to-all) and 8.1.2 (halves).
    server_split split = server_split::by_kind;
    /// Share of servers that are front ends, rounded to whole servers, at least one of either sort.
    /// Default 0.5: TR 8.1.2.
    double front_end_fraction = 0.5;
    static constexpr field_range front_end_fraction_range{0.0, 1.0, range_ends::both_excluded};

    // Web requests -------------------------------------------------------------------------------------
    /// Queries of one sequential web request. Default 10: TR 8.1.2.
    std::uint32_t queries_per_request = 10;
    /// Of numbers of queries.
    static constexpr field_range queries_range{1U, 65'535U};
    /// Sizes of their responses. Unit: B. 1 to 16 of them. Default 4, 6, 8, 10, 12 KB: TR 8.1.2.
    std::vector<bytes> web_sizes{4_KB, 6_KB, 8_KB, 10_KB, 12_KB};
    /// Default deck, which makes 80 KB of each request as TR 8.1.2 says; it needs queries_per_request to be
    /// a multiple of the number of sizes.
    request_sizes web_size_draw = request_sizes::deck;
    /// Parallel queries of one partition/aggregate request; equal chance for each. 1 to 64 numbers.
    /// Default 10, 20, 40: TR 8.1.2.
    std::vector<std::uint32_t> fan_out{10, 20, 40};
    /// Response of each of them. Unit: B. Default 2 KB: TR 8.1.2.
    bytes aggregate_bytes{2_KB};

    // Background flows, beside any kind ----------------------------------------------------------------
    /// Long TCP flows that each server keeps under way, to random servers. Default none; TR 8.1.2: 1.
    std::uint32_t background_flows = 0;
    static constexpr field_range background_flows_range{0U, 65'535U};
    /// Unit: B. Default 1 MB: TR 8.1.2.
    bytes background_bytes{1_MB};
    /// Of background flows and incasts.
    static constexpr field_range long_flow_range{1_B, largest_flow};
    /// Default 0: TR 8.1.2, low priority.
    pfc_class background_priority = 0;
    /// Only front ends have them, and only to back ends. Default off; TR 8.2 (Click): on.
    bool background_to_back_ends = false;

    // Incast -------------------------------------------------------------------------------------------
    /// Default 25: TR Fig. 3.
    std::uint32_t incast_rounds = 25;
    static constexpr field_range incast_rounds_range{1U, 1'000'000'000U};
    /// Responses of one round, all servers together; the first servers send a byte more where it does not
    /// divide. Unit: B. At least a byte from each server. Default 1 MB: TR Fig. 3.
    bytes incast_bytes{1_MB};
    /// The server that asks; below the number of hosts. Default 0.
    host_id incast_target = 0;

    // Plain flows: poisson, permutation, bernoulli -----------------------------------------------------
    /// Share of a host link's rate that each host offers; above 1 for poisson only. Default 0.5. poisson:
    /// payload only. permutation (UDP): bits on the wire. bernoulli: chance of a slot.
    double load = 0.5;
    static constexpr field_range load_range{0.0, 10.0, range_ends::low_excluded};
    /// Of poisson, permutation and trace; of bernoulli it is UDP, of all others TCP. Default TCP.
    transport_kind transport = transport_kind::tcp;
    /// Sizes of poisson flows: one of `known_size_names`; `file` = the program reads one; empty = `sizes`.
    std::string distribution;
    static bool is_distribution(const std::string& name);
    /// What `is_distribution` takes, in words.
    static std::string distributions();
    /// Permutation: bytes of each flow. 0 = one endless flow (TCP: 1 TB; UDP: what its rate carries until
    /// `stop`, at most 1 TB). Default 0.
    bytes flow_bytes{0};
    static constexpr field_range flow_bytes_range{0_B, largest_flow};
    /// Permutation with flow_bytes: flows of each host, one after another; 0 = until `stop`. Default 1.
    std::uint64_t flows_per_host = 1;
    /// Payload of a bernoulli datagram, and of the permutation's UDP datagrams (`udp.payload`). Unit: B.
    /// Default 1,472 B: a full frame.
    bytes datagram{1472};
    static constexpr field_range datagram_range = udp_config::payload_range;
    /// What a datagram's wire time adds: headers, FCS, preamble, gap. Unit: B.
    /// Default 66 B: 46 B of `udp.header`, 20 B of `link.wire_overhead`.
    bytes datagram_overhead{66};
    /// The largest UDP header, and 1,000 B on the wire.
    static constexpr field_range datagram_overhead_range{0_B, udp_config::header_range.high + 1000_B};
    /// Bernoulli: slot time. 0 = one datagram with its overhead at the host link's rate.
    picoseconds slot{0};

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

    /// What is wrong with the values by themselves. Keys are `traffic.<field>`.
    config_errors validate() const;
    /// The same, and what is wrong for a fabric of so many hosts. `given_by`: the options that say how many.
    config_errors validate(host_id hosts, const std::string& given_by = {}) const;
};

}  // namespace weir
