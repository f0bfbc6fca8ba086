// Options [traffic].
#include "tb/options/option_tables.h"
#include "weir/traffic/apps/workloads.h"
#include "weir/traffic/host/transports.h"

namespace weir::tb {

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

void add_traffic_options(option_table& table, run_config& config) {
    const workload_config& traffic = config.traffic;
    table.block("traffic", "What the hosts send.").add(config.traffic).add(config.files);
    table.condition(workload_config::front_ends, [&traffic] {
        return traffic.has_requests() || (traffic.background_flows > 0 && traffic.background_to_back_ends);
    });
    table.condition("a traffic.split other than everyone",
                    [&traffic] { return traffic.effective_split() != server_split::everyone; });
    table.condition("traffic.kind = query, or poisson without traffic.distribution", [&traffic] {
        return traffic.kind == workload_kind::query ||
               (traffic.kind == workload_kind::poisson && traffic.distribution.empty());
    });
    table.condition(
        "traffic.kind = poisson, bernoulli, or permutation with traffic.transport = udp", [&traffic] {
            return traffic.kind == workload_kind::poisson || traffic.kind == workload_kind::bernoulli ||
                   (traffic.kind == workload_kind::permutation && traffic.transport == transport_kind::udp);
        });
}

config_errors traffic_files::validate(const workload_config& traffic) const {
    config_errors errors;
    const auto needed = [&](const char* key, const char* why) {
        errors.push_back({"", 0, key, std::string("'' is empty; expected a path, because ") + why});
    };
    if (traffic.kind == workload_kind::trace && file.empty()) {
        needed("traffic.file", "traffic.kind = trace");
    }
    const bool from_file = traffic.distribution == "file";
    if (from_file && distribution_file.empty()) {
        needed("traffic.distribution_file", "traffic.distribution = file");
    }
    if (from_file && distribution_units.fraction == cdf_unit::undeclared) {
        errors.push_back({"", 0, "traffic.distribution_fraction",
                          "'undeclared' gives no unit, which traffic.distribution = file needs; expected "
                          "percent, fraction"});
    }
    if (from_file && distribution_units.size == 0_B) {
        errors.push_back(
            {"", 0, "traffic.distribution_size",
             "'0B' gives no unit, which traffic.distribution = file needs; expected 1B to 65535B"});
    }
    return errors;
}

}  // namespace weir::tb
