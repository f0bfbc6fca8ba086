// pfc_receive.sv and pfc_transmit.sv beside their models, clock cycle by clock cycle.
#include <gtest/gtest.h>

#include "golden/rtl/pfc_golden.h"
#include "tb/verify/rtl/pfc_pins.h"

namespace {

using namespace weir;
using namespace weir::tb;

void compare_receive(unsigned data_width, std::uint64_t cycles) {
    golden::random_receive_edges stimulus(data_width);
    pfc_receive_control model(data_width);
    pfc_receive_rtl rtl(data_width);
    std::uint64_t xoff = 0;
    std::uint64_t requested = 0;
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
        golden::receive_edge edge = stimulus.next(rtl.outputs().request);
        model.clock(edge.inputs());
        rtl.clock(edge.inputs());
        const pfc_receive_outputs& a = rtl.outputs();
        const pfc_receive_outputs& b = model.outputs();
        ASSERT_TRUE(a.control_frame == b.control_frame && a.pfc_frame == b.pfc_frame && a.xoff == b.xoff &&
                    a.xon == b.xon && a.request == b.request)
            << "cycle " << cycle << ": " << golden::text_of(a) << " instead of " << golden::text_of(b);
        xoff += a.xoff != 0 ? 1 : 0;
        requested += a.request != 0 && a.request != 0xFF ? 1 : 0;
    }
    // The stimulus is worth something.
    EXPECT_GT(xoff, cycles / 100);
    EXPECT_GT(requested, cycles / 4);
}

bool equal(const pfc_receive_outputs& a, const pfc_receive_outputs& b) {
    return a.control_frame == b.control_frame && a.pfc_frame == b.pfc_frame && a.xoff == b.xoff &&
           a.xon == b.xon && a.request == b.request;
}

// The edge of the reset may sample a frame: it is lost, with all pauses.
TEST(pfc_receive_rtl, is_as_new_after_a_reset_in_mid_run) {
    random_stream random(6, 0, random_purpose::arbitration);
    pfc_receive_rtl rtl(64);
    std::uint64_t paused = 0;
    for (std::uint64_t round = 0; round < 500; ++round) {
        golden::random_receive_edges stimulus(1 + round);
        pfc_receive_control model(64);
        for (unsigned cycles = 1 + random.below(400); cycles > 0; --cycles) {
            golden::receive_edge edge = stimulus.next(rtl.outputs().request);
            model.clock(edge.inputs());
            rtl.clock(edge.inputs());
            ASSERT_TRUE(equal(rtl.outputs(), model.outputs()))
                << "round " << round << ": " << golden::text_of(rtl.outputs()) << " instead of "
                << golden::text_of(model.outputs());
        }
        paused += rtl.outputs().request != 0 ? 1 : 0;
        rtl.reset();
        ASSERT_TRUE(equal(rtl.outputs(), pfc_receive_outputs{})) << golden::text_of(rtl.outputs());
    }
    EXPECT_GT(paused, 100U);
}

TEST(pfc_receive_rtl, does_what_the_model_does_in_each_of_a_million_cycles_of_64_bits) {
    compare_receive(64, 1'000'000);
}
TEST(pfc_receive_rtl, does_what_the_model_does_in_each_of_100000_cycles_of_8_bits) {
    compare_receive(8, 100'000);
}
TEST(pfc_receive_rtl, does_what_the_model_does_in_each_of_100000_cycles_of_1024_bits) {
    compare_receive(1024, 100'000);
}

void compare_transmit(unsigned data_width, std::uint64_t cycles) {
    golden::random_transmit_edges stimulus(data_width);
    const pfc_transmit_config config = golden::transmit_config(data_width);
    pfc_transmit_control model(config);
    pfc_transmit_rtl rtl(config);
    std::uint64_t frames = 0;
    std::uint64_t waiting = 0;
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
        const pfc_transmit_inputs in = stimulus.next(rtl.outputs().waiting);
        model.clock(in);
        rtl.clock(in);
        const pfc_transmit_outputs& a = rtl.outputs();
        const pfc_transmit_outputs& b = model.outputs();
        ASSERT_TRUE(a.pfc_frame == b.pfc_frame && a.xoff == b.xoff && a.xon == b.xon && a.paused == b.paused &&
                    a.waiting == b.waiting &&
                    (!a.waiting || (rtl.frame().class_enable == model.frame().class_enable &&
                                    rtl.frame().quanta == model.frame().quanta)))
            << "cycle " << cycle << ": " << golden::text_of(a, rtl.frame()) << " instead of "
            << golden::text_of(b, model.frame());
        frames += a.pfc_frame ? 1 : 0;
        waiting += a.waiting ? 1 : 0;
    }
    EXPECT_GT(frames, cycles / 100);
    EXPECT_GT(waiting, cycles / 20);
    EXPECT_LT(waiting, cycles * 9 / 10);
}

TEST(pfc_transmit_rtl, is_as_new_after_a_reset_in_mid_run) {
    random_stream random(7, 0, random_purpose::arbitration);
    const pfc_transmit_config config = golden::transmit_config(64);
    pfc_transmit_rtl rtl(config);
    std::uint64_t waiting = 0;
    for (std::uint64_t round = 0; round < 500; ++round) {
        golden::random_transmit_edges stimulus(1 + round);
        pfc_transmit_control model(config);
        for (unsigned cycles = 1 + random.below(400); cycles > 0; --cycles) {
            const pfc_transmit_inputs in = stimulus.next(rtl.outputs().waiting);
            model.clock(in);
            rtl.clock(in);
            ASSERT_EQ(golden::text_of(rtl.outputs(), rtl.frame()),
                      golden::text_of(model.outputs(), model.frame()))
                << "round " << round;
        }
        waiting += rtl.outputs().waiting ? 1 : 0;
        rtl.reset();
        ASSERT_EQ(golden::text_of(rtl.outputs(), rtl.frame()), golden::text_of(pfc_transmit_outputs{}, {}));
    }
    EXPECT_GT(waiting, 50U);
}

TEST(pfc_transmit_rtl, does_what_the_model_does_in_each_of_a_million_cycles_of_64_bits) {
    compare_transmit(64, 1'000'000);
}
TEST(pfc_transmit_rtl, does_what_the_model_does_in_each_of_100000_cycles_of_8_bits) {
    compare_transmit(8, 100'000);
}
TEST(pfc_transmit_rtl, does_what_the_model_does_in_each_of_100000_cycles_of_1024_bits) {
    compare_transmit(1024, 100'000);
}

}  // namespace
