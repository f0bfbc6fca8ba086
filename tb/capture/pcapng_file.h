// Captures in pcapng (draft-ietf-opsawg-pcapng): several sections, in both byte orders, and interfaces that
// each have their own link type, snapshot length, resolution of time and FCS.
//
// If the interfaces of a file have several link types, the packets of one type are read: Ethernet if any
// Ethernet interface has packets, otherwise the first known type that has packets. A packet of a tunnel's
// interface is often on an Ethernet interface as well, so reading both would count it twice. Warnings name the
// interfaces that were skipped.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tb/capture/capture_file.h"
#include "tb/files/input_file.h"

namespace weir::tb {

/// No file in another format that libpcap reads begins with it.
inline constexpr int first_octet_of_pcapng = 0x0A;

class pcapng_file final : public capture_file {
 public:
    explicit pcapng_file(input_stream in);

    bool next(captured_octets& packet) override;
    std::vector<std::string> warnings() const override;

 private:
    struct packet_interface {
        link_type link = link_type::ethernet;
        std::string name;
        /// Counted from 1, and its number in the section.
        std::uint64_t section = 0;
        std::uint64_t number = 0;
        /// Maximum length of a packet in the file; 0: any. Unit: B.
        std::uint32_t snap = 0;
        /// A tick of its clock is 10^-n s, or 2^-n s if the highest bit is set.
        std::uint8_t resolution = 6;
        /// Time after 1970 from which its clock counts. Unit: s.
        std::int64_t offset = 0;
        /// Unit: B.
        std::uint8_t fcs = 0;
        /// Number of packets; known in the pass that chooses the link type.
        std::uint64_t packets = 0;
        std::uint64_t skipped = 0;
    };

    /// Amount of a packet's block that a pass over the file reads.
    enum class packet_part { interface, whole };

    /// Chooses the link type to read, in a pass over the file.
    void choose_link();
    /// Counts the packets of each interface in a pass over the file.
    void count_packets();
    /// Reads a section's header, an interface, or a packet. False at the end, and after an error.
    bool next_block(packet_part part);
    bool read_body(std::uint32_t size);
    bool begin_section();
    bool add_interface();
    bool read_option(packet_interface& to, std::uint64_t code, std::size_t at, std::size_t size) const;
    /// The interface of the present packet; null, and an error, if its section has not described it.
    packet_interface* interface_of_packet();
    /// Reads the present packet. `packet.octets` is null if the packet is skipped.
    bool read_packet(captured_octets& packet);
    bool read_stamp(const packet_interface& from, std::uint64_t ticks);
    /// Sets the error to a message on the present block, or on its packet. Returns false.
    bool fail(const std::string& message);
    bool fail_packet(const std::string& message);
    std::uint64_t number_in(const std::uint8_t* octets, unsigned size) const;
    std::uint64_t number_at(std::size_t at, unsigned size) const { return number_in(m_body.data() + at, size); }

    input_stream m_in;
    link_type m_link = link_type::ethernet;
    bool m_big_endian = false;
    /// Type of the present block.
    std::uint32_t m_type = 0;
    /// Octets of the present block without its type and lengths. A section's header has no byte order here.
    std::vector<std::uint8_t> m_body;
    /// Interfaces of all sections; the interfaces of the present section begin at `m_first`.
    std::vector<packet_interface> m_interfaces;
    std::size_t m_first = 0;
    std::uint64_t m_sections = 0;
    std::uint64_t m_blocks = 0;
    std::uint64_t m_packets = 0;
    /// Stamp of the packet that was read last. A simple packet has no stamp of its own and takes this one.
    std::chrono::nanoseconds m_stamp{0};
};

}  // namespace weir::tb
