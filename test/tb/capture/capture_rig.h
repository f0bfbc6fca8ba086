// Frames made octet by octet, and what captures of them are as traffic.
#pragma once

#include <string>

#include "support/capture_bytes.h"
#include "support/replay_rig.h"
#include "tb/run/options/load_config.h"
#include "tb/verify/capture/capture_file.h"
#include "tb/verify/capture/packet_flows.h"

namespace weir::test::captures {

using namespace tb;

inline constexpr std::uint64_t second = 1'000'000'000;
/// A Tuesday in 2026.
inline constexpr std::uint64_t epoch = 1'795'000'000 * second;

inline octet_list joined(octet_list first, const octet_list& more) {
    first.insert(first.end(), more.begin(), more.end());
    return first;
}
inline octet_list two(std::uint32_t value) {
    return {static_cast<std::uint8_t>(value >> 8 & 0xFF), static_cast<std::uint8_t>(value & 0xFF)};
}
inline octet_list four(std::uint32_t value) {
    return joined(two(value >> 16), two(value & 0xFFFF));
}

/// An IPv4 packet from 192.168.0.`src`; `extra` is its payload.
inline octet_list ip_packet(unsigned src, unsigned dst, std::uint8_t protocol, const octet_list& transport,
                            std::uint8_t traffic_class = 0) {
    octet_list packet{0x45, traffic_class};
    packet = joined(packet, two(static_cast<std::uint32_t>(20 + transport.size())));
    packet = joined(packet, {0, 0, 0x40, 0, 64, protocol, 0, 0});
    packet = joined(packet, four(0xC0A80000 + src));
    packet = joined(packet, four(0xC0A80000 + dst));
    return joined(packet, transport);
}
inline octet_list ethernet(const octet_list& packet, const std::string& type = "0800") {
    return joined(octets_of_hex("020000000001 020000000002" + type), packet);
}
inline octet_list tcp(unsigned port, unsigned to, std::uint32_t sequence, std::uint8_t flags,
                      std::size_t payload) {
    octet_list segment = joined(two(port), two(to));
    segment = joined(segment, four(sequence));
    segment = joined(segment, four(0));
    segment = joined(segment, {0x50, flags, 0xFF, 0xFF, 0, 0, 0, 0});
    segment.resize(20 + payload);
    return segment;
}
inline octet_list udp(unsigned port, unsigned to, std::size_t payload) {
    octet_list datagram = joined(two(port), two(to));
    datagram = joined(datagram, two(static_cast<std::uint32_t>(8 + payload)));
    datagram.resize(8 + payload);
    return datagram;
}
inline octet_list tcp_frame(unsigned src, unsigned dst, std::uint32_t sequence, std::uint8_t flags,
                            std::size_t payload) {
    return ethernet(ip_packet(src, dst, 6, tcp(1'000 + src, 80, sequence, flags, payload)));
}
inline octet_list udp_frame(unsigned src, unsigned dst, std::size_t payload) {
    return ethernet(ip_packet(src, dst, 17, udp(5'000, 6'000, payload)));
}

inline topology fabric_of(unsigned hosts) {
    topology plan;
    const node_ref middle = node_ref::of_switch(plan.add_switch("s0", 1));
    for (unsigned h = 0; h < hosts; ++h) {
        plan.add_link(node_ref::of_host(plan.add_host("h" + std::to_string(h))), middle, {10_Gbps, 1us});
    }
    plan.finish();
    return plan;
}

class packet_flows_of_captures : public replay_rig {
 protected:
    void SetUp() override {
        if (!captures_are_supported()) {
            GTEST_SKIP() << "built without libpcap (package libpcap-dev)";
        }
    }
    /// `start_ns src dst bytes priority`, a line per transfer.
    std::string flows_of(const std::string& capture, packet_flow_options options = {}, unsigned hosts = 4) {
        const topology plan = fabric_of(hosts);
        if (options.idle == picoseconds{0}) {
            options.idle = 1s;
        }
        packet_flows read = read_packet_flows(write("c.pcap", capture), options, plan);
        std::string text;
        for (const config_error& error : read.scan.errors) {
            text += format_error(error) + "\n";
        }
        m_warnings.clear();
        for (const config_error& warning : read.scan.warnings) {
            m_warnings += warning.message + "\n";
        }
        m_sorted = read.scan.sorted;
        for (trace_flow f; read.scan.errors.empty() && read.flows->next(f);) {
            text += ns_text_of(f.start) + " " + std::to_string(f.src) + " " + std::to_string(f.dst) + " " +
                    std::to_string(f.flow_bytes) + " " + std::to_string(f.priority) + "\n";
        }
        return text;
    }
    static std::string ns_text_of(picoseconds time) { return std::to_string(time.count() / 1000); }

    std::string m_warnings;
    bool m_sorted = false;
};

}  // namespace weir::test::captures
