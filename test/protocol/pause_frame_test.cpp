#include "weir/protocol/pause_frame.h"

#include <gtest/gtest.h>

#include "golden/pfc/pfc_golden.h"

namespace weir {

using namespace tb;
namespace {

using pfc_golden::number;
using pfc_golden::octets;

constexpr mac_address golden_source{0x5a, 0x51, 0x52, 0x53, 0x54, 0x55};

std::vector<std::uint8_t> good_frame() {
    pause_fields fields;
    fields.class_enable = 0x81;
    fields.quanta = {10, 0, 0, 0, 0, 0, 0, 0xFFFF};
    const auto encoded = encode_pause_frame(frame_kind::pfc, fields, golden_source);
    return {encoded.begin(), encoded.end()};
}

void expect_fields(const pause_fields& fields, const pfc_golden::row& r) {
    EXPECT_EQ(fields.class_enable, number(r.at("class_enable")) & 0xFF);
    for (unsigned c = 0; c < pfc_classes; ++c) {
        EXPECT_EQ(fields.quanta[c], number(r.at("t" + std::to_string(c))));
    }
}

TEST(pause_frame_golden, decodes_every_received_golden_frame_and_refuses_the_bad_ones) {
    int pfc = 0;
    std::map<pause_frame_error, int> refused;
    for (const auto& r : pfc_golden::read("rx_stimuli.csv")) {
        SCOPED_TRACE(r.at("config") + " " + r.at("scenario") + " " + r.at("cycle_last_beat"));
        const auto data = octets(r.at("frame_hex"));
        ASSERT_EQ(static_cast<std::int64_t>(data.size()), number(r.at("nbytes")));
        const pause_frame_result read = decode_pause_frame(data.data(), data.size());
        if (!read) {
            ++refused[read.error];
            continue;
        }
        EXPECT_EQ(read.frame.source, golden_source);
        if (read.frame.kind == frame_kind::pfc) {
            ++pfc;
            EXPECT_EQ(number(r.at("opcode")), pfc_opcode);
            expect_fields(read.frame.fields, r);
        } else {
            EXPECT_EQ(r.at("scenario"), "bad_opcode");
        }
    }
    EXPECT_GT(pfc, 1600);
    EXPECT_EQ(refused[pause_frame_error::destination], 4);  // bad_dst, once per configuration
    EXPECT_EQ(refused[pause_frame_error::ethertype], 4);    // bad_etype
    EXPECT_EQ(refused.size(), 2U);
}

TEST(pause_frame_golden, encodes_every_transmitted_golden_frame_octet_by_octet) {
    int frames = 0;
    for (const auto& r : pfc_golden::read("tx_frames.csv")) {
        if (r.at("type") != "pfc") {
            continue;
        }
        ++frames;
        pause_fields fields;
        fields.class_enable = static_cast<class_mask>(number(r.at("class_enable")));
        for (unsigned c = 0; c < pfc_classes; ++c) {
            fields.quanta[c] = static_cast<std::uint16_t>(number(r.at("t" + std::to_string(c))));
        }
        const auto encoded = encode_pause_frame(frame_kind::pfc, fields, golden_source);
        EXPECT_EQ(std::vector<std::uint8_t>(encoded.begin(), encoded.end()), octets(r.at("frame_hex")));
    }
    EXPECT_GT(frames, 300);
}

TEST(pause_frame_golden, agrees_with_a_whole_mac_on_the_wire_including_fcs) {
    constexpr std::size_t preamble_octets = 8;
    int frames = 0;
    for (const auto& r : pfc_golden::read("mac10g_frames.csv")) {
        if (r.at("type") != "pfc") {
            continue;
        }
        ++frames;
        const auto wire = octets(r.at("hex_from_S_to_FCS(pfc)_or_first22(data)"));
        ASSERT_EQ(wire.size(), preamble_octets + pause_frame_octets_with_fcs);
        const std::vector<std::uint8_t> frame(wire.begin() + preamble_octets, wire.end());
        const pause_frame_result read = decode_pause_frame_with_fcs(frame.data(), frame.size());
        ASSERT_TRUE(read);
        const auto again = encode_pause_frame_with_fcs(frame_kind::pfc, read.frame.fields, read.frame.source);
        EXPECT_EQ(std::vector<std::uint8_t>(again.begin(), again.end()), frame);
    }
    EXPECT_EQ(frames, 32);
}

TEST(pause_frame, any_flipped_bit_is_an_fcs_error) {
    pause_fields fields;
    fields.class_enable = 0x0F;
    fields.quanta.fill(1234);
    const auto good = encode_pause_frame_with_fcs(frame_kind::pfc, fields, golden_source);
    for (unsigned bit = 0; bit < 8 * good.size(); ++bit) {
        auto bad = good;
        bad[bit / 8] = static_cast<std::uint8_t>(bad[bit / 8] ^ (1U << (bit % 8)));
        EXPECT_EQ(decode_pause_frame_with_fcs(bad.data(), bad.size()).error, pause_frame_error::fcs);
    }
}

TEST(pause_frame, pause_is_opcode_1_with_one_time) {
    pause_fields fields;
    fields.quanta.fill(0xABCD);
    const auto encoded = encode_pause_frame(frame_kind::pause, fields, golden_source);
    EXPECT_EQ(encoded[14], 0x00);
    EXPECT_EQ(encoded[15], 0x01);
    EXPECT_EQ(encoded[16], 0xAB);
    EXPECT_EQ(encoded[17], 0xCD);
    for (std::size_t i = 18; i < encoded.size(); ++i) {
        EXPECT_EQ(encoded[i], 0) << i;
    }
    const pause_frame_result read = decode_pause_frame(encoded.data(), encoded.size());
    ASSERT_TRUE(read);
    EXPECT_EQ(read.frame.kind, frame_kind::pause);
    EXPECT_EQ(read.frame.fields.quanta[0], 0xABCD);
    EXPECT_EQ(read.frame.fields.quanta[1], 0);
}

TEST(pause_frame, high_byte_of_the_class_enable_vector_is_ignored) {
    auto frame = good_frame();
    frame[16] = 0xFF;
    const pause_frame_result read = decode_pause_frame(frame.data(), frame.size());
    ASSERT_TRUE(read);
    EXPECT_EQ(read.frame.fields.class_enable, 0x81);
}

TEST(pause_frame, wrong_length_destination_type_and_opcode_are_told_apart) {
    const auto error_of = [](std::vector<std::uint8_t> frame) {
        return decode_pause_frame(frame.data(), frame.size()).error;
    };
    auto frame = good_frame();
    EXPECT_EQ(error_of(frame), pause_frame_error::none);
    frame.pop_back();
    EXPECT_EQ(error_of(frame), pause_frame_error::length);
    EXPECT_EQ(decode_pause_frame_with_fcs(good_frame().data(), 60).error, pause_frame_error::length);
    EXPECT_EQ(error_of({}), pause_frame_error::length);
    frame = good_frame();
    frame[5] = 0x02;
    EXPECT_EQ(error_of(frame), pause_frame_error::destination);
    frame = good_frame();
    frame[12] = 0x08;
    frame[13] = 0x00;
    EXPECT_EQ(error_of(frame), pause_frame_error::ethertype);
    frame = good_frame();
    frame[15] = 0x02;
    EXPECT_EQ(error_of(frame), pause_frame_error::opcode);
    frame = good_frame();
    frame.resize(128, 0xEE);  // a longer control frame: the rest is padding
    EXPECT_EQ(error_of(frame), pause_frame_error::none);
}

}  // namespace
}  // namespace weir
