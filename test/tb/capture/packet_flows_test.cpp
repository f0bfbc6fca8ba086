// Captures as traffic, from files made octet by octet.
#include "capture_rig.h"
#include "support/errors_said.h"

namespace weir::test::captures {
namespace {

TEST_F(packet_flows_of_captures, both_byte_orders_and_both_resolutions_say_the_same) {
    for (const bool big : {false, true}) {
        for (const bool nanoseconds : {false, true}) {
            pcap_text capture(big, nanoseconds);
            capture.add(epoch, udp_frame(1, 2, 100)).add(epoch + 1'234'567, udp_frame(2, 3, 50));
            EXPECT_EQ(flows_of(capture.text()),
                      std::string("0 0 1 100 0\n") + (nanoseconds ? "1234567" : "1234000") + " 1 2 50 0\n");
        }
    }
}

TEST_F(packet_flows_of_captures, a_connection_is_a_transfer_each_way_and_counts_every_octet_once) {
    pcap_text capture(false, true);
    capture.add(epoch, tcp_frame(1, 2, 99, 0x02, 0));
    capture.add(epoch + 10, ethernet(ip_packet(2, 1, 6, tcp(80, 1'001, 499, 0x12, 0))));
    capture.add(epoch + 20, tcp_frame(1, 2, 100, 0x10, 1'000));
    capture.add(epoch + 30, tcp_frame(1, 2, 2'100, 0x10, 1'000));
    // Retransmitted, captured twice, and the hole filled.
    capture.add(epoch + 40, tcp_frame(1, 2, 2'100, 0x10, 1'000));
    capture.add(epoch + 50, tcp_frame(1, 2, 1'100, 0x10, 1'000));
    capture.add(epoch + 60, ethernet(ip_packet(2, 1, 6, tcp(80, 1'001, 500, 0x19, 30))));
    capture.add(epoch + 70, tcp_frame(1, 2, 3'100, 0x11, 0));
    // The same ports again, and a SYN that is sent twice.
    capture.add(epoch + 80, tcp_frame(1, 2, 7'000, 0x02, 0));
    capture.add(epoch + 90, tcp_frame(1, 2, 7'000, 0x02, 0));
    capture.add(epoch + 95, tcp_frame(1, 2, 7'001, 0x10, 5));
    EXPECT_EQ(flows_of(capture.text()), "0 0 1 3000 0\n10 1 0 30 0\n80 0 1 5 0\n");
}

TEST_F(packet_flows_of_captures, sequence_numbers_wrap_and_captures_may_begin_late) {
    pcap_text capture(false, true);
    capture.add(epoch, tcp_frame(1, 2, 0xFFFF'FF00, 0x10, 512));
    capture.add(epoch + 10, tcp_frame(1, 2, 0x100, 0x10, 512));
    // What was sent before the first packet that was captured.
    capture.add(epoch + 20, tcp_frame(1, 2, 0xFFFF'FE00, 0x10, 256));
    EXPECT_EQ(flows_of(capture.text()), "0 0 1 1280 0\n");
}

TEST_F(packet_flows_of_captures, ports_that_are_used_again_are_another_transfer) {
    // A SYN with another number, and no FIN before.
    pcap_text again(false, true);
    again.add(epoch, tcp_frame(1, 2, 1'000, 0x02, 0)).add(epoch + 10, tcp_frame(1, 2, 1'001, 0x10, 1'000));
    again.add(epoch + 200'000, tcp_frame(1, 2, 1'000'000'000, 0x02, 0));
    again.add(epoch + 200'010, tcp_frame(1, 2, 1'000'000'001, 0x10, 1'000));
    EXPECT_EQ(flows_of(again.text()), "0 0 1 1000 0\n200000 0 1 1000 0\n");
    EXPECT_EQ(m_warnings, "");
    // Data beyond the FIN; and without a FIN, farther away than any window.
    pcap_text beyond(false, true);
    beyond.add(epoch, tcp_frame(1, 2, 100, 0x19, 50)).add(epoch + 10, tcp_frame(1, 2, 5'000, 0x10, 60));
    beyond.add(epoch + 20, tcp_frame(1, 2, 5'000 + 1'100'000'000, 0x10, 70));
    EXPECT_EQ(flows_of(beyond.text()), "0 0 1 50 0\n10 0 1 60 0\n20 0 1 70 0\n");
    EXPECT_EQ(m_warnings,
              "1 jumps of TCP's sequence numbers by more than any possible window, without a SYN: each of them "
              "starts a new transfer\n");
}

TEST_F(packet_flows_of_captures, what_numbers_alone_do_not_tell_is_said) {
    // A hole of 32 MiB is counted, because packets may be missing from a capture.
    pcap_text hole(false, true);
    hole.add(epoch, tcp_frame(1, 2, 100, 0x10, 100)).add(epoch + 1, tcp_frame(1, 2, 33'554'632, 0x10, 100));
    EXPECT_EQ(flows_of(hole.text()), "0 0 1 33554632 0\n");
    EXPECT_EQ(m_warnings,
              "1 jumps of TCP's sequence numbers by more than 16 MiB, without a SYN: 33554432 B are counted "
              "that are in no packet, because packets or the beginning of a connection are missing\n");
    // The same numbers after the end was acknowledged; before that, they are sent again.
    const auto again = [&](std::uint32_t acknowledged) {
        octet_list ack = ethernet(ip_packet(2, 1, 6, tcp(80, 1'001, 1, 0x10, 0)));
        const octet_list number = four(acknowledged);
        std::copy(number.begin(), number.end(), ack.begin() + 42);
        pcap_text capture(false, true);
        capture.add(epoch, tcp_frame(1, 2, 1, 0x19, 500)).add(epoch + 1, ack);
        capture.add(epoch + 2, tcp_frame(1, 2, 1, 0x19, 300));
        return flows_of(capture.text());
    };
    EXPECT_EQ(again(502), "0 0 1 500 0\n");
    EXPECT_EQ(m_warnings,
              "1 of 3 packets repeat the beginning of a TCP transfer whose end was already acknowledged, "
              "without a SYN: they are taken as retransmissions, and a transfer may be missing\n");
    EXPECT_EQ(again(501), "0 0 1 500 0\n");
    EXPECT_EQ(m_warnings, "");
}

TEST_F(packet_flows_of_captures, keep_alives_are_no_data) {
    for (const std::size_t octets : {0U, 1U}) {
        for (const bool handshake : {false, true}) {
            pcap_text capture(false, true);
            if (handshake) {
                capture.add(epoch, tcp_frame(1, 2, 999, 0x02, 0));
            }
            capture.add(epoch + 10, tcp_frame(1, 2, 999, 0x10, octets));
            capture.add(epoch + 20, tcp_frame(1, 2, 1'000, 0x10, 1'000));
            capture.add(epoch + 30, tcp_frame(1, 2, 999, 0x10, octets));
            capture.add(epoch + 40, tcp_frame(1, 2, 1'999, 0x10, octets));
            EXPECT_EQ(flows_of(capture.text()), "0 0 1 1000 0\n") << octets;
        }
    }
    // One octet that is data is pushed.
    pcap_text one(false, true);
    one.add(epoch, tcp_frame(1, 2, 1'000, 0x18, 1));
    EXPECT_EQ(flows_of(one.text()), "0 0 1 1 0\n");
}

TEST_F(packet_flows_of_captures, transfers_start_at_their_earliest_packet) {
    pcap_text capture(false, true);
    capture.add(epoch + 5'000, tcp_frame(1, 2, 1'000, 0x10, 100)).add(epoch, tcp_frame(1, 2, 900, 0x10, 100));
    capture.add(epoch + 3'000, udp_frame(3, 4, 10)).add(epoch + 1'000, udp_frame(3, 4, 20));
    EXPECT_EQ(flows_of(capture.text()), "0 0 1 200 0\n1000 2 3 30 0\n");
    EXPECT_EQ(m_warnings,
              "3 of 4 packets have an earlier time stamp than a packet before them; a transfer starts at its "
              "earliest packet\n");
}

/// draft-ietf-opsawg-pcaplinktype and tcpdump.org: LINKTYPE_LINUX_SLL (113), LINKTYPE_LINUX_SLL2 (276).
TEST_F(packet_flows_of_captures, captures_of_all_interfaces_of_a_linux_host_are_read) {
    const octet_list packet = ip_packet(1, 2, 17, udp(1, 2, 10), 0x60);
    // Packet type 4 (sent by us), ARPHRD_ETHER, six octets of address; the protocol last.
    const octet_list cooked = octets_of_hex("0004 0001 0006 020000000001 0000 0800");
    pcap_text first(false, true, 113);
    first.add(epoch, joined(cooked, packet)).add(epoch + 1, octet_list(15));
    EXPECT_EQ(flows_of(first.text()), "0 0 1 10 3\n");
    EXPECT_EQ(m_warnings, "1 of 2 packets have truncated or malformed headers, and are left out\n");
    // The protocol first, interface 3; a tag; then ARP.
    const std::string rest = "0000 00000003 0001 04 06 020000000001 0000";
    pcap_text second(false, true, 276);
    second.add(epoch, joined(octets_of_hex("0800" + rest), packet));
    second.add(epoch + 1,
               joined(octets_of_hex("8100" + rest + "a005 0800"), ip_packet(2, 3, 17, udp(3, 4, 20))));
    second.add(epoch + 2, octets_of_hex("0806" + rest + "0001 0800 0604 0001"));
    second.add(epoch + 3, octet_list(19));
    EXPECT_EQ(flows_of(second.text()), "0 0 1 10 3\n1 1 2 20 5\n");
    EXPECT_EQ(m_warnings,
              "1 of 4 packets are not TCP or UDP over IP and are left out\n"
              "1 of 4 packets have truncated or malformed headers, and are left out\n");
}

TEST_F(packet_flows_of_captures, datagrams_are_one_transfer_until_a_silence_or_one_each) {
    pcap_text capture(true, false);
    capture.add(epoch, udp_frame(1, 2, 100)).add(epoch + 1'000'000, udp_frame(1, 2, 200));
    capture.add(epoch + 3'000'000, udp_frame(1, 2, 300));
    EXPECT_EQ(flows_of(capture.text()), "0 0 1 600 0\n");
    packet_flow_options options;
    options.idle = 2ms;
    EXPECT_EQ(flows_of(capture.text(), options), "0 0 1 300 0\n3000000 0 1 300 0\n");
    options.grouping = packet_grouping::packets;
    EXPECT_EQ(flows_of(capture.text(), options), "0 0 1 100 0\n1000000 0 1 200 0\n3000000 0 1 300 0\n");
}

TEST_F(packet_flows_of_captures, lengths_come_from_headers_where_the_capture_is_snapped) {
    pcap_text capture(false, true);
    capture.add(epoch, tcp_frame(1, 2, 1, 0x10, 1'460), 54).add(epoch + 5, udp_frame(3, 4, 1'000), 42);
    capture.add(epoch + 9, udp_frame(3, 4, 1'000), 40);
    EXPECT_EQ(flows_of(capture.text()), "0 0 1 1460 0\n5 2 3 1000 0\n");
    EXPECT_EQ(m_warnings, "1 of 3 packets have truncated or malformed headers, and are left out\n");
}

TEST_F(packet_flows_of_captures, priorities_are_the_vlan_tags_or_the_class_selectors) {
    pcap_text capture(false, true);
    const auto packet = ip_packet(1, 2, 17, udp(1, 2, 10), 0xA0);
    capture.add(epoch, ethernet(packet));
    capture.add(epoch + 1,
                ethernet(joined(octets_of_hex("6005 0800"), ip_packet(1, 2, 17, udp(3, 4, 10), 0xA0)), "8100"));
    // The inner one of two tags; then IPv6 without a link layer's header in a capture of its own.
    capture.add(
        epoch + 2,
        ethernet(joined(octets_of_hex("2005 8100 e006 0800"), ip_packet(1, 2, 17, udp(5, 6, 10))), "88a8"));
    EXPECT_EQ(flows_of(capture.text()), "0 0 1 10 5\n1 0 1 10 3\n2 0 1 10 7\n");
    pcap_text raw(false, true, 101);
    octet_list v6 = octets_of_hex("6800 0000 0012 11 40");
    v6.resize(40);
    v6[23] = 1;
    v6[39] = 2;
    raw.add(epoch, joined(v6, udp(7, 8, 10)));
    EXPECT_EQ(flows_of(raw.text()), "0 0 1 10 4\n");
}

TEST_F(packet_flows_of_captures, addresses_become_hosts_by_the_rule_that_is_asked_for) {
    pcap_text capture(false, true);
    for (unsigned host = 1; host <= 6; ++host) {
        capture.add(epoch + host, udp_frame(host, host % 6 + 1, host));
    }
    EXPECT_TRUE(has_error(flows_of(capture.text()), "c.pcap: traffic.file: 6 addresses, at most 4"));
    packet_flow_options options;
    options.addresses = address_rule::modulo;
    // Addresses 0 to 5: hosts 0, 1, 2, 3, 0, 1.
    EXPECT_EQ(flows_of(capture.text(), options),
              "0 0 1 1 0\n1 1 2 2 0\n2 2 3 3 0\n3 3 0 4 0\n4 0 1 5 0\n5 1 0 6 0\n");
    options.addresses = address_rule::fabric;
    const std::string refused = flows_of(capture.text(), options);
    EXPECT_NE(
        refused.find("has addresses that belong to no host of the fabric, such as 192.168.0.1, 192.168.0.2"),
        std::string::npos)
        << refused;
    const topology plan = fabric_of(4);
    const auto packet = [&](host_id from, host_id to) {
        octet_list octets = udp_frame(1, 2, 10);
        const octet_list src = four(to_uint(plan.address_of(from)));
        const octet_list dst = four(to_uint(plan.address_of(to)));
        std::copy(src.begin(), src.end(), octets.begin() + 26);
        std::copy(dst.begin(), dst.end(), octets.begin() + 30);
        return octets;
    };
    pcap_text own(false, true);
    own.add(0, packet(3, 1)).add(1, packet(1, 3));
    EXPECT_EQ(flows_of(own.text(), options), "0 3 1 10 0\n1 1 3 10 0\n");
}

TEST_F(packet_flows_of_captures, what_is_no_traffic_is_counted_and_said) {
    pcap_text capture(false, true);
    capture.add(epoch + 500, udp_frame(1, 2, 10));
    capture.add(epoch, udp_frame(2, 1, 10));  // stamped before the first
    capture.add(epoch + 1, ethernet(octets_of_hex("0001 0800 0604 0001"), "0806"));
    octet_list fragment = udp_frame(1, 2, 10);
    fragment[21] = 1;
    capture.add(epoch + 2, fragment);
    capture.add(epoch + 3, octet_list(10));
    EXPECT_EQ(flows_of(capture.text()), "500 0 1 10 0\n0 1 0 10 0\n");
    EXPECT_FALSE(m_sorted);
    EXPECT_EQ(
        m_warnings,
        "1 of 5 packets are not TCP or UDP over IP and are left out\n"
        "1 of 5 packets are IP fragments without their first one, which has the ports: 18 B are uncertain, and "
        "are left out\n"
        "1 of 5 packets have truncated or malformed headers, and are left out\n"
        "4 of 5 packets have an earlier time stamp than a packet before them; a transfer starts at its "
        "earliest packet\n");
}

TEST_F(packet_flows_of_captures, bad_captures_are_refused_with_the_packet) {
    const auto expect_refused = [&](const std::string& capture, const std::string& why) {
        const std::string text = flows_of(capture);
        EXPECT_TRUE(has_error(text, "c.pcap: traffic.file: " + why));
    };
    expect_refused("", "truncated dump file");
    expect_refused("no capture, just text that is long enough", "unknown file format, pcapng");
    pcap_text good(false, true);
    good.add(epoch, udp_frame(1, 2, 10)).add(epoch + 1, udp_frame(1, 2, 10));
    expect_refused(good.text().substr(0, good.text().size() - 1), "packet 2: truncated dump file");
    EXPECT_TRUE(has_error(flows_of(good.text().substr(0, good.text().size() - 1)), "whole capture"));
    expect_refused(pcap_text(false, true).text(), "TCP or UDP, 0 packets");
    pcap_text cut(false, true);
    cut.add(epoch, octet_list(10)).add(epoch + 1, octet_list(10));
    cut.add(epoch + 2, ethernet(octets_of_hex("0001 0800 0604 0001"), "0806"));
    expect_refused(cut.text(), "TCP or UDP, 3 packets, 1 are, 2 have");
    expect_refused(pcap_text(false, true, 105).text(), "IEEE802_11, EN10MB");
    pcap_text far(false, true);
    far.add(epoch, udp_frame(1, 2, 10)).add(epoch + 5'000 * second, udp_frame(1, 2, 10));
    expect_refused(far.text(), "packet 2");
    const topology plan = fabric_of(2);
    packet_flows none = read_packet_flows(path("none"), {}, plan);
    ASSERT_EQ(none.scan.errors.size(), 1U);
    EXPECT_TRUE(has_error(none.scan.errors[0].message, "cannot be read: No such file"));
}

}  // namespace
}  // namespace weir::test::captures
