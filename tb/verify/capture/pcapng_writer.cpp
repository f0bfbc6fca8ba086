#include "tb/verify/capture/pcapng_writer.h"

#include <utility>

#include "tb/verify/capture/pcapng_format.h"

namespace weir::tb {

namespace {

constexpr std::uint16_t ethernet = 1;

/// Of epb_flags: outbound (2), and four octets of FCS.
constexpr std::uint32_t outbound_with_fcs = 2 | 4 << 5;
constexpr std::uint32_t outbound = 2;

template <class T>
void put(std::string& to, T value) {
    for (unsigned i = 0; i < sizeof(T); ++i) {
        to += static_cast<char>(value >> (8 * i) & 0xFF);
    }
}
void pad(std::string& to) {
    to.append((4 - to.size() % 4) % 4, '\0');
}
template <class T>
std::string octets_of(T value) {
    std::string text;
    put(text, value);
    return text;
}

}  // namespace

pcapng_writer::pcapng_writer(output_file file, const std::string& application) : m_file(std::move(file)) {
    put<std::uint32_t>(m_body, pcapng::byte_order_magic);
    put<std::uint16_t>(m_body, 1);
    put<std::uint16_t>(m_body, 0);
    // The section's length is not known.
    put<std::uint64_t>(m_body, ~std::uint64_t{0});
    put_option(pcapng::shb_userappl, application);
    put_option(0, "");
    write_block(pcapng::section_header);
}

unsigned pcapng_writer::add_interface(const capture_interface& interface) {
    put<std::uint16_t>(m_body, ethernet);
    put<std::uint16_t>(m_body, 0);
    put<std::uint32_t>(m_body, interface.snap);
    put_option(pcapng::if_name, interface.name);
    put_option(pcapng::if_description, interface.description);
    put_option(pcapng::if_speed, octets_of(static_cast<std::uint64_t>(interface.rate.count())));
    put_option(pcapng::if_tsresol, octets_of(std::uint8_t{9}));
    put_option(pcapng::if_fcslen, octets_of(std::uint8_t{4}));
    put_option(0, "");
    write_block(pcapng::interface_description);
    return m_interfaces++;
}

void pcapng_writer::add_packet(unsigned interface, picoseconds stamp, const std::vector<std::uint8_t>& octets,
                               std::uint32_t length) {
    const auto ns = static_cast<std::uint64_t>(stamp.count() / 1000);
    put<std::uint32_t>(m_body, interface);
    put<std::uint32_t>(m_body, static_cast<std::uint32_t>(ns >> 32));
    put<std::uint32_t>(m_body, static_cast<std::uint32_t>(ns & 0xFFFF'FFFF));
    put<std::uint32_t>(m_body, static_cast<std::uint32_t>(octets.size()));
    put<std::uint32_t>(m_body, length);
    m_body.append(octets.begin(), octets.end());
    pad(m_body);
    put_option(pcapng::epb_flags, octets_of(octets.size() == length ? outbound_with_fcs : outbound));
    put_option(0, "");
    write_block(pcapng::enhanced_packet);
}

void pcapng_writer::put_option(std::uint16_t code, const std::string& value) {
    put<std::uint16_t>(m_body, code);
    put<std::uint16_t>(m_body, static_cast<std::uint16_t>(value.size()));
    m_body += value;
    pad(m_body);
}

void pcapng_writer::write_block(std::uint32_t type) {
    const auto length = static_cast<std::uint32_t>(m_body.size() + 12);
    std::string head;
    put(head, type);
    put(head, length);
    m_file.write(head);
    m_file.write(m_body);
    m_file.write(octets_of(length));
    m_body.clear();
}

}  // namespace weir::tb
