// Lengths, fragments and extension headers of IP packets, typed by the RFCs.
#include "capture_rig.h"

namespace weir::test::captures {
namespace {

/// The part of an IPv4 packet from `offset` on, with its own header.
octet_list fragment_of(const octet_list& packet, std::uint32_t id, std::size_t offset, std::size_t size) {
    const std::size_t end = std::min(packet.size(), 20 + offset + size);
    octet_list part(packet.begin(), packet.begin() + 20);
    part.insert(part.end(), packet.begin() + static_cast<std::ptrdiff_t>(20 + offset),
                packet.begin() + static_cast<std::ptrdiff_t>(end));
    const auto set = [&](std::size_t at, std::size_t value) {
        part[at] = static_cast<std::uint8_t>(value >> 8);
        part[at + 1] = static_cast<std::uint8_t>(value & 0xFF);
    };
    set(2, part.size());
    set(4, id);
    set(6, offset / 8 | (end < packet.size() ? 0x2000 : 0));
    return part;
}
/// An IPv6 packet from 2001:db8::`src`; its payload begins with the header `next`.
octet_list ipv6_packet(unsigned src, unsigned dst, std::uint8_t next, const octet_list& payload) {
    octet_list packet{0x60, 0, 0, 0};
    packet = joined(packet, two(static_cast<std::uint32_t>(payload.size())));
    packet = joined(packet, {next, 64});
    for (const unsigned host : {src, dst}) {
        packet = joined(joined(packet, octets_of_hex("20010db8 00000000 00000000")), four(host));
    }
    return joined(packet, payload);
}
octet_list ipv6_frame(unsigned src, unsigned dst, std::uint8_t next, const octet_list& payload) {
    return ethernet(ipv6_packet(src, dst, next, payload), "86dd");
}
octet_list slice(const octet_list& octets, std::size_t from, std::size_t to) {
    return {octets.begin() + static_cast<std::ptrdiff_t>(from),
            octets.begin() + static_cast<std::ptrdiff_t>(to)};
}
/// A capture of frames that are a microsecond apart.
pcap_text capture_of(const std::vector<octet_list>& frames) {
    pcap_text capture(false, true);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        capture.add(epoch + i * 1'000, frames[i]);
    }
    return capture;
}

using packet_headers_of_captures = packet_flows_of_captures;

TEST_F(packet_headers_of_captures, a_length_of_0_stands_for_the_length_on_the_wire) {
    const auto without_length = [](octet_list frame, std::size_t at) {
        frame[at] = frame[at + 1] = 0;
        return frame;
    };
    const octet_list ipv4 = without_length(tcp_frame(1, 2, 100, 0x10, 30'000), 16);
    EXPECT_EQ(flows_of(capture_of({ipv4}).text()), "0 0 1 30000 0\n");
    // A capture that keeps 60 B, and one that goes on at the right sequence number.
    pcap_text cut(false, true);
    cut.add(epoch, ipv4, 60).add(epoch + 1, tcp_frame(1, 2, 30'100, 0x10, 10), 60);
    EXPECT_EQ(flows_of(cut.text()), "0 0 1 30010 0\n");
    EXPECT_EQ(m_warnings, "");
    // Behind a VLAN tag of class 5, and behind Linux's cooked header.
    const octet_list packet = slice(ipv4, 14, ipv4.size());
    EXPECT_EQ(flows_of(capture_of({ethernet(joined(octets_of_hex("a001 0800"), packet), "8100")}).text()),
              "0 0 1 30000 5\n");
    pcap_text cooked(false, true, 113);
    cooked.add(epoch, joined(octets_of_hex("0004 0001 0006 020000000001 0000 0800"), packet));
    EXPECT_EQ(flows_of(cooked.text()), "0 0 1 30000 0\n");
    pcap_text raw(false, true, 101);
    raw.add(epoch, packet);
    EXPECT_EQ(flows_of(raw.text()), "0 0 1 30000 0\n");
    // More than the field can say.
    const octet_list big = without_length(tcp_frame(1, 2, 100, 0x10, 200'000), 16);
    pcap_text large(false, true);
    large.add(epoch, big, 80);
    EXPECT_EQ(flows_of(large.text()), "0 0 1 200000 0\n");
}

TEST_F(packet_headers_of_captures, an_ipv6_length_of_0_is_that_of_the_option_or_of_the_wire) {
    octet_list packet = ipv6_frame(1, 2, 6, tcp(1'000, 80, 1, 0x10, 5'000));
    packet[18] = packet[19] = 0;
    EXPECT_EQ(flows_of(capture_of({packet}).text()), "0 0 1 5000 0\n");
    // RFC 2675: 8 octets of hop-by-hop options, a TCP header and 70,000 B; the frame has padding behind them.
    octet_list jumbo = octets_of_hex("0600 c204");
    jumbo = joined(joined(jumbo, four(8 + 20 + 70'000)), tcp(1'000, 80, 1, 0x10, 70'000));
    octet_list frame = ipv6_frame(1, 2, 0, jumbo);
    frame[18] = frame[19] = 0;
    frame.resize(frame.size() + 6);
    pcap_text capture(false, true);
    capture.add(epoch, frame, 120);
    EXPECT_EQ(flows_of(capture.text()), "0 0 1 70000 0\n");
}

TEST_F(packet_headers_of_captures, padding_of_short_frames_is_no_payload) {
    octet_list frame = tcp_frame(1, 2, 100, 0x10, 2);
    frame.resize(60);
    EXPECT_EQ(flows_of(capture_of({frame}).text()), "0 0 1 2 0\n");
}

TEST_F(packet_headers_of_captures, the_udp_length_counts_where_that_of_ip_is_0) {
    octet_list frame = udp_frame(1, 2, 5);
    frame.resize(60);
    frame[16] = frame[17] = 0;
    EXPECT_EQ(flows_of(capture_of({frame}).text()), "0 0 1 5 0\n");
    octet_list v6 = ipv6_frame(1, 2, 17, udp(5, 6, 5));
    v6.resize(v6.size() + 6);
    v6[18] = v6[19] = 0;
    EXPECT_EQ(flows_of(capture_of({v6}).text()), "0 0 1 5 0\n");
    // 8 is the smallest length of UDP, and 26 B are on the wire; other lengths cannot be right.
    const std::vector<std::pair<std::uint8_t, std::string>> lengths{
        {9, "1"}, {26, "18"}, {27, "18"}, {7, "18"}, {0, "18"}};
    for (const auto& [length, payload] : lengths) {
        frame[39] = length;
        EXPECT_EQ(flows_of(capture_of({frame}).text()), "0 0 1 " + payload + " 0\n") << int{length};
    }
    frame[39] = 8;
    EXPECT_NE(flows_of(capture_of({frame}).text()).find("has no TCP or UDP payload in 1 packets"),
              std::string::npos);
}

TEST_F(packet_headers_of_captures, a_udp_datagram_in_fragments_counts_once_and_whole) {
    const octet_list datagram = ip_packet(1, 2, 17, udp(5, 6, 8'000));
    std::vector<octet_list> frames;
    for (std::size_t at = 0; at < 8'008; at += 1'480) {
        frames.push_back(ethernet(fragment_of(datagram, 1, at, 1'480)));
    }
    ASSERT_EQ(frames.size(), 6U);
    EXPECT_EQ(flows_of(capture_of(frames).text()), "0 0 1 8000 0\n");
    EXPECT_EQ(m_warnings, "");
    EXPECT_EQ(flows_of(capture_of(frames).text(), {packet_grouping::packets}), "0 0 1 8000 0\n");
    std::reverse(frames.begin(), frames.end());
    EXPECT_EQ(flows_of(capture_of(frames).text()), "0 0 1 8000 0\n");
    EXPECT_EQ(m_warnings, "");
    // The number again, in the other direction, and with another protocol.
    const octet_list answer = ip_packet(2, 1, 17, udp(6, 5, 2'000));
    frames.push_back(ethernet(fragment_of(answer, 1, 0, 1'480)));
    frames.push_back(ethernet(fragment_of(ip_packet(1, 2, 1, octet_list(2'000)), 1, 1'480, 1'480)));
    frames.push_back(ethernet(fragment_of(answer, 1, 1'480, 1'480)));
    frames.push_back(frames[5]);
    frames.insert(frames.end(), frames.begin(), frames.begin() + 5);
    EXPECT_EQ(flows_of(capture_of(frames).text()), "0 0 1 16000 0\n6000 1 0 2000 0\n");
    EXPECT_EQ(m_warnings, "1 of 15 packets are not TCP or UDP over IP and are left out\n");
}

TEST_F(packet_headers_of_captures, fragments_that_are_missing_are_said_with_their_bytes) {
    const octet_list datagram = ip_packet(1, 2, 17, udp(5, 6, 4'000));
    const auto part = [&](std::uint32_t id, std::size_t n) {
        return ethernet(fragment_of(datagram, id, n * 1'480, 1'480));
    };
    // Datagram 1 lacks its last part of 1,048 B, and 2 its first one.
    EXPECT_EQ(flows_of(capture_of({part(1, 0), part(1, 1), part(2, 1), part(2, 2)}).text()), "0 0 1 4000 0\n");
    EXPECT_EQ(
        m_warnings,
        "2 of 4 packets are IP fragments without their first one, which has the ports: 2528 B are uncertain, "
        "and are left out\n"
        "1 UDP datagram with IP fragments that are not in the capture: 1048 B are uncertain, and counted "
        "because UDP's "
        "headers have them\n");
    // A first fragment that is captured twice, and a number that is used again after a minute.
    pcap_text again(false, true);
    again.add(epoch, part(7, 0))
        .add(epoch + 10, part(7, 0))
        .add(epoch + 20, part(7, 1))
        .add(epoch + 30, part(7, 2));
    again.add(epoch + 60 * second, part(8, 1)).add(epoch + 120 * second, part(8, 0));
    EXPECT_EQ(flows_of(again.text()), "0 0 1 8000 0\n120000000000 0 1 4000 0\n");
    EXPECT_EQ(
        m_warnings,
        "1 of 6 packets are IP fragments without their first one, which has the ports: 1480 B are uncertain, "
        "and are left out\n"
        "1 UDP datagram with IP fragments that are not in the capture: 2528 B are uncertain, and counted "
        "because UDP's "
        "headers have them\n");
    EXPECT_NE(flows_of(capture_of({part(2, 1), part(2, 2)}).text())
                  .find("has no TCP or UDP payload in 2 packets (2 are IP fragments without their first one)"),
              std::string::npos);
}

TEST_F(packet_headers_of_captures, fragments_of_tcp_are_parts_of_their_transfer) {
    // A SYN, a segment of 3,000 B that ends with a FIN, and the ports again.
    const octet_list segment = ip_packet(1, 2, 6, tcp(1'001, 80, 100, 0x19, 3'000));
    const auto part = [&](std::size_t n) { return ethernet(fragment_of(segment, 3, n * 1'480, 1'480)); };
    const octet_list syn = tcp_frame(1, 2, 99, 0x02, 0);
    const octet_list another = tcp_frame(1, 2, 3'100 + 500, 0x10, 7);
    for (const auto& order : {std::vector<std::size_t>{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {0, 2, 1}}) {
        std::vector<octet_list> frames{syn};
        for (const std::size_t n : order) {
            frames.push_back(part(n));
        }
        frames.push_back(another);
        EXPECT_EQ(flows_of(capture_of(frames).text()), "0 0 1 3000 0\n4000 0 1 7 0\n");
        EXPECT_EQ(m_warnings, "");
        EXPECT_EQ(flows_of(capture_of(frames).text(), {packet_grouping::packets}),
                  "1000 0 1 3000 0\n4000 0 1 7 0\n");
    }
    // A SYN takes a number of its own, with data or without.
    const octet_list open = ip_packet(1, 2, 6, tcp(1'001, 80, 99, 0x02, 2'000));
    EXPECT_EQ(flows_of(capture_of({ethernet(fragment_of(open, 4, 0, 1'480)),
                                   ethernet(fragment_of(open, 4, 1'480, 1'480))})
                           .text()),
              "0 0 1 2000 0\n");
    // A part in the middle shows in the sequence numbers, one at the end does not.
    const std::string segment_doubt = "1 TCP segment with IP fragments that are not in the capture: at least ";
    const std::string rest = " B are uncertain, and counted only where a later sequence number shows them\n";
    EXPECT_EQ(flows_of(capture_of({part(0), part(2)}).text()), "0 0 1 3000 0\n");
    EXPECT_EQ(m_warnings, segment_doubt + "1480" + rest);
    EXPECT_EQ(flows_of(capture_of({part(0), part(1)}).text()), "0 0 1 2940 0\n");
    EXPECT_EQ(m_warnings, segment_doubt + "1" + rest);
}

TEST_F(packet_headers_of_captures, fragments_that_are_captured_twice_give_no_warning) {
    const octet_list segment = ip_packet(1, 2, 6, tcp(1'001, 80, 100, 0x18, 4'000));
    const octet_list datagram = ip_packet(1, 2, 17, udp(5, 6, 4'000));
    const auto frames_of = [](const octet_list& packet, const std::vector<std::size_t>& order) {
        std::vector<octet_list> frames;
        for (const std::size_t n : order) {
            frames.push_back(ethernet(fragment_of(packet, 3, n * 1'480, 1'480)));
        }
        return frames;
    };
    for (const auto& order : {std::vector<std::size_t>{0, 0, 1, 1, 2, 2},
                              {0, 1, 2, 0, 1, 2},
                              {2, 2, 1, 1, 0, 0},
                              {0, 1, 2, 2, 1, 0},
                              {1, 0, 1, 2, 0, 2},
                              {1, 1, 2, 0, 0, 2}}) {
        const std::string of_tcp = capture_of(frames_of(segment, order)).text();
        EXPECT_EQ(flows_of(of_tcp), "0 0 1 4000 0\n");
        EXPECT_EQ(m_warnings, "");
        EXPECT_EQ(flows_of(of_tcp, {packet_grouping::packets}), "0 0 1 4000 0\n");
        // UDP without fragments counts twice, too.
        EXPECT_NE(flows_of(capture_of(frames_of(datagram, order)).text()).find(" 0 1 8000 0\n"),
                  std::string::npos);
        EXPECT_EQ(m_warnings, "");
    }
    // They hide no loss: of the last fragment, or of the one in the middle.
    const std::string lack = "1 TCP segment with IP fragments that are not in the capture: at least ";
    for (const auto& [order, octets] : {std::pair{std::vector<std::size_t>{0, 0, 1}, "1 B"},
                                        {{0, 1, 0, 1, 0, 1}, "1 B"},
                                        {{0, 2, 2, 2, 2}, "1480 B"},
                                        {{2, 2, 0, 0, 2}, "1480 B"}}) {
        flows_of(capture_of(frames_of(segment, order)).text());
        EXPECT_EQ(m_warnings.find(lack + octets), 0U) << m_warnings;
    }
    flows_of(capture_of(frames_of(datagram, {0, 2, 2, 2, 2})).text());
    EXPECT_NE(m_warnings.find("1 UDP datagram with"), std::string::npos) << m_warnings;
    EXPECT_NE(m_warnings.find("1480 B are uncertain"), std::string::npos) << m_warnings;
    std::vector<octet_list> orphans = frames_of(segment, {0, 1, 2});
    for (const octet_list& frame : frames_of(datagram, {1, 2, 1})) {
        orphans.push_back(frame);
    }
    flows_of(capture_of(orphans).text());
    EXPECT_EQ(m_warnings.find("2 of 6 packets are IP fragments without their first one, which has the ports: "
                              "2528 B are uncertain"),
              0U)
        << m_warnings;
    // Captured before and after a router that cuts the second fragment into two.
    std::vector<octet_list> cut = frames_of(segment, {0, 1, 2, 0, 2});
    cut.push_back(ethernet(fragment_of(segment, 3, 1'480, 800)));
    cut.push_back(ethernet(fragment_of(segment, 3, 2'280, 680)));
    EXPECT_EQ(flows_of(capture_of(cut).text()), "0 0 1 4000 0\n");
    EXPECT_EQ(m_warnings, "");
    // Another sequence number: another segment with the same number.
    std::vector<octet_list> again = frames_of(segment, {0, 1});
    const octet_list next = ip_packet(1, 2, 6, tcp(1'001, 80, 4'100, 0x18, 4'000));
    for (const octet_list& frame : frames_of(next, {0, 1, 2})) {
        again.push_back(frame);
    }
    EXPECT_EQ(flows_of(capture_of(again).text()), "0 0 1 8000 0\n");
    EXPECT_EQ(m_warnings.find(lack + "1 B"), 0U) << m_warnings;
}

TEST_F(packet_headers_of_captures, a_number_is_used_again_after_many_packets) {
    const octet_list datagram = ip_packet(1, 2, 17, udp(5, 6, 4'000));
    const octet_list small = ip_packet(1, 2, 17, udp(5, 6, 16));
    const auto part = [&](std::uint32_t id, std::size_t n) {
        return ethernet(fragment_of(datagram, id, n * 1'480, 1'480));
    };
    // Datagram 1 is complete, and 2 lacks its last part of 1,048 B. 5,000 others follow, then both numbers
    // again.
    std::vector<octet_list> frames{part(1, 0), part(1, 1), part(1, 2), part(2, 0), part(2, 1)};
    for (std::uint32_t id = 10; id < 5'010; ++id) {
        frames.push_back(ethernet(fragment_of(small, id, 0, 16)));
        frames.push_back(ethernet(fragment_of(small, id, 16, 16)));
    }
    for (const std::uint32_t id : {1U, 2U}) {
        for (const std::size_t n : {0U, 1U, 2U}) {
            frames.push_back(part(id, n));
        }
    }
    EXPECT_EQ(flows_of(capture_of(frames).text()), "0 0 1 96000 0\n");
    EXPECT_EQ(m_warnings,
              "1 UDP datagram with IP fragments that are not in the capture: 1048 B are uncertain, and counted "
              "because UDP's headers have them\n");
}

TEST_F(packet_headers_of_captures, ipv6_extension_headers_are_passed_over) {
    const octet_list segment = tcp(1'000, 80, 1, 0x10, 100);
    const std::vector<std::pair<std::uint8_t, std::string>> headers{
        {0, "0600 0104 00000000"},                                       // hop-by-hop: padding
        {60, "0601 010c 00000000 00000000 00000000"},                    // destination options of 16 B
        {43, "0602 0401 00000000 20010db8 00000000 00000000 00000009"},  // segment routing, one segment
        {51, "0604 0000 00000001 00000001 00000000 00000000 00000000"},  // authentication: (4 + 2) x 4 B
        {44, "0600 0000 00000007"},                                      // an atomic fragment
        {135, "0600 0000 00000000"}};                                    // mobility
    for (const auto& [number, header] : headers) {
        EXPECT_EQ(
            flows_of(capture_of({ipv6_frame(1, 2, number, joined(octets_of_hex(header), segment))}).text()),
            "0 0 1 100 0\n")
            << int{number};
    }
    // Hop-by-hop, then routing, then UDP.
    const octet_list chain = octets_of_hex("2b00 0104 00000000 1100 0400 00000000");
    EXPECT_EQ(flows_of(capture_of({ipv6_frame(1, 2, 0, joined(chain, udp(5, 6, 50)))}).text()), "0 0 1 50 0\n");
    // Authentication is one of IPv4, too.
    EXPECT_EQ(
        flows_of(capture_of({ethernet(ip_packet(1, 2, 51, joined(octets_of_hex(headers[3].second), segment)))})
                     .text()),
        "0 0 1 100 0\n");
    // ESP is encrypted; no next header; a header that is longer than the packet.
    EXPECT_NE(flows_of(capture_of({ipv6_frame(1, 2, 50, octet_list(100)), ipv6_frame(1, 2, 59, octet_list(8)),
                                   ipv6_frame(1, 2, 0, octets_of_hex("06ff 0000 00000000"))})
                           .text())
                  .find("(2 are not TCP or UDP over IP, 1 have truncated or malformed headers)"),
              std::string::npos);
}

TEST_F(packet_headers_of_captures, ipv6_fragments_are_put_together) {
    const auto fragment = [](std::uint8_t next, std::size_t offset, bool more, const octet_list& part) {
        octet_list header{next, 0};
        header = joined(joined(header, two(static_cast<std::uint32_t>(offset | (more ? 1 : 0)))), four(99));
        return ipv6_frame(1, 2, 44, joined(header, part));
    };
    const octet_list datagram = udp(5, 6, 3'000);
    const std::vector<octet_list> frames{fragment(17, 0, true, slice(datagram, 0, 1'432)),
                                         fragment(17, 1'432, true, slice(datagram, 1'432, 2'864)),
                                         fragment(17, 2'864, false, slice(datagram, 2'864, 3'008))};
    EXPECT_EQ(flows_of(capture_of(frames).text()), "0 0 1 3000 0\n");
    EXPECT_EQ(flows_of(capture_of({frames[2], frames[0], frames[1]}).text()), "0 0 1 3000 0\n");
    EXPECT_EQ(m_warnings, "");
    EXPECT_EQ(flows_of(capture_of({frames[0], frames[2]}).text()), "0 0 1 3000 0\n");
    EXPECT_NE(m_warnings.find("1432 B are uncertain"), std::string::npos) << m_warnings;
    // Destination options before TCP are in the first fragment only.
    const octet_list segment = joined(octets_of_hex("0600 0104 00000000"), tcp(1'000, 80, 1, 0x10, 2'000));
    EXPECT_EQ(flows_of(capture_of({fragment(60, 1'000, false, slice(segment, 1'000, 2'028)),
                                   fragment(60, 0, true, slice(segment, 0, 1'000))})
                           .text()),
              "0 0 1 2000 0\n");
    EXPECT_EQ(m_warnings, "");
}

}  // namespace
}  // namespace weir::test::captures
