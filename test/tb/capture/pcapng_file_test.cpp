// pcapng files typed block by block.
#include "tb/verify/capture/pcapng_file.h"
#include "support/errors_said.h"

#include "capture_rig.h"

namespace weir::test::captures {
namespace {

using pcapng_files = packet_flows_of_captures;

octet_list without_link(const octet_list& frame) {
    return {frame.begin() + 14, frame.end()};
}

TEST_F(pcapng_files, packets_of_ethernet_are_read_and_other_interfaces_named) {
    pcapng_text capture;
    capture.interface(101, capture.name("tun0"));
    capture.interface(1, capture.name("eth0"), 128);
    capture.interface(105, "", 256);
    capture.interface(113, capture.name("idle"));
    capture.packet(0, 5, without_link(udp_frame(3, 4, 70)));
    capture.packet(1, 10, udp_frame(1, 2, 100)).packet(0, 20, without_link(udp_frame(1, 2, 90)));
    capture.packet(2, 30, octet_list(40)).packet(1, 1'010, udp_frame(2, 3, 50));
    EXPECT_EQ(flows_of(capture.text()), "0 0 1 100 0\n1000000 1 2 50 0\n");
    EXPECT_EQ(
        m_warnings,
        "interface 0 ('tun0') has link type RAW: 2 packets skipped, because only one link type of a file is "
        "read, here EN10MB\n"
        "interface 2 has link type IEEE802_11: 1 packet skipped, because only one link type of a file is "
        "read, here EN10MB\n");
}

TEST_F(pcapng_files, without_ethernet_the_first_known_link_type_is_read) {
    pcapng_text capture;
    capture.interface(105).interface(228).interface(101);
    capture.packet(2, 5, without_link(udp_frame(3, 4, 70))).packet(1, 10, without_link(udp_frame(1, 2, 100)));
    EXPECT_EQ(flows_of(capture.text()), "0 0 1 100 0\n");
    EXPECT_NE(m_warnings.find("interface 2 has link type RAW: 1 packet skipped"), std::string::npos)
        << m_warnings;
    pcapng_text other;
    other.interface(105).interface(127).packet(0, 5, octet_list(100));
    EXPECT_TRUE(errors_are(
        flows_of(other.text()),
        {path("c.pcap") + ": traffic.file: IEEE802_11, EN10MB, LINUX_SLL, LINUX_SLL2, RAW, IPV4, IPV6"}));
}

TEST_F(pcapng_files, an_interface_without_packets_does_not_choose_the_link_type) {
    pcapng_text idle;
    idle.interface(1, idle.name("eth0")).interface(113).interface(101, idle.name("tun0"));
    idle.packet(2, 5, without_link(udp_frame(1, 2, 100))).packet(2, 10, without_link(udp_frame(2, 3, 50)));
    EXPECT_EQ(flows_of(idle.text()), "0 0 1 100 0\n5000 1 2 50 0\n");
    EXPECT_EQ(m_warnings, "");
    // Every kind of packet counts, and so do the packets of later sections.
    pcapng_text obsolete;
    obsolete.interface(1).interface(101).obsolete_packet(1, 5, without_link(udp_frame(1, 2, 100)));
    EXPECT_EQ(flows_of(obsolete.text()), "0 0 1 100 0\n");
    pcapng_text simple;
    const octet_list packet = without_link(udp_frame(1, 2, 100));
    simple.interface(101).interface(1).simple_packet(packet, packet.size());
    EXPECT_EQ(flows_of(simple.text()), "0 0 1 100 0\n");
    pcapng_text later;
    later.interface(101).packet(0, 5, packet).section(true).interface(1).packet(0, 7, udp_frame(2, 3, 50));
    EXPECT_EQ(flows_of(later.text()), "0 0 1 50 0\n");
    EXPECT_NE(m_warnings.find("interface 0 of section 1 has link type RAW: 1 packet skipped"),
              std::string::npos)
        << m_warnings;
    // Only an interface of an unknown link type has packets.
    pcapng_text unknown;
    unknown.interface(1).interface(105).packet(1, 5, octet_list(100));
    EXPECT_TRUE(has_error(flows_of(unknown.text()), "IEEE802_11, EN10MB"));
}

TEST_F(pcapng_files, an_error_names_the_interfaces_that_were_skipped) {
    const std::string skipped =
        " (interface 1 ('tun0') has link type RAW: 1 packet skipped, because only one link type of a file is "
        "read, here EN10MB)\n";
    pcapng_text arp;
    arp.interface(1).interface(101, arp.name("tun0"));
    arp.packet(1, 5, without_link(udp_frame(1, 2, 100)));
    arp.packet(0, 7, ethernet(octets_of_hex("0001 0800 0604 0001"), "0806"));
    const std::string none = flows_of(arp.text());
    EXPECT_NE(none.find("has no TCP or UDP payload in 1 packets"), std::string::npos) << none;
    EXPECT_NE(none.find(skipped), std::string::npos) << none;
    arp.packet(0, 9, udp_frame(1, 2, 10));
    EXPECT_EQ(flows_of(arp.text()), "2000 0 1 10 0\n");
    const std::string cut = flows_of(arp.text().substr(0, arp.text().size() - 1));
    EXPECT_TRUE(has_error(cut, "ends within it"));
    EXPECT_NE(cut.find(skipped), std::string::npos) << cut;
}

TEST_F(pcapng_files, each_interface_has_its_own_clock) {
    pcapng_text capture;
    const std::string nine(1, '\x09');
    const std::string twelve(1, '\x0c');
    const std::string binary(1, static_cast<char>(0x80 | 10));
    const auto at = [&](std::uint32_t interface, std::uint64_t ticks, unsigned src) {
        capture.packet(interface, ticks, udp_frame(src, src + 1, 10));
    };
    capture.interface(1).interface(1, capture.option(9, nine)).interface(1, capture.option(9, twelve));
    capture.interface(1, capture.option(9, binary));
    capture.interface(1, capture.option(9, nine) + capture.option(14, capture.number(100, 8)));
    at(0, 100'000'000, 1);          // 100 s in us
    at(1, 100'000'000'001, 2);      // 1 ns later
    at(2, 100'000'000'002'999, 3);  // 2.999 ns later: rounded down
    at(3, 100 * 1024 + 1, 4);       // 1/1024 s later
    at(4, 5, 5);                    // 5 ns after 100 s
    EXPECT_EQ(flows_of(capture.text(), {}, 6),
              "0 0 1 10 0\n1 1 2 10 0\n2 2 3 10 0\n976562 3 4 10 0\n5 4 5 10 0\n");
}

TEST_F(pcapng_files, sections_have_interfaces_and_byte_orders_of_their_own) {
    pcapng_text capture(true);
    capture.interface(1, capture.name("big")).packet(0, 0, udp_frame(1, 2, 100));
    capture.section(false).interface(101, capture.name("tun0")).interface(1);
    capture.packet(0, 0, without_link(udp_frame(1, 2, 1))).packet(1, 10, udp_frame(2, 1, 50));
    EXPECT_EQ(flows_of(capture.text()), "0 0 1 100 0\n10000 1 0 50 0\n");
    EXPECT_EQ(m_warnings,
              "interface 0 ('tun0') of section 2 has link type RAW: 1 packet skipped, because only one link "
              "type of a file is "
              "read, here EN10MB\n");
}

TEST_F(pcapng_files, all_kinds_of_packets_are_read_and_other_blocks_passed_over) {
    pcapng_text capture;
    capture.block(5, std::string(16, '\7')).interface(1, "", 64).block(0x0BAD, std::string(4'000, '\1'));
    const octet_list frame = udp_frame(1, 2, 100);
    capture.packet(0, 1, octet_list(frame.begin(), frame.begin() + 64), frame.size());
    // A packet without a time takes that of the packet before it. It is cut to the interface's length.
    capture.simple_packet(octet_list(frame.begin(), frame.begin() + 64), frame.size());
    capture.obsolete_packet(0, 3, udp_frame(2, 1, 7));
    EXPECT_EQ(flows_of(capture.text()), "0 0 1 200 0\n2000 1 0 7 0\n");
    EXPECT_EQ(m_warnings, "");
}

TEST_F(pcapng_files, an_fcs_is_no_payload) {
    pcapng_text capture;
    capture.interface(1, capture.option(13, std::string(1, '\4')));
    octet_list frame = tcp_frame(1, 2, 1, 0x10, 2'000);
    frame[16] = frame[17] = 0;
    frame.resize(frame.size() + 4);
    capture.packet(0, 1, frame);
    EXPECT_EQ(flows_of(capture.text()), "0 0 1 2000 0\n");
}

TEST_F(pcapng_files, damaged_files_are_refused_with_the_block_or_the_packet) {
    const auto expect_refused = [&](const std::string& text, const std::string& why) {
        const std::string said = flows_of(text);
        EXPECT_TRUE(has_error(said, path("c.pcap") + ": traffic.file: " + why));
    };
    pcapng_text good;
    good.interface(1).packet(0, 1, udp_frame(1, 2, 10));
    for (std::size_t size = 1; size < good.text().size(); ++size) {
        const std::string said = flows_of(good.text().substr(0, size));
        EXPECT_NE(said.find("traffic.file: "), std::string::npos) << size;
    }
    expect_refused(good.text().substr(0, good.text().size() - 1), "block 3, ends within it");
    expect_refused("\n\r\r\nno section at all", "block 1, byte order");
    expect_refused("\nno section at all", "block 1, no section");
    const auto with = [](std::size_t at, char value) {
        pcapng_text text;
        std::string damaged = text.interface(1).packet(0, 1, udp_frame(1, 2, 10)).text();
        damaged[at] = value;
        return damaged;
    };
    expect_refused(with(12, 9), "block 1, version");
    expect_refused(with(32, 21), "block 2, length, 21 B");
    expect_refused(with(35, 127), "block 2, length, 2130706452 B");
    expect_refused(with(44, 24), "block 2, its length");
    expect_refused(with(56, 3), "packet 1, interface 3, 1 interface");
    expect_refused(with(70, 1), "packet 1, 65588, 52");
    pcapng_text late;
    late.interface(1).packet(0, ~std::uint64_t{0}, udp_frame(1, 2, 10));
    expect_refused(late.text(), "packet 1, 0 to 8589934592, 1970");
    pcapng_text option;
    option.interface(1, option.option(9, "\6\6"));
    expect_refused(option.text(), "block 2, option");
}

TEST_F(pcapng_files, times_of_pcap_go_to_2106) {
    constexpr std::uint64_t after_2038 = 4'000'000'000;
    for (const bool big : {false, true}) {
        pcap_text capture(big, true);
        capture.add((std::uint64_t{1} << 31) * second - 5, udp_frame(1, 2, 10));
        capture.add((std::uint64_t{1} << 31) * second + 5, udp_frame(2, 1, 20));
        EXPECT_EQ(flows_of(capture.text()), "0 0 1 10 0\n10 1 0 20 0\n");
        EXPECT_EQ(m_warnings, "");
        pcap_text late(big, false);
        late.add(after_2038 * second, udp_frame(1, 2, 10)).add((after_2038 + 3) * second, udp_frame(1, 2, 20));
        EXPECT_EQ(flows_of(late.text()), "0 0 1 10 0\n3000000000 0 1 20 0\n");
    }
}

}  // namespace
}  // namespace weir::test::captures
