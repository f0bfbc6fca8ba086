// The packets of a capture file, as octets with a time: pcap by libpcap, pcapng by a reader of its own, because
// libpcap refuses files whose interfaces differ in link type or snapshot length.
//
//   std::unique_ptr<capture_file> file = open_capture("run.pcapng", error);
//   for (captured_octets c; file->next(c);) { ... }
//   file->error();       // empty: the file was whole
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weir::tb {

/// Numbers of https://www.tcpdump.org/linktypes.html.
enum class link_type : std::uint16_t {
    ethernet = 1,
    raw = 101,
    linux_sll = 113,
    ipv4 = 228,
    ipv6 = 229,
    linux_sll2 = 276
};

/// True if packets of this link type are read.
bool is_known(link_type type);
/// `EN10MB`, `IEEE802_11`, or the number.
std::string text_of(link_type type);
/// `has packets of link type IEEE802_11; expected EN10MB (Ethernet), ...`.
std::string refusal_of(link_type type);

struct captured_octets {
    link_type link = link_type::ethernet;
    /// Place in the file, from 1.
    std::uint64_t number = 0;
    /// Time since 1970. In picoseconds it would need more than 64 bits.
    std::chrono::nanoseconds stamp{0};
    /// Octets that the capture keeps; valid until the next call.
    const std::uint8_t* octets = nullptr;
    std::size_t kept = 0;
    /// Length of the whole packet, from the same octet on, without an FCS that the file declares. Unit: B.
    std::uint64_t length = 0;
};

class capture_file {
 public:
    virtual ~capture_file() = default;

    /// Reads the next packet of a known link type. False at the end, and where the file cannot be read on.
    virtual bool next(captured_octets& packet) = 0;
    /// Says what is wrong with the file; empty if nothing is.
    const std::string& error() const { return m_error; }
    /// Interfaces whose packets were skipped; complete when `next` has returned false.
    virtual std::vector<std::string> warnings() const { return {}; }

 protected:
    std::string m_error;
};

/// True if this program can read captures.
bool captures_are_supported();

/// Opens a capture. Returns nothing, and an error, if the file cannot be opened or is no capture.
std::unique_ptr<capture_file> open_capture(const std::string& path, std::string& error);

}  // namespace weir::tb
