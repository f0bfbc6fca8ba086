// What options of the workload choose among, and the limits that several of them have in common. Keys:
// [traffic].
#pragma once

#include <cstdint>

#include "weir/base/enum_names.h"
#include "weir/base/field_range.h"
#include "weir/base/units.h"
#include "weir/protocol/frame.h"

namespace weir::traffic {

/// Largest response: a query's request carries its length in 32 bits.
inline constexpr bytes largest_reply{(std::int64_t{1} << 32) - 1};
/// Largest flow, and what stands for an endless one: over two hours at 1 Gb/s, 10 s at 800 Gb/s.
inline constexpr bytes largest_flow{1'000'000'000'000};
inline constexpr field_range<pfc_class> priority_range{0, pfc_classes - 1};

/// A workload that workloads.h registers. The first one is queries.
enum class workload_kind : std::uint8_t {};

/// Which servers ask (front ends) and which answer (back ends).
enum class server_split : std::uint8_t {
    by_kind,    ///< `alternate` for the web workloads, `everyone` for queries
    everyone,   ///< every server asks every other
    alternate,  ///< front ends spread evenly over the numbers: even ones at a half (each rack alike)
    random,     ///< front ends drawn with the seed (slides)
    first,      ///< the lowest numbers are front ends: at 0.75, three pods ask the fourth (slides)
    named       ///< `sources` ask `destinations`, or all other hosts
};
constexpr auto names_of(server_split) {
    return enum_names<server_split>({
        {server_split::by_kind, "by_kind", "`alternate` for the web workloads, `everyone` for queries"},
        {server_split::everyone, "everyone", "every server sends requests to every other"},
        {server_split::alternate, "alternate", "front ends spread evenly over the server numbers"},
        {server_split::random, "random", "front ends chosen at random, from run.seed"},
        {server_split::first, "first", "the servers with the lowest numbers are front ends"},
        {server_split::named, "named",
         "traffic.sources are front ends; traffic.destinations are back ends, or, if that is empty, all "
         "others"},
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

/// Whose rates `rate` and `burst_rate` are.
enum class rate_scope : std::uint8_t { host, network };
constexpr auto names_of(rate_scope) {
    return enum_names<rate_scope>({
        {rate_scope::host, "host", "of each host that sends requests"},
        {rate_scope::network, "network",
         "of all of them together; each request comes from one of them, all equally likely"},
    });
}

/// What a load is a share of.
enum class load_basis : std::uint8_t { host_link, bisection };
constexpr auto names_of(load_basis) {
    return enum_names<load_basis>({
        {load_basis::host_link, "host_link", "of the rate of a host's link"},
        {load_basis::bisection, "bisection",
         "of the rate of all links to the highest tier of switches: their mean utilisation by the payload of "
         "the traffic that crosses it"},
    });
}

/// How hosts of a permutation find their partners.
enum class partner_rule : std::uint8_t { permutation, pairs };
constexpr auto names_of(partner_rule) {
    return enum_names<partner_rule>({
        {partner_rule::permutation, "permutation", "each host sends to one host, and receives from one"},
        {partner_rule::pairs, "pairs", "two hosts send to each other"},
    });
}

}  // namespace weir::traffic
