// A queue in a storm, by hand: what the driver sees of it, and what it asks of the switch.
#include "weir/model/switch/watchdog_driver.h"

#include <gtest/gtest.h>

#include "support/fake_switch.h"

using namespace weir;
using namespace weir::model;
using weir::test::fake_switch;

namespace {

using texts = std::vector<std::string>;

constexpr pfc_class urgent = 3;
constexpr class_mask urgent_mask = 1U << urgent;

pfc_config config_of(watchdog_action action) {
    pfc_config config;
    config.mode = flow_control_mode::pfc;
    config.watchdog = action;
    config.watchdog_detection = 40us;
    config.watchdog_restoration = 100us;
    return config;
}

pause_fields xoff() {
    pause_fields fields;
    fields.class_enable = urgent_mask;
    fields.quanta[urgent] = 65'535;
    return fields;
}

/// Port 1 has a frame that waits, and is paused in its class from 0 on.
struct paused_switch : fake_switch {
    paused_switch() : fake_switch(2) {
        queues.push(1, urgent, frames.put({}));
        mac_ports[1].timers.apply(xoff(), 0us, mac_ports[1].link);
    }
};

void look_until(watchdog_driver& driver, fake_switch& device, picoseconds end) {
    for (; device.time <= end; device.time += 10us) {
        driver.look();
    }
}

TEST(watchdog_driver, is_for_pfc_alone) {
    EXPECT_TRUE(watchdog_driver::is_configured(config_of(watchdog_action::drop)));
    EXPECT_FALSE(watchdog_driver::is_configured(config_of(watchdog_action::off)));
    pfc_config whole_link = config_of(watchdog_action::drop);
    whole_link.mode = flow_control_mode::pause;
    EXPECT_FALSE(watchdog_driver::is_configured(whole_link));
}

TEST(watchdog_driver, drops_what_waits_and_what_comes_in_a_storm_and_counts_both) {
    paused_switch device;
    const pfc_config config = config_of(watchdog_action::drop);
    watchdog_driver driver(config, device);
    EXPECT_EQ(driver.heard(1, xoff()).class_enable, urgent_mask) << "it goes on being paused";
    look_until(driver, device, 30us);
    EXPECT_TRUE(driver.events().empty());
    EXPECT_FALSE(driver.takes_arrival(1, urgent));
    look_until(driver, device, 50us);
    ASSERT_EQ(driver.events().size(), 1U);
    EXPECT_TRUE(driver.events()[0].storm);
    EXPECT_EQ(driver.events()[0].egress_port, 1U);
    EXPECT_EQ(driver.events()[0].frame_class, urgent);
    EXPECT_EQ(device.take_calls(), texts{"transmit_later 1"});

    EXPECT_EQ(driver.dropped_classes(1), urgent_mask);
    EXPECT_EQ(driver.dropped_classes(0), 0);
    EXPECT_TRUE(driver.takes_arrival(1, urgent));
    EXPECT_FALSE(driver.takes_arrival(1, urgent - 1));
    EXPECT_FALSE(driver.takes_arrival(0, urgent));

    device.lost = 5;
    look_until(driver, device, 160us);
    ASSERT_EQ(driver.events().size(), 2U);
    EXPECT_FALSE(driver.events()[1].storm);
    EXPECT_EQ(driver.events()[1].dropped, 5U);
    EXPECT_EQ(driver.events()[1].dropped_arriving, 1U);
    EXPECT_FALSE(driver.takes_arrival(1, urgent));
}

TEST(watchdog_driver, sends_in_spite_of_the_pause_and_does_not_heed_it_in_a_storm) {
    paused_switch device;
    const pfc_config config = config_of(watchdog_action::forward);
    watchdog_driver driver(config, device);
    static_cast<void>(driver.heard(1, xoff()));
    look_until(driver, device, 50us);
    EXPECT_EQ(device.take_calls(), (texts{"pauses_changed 1", "transmit_later 1"}));
    EXPECT_EQ(device.mac_ports[1].timers.paused_mask(), 0);
    EXPECT_EQ(driver.heard(1, xoff()).class_enable, 0) << "ignored as long as the storm lasts";
    EXPECT_EQ(driver.heard(0, xoff()).class_enable, urgent_mask) << "another port's";
    EXPECT_EQ(driver.dropped_classes(1), 0);
    EXPECT_FALSE(driver.takes_arrival(1, urgent));
    EXPECT_EQ(device.take_calls(), texts{});
}

TEST(watchdog_driver, a_queue_that_moves_is_in_no_storm) {
    paused_switch device;
    const pfc_config config = config_of(watchdog_action::drop);
    watchdog_driver driver(config, device);
    for (; device.time <= 200us; device.time += 10us) {
        driver.look();
        // Another frame is the first one now.
        const frame_slot next = device.frames.put({});
        device.frames.route(next).arrival = device.time;
        device.frames.release(device.queues.dequeue(1, urgent));
        device.queues.push(1, urgent, next);
    }
    EXPECT_TRUE(driver.events().empty());
    EXPECT_EQ(device.take_calls(), texts{});
}

}  // namespace
