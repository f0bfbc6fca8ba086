// PFC that is somebody else's, by hand: when it is asked, and what becomes of its answers.
#include "weir/model/switch/bound_pfc.h"

#include <gtest/gtest.h>

#include "support/fake_switch.h"

using namespace weir;
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
    bound_pfc driver{pfc, device};
};

TEST(bound_pfc, says_when_a_frame_holds_and_the_timers_follow_it) {
    bound_switch s;
    s.device.time = 10us;
    EXPECT_EQ(s.driver.arrive(1, {}), 10us + 2 * 1'024ns);
    s.pfc.paused_now = 0b101;
    EXPECT_EQ(s.driver.follow(1), 0);
    EXPECT_EQ(s.device.macs[1].timers.paused_mask(), 0b101);
    s.device.time = 12us;
    s.pfc.paused_now = 0b100;
    EXPECT_EQ(s.driver.follow(1), 0b001) << "what is over";
    EXPECT_EQ(s.device.macs[0].timers.paused_mask(), 0);
}

TEST(bound_pfc, one_event_a_port_is_enough) {
    bound_switch s;
    s.device.macs[1].requests.request_xoff(0b10);
    s.pfc.frame_at = 500ns;
    s.driver.request(1, false);
    EXPECT_EQ(s.pfc.told, texts{"request 1 2"});
    EXPECT_EQ(s.device.take_calls(), texts{"look_at_pfc 1 500 1"});
    s.driver.request(1, false);
    EXPECT_EQ(s.device.take_calls(), texts{}) << "it is on its way";
    s.pfc.frame_at = 300ns;
    EXPECT_EQ(s.driver.offer(1), nullptr);
    EXPECT_EQ(s.device.take_calls(), texts{"look_at_pfc 1 300 1"}) << "an earlier one takes its place";

    s.device.time = 300ns;
    EXPECT_TRUE(s.driver.look(1, bound_pfc::first_frame));
    s.device.time = 500ns;
    EXPECT_FALSE(s.driver.look(1, bound_pfc::first_frame)) << "the one whose place was taken";
    EXPECT_EQ(s.device.take_calls(), texts{});
}

TEST(bound_pfc, a_look_that_comes_too_early_asks_for_the_next_one) {
    bound_switch s;
    s.pfc.frame_at = 300ns;
    s.driver.request(0, false);
    static_cast<void>(s.device.take_calls());
    s.device.time = 300ns;
    s.pfc.frame_at = 700ns;
    EXPECT_FALSE(s.driver.look(0, bound_pfc::refresh));
    EXPECT_EQ(s.device.take_calls(), texts{"look_at_pfc 0 700 0"});
}

TEST(bound_pfc, offers_a_frame_and_tells_when_it_has_left) {
    bound_switch s;
    const pause_fields fields;
    s.pfc.frame = &fields;
    EXPECT_EQ(s.driver.offer(0), &fields);
    s.device.macs[0].sending.begin(no_slot, 672ns);
    s.pfc.frame_at = 9us;
    s.driver.sent(0);
    EXPECT_EQ(s.pfc.told, texts{"sent 0 672"});
    EXPECT_EQ(s.device.take_calls(), texts{"look_at_pfc 0 9000 0"});
}

TEST(bound_pfc, a_link_that_changes_or_comes_up_is_told_what_is_asked_for) {
    bound_switch s;
    s.device.macs[1].requests.request_xoff(1);
    EXPECT_FALSE(s.driver.change_link(1, {0us, 1, false, bit_rate{0}}, false)) << "a cut";
    EXPECT_EQ(s.pfc.told, texts{});
    EXPECT_TRUE(s.driver.change_link(1, {0us, 1, std::nullopt, 10_Gbps}, false));
    EXPECT_EQ(s.pfc.told, (texts{"set_rate 1", "request 1 1 again"}));
    s.pfc.told.clear();
    EXPECT_TRUE(s.driver.change_link(1, {0us, 1, true, bit_rate{0}}, true));
    EXPECT_EQ(s.pfc.told, (texts{"clear 1", "request 1 1 again"}));
}

}  // namespace
