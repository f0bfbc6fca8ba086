#include "weir/model/flow_control/mac_port.h"

#include <gtest/gtest.h>

using namespace weir;
using namespace weir::model;

namespace {

pause_fields xoff(class_mask classes, std::uint16_t quanta) {
    pause_fields fields;
    fields.class_enable = classes;
    fields.quanta.fill(quanta);
    return fields;
}

TEST(mac_port, a_restart_keeps_the_pauses_and_remembers_what_was_counted) {
    mac_port mac(pause_config{}, 1_Gbps, 1'024ns);
    mac.timers.apply(xoff(1, 65'535), 0us, mac.link);
    mac.requests.request_xoff(2);
    mac.requests.launch(1us);
    mac.stats.classes[3] = {7, 700, 5us, 0, 0};
    mac.timers.settle(20us);
    mac.restart_statistics();
    EXPECT_EQ(mac.stats.classes[3].tx_frames, 0U);
    EXPECT_EQ(mac.classes_sent(), 1U << 3) << "also of the warm-up";
    EXPECT_EQ(mac.stats.tx_busy(), 0_ps);
    mac.timers.settle(30us);
    EXPECT_EQ(mac.timers.paused_mask(), 1);
    EXPECT_EQ(mac.timers.stats().paused_time[0] - mac.timers_before().paused_time[0], 10us);
    EXPECT_EQ(mac.requests.stats().xoff_sent[1] - mac.requests_before().xoff_sent[1], 0U);
    EXPECT_EQ(mac.requests.wanted(), 2);
}

TEST(mac_port, a_transmitter_is_busy_with_the_data_of_all_classes_and_with_control_frames) {
    mac_port mac(pause_config{}, 1_Gbps, 1'024ns);
    mac.stats.classes[2].count_sent(100, 7ns);
    mac.stats.classes[2].count_sent(50, 4ns);
    mac.stats.classes[7].count_sent(64, 5ns);
    mac.stats.classes[7].count_received(1'500);
    mac.stats.tx_control_time = 1ns;
    EXPECT_EQ(mac.stats.classes[2].tx_frames, 2U);
    EXPECT_EQ(mac.stats.classes[2].tx_bytes, 150U);
    EXPECT_EQ(mac.stats.classes[2].tx_time, 11ns);
    EXPECT_EQ(mac.stats.data().tx_bytes, 214U);
    EXPECT_EQ(mac.stats.data().rx_frames, 1U);
    EXPECT_EQ(mac.stats.data().rx_bytes, 1'500U);
    EXPECT_EQ(mac.stats.tx_busy(), 17ns);
}

TEST(mac_port, pauses_that_hold_are_announced_again_when_the_rate_changes_and_last_the_quanta_of_the_new_one) {
    // 1,000 quanta, refreshed after 500: at 100 Mb/s after 2.56 ms. At 1 Gb/s a partner that obeys only then
    // holds them for 0.512 ms.
    pause_config config;
    config.quanta = pause_quanta{1000};
    config.refresh = pause_quanta{500};
    mac_port mac(config, 100_Mbps, 1'024ns);
    mac.requests.request_xoff(4);
    mac.requests.launch(10us);
    EXPECT_EQ(mac.requests.refresh_due(), 10us + 2'560us);
    EXPECT_FALSE(mac.requests.pending());
    link_change latency_only{15us, 0, std::nullopt, bit_rate{0}};
    latency_only.latency = 3us;
    mac.apply(latency_only, 15us);
    EXPECT_FALSE(mac.requests.pending());
    mac.apply({20us, 0, std::nullopt, 1_Gbps}, 20us);
    EXPECT_TRUE(mac.requests.pending());
    const pause_fields again = mac.requests.launch(20us);
    EXPECT_EQ(again.class_enable, 4);
    EXPECT_EQ(again.quanta[2], 1000);
    EXPECT_EQ(mac.requests.refresh_due(), 20us + 256us);
}

TEST(mac_port, a_change_of_rate_announces_nothing_where_nothing_is_paused) {
    mac_port mac(pause_config{}, 1_Gbps, 1'024ns);
    mac.requests.request_xoff(4);
    mac.requests.launch(10us);
    mac.requests.request_xon(4);
    mac.requests.launch(11us);
    mac.apply({20us, 0, std::nullopt, 10_Gbps}, 20us);
    EXPECT_FALSE(mac.requests.pending());
}

}  // namespace
