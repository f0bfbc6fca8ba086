// PFC that is somebody else's, by hand: when it is asked, and what becomes of its answers.
#include "weir/model/switch/bound_pfc.h"

#include <gtest/gtest.h>

#include "support/fake_switch.h"

using namespace weir;
using namespace weir::model;
using weir::test::fake_switch;

namespace {

using texts = std::vector<std::string>;

/// Answers what the test has set, and keeps what it was told.
class scripted_pfc final : public pfc_if {
 public:
    class_mask paused_now = 0;
    picoseconds change = never;
    picoseconds frame_at = never;
    const pause_fields* frame = nullptr;
    std::vector<std::string> told;

    picoseconds arrive(unsigned, const ethernet_frame&, picoseconds now, picoseconds response) override {
        return now + 2 * response;
    }
    class_mask paused(unsigned, picoseconds) override { return paused_now; }
    picoseconds next_change(unsigned) const override { return change; }
    void request(unsigned port, class_mask wanted, bool again, picoseconds) override {
        told.push_back("request " + std::to_string(port) + " " + std::to_string(wanted) +
                       (again ? " again" : ""));
    }
    const pause_fields* offer(unsigned, picoseconds) override { return frame; }
    void sent(unsigned port, picoseconds last_bit) override {
        told.push_back("sent " + std::to_string(port) + " " + std::to_string(last_bit / 1ns));
    }
    picoseconds next_offer(unsigned) const override { return frame_at; }
    void set_rate(unsigned port, bit_rate) override { told.push_back("set_rate " + std::to_string(port)); }
    void clear(unsigned port, picoseconds) override { told.push_back("clear " + std::to_string(port)); }
};

struct bound_switch {
    fake_switch device{2};
    scripted_pfc pfc;
    bound_pfc driver{flow_control_mode::pfc, pfc, 2, device};
};

TEST(bound_pfc, says_when_a_frame_holds_and_the_timers_follow_it) {
    bound_switch s;
    s.device.time = 10us;
    EXPECT_EQ(s.driver.arrive(1, {}), 10us + 2 * 1'024ns);
    s.pfc.paused_now = 0b101;
    s.pfc.change = 30us;
    s.driver.take_effect(1, frame_kind::pfc, {});
    EXPECT_EQ(s.device.mac_ports[1].timers.paused_mask(), 0b101);
    EXPECT_EQ(s.device.take_calls(), (texts{"pauses_changed 1", "transmit_later 1", "expire_at 1 30000"}));
    s.device.time = 30us;
    s.pfc.paused_now = 0b100;
    s.pfc.change = never;
    s.driver.expire(1);
    EXPECT_EQ(s.device.mac_ports[1].timers.paused_mask(), 0b100);
    EXPECT_EQ(s.device.take_calls(), (texts{"pauses_changed 1", "transmit_later 1"})) << "one pause is over";
    s.driver.expire(1);
    EXPECT_EQ(s.device.take_calls(), texts{}) << "nothing has changed";
    EXPECT_EQ(s.device.mac_ports[0].timers.paused_mask(), 0);
}

TEST(bound_pfc, one_event_a_port_is_enough) {
    bound_switch s;
    s.device.mac_ports[1].requests.request_xoff(0b10);
    s.pfc.frame_at = 500ns;
    s.driver.requests_changed(1);
    EXPECT_EQ(s.pfc.told, texts{"request 1 2"});
    EXPECT_EQ(s.device.take_calls(), (texts{"look_at 1 500 1", "transmit_later 1"}));
    s.driver.requests_changed(1);
    EXPECT_EQ(s.device.take_calls(), texts{"transmit_later 1"}) << "the look is on its way";
    s.pfc.frame_at = 300ns;
    EXPECT_FALSE(s.driver.send_due(1));
    EXPECT_EQ(s.device.take_calls(), texts{"look_at 1 300 1"}) << "an earlier one takes its place";

    s.device.time = 300ns;
    s.driver.look(1, mac_driver::first_frame);
    EXPECT_EQ(s.device.take_calls(), texts{"transmit_later 1"});
    s.device.time = 500ns;
    s.driver.look(1, mac_driver::first_frame);
    EXPECT_EQ(s.device.take_calls(), texts{}) << "the one whose place was taken";
}

TEST(bound_pfc, a_look_that_comes_too_early_asks_for_the_next_one) {
    bound_switch s;
    s.pfc.frame_at = 300ns;
    s.driver.requests_changed(0);
    static_cast<void>(s.device.take_calls());
    s.device.time = 300ns;
    s.pfc.frame_at = 700ns;
    s.driver.look(0, mac_driver::refresh);
    EXPECT_EQ(s.device.take_calls(), texts{"look_at 0 700 0"});
}

TEST(bound_pfc, sends_the_frame_that_is_offered_and_tells_when_it_has_left) {
    bound_switch s;
    pause_fields fields;
    fields.class_enable = 0b100;
    s.pfc.frame = &fields;
    s.pfc.frame_at = 9us;
    EXPECT_TRUE(s.driver.send_due(0));
    EXPECT_EQ(s.pfc.told, texts{"sent 0 672"});
    EXPECT_EQ(s.device.take_calls(), (texts{"send_control 0 4", "look_at 0 9000 0"}));
    EXPECT_EQ(s.device.mac_ports[0].requests.stats().frames_sent, 1U);
    EXPECT_EQ(s.device.mac_ports[0].stats.tx_control_frames, 1U);
}

TEST(bound_pfc, a_link_that_changes_or_comes_up_is_told_what_is_asked_for) {
    bound_switch s;
    s.device.mac_ports[1].requests.request_xoff(1);
    s.driver.change_link({0us, 1, false, bit_rate{0}});
    EXPECT_EQ(s.pfc.told, texts{}) << "a cut";
    s.driver.change_link({0us, 1, std::nullopt, 10_Gbps});
    EXPECT_EQ(s.pfc.told, (texts{"set_rate 1", "request 1 1 again"}));
    s.pfc.told.clear();
    s.driver.change_link({0us, 1, true, bit_rate{0}});
    EXPECT_EQ(s.pfc.told, (texts{"clear 1", "request 1 1 again"}));
}

}  // namespace
