#include "weir/model/config/switch_config.h"
#include "weir/model/config/host_config.h"
#include "weir/model/config/link_config.h"
#include "weir/model/config/pfc_config.h"

#include <gtest/gtest.h>

namespace weir::model {
namespace {

std::string text_of(const config_errors& errors) {
    std::string all;
    for (const config_error& error : errors) {
        all += error.key + ": " + error.message + "\n";
    }
    return all;
}

TEST(switch_config, defaults_are_valid) {
    EXPECT_EQ(text_of(switch_config{}.validate()), "");
    EXPECT_EQ(text_of(check_ranges(link_config{}, "link").take()), "");
    EXPECT_EQ(text_of(host_config{}.validate()), "");
    for (const flow_control_mode mode :
         {flow_control_mode::none, flow_control_mode::pause, flow_control_mode::pfc}) {
        pfc_config pfc;
        pfc.mode = mode;
        EXPECT_EQ(text_of(pfc.validate(switch_config{})), "");
    }
}

TEST(switch_config, all_violations_are_reported_at_once) {
    switch_config device;
    device.speedup = 17;
    device.iterations = 257;
    device.cell = 8_B;
    device.classes = 9;
    device.tcam_entries = 0;
    device.lookup_delay = -1_ps;
    device.share_alpha = 0;
    device.weights[3] = 65'536;
    EXPECT_EQ(text_of(device.validate()),
              "switch.share_alpha: '0' is out of range; expected above 0, at most 64\n"
              "switch.lookup_delay: '-1ps' is out of range; expected 0ps to 1s\n"
              "switch.tcam_entries: '0' is out of range; expected 1 to 1048576\n"
              "switch.speedup: '17' is out of range; expected 1 to 16\n"
              "switch.cell: '8B' is out of range; expected 16B to 4KiB\n"
              "switch.iterations: '257' is out of range; expected 0 to 256\n"
              "switch.classes: '9' is out of range; expected 1 to 8\n"
              "switch.weights: '65536' is out of range; expected 0 to 65535\n");
}

TEST(switch_config, a_buffer_holds_at_least_one_largest_frame_in_whole_cells) {
    switch_config device;
    device.share = egress_share::whole;
    device.ingress_buffer = device.egress_buffer = 1530_B;
    EXPECT_EQ(text_of(device.validate()), "");
    device.ingress_buffer = 1529_B;
    EXPECT_EQ(text_of(device.validate()),
              "switch.ingress_buffer: '1529B' is out of range; expected at least 1530B (switch.max_frame)\n");
    device.memory_cell = 208_B;  // 8 cells
    device.ingress_buffer = 1664_B;
    device.egress_buffer = 1663_B;
    EXPECT_EQ(text_of(device.validate()),
              "switch.egress_buffer: '1663B' is out of range; expected at least 1664B (one frame of "
              "switch.max_frame, in whole cells of switch.memory_cell)\n");
}

TEST(switch_config, a_share_of_egress_memory_holds_a_frame) {
    switch_config device;
    device.share = egress_share::fixed;
    device.egress_buffer = 1530_B * 8;
    EXPECT_EQ(text_of(device.validate()), "");
    device.egress_buffer = 1530_B * 8 - 1_B;
    EXPECT_EQ(device.validate().size(), 1U);
    device.classes = 7;
    EXPECT_EQ(text_of(device.validate()), "");
    device.share = egress_share::dynamic;
    device.egress_buffer = 128_KiB;
    device.share_alpha = 0.01;  // 1,310 B
    EXPECT_EQ(text_of(device.validate()),
              "switch.share_alpha: '0.01' of switch.egress_buffer (128KiB) is less than one frame of "
              "switch.max_frame (1530B); expected a larger factor\n");
}

TEST(switch_config, balance_thresholds_ascend) {
    switch_config device;
    device.balance_thresholds = {16_KB, 16_KB};
    EXPECT_EQ(
        text_of(device.validate()),
        "switch.balance_thresholds: '16KB' is not above 16KB; expected ascending thresholds of at least 1B\n");
    device.balance_thresholds.clear();
    EXPECT_EQ(text_of(device.validate()), "");
}

TEST(switch_config, pfc_thresholds_fit_the_buffer_and_each_other) {
    const switch_config device;
    pfc_config pfc;
    pfc.mode = flow_control_mode::pfc;
    // DeTail 6.1: fills the memory exactly.
    pfc.xoff = 11'546_B;
    pfc.xon = pfc.reserve = 4'838_B;
    EXPECT_EQ(text_of(pfc.validate(device)), "");
    pfc.xon = 11'547_B;
    EXPECT_EQ(text_of(pfc.validate(device)),
              "pfc.xon: '11547B' is out of range; expected at most pfc.xoff (11546B)\n");
    pfc.xon.reset();
    pfc.xoff = 128_KiB - 4'837_B;
    EXPECT_EQ(text_of(pfc.validate(device)),
              "pfc.xoff: '126235B' is out of range; expected 1B to 126234B (switch.ingress_buffer less "
              "pfc.reserve)\n");
    pfc.xoff.reset();
    pfc.reserve = 16_KiB;
    EXPECT_EQ(text_of(pfc.validate(device)),
              "pfc.reserve: '16KiB' for each of 8 lossless classes uses up switch.ingress_buffer (128KiB); "
              "expected less than 128KiB in all\n");
    // PAUSE keeps one class only.
    pfc.mode = flow_control_mode::pause;
    EXPECT_EQ(text_of(pfc.validate(device)), "");
}

TEST(switch_config, pfc_timing_is_in_range) {
    pfc_config pfc;
    pfc.quanta = pause_quanta{65'536};
    pfc.refresh = 1;
    pfc.response = -1_ps;
    EXPECT_EQ(text_of(pfc.validate(switch_config{})),
              "pfc.quanta: '65536' is out of range; expected 1 to 65535\n"
              "pfc.refresh: '1' is out of range; expected above 0, below 1\n"
              "pfc.response: '-1ps' is out of range; expected 0ps to 1s\n");
}

TEST(switch_config, a_link_without_latency_leaves_no_lookahead) {
    link_config link;
    link.latency = picoseconds{0};
    link.rate = bit_rate{0};
    EXPECT_EQ(text_of(check_ranges(link, "link").take()),
              "link.rate: '0bps' is out of range; expected 1Mbps to 10Tbps\n"
              "link.latency: '0ps' is out of range; expected 1ps to 1s\n");
}

}  // namespace
}  // namespace weir::model
