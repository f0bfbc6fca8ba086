#include "tb/verify/capture/pcapng_file.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tb/verify/capture/pcapng_format.h"
#include "weir/base/how_many.h"

namespace weir::tb {

namespace {

/// A longer block is taken to be damaged, as libpcap does. Unit: B.
constexpr std::uint32_t longest_block = 1U << 24;

__extension__ using wide = __int128;
constexpr wide ns_per_second = 1'000'000'000;

/// Rounded down.
wide nanoseconds_of(std::uint64_t ticks, std::uint8_t resolution) {
    const unsigned exponent = resolution & 0x7F;
    wide scaled = wide{ticks} * ns_per_second;
    if ((resolution & 0x80) != 0) {
        return scaled >> exponent;
    }
    for (unsigned i = 0; i < exponent && scaled > 0; ++i) {
        scaled /= 10;
    }
    return scaled;
}

class pcapng_file final : public capture_file {
 public:
    explicit pcapng_file(input_stream in) : m_in(std::move(in)) {
        choose_link();
        m_in.clear();
        m_in.seekg(0);
        m_interfaces.clear();
        m_sections = 0;
        m_blocks = 0;
    }

    bool next(captured_octets& packet) override {
        while (next_packet(packet_part::whole) && read_packet(packet)) {
            if (packet.octets != nullptr) {
                return true;
            }
        }
        return false;
    }

    std::vector<std::string> warnings() const override {
        std::vector<std::string> all;
        for (const packet_interface& each : m_interfaces) {
            if (each.skipped == 0) {
                continue;
            }
            std::string& text = all.emplace_back("interface " + std::to_string(each.number));
            text += each.name.empty() ? "" : " ('" + each.name + "')";
            text += m_sections > 1 ? " of section " + std::to_string(each.section) : "";
            text += " has link type " + text_of(each.link) + ": " + how_many(each.skipped, "packet");
            text += " skipped, because only one link type of a file is read, here " + text_of(m_link);
        }
        return all;
    }

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
    void choose_link() {
        count_packets();
        // The pass that reads packets says what is damaged, and where.
        m_error.clear();
        const auto rank = [](const packet_interface& each) {
            if (each.packets == 0) {
                return is_known(each.link) ? 3 : 4;
            }
            return each.link == link_type::ethernet ? 0 : is_known(each.link) ? 1 : 2;
        };
        const auto chosen = std::min_element(
            m_interfaces.begin(), m_interfaces.end(),
            [&](const packet_interface& a, const packet_interface& b) { return rank(a) < rank(b); });
        if (chosen != m_interfaces.end() && is_known(chosen->link)) {
            m_link = chosen->link;
        } else if (chosen != m_interfaces.end()) {
            m_error = refusal_of(chosen->link);
        }
    }

    /// Counts the packets of each interface in a pass over the file.
    void count_packets() {
        while (next_packet(packet_part::interface)) {
            packet_interface* const from = interface_of_packet();
            if (from == nullptr) {
                return;
            }
            ++from->packets;
        }
    }

