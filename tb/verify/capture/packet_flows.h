// Packet captures as traffic: which transfers a capture's packets are.
//
// TCP: each direction of a connection that carries data is a transfer, of as many octets as its sequence
// numbers span, so that retransmissions and packets that were captured twice count once. It starts with its
// SYN, or else with its earliest packet. A SYN with another number or after the end of a connection, data
// beyond its FIN, or any packet after a silence of `idle`, begins another one (tcp_direction.h). UDP: packets
// between the same ports are one transfer until a silence of `idle`. A capture starts at 0 with its earliest
// packet.
//
//   packet_flows read = read_packet_flows("run.pcapng", options, plan);
//   if (read.scan.errors.empty()) { use(*read.flows); }
#pragma once

#include <memory>
#include <string>

#include "tb/run/options/run_config.h"
#include "weir/model/topology/topology.h"
#include "weir/traffic/traces/flow_trace.h"

namespace weir::tb {

struct packet_flow_options {
    packet_grouping grouping = packet_grouping::flows;
    address_rule addresses = address_rule::order;
    /// Range: > 0.
    picoseconds idle{0};
};

struct packet_flows {
    /// In the order in which their first packets were captured. In memory: 64 B per transfer.
    std::unique_ptr<flow_source> flows;
    /// Errors have the file's name, and no line.
    trace_scan scan;
};

/// Errors: a file that is no whole capture, times that go too far, addresses that are no hosts, no traffic.
/// Warnings: how many packets were left out, and why; order and numbers that leave a doubt. If there is an
/// error, the last one names the interfaces that were skipped.
packet_flows read_packet_flows(const std::string& path, const packet_flow_options& options,
                               const topology& plan);

}  // namespace weir::tb
