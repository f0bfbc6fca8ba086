#include "tb/verify/capture/frame_octets.h"

#include <algorithm>

namespace weir::tb {

namespace {

using weir::detail::read_16;
using weir::detail::write_16;

constexpr std::size_t mac_header = 14;
constexpr std::size_t ip_header = 20;
constexpr std::size_t tcp_header = 20;
constexpr std::size_t udp_header = 8;
constexpr std::size_t most_tcp_options = 40;
constexpr std::uint16_t ipv4_ethertype = 0x0800;
/// For experiments (RFC 3692): frames of a user's own module, of whose contents nothing is known.
constexpr std::uint8_t unknown_protocol = 253;

/// RoCEv2 (InfiniBand annexes A16 and A17): UDP port, opcode, header, contents and CRC of a CNP.
constexpr std::uint16_t roce_port = 4791;
constexpr std::uint8_t cnp_opcode = 0x81;
constexpr std::uint8_t becn = 0x40;
constexpr std::size_t base_header = 12;
constexpr std::size_t ack_header = 4;
constexpr std::size_t invariant_crc = 4;
constexpr std::size_t cnp_contents = 16;
/// Opcodes of a reliable connection's SEND, by place in the message, and of its acknowledgement.
constexpr std::uint8_t send_first = 0x00;
constexpr std::uint8_t send_middle = 0x01;
constexpr std::uint8_t send_last = 0x02;
constexpr std::uint8_t send_only = 0x04;
constexpr std::uint8_t acknowledge = 0x11;
/// Syndromes: no credits are told; a sequence error.
constexpr std::uint8_t ack_syndrome = 0x1F;
constexpr std::uint8_t nak_syndrome = 0x60;
/// Congestion notification message (802.1Q-2018 clause 33.4).
constexpr std::uint16_t cnm_ethertype = 0x22E7;
constexpr std::int32_t cnm_unit = 64;

enum tcp_flags : std::uint8_t { fin = 1, syn = 2, psh = 8, ack = 16, ece = 64, cwr = 128 };

void write_32(std::uint8_t* at, std::uint32_t value) {
    write_16(at, static_cast<std::uint16_t>(value >> 16));
    write_16(at + 2, static_cast<std::uint16_t>(value & 0xFFFF));
}

void write_address(std::uint8_t* at, const mac_address& address) {
    std::copy(address.begin(), address.end(), at);
}

/// RFC 1071, without the last complement.
std::uint32_t sum_of(const std::uint8_t* octets, std::size_t size, std::uint32_t sum = 0) {
    for (std::size_t i = 0; i + 1 < size; i += 2) {
        sum += read_16(octets + i);
    }
    return size % 2 == 0 ? sum : sum + (std::uint32_t{octets[size - 1]} << 8);
}
std::uint16_t checksum(std::uint32_t sum) {
    while (sum >> 16 != 0) {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    return static_cast<std::uint16_t>(~sum & 0xFFFF);
}

/// The addresses, the protocol and the length, which TCP's and UDP's checksums cover (RFC 9293, RFC 768). The
/// payload is zeros and adds nothing.
std::uint32_t pseudo_header_sum(const ethernet_frame& frame, std::uint8_t protocol, std::size_t length) {
    std::uint32_t sum = protocol + static_cast<std::uint32_t>(length);
    for (const ipv4_address address : {frame.src, frame.dst}) {
        sum += (to_uint(address) >> 16) + (to_uint(address) & 0xFFFF);
    }
    return sum;
}

bool is_from_data_sender(frame_kind kind) {
    return kind == frame_kind::tcp_data || kind == frame_kind::tcp_syn || kind == frame_kind::udp ||
           kind == frame_kind::roce_data || kind == frame_kind::pfabric_data ||
           kind == frame_kind::pfabric_probe;
}

/// Source, then destination.
void write_ports(const ethernet_frame& frame, std::uint8_t* at) {
    const auto sender = static_cast<std::uint16_t>(first_sender_port + frame.flow() % sender_ports);
    const auto receiver = static_cast<std::uint16_t>(first_receiver_port + frame.flow() % receiver_ports);
    const bool data = is_from_data_sender(frame.kind);
    write_16(at, data ? sender : receiver);
    write_16(at + 2, data ? receiver : sender);
}

}  // namespace

mac_address host_address(ipv4_address host) {
    mac_address address{0x02, 0x00};
    write_32(&address[2], to_uint(host));
    return address;
}

mac_address port_address(std::uint32_t node, unsigned port) {
    mac_address address{0x12, 0x01, static_cast<std::uint8_t>(node >> 16 & 0xFF)};
    write_16(&address[3], static_cast<std::uint16_t>(node & 0xFFFF));
    address[5] = static_cast<std::uint8_t>(port & 0xFF);
    return address;
}

std::size_t frame_octets::header_of(frame_kind kind) const {
    const bool is_of_pfabric = kind == frame_kind::pfabric_data || kind == frame_kind::pfabric_ack ||
                               kind == frame_kind::pfabric_probe;
    const bytes header = is_of_pfabric                   ? m_headers.pfabric
                         : kind == frame_kind::udp       ? m_headers.udp
                         : kind == frame_kind::roce_data ? m_headers.roce
                                                         : m_headers.tcp;
    return static_cast<std::size_t>(header.count());
}

std::size_t frame_octets::payload_of(const ethernet_frame& frame) const {
    if (frame.kind != frame_kind::tcp_data && frame.kind != frame_kind::udp &&
        frame.kind != frame_kind::roce_data && frame.kind != frame_kind::pfabric_data) {
        return 0;
    }
    const std::uint64_t headers = header_of(frame.kind);
    const std::uint64_t room = frame.frame_bytes > headers ? frame.frame_bytes - headers : 0;
    // A frame of minimum length may be padded.
    const transfer_fields& t = frame.transfer;
    return std::min<std::uint64_t>(room, t.sequence < t.flow_bytes ? t.flow_bytes - t.sequence : 0);
}

std::size_t frame_octets::write_tcp(const ethernet_frame& frame, std::uint8_t* at, std::size_t payload) {
    constexpr std::size_t written = mac_header + ip_header + tcp_header + fcs_octets;
    const std::size_t beyond = header_of(frame.kind) - written;
    const std::size_t room = frame.frame_bytes - payload - written;
    const std::size_t options = std::min({beyond, room, most_tcp_options}) / 4 * 4;
    write_ports(frame, at);
    // Both sides count from 0, and a SYN counts as one.
    const transfer_fields& t = frame.transfer;
    std::uint64_t sequence = 1;
    std::uint64_t acknowledged = 1;
    std::uint8_t flags = tcp_flags::ack;
    switch (frame.kind) {
        case frame_kind::tcp_syn:
            sequence = 0;
            acknowledged = 0;
            flags = tcp_flags::syn;
            break;
        case frame_kind::tcp_syn_ack:
            sequence = 0;
            flags = tcp_flags::syn | tcp_flags::ack;
            break;
        case frame_kind::tcp_data:
        case frame_kind::pfabric_data:
        case frame_kind::pfabric_probe:
            sequence = 1 + t.sequence;
            flags = t.sequence + payload >= t.flow_bytes ? tcp_flags::ack | tcp_flags::fin | tcp_flags::psh
                                                         : static_cast<int>(tcp_flags::ack);
            break;
        default:
            acknowledged = 1 + t.sequence + (t.sequence >= t.flow_bytes ? 1 : 0);
            break;
    }
    if ((frame.flags & ecn_echo) != 0) {
        flags |= tcp_flags::ece;
    }
    if ((frame.flags & window_reduced) != 0) {
        flags |= tcp_flags::cwr;
    }
    write_32(at + 4, static_cast<std::uint32_t>(sequence & 0xFFFF'FFFF));
    write_32(at + 8, static_cast<std::uint32_t>(acknowledged & 0xFFFF'FFFF));
    const std::size_t length = tcp_header + options;
    at[12] = static_cast<std::uint8_t>(length / 4 << 4);
    at[13] = flags;
    write_16(at + 14, 0xFFFF);
    std::fill_n(at + tcp_header, options, std::uint8_t{1});
    const std::uint32_t sum = pseudo_header_sum(frame, tcp_protocol, length + payload);
    write_16(at + 16, checksum(sum_of(at, length, sum)));
    return length + payload;
}

std::size_t frame_octets::write_udp(const ethernet_frame& frame, std::uint8_t* at, std::size_t payload) const {
    const std::size_t length = udp_header + payload;
    write_ports(frame, at);
    write_16(at + 4, static_cast<std::uint16_t>(length));
    const std::uint16_t sum = checksum(sum_of(at, udp_header, pseudo_header_sum(frame, udp_protocol, length)));
    // 0 says that there is none.
    write_16(at + 6, sum == 0 ? std::uint16_t{0xFFFF} : sum);
    return length;
}

std::size_t frame_octets::write_base_header(const ethernet_frame& frame, std::uint8_t* at, std::uint8_t opcode,
                                            std::size_t behind) const {
    const std::size_t length = write_udp(frame, at, base_header + behind);
    write_16(at + 2, roce_port);
    write_16(at + 6, 0);  // RoCEv2 does without UDP's checksum
    at[udp_header] = opcode;
    write_16(at + udp_header + 2, 0xFFFF);  // the default partition
    return length;
}

std::size_t frame_octets::write_roce(const ethernet_frame& frame, std::uint8_t* at, std::size_t payload) const {
    const bool is_data = frame.kind == frame_kind::roce_data;
    const transfer_fields& t = frame.transfer;
    const bool is_first = t.sequence == 0;
    const bool is_last = t.sequence + payload >= t.flow_bytes;
    const std::uint8_t opcode = !is_data              ? acknowledge
                                : is_first && is_last ? send_only
                                : is_first            ? send_first
                                : is_last             ? send_last
                                                      : send_middle;
    const std::size_t length =
        write_base_header(frame, at, opcode, (is_data ? payload : ack_header) + invariant_crc);
    std::uint8_t* const header = at + udp_header;
    write_32(header + 4, t.connection);  // the queue pair: 24 bits
    // A NAK has the number of the frame that is expected, an ACK that of the last one that it confirms.
    const auto frame_bytes = static_cast<std::uint64_t>(m_headers.roce_payload.count());
    const std::uint64_t next = (t.sequence + frame_bytes - 1) / frame_bytes;
    write_32(header + 8,
             static_cast<std::uint32_t>((frame.kind == frame_kind::roce_ack ? next - 1 : next) & 0xFFFFFF));
    if (!is_data) {
        header[base_header] = frame.kind == frame_kind::roce_nak ? nak_syndrome : ack_syndrome;
    }
    return length;
}

std::size_t frame_octets::write_cnp(const ethernet_frame& frame, std::uint8_t* at) const {
    const std::size_t length = write_base_header(frame, at, cnp_opcode, cnp_contents + invariant_crc);
    at[udp_header + 4] = becn;
    return length;
}

void frame_octets::write_cnm(const ethernet_frame& frame, const mac_address& sender) {
    const notification_fields& n = frame.notification;
    write_16(&m_octets[12], cnm_ethertype);
    std::uint8_t* const at = &m_octets[mac_header];
    write_16(at, n.feedback & 0x3F);
    write_address(at + 2, sender);  // the congestion point: its port's address, and its class
    write_16(at + 8, n.sampled_class);
    const auto in_units = [](std::int32_t length) {
        return static_cast<std::uint16_t>(std::clamp(length / cnm_unit, -32'768, 32'767));
    };
    write_16(at + 10, in_units(n.offset_bytes));
    write_16(at + 12, in_units(n.delta_bytes));
    write_16(at + 14, static_cast<std::uint16_t>(n.sampled_class << 13));
    write_address(at + 16, host_address(n.sampled_dst));
}

void frame_octets::write_ip(const ethernet_frame& frame) {
    write_16(&m_octets[12], ipv4_ethertype);

    std::uint8_t* const ip = &m_octets[mac_header];
    std::uint8_t protocol = tcp_protocol;
    std::size_t length = ip_header;
    const std::size_t payload = payload_of(frame);
    if (frame.kind == frame_kind::udp) {
        protocol = udp_protocol;
        length += write_udp(frame, ip + ip_header, payload);
    } else if (frame.kind == frame_kind::cnp) {
        protocol = udp_protocol;
        length += write_cnp(frame, ip + ip_header);
    } else if (frame.kind == frame_kind::roce_data || frame.kind == frame_kind::roce_ack ||
               frame.kind == frame_kind::roce_nak) {
        protocol = udp_protocol;
        length += write_roce(frame, ip + ip_header, payload);
    } else if (frame.kind == frame_kind::foreign) {
        protocol = unknown_protocol;
        length = frame.frame_bytes - mac_header - fcs_octets;
    } else {
        length += write_tcp(frame, ip + ip_header, payload);
    }
    const unsigned ecn = (frame.flags & ecn_marked) != 0 ? 3 : (frame.flags & ecn_capable) != 0 ? 2 : 0;
    ip[0] = 0x45;
    ip[1] = static_cast<std::uint8_t>(frame.priority << 5 | ecn);
    write_16(ip + 2, static_cast<std::uint16_t>(length));
    write_16(ip + 4, frame.is_of_transfer() ? frame.transfer.tag : 0);
    write_16(ip + 6, 0x4000);
    ip[8] = 64;
    ip[9] = protocol;
    write_32(ip + 12, to_uint(frame.src));
    write_32(ip + 16, to_uint(frame.dst));
    write_16(ip + 10, checksum(sum_of(ip, ip_header)));
}

const std::vector<std::uint8_t>& frame_octets::write(const ethernet_frame& frame, const mac_address& sender,
                                                     std::size_t snap) {
    m_octets.assign(frame.frame_bytes, 0);
    if (frame.is_flow_control()) {
        const auto octets = encode_pause_frame(frame.kind, frame.pause, sender);
        std::copy(octets.begin(), octets.end(), m_octets.begin());
    } else {
        write_address(m_octets.data(), host_address(frame.dst));
        write_address(&m_octets[6], host_address(frame.src));
        frame.kind == frame_kind::qcn
            ? write_cnm(frame, port_address(frame.notification.node, frame.notification.port))
            : write_ip(frame);
    }
    if (snap != 0 && snap < m_octets.size()) {
        m_octets.resize(snap);
        return m_octets;
    }
    const std::size_t body = m_octets.size() - fcs_octets;
    const std::uint32_t fcs = frame_check_sequence(m_octets.data(), body);
    for (unsigned i = 0; i < fcs_octets; ++i) {
        m_octets[body + i] = static_cast<std::uint8_t>(fcs >> (8 * i) & 0xFF);
    }
    return m_octets;
}

}  // namespace weir::tb