    /// Reads the next packet's block, and the sections and interfaces before it. False at the end, and after an
    /// error.
    bool next_packet(packet_part part) {
        while (true) {
            std::array<std::uint8_t, 12> head{};
            const auto read = [&](std::size_t at, std::size_t size) {
                m_in.read(reinterpret_cast<char*>(head.data() + at), static_cast<std::streamsize>(size));
                return static_cast<std::size_t>(m_in.gcount()) == size;
            };
            ++m_blocks;
            if (!read(0, 8)) {
                return m_in.gcount() == 0 && m_blocks > 1 ? false : fail("the file ends within it");
            }
            // A section's type is the same in both byte orders.
            m_type = static_cast<std::uint32_t>(number_in(head.data(), 4));
            const bool is_section = m_type == pcapng::section_header;
            if (is_section) {
                if (!read(8, 4)) {
                    return fail("the file ends within it");
                }
                const auto is_in_order = [&] {
                    return number_in(head.data() + 8, 4) == pcapng::byte_order_magic;
                };
                m_big_endian = m_big_endian == is_in_order();
                if (!is_in_order()) {
                    return fail("is a section without a byte order");
                }
            } else if (m_sections == 0) {
                return fail("is no section of pcapng");
            }
            const auto length = static_cast<std::uint32_t>(number_in(head.data() + 4, 4));
            const std::uint32_t around = is_section ? 16 : 12;
            const bool is_packet = m_type == pcapng::enhanced_packet || m_type == pcapng::simple_packet ||
                                   m_type == pcapng::obsolete_packet;
            const bool is_wanted = is_section || m_type == pcapng::interface_description || is_packet;
            if (length < around || length % 4 != 0 || (is_wanted && length > longest_block)) {
                return fail("has a length of " + std::to_string(length) + " B");
            }
            const std::uint32_t body = length - around;
            const bool is_skipped = is_packet && part == packet_part::interface;
            // The first 4 octets of a packet's block have the number of its interface.
            const std::uint32_t kept = is_skipped ? std::min<std::uint32_t>(body, 4) : body;
            if (is_wanted && !read_body(kept)) {
                return false;
            }
            m_in.ignore(static_cast<std::streamsize>(is_wanted ? body - kept : body));
            if (!read(8, 4) || number_in(head.data() + 8, 4) != length) {
                return fail(m_in ? "does not end with its length" : "the file ends within it");
            }
            if (is_packet) {
                return true;
            }
            if (is_wanted && !(is_section ? begin_section() : add_interface())) {
                return false;
            }
        }
    }

    bool read_body(std::uint32_t size) {
        // The body is read in steps, so that a damaged length takes no memory.
        constexpr std::size_t step = 1U << 16;
        m_body.clear();
        while (m_body.size() < size) {
            const std::size_t before = m_body.size();
            m_body.resize(std::min<std::size_t>(size, before + step));
            const auto more = static_cast<std::streamsize>(m_body.size() - before);
            m_in.read(reinterpret_cast<char*>(m_body.data() + before), more);
            if (m_in.gcount() != more) {
                return fail("the file ends within it");
            }
        }
        return true;
    }

    bool begin_section() {
        if (m_body.size() < 12 || number_at(0, 2) != 1) {
            return fail("is a section of another version of pcapng than 1");
        }
        ++m_sections;
        m_first = m_interfaces.size();
        return true;
    }

    bool add_interface() {
        if (m_body.size() < 8) {
            return fail("is an interface of " + std::to_string(m_body.size()) + " B");
        }
        packet_interface added;
        added.link = static_cast<link_type>(number_at(0, 2));
        added.snap = static_cast<std::uint32_t>(number_at(4, 4));
        added.section = m_sections;
        added.number = m_interfaces.size() - m_first;
        for (std::size_t at = 8; at + 4 <= m_body.size() && number_at(at, 2) != 0;) {
            const std::size_t size = number_at(at + 2, 2);
            if (at + 4 + size > m_body.size() || !read_option(added, number_at(at, 2), at + 4, size)) {
                return fail("is an interface with an option of " + std::to_string(size) + " B");
            }
            at += 4 + (size + 3) / 4 * 4;
        }
        m_interfaces.push_back(std::move(added));
        return true;
    }

    bool read_option(packet_interface& to, std::uint64_t code, std::size_t at, std::size_t size) const {
        switch (code) {
            case pcapng::if_name:
                to.name.assign(m_body.begin() + static_cast<std::ptrdiff_t>(at),
                               m_body.begin() + static_cast<std::ptrdiff_t>(at + size));
                std::replace_if(
                    to.name.begin(), to.name.end(), [](char c) { return c < 0x20 || c == 0x7F; }, '?');
                return true;
            case pcapng::if_tsresol:
                to.resolution = size == 1 ? m_body[at] : 0;
                return size == 1;
            case pcapng::if_fcslen:
                to.fcs = size == 1 ? m_body[at] : 0;
                return size == 1;
            case pcapng::if_tsoffset:
                to.offset = size == 8 ? static_cast<std::int64_t>(number_at(at, 8)) : 0;
                return size == 8;
            default:
                return true;
        }
    }

