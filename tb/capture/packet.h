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
#include <string>
#include <tuple>

#include "weir/base/time.h"
#include "weir/protocol/frame.h"

struct pcap;

namespace weir::tb {

/// Why a packet says nothing about traffic.
enum class packet_kind : std::uint8_t {
    traffic,   ///< TCP or UDP over IP
    other,     ///< another protocol, MAC control
    fragment,  ///< a later fragment of an IP packet: it has no ports
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

struct packet {
    packet_kind kind = packet_kind::other;
    /// Since the first packet of the capture; below 0 where a later packet is stamped earlier.
    picoseconds time{0};
    packet_path path;
    /// From the lengths in the headers, whatever the capture keeps. Unit: B.
    std::uint64_t payload = 0;
    /// Of the VLAN tag, else the class selector of the DSCP.
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

/// Reads pcap and pcapng, in both byte orders, with stamps of micro- and nanoseconds (libpcap), of Ethernet, of
/// all interfaces of a Linux host at once (cooked, versions 1 and 2), or of IP without a link.
class packet_reader {
 public:
    explicit packet_reader(const std::string& path);

    /// False at the end, and where the file cannot be read on.
    bool next(packet& p);
    /// What is wrong with the file; empty if nothing is.
    const std::string& error() const { return m_error; }
    /// Packets read so far.
    std::uint64_t count() const { return m_count; }

 private:
    struct close_capture {
        void operator()(pcap* capture) const;
    };
    std::unique_ptr<pcap, close_capture> m_capture;
    int m_link_type = 0;
    std::string m_error;
    std::uint64_t m_count = 0;
    /// Since 1970, which is more than 64 bits of picoseconds.
    std::chrono::nanoseconds m_first{0};
};

}  // namespace weir::tb
