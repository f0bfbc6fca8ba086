// One port's flow control by hand: which events the driver asks for, and when.
#include "weir/model/flow_control/mac_driver.h"

#include <gtest/gtest.h>

#include "support/fake_switch.h"

using namespace weir;
using namespace weir::model;
using weir::test::fake_switch;

namespace {

using texts = std::vector<std::string>;

pause_fields fields_of(class_mask classes, std::uint16_t quanta) {
    pause_fields fields;
    fields.class_enable = classes;
    fields.quanta.fill(quanta);
    return fields;
}

TEST(mac_driver, a_frame_takes_effect_after_the_response_time_and_ends_by_itself) {
    fake_switch device(2);
    device.time = 5us;
    EXPECT_EQ(device.driver.arrive(1, {}), 5us + 1'024ns);
    EXPECT_EQ(device.mac_ports[1].stats.rx_control_frames, 1U);
    device.time += 1'024ns;
    // 10 quanta of 512 bit times at 1 Gb/s.
    device.driver.take_effect(1, frame_kind::pfc, fields_of(0b100, 10));
    EXPECT_EQ(device.mac_ports[1].timers.paused_mask(), 0b100);
    EXPECT_EQ(device.take_calls(), (texts{"pauses_changed 1", "transmit_later 1", "expire_at 1 11144"}));
    device.driver.take_effect(1, frame_kind::pfc, fields_of(0b100, 20));
    EXPECT_EQ(device.take_calls(), (texts{"pauses_changed 1", "transmit_later 1"})) << "one event is enough";
    device.time = 11'144ns;
    device.driver.expire(1);
    EXPECT_EQ(device.take_calls(), texts{"expire_at 1 16264"}) << "it follows the pause that was made longer";
    device.time = 16'264ns;
    device.driver.expire(1);
    EXPECT_EQ(device.take_calls(), (texts{"pauses_changed 1", "transmit_later 1"}));
    EXPECT_EQ(device.mac_ports[1].timers.paused_mask(), 0);
}

TEST(mac_driver, an_8023x_pause_stops_every_class) {
    fake_switch device(1);
    device.driver.take_effect(0, frame_kind::pause, fields_of(0, 10));
    EXPECT_EQ(device.mac_ports[0].timers.paused_mask(), 0xFF);
}

TEST(mac_driver, a_request_is_announced_once_and_repeated_while_it_holds) {
    fake_switch device(1);
    EXPECT_FALSE(device.driver.send_due(0)) << "nothing is asked for";
    device.mac_ports[0].requests.request_xoff(0b10);
    device.driver.requests_changed(0);
    EXPECT_TRUE(device.mac_ports[0].sending.needs_attention);
    EXPECT_EQ(device.take_calls(), texts{"transmit_later 0"});
    EXPECT_TRUE(device.driver.send_due(0));
    // 32,767 quanta at 1 Gb/s.
    EXPECT_EQ(device.take_calls(), (texts{"send_control 0 2", "look_at 0 16776704 0"}));
    EXPECT_FALSE(device.driver.send_due(0));

    device.time = 16'776'704ns;
    device.driver.look(0, mac_driver::refresh);
    EXPECT_EQ(device.take_calls(), (texts{"xoff_repeated 0", "transmit_later 0"}));
    EXPECT_TRUE(device.driver.send_due(0));
    EXPECT_EQ(device.mac_ports[0].requests.stats().refreshes_sent, 1U);

    device.mac_ports[0].requests.request_xon(0b10);
    device.driver.requests_changed(0);
    EXPECT_TRUE(device.driver.send_due(0));
    static_cast<void>(device.take_calls());
    device.time *= 2;
    device.driver.look(0, mac_driver::refresh);
    EXPECT_EQ(device.take_calls(), texts{}) << "an XON is not repeated";
}

TEST(mac_driver, a_link_that_comes_up_again_has_no_pause_and_announces_what_holds) {
    fake_switch device(1);
    device.driver.take_effect(0, frame_kind::pfc, fields_of(0b1, 1000));
    device.mac_ports[0].requests.request_xoff(0b10);
    EXPECT_TRUE(device.driver.send_due(0));
    device.driver.change_link({0us, 0, false, bit_rate{0}});
    static_cast<void>(device.take_calls());
    device.driver.change_link({0us, 0, true, bit_rate{0}});
    EXPECT_EQ(device.take_calls(), (texts{"pauses_changed 0", "transmit_later 0"}));
    EXPECT_EQ(device.mac_ports[0].timers.paused_mask(), 0);
    EXPECT_TRUE(device.driver.send_due(0));
}

}  // namespace
