// Packet captures octet by octet, for tests: writes classic pcap in either byte order and resolution, and reads
// pcapng without any library.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace weir::test {

using octet_list = std::vector<std::uint8_t>;

inline std::uint32_t number_at(const std::string& text, std::size_t at, unsigned size) {
    std::uint32_t value = 0;
    for (unsigned i = size; i-- > 0;) {
        value = value << 8 | static_cast<unsigned char>(text.at(at + i));
    }
    return value;
}
/// In network order.
inline std::uint32_t network_number(const octet_list& octets, std::size_t at, unsigned size) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < size; ++i) {
        value = value << 8 | octets.at(at + i);
    }
    return value;
}

struct captured_packet {
    std::uint32_t interface = 0;
    std::uint64_t ns = 0;
    std::uint32_t length = 0;
    octet_list octets;
};
struct captured_interface {
    std::string name;
    std::string description;
    std::uint64_t bits_per_second = 0;
    unsigned resolution = 6;
    unsigned fcs = 0;
    std::uint32_t snap = 0;
};
struct capture_file {
    std::vector<captured_interface> interfaces;
    std::vector<captured_packet> packets;
};

/// draft-ietf-opsawg-pcapng, little-endian. Throws where a block is not as it should.
inline capture_file read_pcapng(const std::string& text) {
    capture_file file;
    std::size_t at = 0;
    const auto check = [](bool good, const char* what) {
        if (!good) {
            throw std::runtime_error(what);
        }
    };
    while (at < text.size()) {
        const std::uint32_t type = number_at(text, at, 4);
        const std::uint32_t length = number_at(text, at + 4, 4);
        check(length % 4 == 0 && at + length <= text.size(), "length of a block");
        check(number_at(text, at + length - 4, 4) == length, "length at a block's end");
        check((type == 0x0A0D0D0A) == (at == 0), "one section header, first");
        if (type == 0x0A0D0D0A) {
            check(number_at(text, at + 8, 4) == 0x1A2B3C4D, "byte order");
            check(number_at(text, at + 12, 2) == 1, "major version");
        } else if (type == 1) {
            check(number_at(text, at + 8, 2) == 1, "Ethernet");
            captured_interface& added = file.interfaces.emplace_back();
            added.snap = number_at(text, at + 12, 4);
            for (std::size_t option = at + 16; number_at(text, option, 2) != 0;) {
                const std::uint32_t code = number_at(text, option, 2);
                const std::uint32_t size = number_at(text, option + 2, 2);
                const std::string value = text.substr(option + 4, size);
                if (code == 2) {
                    added.name = value;
                } else if (code == 3) {
                    added.description = value;
                } else if (code == 8) {
                    added.bits_per_second = number_at(value, 0, 4) | std::uint64_t{number_at(value, 4, 4)}
                                                                         << 32;
                } else if (code == 9) {
                    added.resolution = number_at(value, 0, 1);
                } else if (code == 13) {
                    added.fcs = number_at(value, 0, 1);
                }
                option += 4 + (size + 3) / 4 * 4;
            }
        } else {
            check(type == 6, "an enhanced packet");
            captured_packet& added = file.packets.emplace_back();
            added.interface = number_at(text, at + 8, 4);
            check(added.interface < file.interfaces.size(), "interface");
            added.ns = std::uint64_t{number_at(text, at + 12, 4)} << 32 | number_at(text, at + 16, 4);
            const std::uint32_t kept = number_at(text, at + 20, 4);
            added.length = number_at(text, at + 24, 4);
            check(28 + kept + 4 <= length && kept <= added.length, "length of a packet");
            added.octets.assign(text.begin() + static_cast<std::ptrdiff_t>(at + 28),
                                text.begin() + static_cast<std::ptrdiff_t>(at + 28 + kept));
        }
        at += length;
    }
    return file;
}

