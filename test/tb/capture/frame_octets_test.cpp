// Headers of captured frames, against the layouts of the standards and a golden frame of RTL.
#include "tb/verify/capture/frame_octets.h"

#include <gtest/gtest.h>

#include <set>

#include "golden/golden_rows.h"
#include "support/capture_bytes.h"

namespace weir::test {

using namespace tb;
namespace {

ethernet_frame data_frame(frame_kind kind, std::uint64_t sequence, std::uint64_t flow_bytes,
                          std::uint16_t frame_bytes) {
    ethernet_frame frame;
    frame.kind = kind;
    frame.src = ipv4_address{0x0A000102};
    frame.dst = ipv4_address{0x0A000203};
    frame.transfer = transfer_fields(5, 1, sequence, flow_bytes);
    frame.frame_bytes = frame_bytes;
    frame.priority = 3;
    frame.transfer.tag = 2;
    return frame;
}

/// RFC 1071: with the checksum in its place, the sum of all 16-bit words is 0xFFFF.
std::uint32_t folded_sum(const octet_list& octets, std::size_t from, std::size_t size, std::uint32_t sum = 0) {
    for (std::size_t i = 0; i < size; ++i) {
        sum += std::uint32_t{octets.at(from + i)} << (i % 2 == 0 ? 8 : 0);
    }
    while (sum > 0xFFFF) {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    return sum;
}

/// IEEE 802.3 3.2.9, bit by bit.
std::uint32_t slow_fcs(const octet_list& octets, std::size_t size) {
    std::uint32_t crc = ~0U;
    for (std::size_t i = 0; i < size; ++i) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            const bool out = ((crc ^ octets[i] >> bit) & 1) != 0;
            crc = crc >> 1 ^ (out ? 0xEDB88320U : 0U);
        }
    }
    return ~crc;
}

void expect_sound(const octet_list& octets) {
    const std::size_t body = octets.size() - 4;
    const std::uint32_t fcs = slow_fcs(octets, body);
    for (unsigned i = 0; i < 4; ++i) {
        EXPECT_EQ(octets[body + i], fcs >> 8 * i & 0xFF);
    }
    EXPECT_EQ(folded_sum(octets, 14, 20), 0xFFFFU) << "IP";
    const std::uint32_t transport = network_number(octets, 16, 2) - 20;
    EXPECT_EQ(folded_sum(octets, 34, transport, folded_sum(octets, 26, 8, octets[23] + transport)), 0xFFFFU)
        << "TCP or UDP";
}

TEST(frame_octets, a_cnp_is_a_roce_packet_with_becn) {
    frame_octets writer({58_B, 46_B});
    ethernet_frame frame =
        data_frame(frame_kind::cnp, 0, 0, static_cast<std::uint16_t>(cnp_frame_bytes.count()));
    frame.notification = notification_fields{};
    frame.notification.flow = 5;
    const octet_list octets = writer.write(frame, {});
    ASSERT_EQ(octets.size(), 78U);
    EXPECT_EQ(octets[23], 17) << "UDP";
    EXPECT_EQ(network_number(octets, 36, 2), 4791U);
    EXPECT_EQ(network_number(octets, 38, 2), 40U) << "UDP header, 12 B, 16 B, 4 B";
    const octet_list header(octets.begin() + 42, octets.begin() + 50);
    EXPECT_EQ(header, octets_of_hex("81 00 ffff 40 000000")) << "opcode, partition, BECN";
    EXPECT_EQ(folded_sum(octets, 14, 20), 0xFFFFU);
}

TEST(frame_octets, a_transfer_over_roce_is_one_message_of_a_queue_pair) {
    frame_octets writer({58_B, 46_B, 62_B, 1024_B});
    const auto header = [&](frame_kind kind, std::uint64_t sequence, std::uint64_t size, std::uint16_t length) {
        ethernet_frame frame = data_frame(kind, sequence, size, length);
        frame.transfer.connection = 0x0102;
        const octet_list octets = writer.write(frame, {});
        EXPECT_EQ(octets.size(), length);
        EXPECT_EQ(octets[23], 17) << "UDP";
        EXPECT_EQ(network_number(octets, 36, 2), 4791U);
        EXPECT_EQ(network_number(octets, 16, 2), length - 18U)
            << "nothing but Ethernet's header and FCS is left";
        EXPECT_EQ(network_number(octets, 38, 2), length - 38U);
        EXPECT_EQ(folded_sum(octets, 14, 20), 0xFFFFU);
        return octet_list(octets.begin() + 42, octets.begin() + 55);
    };
    // Opcode, partition, queue pair, number; then the payload, or an acknowledgement's syndrome.
    EXPECT_EQ(header(frame_kind::roce_data, 0, 4'000, 1'086), octets_of_hex("00 00 ffff 00000102 00000000 00"));
    EXPECT_EQ(header(frame_kind::roce_data, 2'048, 4'000, 1'086),
              octets_of_hex("01 00 ffff 00000102 00000002 00"));
    EXPECT_EQ(header(frame_kind::roce_data, 3'072, 4'000, 990),
              octets_of_hex("02 00 ffff 00000102 00000003 00"));
    EXPECT_EQ(header(frame_kind::roce_data, 0, 100, 162), octets_of_hex("04 00 ffff 00000102 00000000 00"));
    EXPECT_EQ(header(frame_kind::roce_ack, 4'000, 4'000, 66), octets_of_hex("11 00 ffff 00000102 00000003 1f"));
    EXPECT_EQ(header(frame_kind::roce_nak, 1'024, 4'000, 66), octets_of_hex("11 00 ffff 00000102 00000001 60"));
}

TEST(frame_octets, a_qcn_message_tells_the_congestion_point_and_its_feedback) {
    frame_octets writer({58_B, 46_B});
    ethernet_frame frame = data_frame(frame_kind::qcn, 0, 0, 64);
    notification_fields n;
    n.sampled_dst = ipv4_address{0x0A000203};
    n.node = 0x010203;
    n.port = 4;
    n.sampled_class = 3;
    n.feedback = 63;
    n.offset_bytes = -128;
    n.delta_bytes = 640;
    frame.notification = n;
    const octet_list octets = writer.write(frame, {});
    ASSERT_EQ(octets.size(), 64U);
    const octet_list body(octets.begin() + 12, octets.begin() + 38);
    EXPECT_EQ(body, octets_of_hex("22e7 003f 1201 0102 0304 0003 fffe 000a 6000 0200 0a00 0203 0000"));
}

TEST(frame_octets, a_tcp_segment_has_the_headers_of_a_real_one) {
    frame_octets writer({58_B, 46_B});
    ethernet_frame frame = data_frame(frame_kind::tcp_data, 1'460, 4'000, 1'518);
    frame.flags = ecn_capable;
    const octet_list octets = writer.write(frame, {});
    ASSERT_EQ(octets.size(), 1'518U);
    // Addresses; 0x0800; version and length, DSCP 24 and ECT(0), 1,500 octets; the tag; don't fragment; TTL 64,
    // TCP.
    const octet_list head(octets.begin(), octets.begin() + 24);
    EXPECT_EQ(head, octets_of_hex("0200 0a00 0203 0200 0a00 0102 0800 45 62 05dc 0002 4000 40 06"));
    EXPECT_EQ(network_number(octets, 26, 4), 0x0A000102U);
    EXPECT_EQ(network_number(octets, 30, 4), 0x0A000203U);
    EXPECT_EQ(network_number(octets, 34, 2), 60'105U) << "60,100 and the flow";
    EXPECT_EQ(network_number(octets, 36, 2), 50'005U) << "50,000 and the flow";
    EXPECT_EQ(network_number(octets, 38, 4), 1'461U);
    EXPECT_EQ(network_number(octets, 42, 4), 1U);
    EXPECT_EQ(network_number(octets, 46, 2), 0x5010U) << "five words, ACK";
    expect_sound(octets);
}

TEST(frame_octets, a_transfer_over_pfabric_has_tcps_headers_of_its_own_length) {
    header_lengths lengths;
    lengths.tcp = 58_B;
    lengths.pfabric = 66_B;
    frame_octets writer(lengths);
    const auto fields = [&](frame_kind kind, std::uint64_t sequence, std::uint16_t frame_bytes) {
        const octet_list octets = writer.write(data_frame(kind, sequence, 4'000, frame_bytes), {});
        expect_sound(octets);
        EXPECT_EQ(octets[23], 6);
        return std::vector<std::uint32_t>{network_number(octets, 34, 2), network_number(octets, 38, 4),
                                          network_number(octets, 42, 4), network_number(octets, 46, 2)};
    };
    using numbers = std::vector<std::uint32_t>;
    // Port, sequence, acknowledgement; seven words with two of NOPs; FIN, PSH and ACK at the end.
    EXPECT_EQ(fields(frame_kind::pfabric_data, 1'460, 1'526), (numbers{60'105, 1'461, 1, 0x7010}));
    EXPECT_EQ(fields(frame_kind::pfabric_data, 2'920, 1'146), (numbers{60'105, 2'921, 1, 0x7019}));
    EXPECT_EQ(fields(frame_kind::pfabric_probe, 1'460, 66), (numbers{60'105, 1'461, 1, 0x7010}));
    EXPECT_EQ(fields(frame_kind::pfabric_ack, 1'460, 66), (numbers{50'005, 1, 1'461, 0x7010}));
    EXPECT_EQ(fields(frame_kind::pfabric_ack, 4'000, 66), (numbers{50'005, 1, 4'002, 0x7010}));
}

TEST(frame_octets, handshake_last_segment_and_acknowledgements_count_as_tcp_does) {
    frame_octets writer({58_B, 46_B});
    const auto fields = [&](frame_kind kind, std::uint64_t sequence, std::uint16_t frame_bytes) {
        const octet_list octets = writer.write(data_frame(kind, sequence, 4'000, frame_bytes), {});
        expect_sound(octets);
        return std::vector<std::uint32_t>{network_number(octets, 34, 2), network_number(octets, 36, 2),
                                          network_number(octets, 38, 4), network_number(octets, 42, 4),
                                          network_number(octets, 47, 1), network_number(octets, 16, 2)};
    };
    using list = std::vector<std::uint32_t>;
    // Source and destination port, sequence, acknowledgement, flags, length of the IP packet.
    EXPECT_EQ(fields(frame_kind::tcp_syn, 0, 64), (list{60'105, 50'005, 0, 0, 0x02, 40}));
    EXPECT_EQ(fields(frame_kind::tcp_syn_ack, 0, 64), (list{50'005, 60'105, 0, 1, 0x12, 40}));
    EXPECT_EQ(fields(frame_kind::tcp_data, 0, 1'518), (list{60'105, 50'005, 1, 1, 0x10, 1'500}));
    EXPECT_EQ(fields(frame_kind::tcp_ack, 1'460, 64), (list{50'005, 60'105, 1, 1'461, 0x10, 40}));
    EXPECT_EQ(fields(frame_kind::tcp_data, 2'920, 1'138), (list{60'105, 50'005, 2'921, 1, 0x19, 1'120}));
    EXPECT_EQ(fields(frame_kind::tcp_ack, 4'000, 64), (list{50'005, 60'105, 1, 4'002, 0x10, 40}));
    // Three octets of payload and 3 of padding.
    EXPECT_EQ(fields(frame_kind::tcp_data, 3'997, 64), (list{60'105, 50'005, 3'998, 1, 0x19, 43}));
}

TEST(frame_octets, datagrams_and_longer_headers_keep_the_payload_exact) {
    frame_octets writer({82_B, 61_B});
    const octet_list udp = writer.write(data_frame(frame_kind::udp, 0, 1'000, 1'061), {});
    EXPECT_EQ(udp[23], 17);
    EXPECT_EQ(network_number(udp, 16, 2), 1'028U);
    EXPECT_EQ(network_number(udp, 38, 2), 1'008U);
    expect_sound(udp);
    ethernet_frame segment = data_frame(frame_kind::tcp_data, 0, 1'000, 1'082);
    segment.flags = ecn_capable | ecn_marked | ecn_echo;
    const octet_list tcp = writer.write(segment, {});
    EXPECT_EQ(network_number(tcp, 46, 2), 0xB059U) << "eleven words; ACK, PSH, FIN and ECN echo";
    EXPECT_EQ(octet_list(tcp.begin() + 54, tcp.begin() + 78), octet_list(24, 1)) << "NOPs";
    EXPECT_EQ(network_number(tcp, 16, 2), 1'064U);
    EXPECT_EQ(tcp[15] & 3, 3);
    expect_sound(tcp);
}

TEST(frame_octets, no_two_of_many_transfers_have_the_same_ports) {
    frame_octets writer({58_B, 46_B});
    const auto ports = [&](std::uint64_t flow) {
        ethernet_frame frame = data_frame(frame_kind::udp, 0, 10, 64);
        frame.transfer.flow = flow & transfer_fields::flow_mask;
        const octet_list octets = writer.write(frame, {});
        const std::uint32_t from = network_number(octets, 34, 2);
        const std::uint32_t to = network_number(octets, 36, 2);
        // Below what Wireshark 4 gives to elasticsearch (54,328), and above ssyncp (60,001).
        EXPECT_TRUE(from > 60'001 && from < 65'200 && to >= 50'000 && to < 54'328);
        return from << 16 | to;
    };
    std::set<std::uint32_t> seen;
    for (std::uint64_t flow = 0; flow < 30'000; ++flow) {
        ASSERT_TRUE(seen.insert(ports(flow)).second) << flow;
    }
    // Those that share one port share no other.
    for (std::uint64_t multiple = 1; multiple < 4'327; ++multiple) {
        ASSERT_NE(ports(multiple * 4'999), ports(0));
    }
    EXPECT_EQ(ports(4'999 * 4'327), ports(0));
}

TEST(frame_octets, a_pfc_frame_is_octet_for_octet_what_rtl_sends) {
    // PFC frames of the golden MAC, without the preamble.
    std::size_t compared = 0;
    frame_octets writer({58_B, 46_B});
    for (const auto& line : golden::lines("pfc/mac10g_frames.csv")) {
        if (line[2] != "pfc") {
            continue;
        }
        const octet_list octets = octets_of_hex(line[9].substr(16));
        ethernet_frame frame;
        frame.kind = frame_kind::pfc;
        frame.pause = decode_pause_frame_with_fcs(octets.data(), octets.size()).frame.fields;
        mac_address sender{};
        std::copy(octets.begin() + 6, octets.begin() + 12, sender.begin());
        EXPECT_EQ(writer.write(frame, sender), octets);
        ++compared;
    }
    EXPECT_EQ(compared, 32U);
    EXPECT_EQ(port_address(0x012345, 6), (mac_address{0x12, 0x01, 0x01, 0x23, 0x45, 0x06}));
}

TEST(frame_octets, snapped_frames_are_the_beginning_of_whole_ones) {
    frame_octets writer({58_B, 46_B});
    const ethernet_frame frame = data_frame(frame_kind::tcp_data, 0, 4'000, 1'518);
    const octet_list whole = writer.write(frame, {});
    const octet_list snapped = writer.write(frame, {}, 100);
    EXPECT_EQ(snapped, octet_list(whole.begin(), whole.begin() + 100));
}

}  // namespace
}  // namespace weir::test
