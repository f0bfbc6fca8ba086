#include "weir/model/config/switch_config.h"
#include "weir/model/config/host_config.h"
#include "weir/model/config/link_config.h"
#include "weir/model/config/pfc_config.h"

#include <gtest/gtest.h>

#include "support/errors_said.h"

namespace weir::model {
namespace {

TEST(switch_config, defaults_are_valid) {
    EXPECT_TRUE(errors_are(switch_config{}.validate(), {}));
    EXPECT_TRUE(errors_are(check_ranges(link_config{}, "link").take(), {}));
    EXPECT_TRUE(errors_are(host_config{}.validate(), {}));
    for (const flow_control_mode mode :
         {flow_control_mode::none, flow_control_mode::pause, flow_control_mode::pfc}) {
        pfc_config pfc;
        pfc.mode = mode;
        EXPECT_TRUE(errors_are(pfc.validate(switch_config{}), {}));
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
    EXPECT_TRUE(
        errors_are(device.validate(),
                   {"switch.share_alpha: 0, above 0, at most 64", "switch.lookup_delay: -1ps, 0ps to 1s",
                    "switch.tcam_entries: 0, 1 to 1048576", "switch.speedup: 17, 1 to 16",
                    "switch.cell: 8B, 16B to 4KiB", "switch.iterations: 257, 0 to 256",
                    "switch.classes: 9, 1 to 8", "switch.weights: 65536, 0 to 65535"}));
}

TEST(switch_config, a_buffer_holds_at_least_one_largest_frame_in_whole_cells) {
    switch_config device;
    device.share = egress_share::whole;
    device.ingress_buffer = device.egress_buffer = 1530_B;
    EXPECT_TRUE(errors_are(device.validate(), {}));
    device.ingress_buffer = 1529_B;
    EXPECT_TRUE(errors_are(device.validate(),
                           {"switch.ingress_buffer: 1529B, relation switch.max_frame, at least 1530B"}));
    device.memory_cell = 208_B;  // 8 cells
    device.ingress_buffer = 1664_B;
    device.egress_buffer = 1663_B;
    EXPECT_TRUE(errors_are(
        device.validate(),
        {"switch.egress_buffer: 1663B, relation switch.max_frame switch.memory_cell, at least 1664B"}));
}

TEST(switch_config, a_share_of_egress_memory_holds_a_frame) {
    switch_config device;
    device.share = egress_share::fixed;
    device.egress_buffer = 1530_B * 8;
    EXPECT_TRUE(errors_are(device.validate(), {}));
    device.egress_buffer = 1530_B * 8 - 1_B;
    EXPECT_EQ(device.validate().size(), 1U);
    device.classes = 7;
    EXPECT_TRUE(errors_are(device.validate(), {}));
    device.share = egress_share::dynamic;
    device.egress_buffer = 128_KiB;
    device.share_alpha = 0.01;  // 1,310 B
    EXPECT_TRUE(errors_are(
        device.validate(),
        {"switch.share_alpha: 0.01, relation switch.egress_buffer switch.max_frame, 128KiB, 1530B"}));
}

TEST(switch_config, balance_thresholds_ascend) {
    switch_config device;
    device.balance_thresholds = {16_KB, 16_KB};
    EXPECT_TRUE(
        errors_are(device.validate(), {"switch.balance_thresholds: 16KB, relation, above 16KB, at least 1B"}));
    device.balance_thresholds.clear();
    EXPECT_TRUE(errors_are(device.validate(), {}));
}

TEST(switch_config, pfc_thresholds_fit_the_buffer_and_each_other) {
    const switch_config device;
    pfc_config pfc;
    pfc.mode = flow_control_mode::pfc;
    // DeTail 6.1: fills the memory exactly.
    pfc.xoff = 11'546_B;
    pfc.xon = pfc.reserve = 4'838_B;
    EXPECT_TRUE(errors_are(pfc.validate(device), {}));
    pfc.xon = 11'547_B;
    EXPECT_TRUE(errors_are(pfc.validate(device), {"pfc.xon: 11547B, relation pfc.xoff, 11546B"}));
    pfc.xon.reset();
    pfc.xoff = 128_KiB - 4'837_B;
    EXPECT_TRUE(errors_are(pfc.validate(device),
                           {"pfc.xoff: 126235B, relation switch.ingress_buffer pfc.reserve, 1B to 126234B"}));
    pfc.xoff.reset();
    pfc.reserve = 16_KiB;
    EXPECT_TRUE(
        errors_are(pfc.validate(device),
                   {"pfc.reserve: 16KiB, relation switch.ingress_buffer, 8, 128KiB, less than 128KiB"}));
    // PAUSE keeps one class only.
    pfc.mode = flow_control_mode::pause;
    EXPECT_TRUE(errors_are(pfc.validate(device), {}));
}

TEST(switch_config, pfc_timing_is_in_range) {
    pfc_config pfc;
    pfc.quanta = pause_quanta{65'536};
    pfc.refresh = 1;
    pfc.response = -1_ps;
    EXPECT_TRUE(errors_are(pfc.validate(switch_config{}),
                           {"pfc.quanta: 65536, 1 to 65535", "pfc.refresh: 1, above 0, below 1",
                            "pfc.response: -1ps, 0ps to 1s"}));
}

TEST(switch_config, a_link_without_latency_leaves_no_lookahead) {
    link_config link;
    link.latency = picoseconds{0};
    link.rate = bit_rate{0};
    EXPECT_TRUE(errors_are(check_ranges(link, "link").take(),
                           {"link.rate: 0bps, 1Mbps to 10Tbps", "link.latency: 0ps, 1ps to 1s"}));
}

}  // namespace
}  // namespace weir::model
