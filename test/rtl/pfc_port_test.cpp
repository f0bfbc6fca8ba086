// PFC's RTL at a port whose constants are the model's, beside the model: any times, no clock grid.
#include "tb/verify/rtl/pfc_port.h"

#include <gtest/gtest.h>

#include "weir/base/rng.h"
#include "weir/model/flow_control/pause_requests.h"
#include "weir/model/flow_control/pause_timers.h"

namespace {

using namespace weir;
using namespace weir::tb;

class_mask random_mask(random_stream& chance) {
    return static_cast<class_mask>(chance.below(256));
}

void compare_receive(bit_rate rate, std::uint64_t seed, unsigned events) {
    random_stream chance(seed, 0, random_purpose::bit_errors);
    pause_timers model;
    pfc_receive_port rtl(rate);
    picoseconds now{0};
    unsigned ran_out = 0;
    for (unsigned i = 0; i < events; ++i) {
        // Expiries that come first.
        const picoseconds next = now + picoseconds{chance.below(40'000'000) + 1};
        while (model.next_expiry() <= next) {
            now = model.next_expiry();
            ASSERT_EQ(rtl.next_change(), now) << "before frame " << i;
            ASSERT_EQ(rtl.paused(now - 1_ps), model.paused_mask()) << "before frame " << i;
            model.expire(now);
            ASSERT_EQ(rtl.paused(now), model.paused_mask()) << "before frame " << i;
            ++ran_out;
        }
        now = next;
        pause_frame frame;
        // As a port sends them: with all classes that it has paused.
        frame.fields.class_enable = static_cast<class_mask>(random_mask(chance) | model.paused_mask());
        for (auto& quanta : frame.fields.quanta) {
            quanta = static_cast<std::uint16_t>(chance.below(4) == 0 ? 0 : chance.below(500));
        }
        const picoseconds effect = rtl.arrive(frame, now, 300ns);
        ASSERT_EQ(effect, now + 300ns);
        now = effect;
        model.expire(now);
        model.apply(frame.fields, now, rate);
        ASSERT_EQ(rtl.paused(now), model.paused_mask()) << "frame " << i;
        ASSERT_EQ(rtl.next_change(), model.next_expiry()) << "frame " << i;
    }
    EXPECT_GT(ran_out, events / 10);
}

TEST(pfc_receive_port, pauses_as_the_model_whatever_the_times) {
    for (const std::int64_t gbps : {1, 10, 25, 40, 100, 400, 800}) {
        compare_receive(bit_rate{gbps * 1'000'000'000}, static_cast<std::uint64_t>(gbps), 20'000);
    }
    // A bit takes no whole number of picoseconds.
    compare_receive(bit_rate{3'000'000'001}, 7, 20'000);
}

TEST(pfc_receive_port, a_pause_that_another_classes_frame_cuts_across_ends_at_most_a_step_later) {
    pfc_receive_port rtl(10_Gbps);  // a step is 200 ps, a quantum 51.2 ns
    pause_frame frame;
    frame.fields.class_enable = 1;
    frame.fields.quanta[0] = 10;
    rtl.arrive(frame, 1000_ps, 0_ps);
    EXPECT_EQ(rtl.paused(1000_ps), 1);
    frame.fields.class_enable = 2;
    frame.fields.quanta[1] = 100;
    rtl.arrive(frame, 1301_ps, 0_ps);
    EXPECT_EQ(rtl.paused(1301_ps), 3);
    EXPECT_EQ(rtl.next_change(), 513'000_ps);
    EXPECT_EQ(rtl.paused(513'000_ps), 3);
    EXPECT_EQ(rtl.next_change(), 513'200_ps);
    EXPECT_EQ(rtl.paused(513'200_ps), 2);
}

TEST(pfc_receive_port, ignores_frames_of_the_other_kind_and_starts_anew_with_the_link) {
    pfc_receive_port rtl(10_Gbps);
    pause_frame frame;
    frame.kind = frame_kind::pause;
    frame.fields.class_enable = 0xFF;
    frame.fields.quanta.fill(100);
    rtl.arrive(frame, 0_ps, 1_ps);
    EXPECT_EQ(rtl.paused(1_ps), 0);
    frame.kind = frame_kind::pfc;
    rtl.arrive(frame, 2_ps, 1_ps);
    EXPECT_EQ(rtl.paused(2_ps), 0);
    EXPECT_EQ(rtl.paused(3_ps), 0xFF);
    rtl.clear(picoseconds{1us});
    EXPECT_EQ(rtl.paused(picoseconds{1us}), 0);
    EXPECT_EQ(rtl.next_change(), never);
}

void compare_transmit(bit_rate rate, std::uint64_t seed, unsigned events) {
    random_stream chance(seed, 1, random_purpose::bit_errors);
    pause_config config;
    config.quanta = pause_quanta{900};
    config.refresh = pause_quanta{300};
    pfc_transmit_config of_rtl;
    of_rtl.quanta.fill(900);
    of_rtl.refresh.fill(300);
    pause_requests model(config, rate);
    pfc_transmit_port rtl(of_rtl, rate);
    picoseconds now{0};
    class_mask wanted = 0;
    class_mask announced = 0;
    unsigned refreshes = 0;
    unsigned twice = 0;
    for (unsigned i = 0; i < events; ++i) {
        now +=
            picoseconds{chance.below(static_cast<std::uint32_t>(pause_time(pause_quanta{200}, rate).count()))};
        const unsigned changes = chance.below(4) == 0 ? 1 + chance.below(2) : 0;
        for (unsigned k = 0; k < changes; ++k) {
            // A class that is asked for and withdrawn before a frame tells of it is the case below.
            const auto toggled = static_cast<class_mask>(random_mask(chance) & (~wanted | announced));
            twice += k == 1 && (toggled & ~wanted & announced) != 0 ? 1 : 0;
            model.request_xoff(static_cast<class_mask>(toggled & ~wanted));
            model.request_xon(static_cast<class_mask>(toggled & wanted));
            wanted ^= toggled;
            rtl.request(wanted, false, now);
        }
        if (chance.below(20) == 0) {
            model.announce_again();
            rtl.request(wanted, true, now);
        }
        ASSERT_EQ(model.wanted(), wanted);
        const bool due = model.pending() || now >= model.refresh_due();
        ASSERT_EQ(rtl.next_offer() <= now, due) << i;
        refreshes += due && !model.pending() ? 1 : 0;
        const pause_fields* const made = rtl.offer(now);
        ASSERT_EQ(made != nullptr, due) << i;
        if (!due) {
            continue;
        }
        const pause_fields expected = model.launch(now);
        ASSERT_EQ(made->class_enable, expected.class_enable) << i;
        ASSERT_EQ(made->quanta, expected.quanta) << i;
        announced = wanted;
        now += transmission_time(84_B, rate);
        rtl.sent(now);
        ASSERT_EQ(rtl.next_offer(), model.refresh_due()) << i;
    }
    EXPECT_GT(refreshes, events / 50);
    EXPECT_GT(twice, events / 50);
}

TEST(pfc_transmit_port, sends_what_the_model_sends_whatever_the_times) {
    for (const std::int64_t gbps : {1, 10, 25, 40, 100, 400, 800}) {
        compare_transmit(bit_rate{gbps * 1'000'000'000}, static_cast<std::uint64_t>(gbps), 20'000);
    }
    compare_transmit(bit_rate{3'000'000'001}, 7, 20'000);
}

// Known difference: the model is done with such a class after one frame.
TEST(pfc_transmit_port, names_a_class_that_was_asked_for_and_withdrawn_in_two_frames) {
    pfc_transmit_config config;
    pfc_transmit_port rtl(config, 10_Gbps);
    rtl.request(4, false, 0_ps);
    rtl.request(0, false, 1_ps);
    const pause_fields* frame = rtl.offer(2_ps);
    ASSERT_NE(frame, nullptr);
    EXPECT_EQ(frame->class_enable, 4);
    EXPECT_EQ(frame->quanta[2], 0);
    rtl.sent(3_ps);
    EXPECT_EQ(rtl.offer(4_ps), nullptr);
    rtl.request(1, false, 5_ps);
    frame = rtl.offer(5_ps);
    ASSERT_NE(frame, nullptr);
    EXPECT_EQ(frame->class_enable, 5);
    EXPECT_EQ(frame->quanta[2], 0);
}

}  // namespace
