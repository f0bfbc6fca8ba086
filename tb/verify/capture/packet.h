// One packet of a capture as far as traffic is made of it: who sends how many octets to whom, and where they
// stand in TCP's stream.
//
//   packet_reader reader("run.pcapng");
//   for (packet p; reader.next(p);) { ... }
//   reader.error();       // empty: the file was whole
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tb/verify/capture/capture_file.h"
#include "weir/base/time.h"
#include "weir/protocol/frame.h"

namespace weir::tb {

/// Why a packet says nothing about traffic.
enum class packet_kind : std::uint8_t {
    traffic,   ///< TCP or UDP over IP
    other,     ///< another protocol, MAC control
    fragment,  ///< a later fragment of an IP packet that may be TCP or UDP: it has no ports
    cut        ///< the capture keeps too little of it, or it is malformed
};

/// Source and destination address and port, protocol.
struct packet_path {
    /// In network order, 4 or 16 octets.
    std::string src;
    std::string dst;
    std::uint16_t src_port = 0;
    std::uint16_t dst_port = 0;
    bool tcp = false;

    friend bool operator<(const packet_path& a, const packet_path& b) {
        return std::tie(a.src, a.dst, a.src_port, a.dst_port, a.tcp) <
               std::tie(b.src, b.dst, b.src_port, b.dst_port, b.tcp);
    }
};

/// A part of an IP packet that was sent in several.
struct ip_fragment {
    /// Equal for all fragments of a packet, with its addresses and protocol.
    std::uint32_t id = 0;
    /// 0 for IPv6, whose later fragments may name an extension header.
    std::uint8_t protocol = 0;
    /// Others follow.
    bool more = false;
    /// Place of its octets in the packet's. Unit: B.
    std::uint32_t offset = 0;
    /// Unit: B.
    std::uint64_t length = 0;
    /// Place in the packet where the transport's payload begins. Set for the first fragment only. Unit: B.
    std::uint64_t payload_offset = 0;
};

struct packet {
    packet_kind kind = packet_kind::other;
    /// Time since the first packet of the capture; below 0 where a later packet is stamped earlier.
    picoseconds time{0};
    packet_path path;
    /// Payload of TCP or UDP, by the lengths in the headers, whatever the capture keeps. The first fragment of
    /// a UDP datagram has the payload of the whole datagram. Unit: B.
    std::uint64_t payload = 0;
    std::optional<ip_fragment> fragment;
    /// Carries the payload of a segment whose first fragment came before.
    bool continues = false;
    /// Priority in the VLAN tag; without a tag, the class selector of the DSCP.
    pfc_class priority = 0;
    // TCP only.
    std::uint32_t sequence = 0;
    std::uint32_t acknowledgement = 0;
    bool syn = false;
    bool ack = false;
    bool push = false;
    bool fin = false;
    /// FIN or RST.
    bool ends = false;
};

/// Reads pcap and pcapng of Ethernet, of all interfaces of a Linux host at once (cooked, versions 1 and 2), or
/// of IP without a link.
class packet_reader {
 public:
    explicit packet_reader(const std::string& path);

    /// False at the end, and where the file cannot be read on.
    bool next(packet& p);
    /// Says what is wrong with the file; empty if nothing is.
    const std::string& error() const { return m_error; }
    /// Warnings of the file about packets that were skipped; complete when `next` has returned false.
    std::vector<std::string> warnings() const {
        return m_file ? m_file->warnings() : std::vector<std::string>{};
    }
    /// Packets read so far.
    std::uint64_t count() const { return m_count; }

 private:
    std::string m_error;
    std::unique_ptr<capture_file> m_file;
    std::uint64_t m_count = 0;
    /// Stamp of the first packet, since 1970.
    std::chrono::nanoseconds m_first{0};
};

}  // namespace weir::tb
