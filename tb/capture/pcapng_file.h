// Captures in pcapng (draft-ietf-opsawg-pcapng): several sections, in both byte orders, and interfaces that
// each have their own link type, snapshot length, resolution of time and FCS.
//
// If the interfaces of a file have several link types, the packets of one type are read: Ethernet if any
// interface has it, otherwise the first type that is known. A packet of a tunnel's interface is often on an
// Ethernet interface as well, so reading both would count it twice. Warnings name the interfaces that were
// skipped.
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
        std::uint64_t skipped = 0;
    };

    /// Chooses the link type to read, in a pass over the file.
    void choose_link();
    /// Reads a section's header, an interface, or a packet if `wants_packets`. False at the end, and after an
    /// error.
    bool next_block(bool wants_packets);
    bool read_body(std::uint32_t size);
    bool begin_section();
    bool add_interface();
    bool read_option(packet_interface& to, std::uint64_t code, std::size_t at, std::size_t size) const;
    /// `packet.octets` is null if the packet is skipped.
    bool read_packet(captured_octets& packet);
    bool read_stamp(const packet_interface& from, std::uint64_t ticks);
    /// What is wrong with the present block, or with its packet.
    bool fail(const std::string& message);
    bool fail_packet(const std::string& message);
    std::uint64_t number_in(const std::uint8_t* octets, unsigned size) const;
    std::uint64_t number_at(std::size_t at, unsigned size) const { return number_in(m_body.data() + at, size); }

    input_stream m_in;
    link_type m_link = link_type::ethernet;
    bool m_big_endian = false;
    /// Of the present block.
    std::uint32_t m_type = 0;
    /// The block without its type and lengths; of a section's header also without the byte order.
    std::vector<std::uint8_t> m_body;
    /// Of all sections; those of the present one begin at `m_first`.
    std::vector<packet_interface> m_interfaces;
    std::size_t m_first = 0;
    std::uint64_t m_sections = 0;
    std::uint64_t m_blocks = 0;
    std::uint64_t m_packets = 0;
    /// Of the packet that was read last. Simple packets have none of their own.
    std::chrono::nanoseconds m_stamp{0};
};

}  // namespace weir::tb