    /// The interface of the present packet; null, and an error, if its section has not described it.
    packet_interface* interface_of_packet() {
        // A simple packet is on the first interface.
        unsigned size = m_type == pcapng::enhanced_packet ? 4 : 2;
        size = m_type == pcapng::simple_packet ? 0 : size;
        if (m_body.size() < size) {
            return nullptr;
        }
        const std::uint64_t number = number_at(0, size);
        if (number >= m_interfaces.size() - m_first) {
            fail_packet("names interface " + std::to_string(number) + ", and its section has described " +
                        how_many(m_interfaces.size() - m_first, "interface"));
            return nullptr;
        }
        return &m_interfaces[m_first + number];
    }

    /// Reads the present packet. `packet.octets` is null if the packet is skipped.
    bool read_packet(captured_octets& packet) {
        const bool is_simple = m_type == pcapng::simple_packet;
        const std::size_t header = is_simple ? 4 : 20;
        ++m_packets;
        if (m_body.size() < header) {
            return fail_packet("its block has " + std::to_string(m_body.size()) + " B");
        }
        packet_interface* const source = interface_of_packet();
        if (source == nullptr) {
            return false;
        }
        packet_interface& from = *source;
        packet.octets = nullptr;
        if (from.link != m_link) {
            ++from.skipped;
            return true;
        }
        packet.length = number_at(header - 4, 4);
        packet.kept =
            is_simple ? std::min<std::uint64_t>(packet.length, m_body.size() - header) : number_at(12, 4);
        if (is_simple && from.snap > 0) {
            packet.kept = std::min<std::size_t>(packet.kept, from.snap);
        }
        if (packet.kept > m_body.size() - header) {
            return fail_packet("has " + std::to_string(packet.kept) +
                               " captured octets in a block with room for " +
                               std::to_string(m_body.size() - header));
        }
        if (!is_simple && !read_stamp(from, number_at(4, 4) << 32 | number_at(8, 4))) {
            return false;
        }
        packet.length = std::max<std::uint64_t>(packet.length, packet.kept);
        packet.length -= std::min<std::uint64_t>(packet.length, from.fcs);
        packet.kept = std::min<std::size_t>(packet.kept, packet.length);
        packet.link = m_link;
        packet.number = m_packets;
        packet.stamp = m_stamp;
        packet.octets = m_body.data() + header;
        return true;
    }

    bool read_stamp(const packet_interface& from, std::uint64_t ticks) {
        // Nanoseconds since 1970 in 64 bits go to 2262.
        constexpr std::int64_t latest_second = std::int64_t{1} << 33;
        const wide stamp = nanoseconds_of(ticks, from.resolution) + from.offset * ns_per_second;
        if (stamp < 0 || stamp > latest_second * ns_per_second) {
            return fail_packet("has a time stamp outside of 0 to " + std::to_string(latest_second) +
                               " s after 1970");
        }
        m_stamp = std::chrono::nanoseconds{static_cast<std::int64_t>(stamp)};
        return true;
    }

    /// Sets the error to a message on the present block, or on its packet. Returns false.
    bool fail(const std::string& message) {
        m_error = "block " + std::to_string(m_blocks) + ": " + message +
                  (m_sections > 0 ? "; expected a whole capture" : "; expected a pcap or pcapng file");
        return false;
    }

    bool fail_packet(const std::string& message) {
        m_error = "packet " + std::to_string(m_packets) + ": " + message + "; expected a whole capture";
        return false;
    }

    std::uint64_t number_in(const std::uint8_t* octets, unsigned size) const {
        std::uint64_t value = 0;
        for (unsigned i = 0; i < size; ++i) {
            value = value << 8 | octets[m_big_endian ? i : size - 1 - i];
        }
        return value;
    }

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

}  // namespace

std::unique_ptr<capture_file> open_pcapng(input_stream in) {
    return std::make_unique<pcapng_file>(std::move(in));
}

}  // namespace weir::tb
