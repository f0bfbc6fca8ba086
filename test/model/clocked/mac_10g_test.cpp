// The 10G MAC as a whole: closed forms. `weir replay mac10g` drives it with all golden traces
// (test/tb/replay/replay_golden_test.cpp).
#include "weir/model/clocked/mac_10g.h"

#include <gtest/gtest.h>

#include <vector>

namespace weir::model {
namespace {

TEST(mac_10g_config, defaults_are_valid_and_errors_name_the_part) {
    EXPECT_TRUE(mac_10g_config{}.validate("mac").empty());
    mac_10g_config c;
    c.wire.idle_octets = 1;
    c.transmit.launch = cycles{0};
    c.receive.parsed = cycles{0};
    c.receive_latency = cycles{-1};
    const config_errors errors = c.validate("mac");
    ASSERT_EQ(errors.size(), 4U);
    EXPECT_EQ(errors[0].key, "mac.wire.idle_octets");
    EXPECT_EQ(errors[1].key, "mac.transmit.launch");
    EXPECT_EQ(errors[2].key, "mac.receive.parsed");
    EXPECT_EQ(errors[3].key, "mac.receive_latency");
}

TEST(mac_10g_config, a_receive_latency_is_at_most_a_million_cycles) {
    mac_10g_config c;
    for (const auto& [latency, errors] :
         {std::pair(0, 0U), std::pair(1'000'000, 0U), std::pair(1'000'001, 1U)}) {
        c.receive_latency = cycles{latency};
        EXPECT_EQ(c.validate("mac").size(), errors) << latency;
    }
}

/// Golden README: 28 cycles with 32 bits, 19 with 64, from a request to the far end's pause.
TEST(mac_10g, a_request_on_an_idle_loop_comes_back_after_28_and_19_cycles) {
    for (const auto& [bits, latency] : {std::pair(32U, 28), std::pair(64U, 19)}) {
        mac_10g_config config;
        config.wire.data_width = bits;
        mac_10g mac(config, -40);
        mac_10g_inputs in;
        std::int64_t paused = -1;
        while (mac.cycle() < 200) {
            in.request = mac.cycle() >= 20 ? 0x20 : 0;
            if (paused < 0 && mac.receive_outputs().request == 0x20) {
                paused = mac.cycle();
            }
            mac.clock(in);
            if (mac.sent() != nullptr) {
                EXPECT_TRUE(mac.sent()->control);
                mac.receive(*mac.sent());
            }
        }
        EXPECT_EQ(paused, 20 + latency);
    }
}

/// axis_xgmii_rx_32 and _64, as their state machines have it: with /T/ sampled in the aligned word w, the last
/// beat reaches the parser at w + 2, or at w + 3 where octets before the FCS stand in the same word as /T/ (32
/// bits: /T/ not in lane 0; 64 bits: /T/ above lane 4). Its output is a cycle later.
TEST(mac_10g, the_last_beat_comes_as_the_state_machines_of_that_rtl_have_it) {
    for (const unsigned bits : {32U, 64U}) {
        const unsigned lanes = bits / 8;
        for (const unsigned start_lane : {0U, 4U}) {
            if (start_lane >= lanes) {
                continue;
            }
            for (unsigned octets = 72; octets < 90; ++octets) {
                mac_10g_config config;
                config.wire.data_width = bits;
                mac_10g mac(config);
                mac_10g_frame frame;
                const unsigned term = start_lane + octets;
                frame.place = {10, start_lane, 10 + term / lanes, term % lanes, octets};
                mac.receive(frame);
                std::int64_t seen = -1;
                for (int c = 0; c < 100; ++c) {
                    seen = mac.received_last_beat() && seen < 0 ? mac.cycle() : seen;
                    mac.clock({});
                }
                std::int64_t word = frame.place.term_cycle;
                unsigned lane = frame.place.term_lane;
                if (start_lane == 4) {
                    word += lane < 4 ? 0 : 1;
                    lane = lane < 4 ? lane + 4 : lane - 4;
                }
                const bool extra = bits == 32 ? lane > 0 : lane > 4;
                EXPECT_EQ(seen, word + 2 + (extra ? 1 : 0) + 1)
                    << bits << " bits, lane " << start_lane << ", " << octets << " octets";
            }
        }
    }
}

TEST(mac_10g, data_and_control_frames_share_the_wire_in_order) {
    mac_10g_config config;
    mac_10g mac(config, -40);
    mac_10g_inputs in;
    unsigned beats = 0;
    std::vector<int> order;
    while (mac.cycle() < 400) {
        in.request = mac.cycle() >= 30 ? 0x01 : 0;
        in.data_valid = mac.cycle() >= 20 && beats < 3 * 13;
        in.data_tag = beats / 13;
        in.data_last = beats % 13 == 12;
        in.data_octets = in.data_last ? 4 : 8;  // 100 octets
        const bool accepted = in.data_valid && mac.accepts_data();
        mac.clock(in);
        beats += accepted ? 1 : 0;
        if (mac.sent() != nullptr) {
            order.push_back(mac.sent()->control ? -1 : static_cast<int>(mac.sent()->tag));
            EXPECT_EQ(mac.sent()->place.octets, mac.sent()->control ? 72U : 112U);
        }
    }
    EXPECT_EQ(order, (std::vector<int>{0, -1, 1, 2}));
}

}  // namespace
}  // namespace weir::model
