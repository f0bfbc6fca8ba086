#include "tb/capture/packet.h"

#ifdef WEIR_WITH_PCAP

#include <pcap/pcap.h>

#include <array>
#include <chrono>

#include "tb/capture/frame_octets.h"
#include "tb/files/input_file.h"
#include "weir/base/unit_text.h"
#include "weir/protocol/pause_frame.h"

namespace weir::tb {

namespace {

using weir::detail::read_16;

std::uint32_t read_32(const std::uint8_t* at) {
    return std::uint32_t{read_16(at)} << 16 | read_16(at + 2);
}

/// What is left of a packet's octets.
struct octet_view {
    const std::uint8_t* at;
    std::size_t kept;
    bool has(std::size_t size) const { return kept >= size; }
    void skip(std::size_t size) {
        at += size;
        kept -= size;
    }
};

constexpr std::uint16_t ipv4_type = 0x0800;
constexpr std::uint16_t ipv6_type = 0x86DD;

bool is_vlan_tag(std::uint16_t type) {
    return type == 0x8100 || type == 0x88A8 || type == 0x9100;
}

/// TCP or UDP: `length` octets from here on, by the IP header.
packet_kind read_transport(octet_view view, std::uint8_t protocol, std::uint64_t length, packet& p) {
    if (protocol != tcp_protocol && protocol != udp_protocol) {
        return packet_kind::other;
    }
    p.path.tcp = protocol == tcp_protocol;
    std::uint64_t header = 8;
    if (!view.has(p.path.tcp ? 14 : 8)) {
        return packet_kind::cut;
    }
    p.path.src_port = read_16(view.at);
    p.path.dst_port = read_16(view.at + 2);
    if (p.path.tcp) {
        p.sequence = read_32(view.at + 4);
        header = view.at[12] / 16 * 4;
        p.acknowledgement = read_32(view.at + 8);
        p.fin = (view.at[13] & 1) != 0;
        p.syn = (view.at[13] & 2) != 0;
        p.push = (view.at[13] & 8) != 0;
        p.ack = (view.at[13] & 16) != 0;
        p.ends = (view.at[13] & 5) != 0;
    }
    if (header < (p.path.tcp ? 20 : 8) || header > length) {
        return packet_kind::cut;
    }
    p.payload = length - header;
    return packet_kind::traffic;
}

packet_kind read_ipv4(octet_view view, bool tagged, packet& p) {
    if (!view.has(20) || view.at[0] / 16 != 4) {
        return packet_kind::cut;
    }
    const std::size_t header = view.at[0] % 16 * 4;
    const std::uint64_t length = read_16(view.at + 2);
    if (header < 20 || length < header) {
        return packet_kind::cut;
    }
    if ((read_16(view.at + 6) & 0x1FFF) != 0) {
        return packet_kind::fragment;
    }
    if (!tagged) {
        p.priority = static_cast<pfc_class>(view.at[1] >> 5);
    }
    const std::uint8_t protocol = view.at[9];
    const auto* const addresses = reinterpret_cast<const char*>(view.at + 12);
    p.path.src.assign(addresses, 4);
    p.path.dst.assign(addresses + 4, 4);
    if (!view.has(header)) {
        return packet_kind::cut;
    }
    view.skip(header);
    return read_transport(view, protocol, length - header, p);
}

/// Without extension headers: packets that have some count as another protocol.
packet_kind read_ipv6(octet_view view, bool tagged, packet& p) {
    if (!view.has(40) || view.at[0] / 16 != 6) {
        return packet_kind::cut;
    }
    if (!tagged) {
        p.priority = static_cast<pfc_class>((view.at[0] & 0xF) >> 1);
    }
    const std::uint64_t length = read_16(view.at + 4);
    const std::uint8_t protocol = view.at[6];
    const auto* const addresses = reinterpret_cast<const char*>(view.at + 8);
    p.path.src.assign(addresses, 16);
    p.path.dst.assign(addresses + 16, 16);
    view.skip(40);
    return read_transport(view, protocol, length, p);
}

packet_kind read_network(octet_view view, std::uint16_t type, packet& p) {
    bool tagged = false;
    while (is_vlan_tag(type)) {
        if (!view.has(4)) {
            return packet_kind::cut;
        }
        // The inner tag is the one that hosts have written.
        p.priority = static_cast<pfc_class>(view.at[0] >> 5);
        tagged = true;
        type = read_16(view.at + 2);
        view.skip(4);
    }
    if (type == ipv4_type) {
        return read_ipv4(view, tagged, p);
    }
    return type == ipv6_type ? read_ipv6(view, tagged, p) : packet_kind::other;
}

packet_kind read_octets(int link_type, octet_view view, packet& p) {
    switch (link_type) {
        case DLT_EN10MB: {
            if (!view.has(14)) {
                return packet_kind::cut;
            }
            const std::uint16_t type = read_16(view.at + 12);
            view.skip(14);
            return read_network(view, type, p);
        }
        case DLT_LINUX_SLL: {
            if (!view.has(16)) {
                return packet_kind::cut;
            }
            const std::uint16_t type = read_16(view.at + 14);
            view.skip(16);
            return read_network(view, type, p);
        }
        case DLT_LINUX_SLL2: {
            // The protocol first, then the interface and addresses.
            if (!view.has(20)) {
                return packet_kind::cut;
            }
            const std::uint16_t type = read_16(view.at);
            view.skip(20);
            return read_network(view, type, p);
        }
        default:
            if (!view.has(1)) {
                return packet_kind::cut;
            }
            return read_network(view, view.at[0] / 16 == 6 ? ipv6_type : ipv4_type, p);
    }
}

}  // namespace

void packet_reader::close_capture::operator()(pcap* capture) const {
    pcap_close(capture);
}

packet_reader::packet_reader(const std::string& path) {
    const std::string why_not = open_input(path, input_kind::stored).why_not;
    if (!why_not.empty()) {
        m_error = "cannot be read: " + why_not;
        return;
    }
    std::array<char, PCAP_ERRBUF_SIZE> message{};
    m_capture.reset(
        pcap_open_offline_with_tstamp_precision(path.c_str(), PCAP_TSTAMP_PRECISION_NANO, message.data()));
    if (!m_capture) {
        m_error = message.data();
        return;
    }
    m_link_type = pcap_datalink(m_capture.get());
    if (m_link_type != DLT_EN10MB && m_link_type != DLT_LINUX_SLL && m_link_type != DLT_LINUX_SLL2 &&
        m_link_type != DLT_RAW && m_link_type != DLT_IPV4 && m_link_type != DLT_IPV6) {
        const char* const name = pcap_datalink_val_to_name(m_link_type);
        m_error = "has packets of link type " + (name != nullptr ? name : std::to_string(m_link_type)) +
                  "; expected EN10MB (Ethernet), LINUX_SLL, LINUX_SLL2, RAW, IPV4, IPV6";
    }
}

bool packet_reader::next(packet& p) {
    if (!m_error.empty()) {
        return false;
    }
    pcap_pkthdr* header = nullptr;
    const std::uint8_t* octets = nullptr;
    const int read = pcap_next_ex(m_capture.get(), &header, &octets);
    if (read != 1) {
        if (read != PCAP_ERROR_BREAK) {
            m_error = "packet " + std::to_string(m_count + 1) + ": " + pcap_geterr(m_capture.get());
        }
        return false;
    }
    ++m_count;
    // Those of pcapng have 64 bits; nanoseconds since 1970 in as many go to 2262.
    constexpr std::int64_t latest_second = std::int64_t{1} << 33;
    if (header->ts.tv_sec < 0 || header->ts.tv_sec > latest_second) {
        m_error = "packet " + std::to_string(m_count) + ": has a time stamp of " +
                  std::to_string(header->ts.tv_sec) + " s; expected 0 to " + std::to_string(latest_second);
        return false;
    }
    // The field for microseconds holds nanoseconds here, as asked for.
    const auto stamp = std::chrono::seconds{header->ts.tv_sec} + std::chrono::nanoseconds{header->ts.tv_usec};
    m_first = m_count == 1 ? stamp : m_first;
    constexpr auto longest = std::chrono::duration_cast<std::chrono::nanoseconds>(latest_time);
    if (stamp - m_first > longest || m_first - stamp > longest) {
        m_error = "packet " + std::to_string(m_count) + ": has a time stamp too far from the first; expected " +
                  to_text(latest_time);
        return false;
    }
    p = packet{};
    p.time = stamp - m_first;
    p.kind = read_octets(m_link_type, {octets, header->caplen}, p);
    return true;
}

}  // namespace weir::tb

#else

namespace weir::tb {

void packet_reader::close_capture::operator()(pcap*) const {}

packet_reader::packet_reader(const std::string&)
    : m_error("cannot be read: this program was built without libpcap (libpcap-dev)") {}

bool packet_reader::next(packet&) {
    return false;
}

}  // namespace weir::tb

#endif