/// Classic pcap (libpcap's savefile format).
class pcap_text {
 public:
    pcap_text(bool big_endian, bool nanoseconds, std::uint32_t link_type = 1)
        : m_big(big_endian), m_nanoseconds(nanoseconds) {
        put(nanoseconds ? 0xA1B23C4D : 0xA1B2C3D4, 4);
        put(2, 2);
        put(4, 2);
        put(0, 4);
        put(0, 4);
        put(65'535, 4);
        put(link_type, 4);
    }
    /// `ns`: since 1970. `kept`: most octets that the capture keeps.
    pcap_text& add(std::uint64_t ns, const octet_list& octets, std::size_t kept = 65'535) {
        kept = std::min(kept, octets.size());
        put(static_cast<std::uint32_t>(ns / 1'000'000'000), 4);
        put(static_cast<std::uint32_t>(ns % 1'000'000'000 / (m_nanoseconds ? 1 : 1'000)), 4);
        put(static_cast<std::uint32_t>(kept), 4);
        put(static_cast<std::uint32_t>(octets.size()), 4);
        m_text.append(octets.begin(), octets.begin() + static_cast<std::ptrdiff_t>(kept));
        return *this;
    }
    const std::string& text() const { return m_text; }

 private:
    void put(std::uint32_t value, unsigned size) {
        for (unsigned i = 0; i < size; ++i) {
            m_text += static_cast<char>(value >> 8 * (m_big ? size - 1 - i : i) & 0xFF);
        }
    }
    bool m_big;
    bool m_nanoseconds;
    std::string m_text;
};

/// pcapng block by block (draft-ietf-opsawg-pcapng).
class pcapng_text {
 public:
    explicit pcapng_text(bool big_endian = false) { section(big_endian); }

    pcapng_text& section(bool big_endian) {
        m_big = big_endian;
        return block(0x0A0D0D0A,
                     number(0x1A2B3C4D, 4) + number(1, 2) + number(0, 2) + number(~std::uint64_t{0}, 8));
    }
    /// `options`: as `option` makes them.
    pcapng_text& interface(std::uint32_t link_type, const std::string& options = "", std::uint32_t snap = 0) {
        const std::string end = options.empty() ? "" : number(0, 4);
        return block(1, number(link_type, 2) + number(0, 2) + number(snap, 4) + options + end);
    }
    std::string option(std::uint32_t code, const std::string& value) const {
        return number(code, 2) + number(value.size(), 2) + padded(value);
    }
    std::string name(const std::string& text) const { return option(2, text); }
    /// `length`: on the wire; 0: as many as `octets`.
    pcapng_text& packet(std::uint32_t interface, std::uint64_t ticks, const octet_list& octets,
                        std::size_t length = 0) {
        return block(6, number(interface, 4) + number(ticks >> 32, 4) + number(ticks & 0xFFFF'FFFF, 4) +
                            number(octets.size(), 4) + number(length == 0 ? octets.size() : length, 4) +
                            padded({octets.begin(), octets.end()}));
    }
    pcapng_text& obsolete_packet(std::uint32_t interface, std::uint64_t ticks, const octet_list& octets) {
        return block(2, number(interface, 2) + number(0, 2) + number(ticks >> 32, 4) +
                            number(ticks & 0xFFFF'FFFF, 4) + number(octets.size(), 4) +
                            number(octets.size(), 4) + padded({octets.begin(), octets.end()}));
    }
    pcapng_text& simple_packet(const octet_list& octets, std::size_t length) {
        return block(3, number(length, 4) + padded({octets.begin(), octets.end()}));
    }
    pcapng_text& block(std::uint32_t type, const std::string& body) {
        const std::string length = number(body.size() + 12, 4);
        m_text += number(type, 4) + length + body + length;
        return *this;
    }
    std::string number(std::uint64_t value, unsigned size) const {
        std::string text;
        for (unsigned i = 0; i < size; ++i) {
            text += static_cast<char>(value >> 8 * (m_big ? size - 1 - i : i) & 0xFF);
        }
        return text;
    }
    const std::string& text() const { return m_text; }

 private:
    static std::string padded(std::string value) {
        value.resize((value.size() + 3) / 4 * 4);
        return value;
    }

    bool m_big = false;
    std::string m_text;
};

/// `0a00 0001`: blanks do not count.
inline octet_list octets_of_hex(const std::string& hex) {
    octet_list octets;
    std::string digits;
    for (const char c : hex) {
        if (c != ' ') {
            digits += c;
        }
    }
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        octets.push_back(static_cast<std::uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
    }
    return octets;
}

}  // namespace weir::test
