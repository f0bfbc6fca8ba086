// A frame of the model as octets: Ethernet, IPv4, TCP or UDP headers as a real host would write them, with
// right checksums and FCS; PFC and PAUSE frames, RoCEv2's CNP and QCN's messages as they stand on the wire.
//
//   frame_octets writer({58_B, 46_B});
//   const auto& octets = writer.write(frame, port_address(node, port));    // frame.frame_bytes of them
//
// What the model does not have is made up by these rules:
//
// - MAC addresses: of a host 02-00 and its IPv4 address; of the port that sends a PFC frame 12-01, its node's
//   number in three octets, and the port. Both are in the quadrant that IEEE 802c leaves to local
//   administrators, and no vendor's. Frames keep the hosts' addresses from end to end: the fabric routes by
//   IPv4 address, and hops have no addresses of their own.
// - DSCP: the class as class selector, RFC 2474: 8 x class. ECN: as the frame has it.
// - TTL: 64. Identification: the tag, with "don't fragment" (RFC 6864, 4.1: any value will do).
// - Ports: the sender of the data has 60,100 + flow modulo 4,999, its receiver 50,000 + flow modulo 4,327. So
//   no two of 21,630,673 consecutive transfers have the same ports. No known protocol uses these, so a viewer
//   does not decode them as one.
// - TCP: initial sequence numbers 0, no options; the last segment has FIN and PSH, and its ACK counts the FIN.
// - pFabric: TCP's headers, a probe as a segment without payload. Ranks, and which frame behind a gap an ACK is
//   for, have no place in them.
// - Payload: zeros, and so is a CNP's invariant CRC. UDP checksum: computed.
// - A QCN message's congestion point: the address of the port, and the class.
//
// Where `tcp.header`, `pfabric.header` or `udp.header` is larger than the headers and FCS that are written, TCP
// has NOPs as options (at most 40 B), and the rest stands between the IP packet and the FCS, as padding does.
#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/units.h"
#include "weir/protocol/frame.h"
#include "weir/protocol/pause_frame.h"

namespace weir::tb {

/// Where the ports of transfers begin: the sender's and the receiver's.
inline constexpr unsigned first_sender_port = 60'100;
inline constexpr unsigned first_receiver_port = 50'000;
/// Two primes: numbers that rise in any step use all pairs of ports.
inline constexpr unsigned sender_ports = 4'999;
inline constexpr unsigned receiver_ports = 4'327;

/// Protocols in an IP header (IANA, Assigned Internet Protocol Numbers).
inline constexpr std::uint8_t tcp_protocol = 6;
inline constexpr std::uint8_t udp_protocol = 17;

/// What a frame has besides its payload. Unit: B.
struct header_lengths {
    bytes tcp{58};
    bytes udp{46};
    bytes roce{62};
    /// Payload of a full RoCE frame, by which frames are numbered.
    bytes roce_payload{1024};
    bytes pfabric{58};
};

mac_address host_address(ipv4_address host);
mac_address port_address(std::uint32_t node, unsigned port);

class frame_octets {
 public:
    explicit frame_octets(header_lengths headers) : m_headers(headers) {}

    /// From the destination address to the FCS. `sender`: of the port, for PFC and PAUSE frames. At most
    /// `snap` octets are made (0: all). Valid until the next call.
    const std::vector<std::uint8_t>& write(const ethernet_frame& frame, const mac_address& sender,
                                           std::size_t snap = 0);

 private:
    void write_ip(const ethernet_frame& frame);
    void write_cnm(const ethernet_frame& frame, const mac_address& sender);
    /// Returns the number of octets.
    std::size_t write_tcp(const ethernet_frame& frame, std::uint8_t* at, std::size_t payload);
    std::size_t write_udp(const ethernet_frame& frame, std::uint8_t* at, std::size_t payload) const;
    std::size_t write_roce(const ethernet_frame& frame, std::uint8_t* at, std::size_t payload) const;
    /// UDP's header and RoCEv2's base header, with `behind` octets behind them.
    std::size_t write_base_header(const ethernet_frame& frame, std::uint8_t* at, std::uint8_t opcode,
                                  std::size_t behind) const;
    std::size_t write_cnp(const ethernet_frame& frame, std::uint8_t* at) const;
    /// What frames of this kind have besides their payload.
    std::size_t header_of(frame_kind kind) const;
    std::size_t payload_of(const ethernet_frame& frame) const;

    header_lengths m_headers;
    std::vector<std::uint8_t> m_octets;
};

}  // namespace weir::tb
