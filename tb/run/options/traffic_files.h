// Files that the traffic of a run comes from.
#pragma once

#include <cstdint>
#include <string>

#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/traffic/apps/workload_config.h"
#include "weir/traffic/sizes/size_distribution_file.h"
#include "weir/traffic/traces/flow_trace.h"

namespace weir::tb {

/// Formats of `trace_format`, and packet captures, which are no text.
enum class trace_file_format : std::uint8_t { csv, hpcc, htsim, pcap };
constexpr auto names_of(trace_file_format) {
    return enum_names<trace_file_format>({
        {trace_file_format::csv, "csv", "the project's own: start_ns,src,dst,bytes,priority,tag"},
        {trace_file_format::hpcc, "hpcc", "flow list of the HPCC simulator"},
        {trace_file_format::htsim, "htsim", "connection matrix (.cm)"},
        {trace_file_format::pcap, "pcap", "packet capture: pcap or pcapng"},
    });
}

/// What packets of a capture become: transfers put together again, or a transfer each.
enum class packet_grouping : std::uint8_t { flows, packets };
constexpr auto names_of(packet_grouping) {
    return enum_names<packet_grouping>({
        {packet_grouping::flows, "flows", "transfers are reassembled from their packets"},
        {packet_grouping::packets, "packets", "each packet with payload is a transfer"},
    });
}
/// The host that an address of a capture stands for: the n-th address that appears is host n; the same modulo
/// the number of hosts; the host of the fabric that has this address.
enum class address_rule : std::uint8_t { order, modulo, fabric };
constexpr auto names_of(address_rule) {
    return enum_names<address_rule>({
        {address_rule::order, "order", "the n-th address that appears is host n, from 0"},
        {address_rule::modulo, "modulo", "as order, but n modulo the number of hosts"},
        {address_rule::fabric, "fabric", "the host of the fabric that has this IPv4 address"},
    });
}

/// Files of [traffic]; the rest of the block is `workload_config`.
struct traffic_files {
    /// Absolute path of a flow trace, for `kind = trace`.
    std::string file;
    trace_file_format format = trace_file_format::csv;
    packet_grouping packets = packet_grouping::flows;
    address_rule addresses = address_rule::order;
    picoseconds packet_idle{1'000'000'000'000};
    start_unit unit = start_unit::undeclared;
    picoseconds trigger_delay{0};
    pfc_class default_priority = 0;
    /// Absolute path of a parallel program, for `program = file` or `traces`.
    std::string schedule;
    std::uint32_t request_handle = 8;
    /// Absolute path of a size distribution, for `distribution = file`.
    std::string distribution_file;
    cdf_file_units distribution_units;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields.all_need("traffic.kind = trace");
        fields(field("file", &self::file).path().help("trace: path of the flow trace."));
        fields(field("format", &self::format).help("trace: format of traffic.file.").source("HPCC, htsim"));
        fields.all_need("traffic.kind = trace", "traffic.format = pcap");
        fields(field("packets", &self::packets).help("pcap: how packets are turned into transfers."));
        fields(
            field("addresses", &self::addresses)
                .help(
                    "pcap: which host an IP address is mapped to. Use `fabric` for captures that weir wrote."));
        fields(field("packet_idle", &self::packet_idle)
                   .range(1us, longest_time)
                   .help("pcap with traffic.packets = flows: after a gap of this length, packets between the "
                         "same ports belong to a new transfer."));
        fields.all_need("traffic.kind = trace", "traffic.format = htsim");
        fields(field("start_unit", &self::unit)
                   .help("trace: unit of start times in `htsim` files; the format does not define it.")
                   .source("htsim reads picoseconds, its writers write microseconds"));
        fields(field("trigger_delay", &self::trigger_delay)
                   .range(0_ps, 1s)
                   .help("trace: delay from a trigger to the start of the flows that wait for it. Triggers "
                         "between different hosts need at least the fabric's lookahead; with 0, triggers must "
                         "stay within one host.")
                   .source("htsim: 0"));
        fields.all_need();
        fields(field("default_priority", &self::default_priority)
                   .range(priority_range)
                   .needs("traffic.kind = trace", "traffic.format = csv or htsim")
                   .help("trace: priority of flows whose line has no priority."));
        fields(field("schedule", &self::schedule)
                   .path()
                   .needs("traffic.kind = goal", "traffic.program = file or traces")
                   .help("goal: path of the GOAL schedule, or of the trace of rank 0, whose name ends with "
                         "that number; those of ranks 1, 2 and so on stand beside it.")
                   .source("GOAL, LogGOPSim"));
        fields(field("request_handle", &self::request_handle)
                   .range(1U, 64U)
                   .needs("traffic.kind = goal", "traffic.program = traces")
                   .help("goal: bytes of the handle of an MPI request in the traces.")
                   .source("8 in Open MPI, 4 in MPICH"));
        fields(field("distribution_file", &self::distribution_file)
                   .path()
                   .needs(cdf_file_units::used)
                   .help("File with a size distribution, one `size fraction` per line, for "
                         "traffic.distribution = file and traffic.background_distribution = file.")
                   .source("HPCC simulator, traffic_gen"));
        fields.part(&self::distribution_units);
    }

    /// For the workload that they are the files of.
    config_errors validate(const workload_config& traffic) const;
};

}  // namespace weir::tb
