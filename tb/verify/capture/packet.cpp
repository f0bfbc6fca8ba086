#include "tb/verify/capture/packet.h"

#include <algorithm>
#include <iterator>

#include "tb/verify/capture/frame_octets.h"
#include "weir/base/unit_text.h"
#include "weir/protocol/pause_frame.h"

namespace weir::tb {

namespace {

using weir::detail::read_16;

std::uint32_t read_32(const std::uint8_t* at) {
    return std::uint32_t{read_16(at)} << 16 | read_16(at + 2);
}

/// Rest of a packet's octets behind the headers that were read.
struct octet_view {
    const std::uint8_t* at;
    std::size_t kept;
    /// Number of octets on the wire from `at` on; at least `kept`.
    std::uint64_t length;
    bool has(std::size_t size) const { return kept >= size; }
    void skip(std::size_t size) {
        at += size;
        kept -= size;
        length -= size;
    }
};

constexpr std::uint16_t ipv4_type = 0x0800;
constexpr std::uint16_t ipv6_type = 0x86DD;

bool is_vlan_tag(std::uint16_t type) {
    return type == 0x8100 || type == 0x88A8 || type == 0x9100;
}

/// IPv6 headers between the fixed one and the transport (RFC 8200; 135, 139, 140: RFC 6275, 7401, 5533).
constexpr std::uint8_t hop_by_hop = 0;
constexpr std::uint8_t fragmentation = 44;
constexpr std::uint8_t authentication = 51;

bool is_extension(std::uint8_t protocol) {
    constexpr std::uint8_t routing = 43;
    constexpr std::uint8_t destination_options = 60;
    constexpr std::uint8_t mobility = 135;
    constexpr std::uint8_t host_identity = 139;
    constexpr std::uint8_t shim6 = 140;
    constexpr std::uint8_t all[] = {hop_by_hop,          routing,  fragmentation, authentication,
                                    destination_options, mobility, host_identity, shim6};
    return std::find(std::begin(all), std::end(all), protocol) != std::end(all);
}

/// Rest of an IP packet behind the headers that were read.
struct ip_payload {
    octet_view view;
    /// Number of the protocol whose header comes next.
    std::uint8_t protocol;
    /// Number of octets, by the length in IP's header. Unit: B.
    std::uint64_t length;
    /// True if IP's header has a length of 0, so that `length` is that of the wire and may include padding.
    bool may_be_padded;
    /// False, and nothing is skipped, if the capture or the packet has less.
    bool skip(std::size_t size) {
        if (size > length || !view.has(size)) {
            return false;
        }
        view.skip(size);
        length -= size;
        return true;
    }
};

packet_kind read_transport(const ip_payload& ip, packet& p) {
    const octet_view& view = ip.view;
    p.path.tcp = ip.protocol == tcp_protocol;
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
    if (header < (p.path.tcp ? 20 : 8) || header > ip.length) {
        return packet_kind::cut;
    }
    p.payload = ip.length - header;
    if (p.fragment) {
        p.fragment->payload_offset = p.fragment->length - p.payload;
        if (!p.path.tcp) {
            // A length below that of the fragment is wrong, or 0, which stands for more than 16 bits can say.
            p.payload = std::max<std::uint64_t>(ip.length, read_16(view.at + 4)) - header;
        }
    } else if (!p.path.tcp && ip.may_be_padded) {
        const std::uint64_t told = read_16(view.at + 4);
        p.payload = told >= header && told <= ip.length ? told - header : p.payload;
    }
    return packet_kind::traffic;
}

/// The header of a fragment. An atomic one is the whole packet (RFC 6946).
bool read_fragment(ip_payload& ip, packet& p) {
    const std::uint8_t* const at = ip.view.at;
    if (!ip.skip(8)) {
        return false;
    }
    ip_fragment read;
    read.id = read_32(at + 4);
    read.more = (at[3] & 1) != 0;
    read.offset = read_16(at + 2) & 0xFFF8;
    read.length = ip.length;
    if (read.more || read.offset > 0) {
        p.fragment = read;
    }
    return true;
}

/// Headers up to the transport's. `p` has the packet's addresses, and for IPv4 its fragment.
packet_kind read_headers(ip_payload ip, packet& p) {
    while (true) {
        const bool is_known =
            ip.protocol == tcp_protocol || ip.protocol == udp_protocol || is_extension(ip.protocol);
        if (!is_known) {
            return packet_kind::other;
        }
        if (p.fragment && p.fragment->offset > 0) {
            return packet_kind::fragment;
        }
        if (!is_extension(ip.protocol)) {
            return read_transport(ip, p);
        }
        if (!ip.view.has(8)) {
            return packet_kind::cut;
        }
        const std::uint8_t next = ip.view.at[0];
        const std::size_t units = ip.view.at[1];
        const bool is_read = ip.protocol == fragmentation    ? read_fragment(ip, p)
                             : ip.protocol == authentication ? ip.skip((units + 2) * 4)
                                                             : ip.skip((units + 1) * 8);
        if (!is_read) {
            return packet_kind::cut;
        }
        ip.protocol = next;
    }
}

packet_kind read_ipv4(octet_view view, bool tagged, packet& p) {
    if (!view.has(20) || view.at[0] / 16 != 4) {
        return packet_kind::cut;
    }
    const std::size_t header = view.at[0] % 16 * 4;
    std::uint64_t length = read_16(view.at + 2);
    const bool has_length = length != 0;
    if (!has_length) {
        // The network adapter was to cut the packet into segments, or it is too long for the field.
        length = view.length;
    }
    if (header < 20 || length < header) {
        return packet_kind::cut;
    }
    if (!tagged) {
        p.priority = static_cast<pfc_class>(view.at[1] >> 5);
    }
    const std::uint8_t protocol = view.at[9];
    const auto* const addresses = reinterpret_cast<const char*>(view.at + 12);
    p.path.src.assign(addresses, 4);
    p.path.dst.assign(addresses + 4, 4);
    const std::uint16_t place = read_16(view.at + 6);
    if ((place & 0x3FFF) != 0) {
        p.fragment = ip_fragment{read_16(view.at + 4),  protocol,        (place & 0x2000) != 0,
                                 (place & 0x1FFFU) * 8, length - header, 0};
    }
    // Only authentication is an extension header of IPv4, too.
    if (is_extension(protocol) && protocol != authentication) {
        return packet_kind::other;
    }
    if (!view.has(header)) {
        return packet_kind::cut;
    }
    view.skip(header);
    return read_headers({view, protocol, length - header, !has_length}, p);
}

/// Returns the length in a jumbo payload option (RFC 2675), or nothing. `view` begins at the options.
std::optional<std::uint64_t> jumbo_length(octet_view view) {
    constexpr std::uint8_t jumbo_payload = 0xC2;
    if (!view.has(8)) {
        return std::nullopt;
    }
    const std::size_t end = std::min<std::size_t>(view.kept, (view.at[1] + std::size_t{1}) * 8);
    for (std::size_t at = 2; at + 6 <= end;) {
        if (view.at[at] == jumbo_payload && view.at[at + 1] == 4) {
            return read_32(view.at + at + 2);
        }
        // A single octet of padding has no length.
        at += view.at[at] == 0 ? 1 : std::size_t{2} + view.at[at + 1];
    }
    return std::nullopt;
}

packet_kind read_ipv6(octet_view view, bool tagged, packet& p) {
    if (!view.has(40) || view.at[0] / 16 != 6) {
        return packet_kind::cut;
    }
    if (!tagged) {
        p.priority = static_cast<pfc_class>((view.at[0] & 0xF) >> 1);
    }
    std::uint64_t length = read_16(view.at + 4);
    const std::uint8_t protocol = view.at[6];
    const auto* const addresses = reinterpret_cast<const char*>(view.at + 8);
    p.path.src.assign(addresses, 16);
    p.path.dst.assign(addresses + 16, 16);
    view.skip(40);
    bool has_length = length != 0;
    if (!has_length) {
        // A jumbogram says its length in an option. Without one, 0 means the same as in IPv4.
        const auto jumbo = protocol == hop_by_hop ? jumbo_length(view) : std::nullopt;
        has_length = jumbo.has_value();
        length = jumbo.value_or(view.length);
    }
    return read_headers({view, protocol, length, !has_length}, p);
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

packet_kind read_octets(link_type link, octet_view view, packet& p) {
    if (link != link_type::ethernet && link != link_type::linux_sll && link != link_type::linux_sll2) {
        if (!view.has(1)) {
            return packet_kind::cut;
        }
        return read_network(view, view.at[0] / 16 == 6 ? ipv6_type : ipv4_type, p);
    }
    /// Octets of the link's header, and where the protocol is in it.
    struct link_header {
        std::size_t size;
        std::size_t type_at;
    };
    // Version 2 has the protocol first, then the interface and addresses.
    const link_header header = link == link_type::ethernet    ? link_header{14, 12}
                               : link == link_type::linux_sll ? link_header{16, 14}
                                                              : link_header{20, 0};
    if (!view.has(header.size)) {
        return packet_kind::cut;
    }
    const std::uint16_t type = read_16(view.at + header.type_at);
    view.skip(header.size);
    return read_network(view, type, p);
}

}  // namespace

packet_reader::packet_reader(const std::string& path) : m_file(open_capture(path, m_error)) {}

bool packet_reader::next(packet& p) {
    captured_octets captured;
    if (!m_error.empty() || !m_file->next(captured)) {
        m_error = m_error.empty() ? m_file->error() : m_error;
        return false;
    }
    m_first = m_count == 0 ? captured.stamp : m_first;
    ++m_count;
    const std::chrono::nanoseconds time = captured.stamp - m_first;
    constexpr auto longest = std::chrono::duration_cast<std::chrono::nanoseconds>(latest_time);
    if (time > longest || -time > longest) {
        m_error = "packet " + std::to_string(captured.number) +
                  ": has a time stamp too far from the first; expected " + to_text(latest_time);
        return false;
    }
    p = packet{};
    p.time = time;
    p.kind = read_octets(
        captured.link,
        {captured.octets, captured.kept, std::max<std::uint64_t>(captured.length, captured.kept)}, p);
    return true;
}

}  // namespace weir::tb
