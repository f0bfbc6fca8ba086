// cell_switch.sv, a whole switch with a clock of its own, beside a switch of the model with `switch.crossbar =
// cell`: when each frame of a trace leaves. Where the trace is on the RTL's clock and both begin their slots
// together, all that is between them is the register in front of the line.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/traced_switch.h"
#include "tb/verify/rtl/switch_pins.h"

namespace {

using namespace weir;
using namespace weir::tb;
using namespace weir::test;

switch_trace_setting setting_for(unsigned ports) {
    switch_trace_setting setting;
    setting.ports = ports;
    setting.clock = traced_clock;
    setting.device.egress_memory = 16_MiB;
    return setting;
}

/// What both have done with a trace, frame by frame.
void expect_equal_departures(const switch_trace_setting& setting, const trace_kind& kind,
                             double least_wait_share) {
    const std::vector<traced_frame> frames = random_trace(kind);
    const switch_trace_result rtl = run_switch_rtl(setting, frames);
    ASSERT_FALSE(rtl.gave_up);
    const std::vector<picoseconds> model =
        model_departures(setting.ports, traced_device(setting.device, crossbar_mode::cell), frames);
    std::size_t waited = 0;
    for (std::size_t n = 0; n < frames.size(); ++n) {
        ASSERT_EQ(rtl.departures[n], model[n] + setting.clock)
            << "frame " << n << " of " << frames.size() << ", " << frames[n].ingress_port << " to "
            << frames[n].egress_port << " in class " << unsigned{frames[n].frame_class} << ", "
            << frames[n].frame_bytes << " B, arrived at edge " << frames[n].arrival / setting.clock;
        const picoseconds alone = transmission_time(bytes{frames[n].frame_bytes} * 2, traced_rate);
        waited += rtl.departures[n] - frames[n].arrival > alone ? 1 : 0;
    }
    if (setting.ports == 4 || kind.frames >= 60'000) {
        EXPECT_GT(rtl.cycles, 1'000'000U);
    }
    // The trace is worth something: frames meet.
    EXPECT_GT(static_cast<double>(waited), least_wait_share * static_cast<double>(frames.size()));
    EXPECT_GT(rtl.cycles, frames.size());
}

TEST(cell_switch_rtl, sends_each_frame_when_the_model_does_with_4_ports) {
    expect_equal_departures(setting_for(4), {4, 4, 60'000}, 0.3);
}
TEST(cell_switch_rtl, sends_each_frame_when_the_model_does_with_8_ports) {
    expect_equal_departures(setting_for(8), {8, 8, 40'000}, 0.3);
}
TEST(cell_switch_rtl, sends_each_frame_when_the_model_does_with_16_ports) {
    expect_equal_departures(setting_for(16), {16, 16, 60'000}, 0.3);
}
TEST(cell_switch_rtl, sends_each_frame_when_the_model_does_with_64_ports) {
    expect_equal_departures(setting_for(64), {64, 64, 30'000}, 0.3);
}
TEST(cell_switch_rtl, long_run_sends_each_frame_when_the_model_does_with_64_ports) {
    expect_equal_departures(setting_for(64), {64, 65, 300'000, 0.95}, 0.3);
}
TEST(cell_switch_rtl, serves_switches_with_fewer_ports_than_it_has) {
    expect_equal_departures(setting_for(6), {6, 6, 10'000}, 0.3);
}
TEST(cell_switch_rtl, sends_frames_of_9216_bytes_when_the_model_does) {
    switch_trace_setting setting = setting_for(8);
    setting.device.largest = 9216_B;
    expect_equal_departures(setting, {8, 9, 5'000, 0.9, 0, 8, {64, 9216, 8000, 9150}}, 0.3);
}
TEST(cell_switch_rtl, makes_as_many_iterations_as_the_model) {
    switch_trace_setting setting = setting_for(16);
    setting.device.iterations = 1;
    expect_equal_departures(setting, {16, 10, 20'000, 0.95, 0, 8, {64, 200}}, 0.3);
}
// Frames for one port wait at ingress until it has room: the RTL's counters say when.
TEST(cell_switch_rtl, holds_frames_back_for_egress_memory_when_the_model_does) {
    switch_trace_setting setting = setting_for(8);
    setting.device.egress_memory = 4_KiB;
    expect_equal_departures(setting, {8, 11, 20'000, 0.28, 0.3, 8}, 0.3);
}

TEST(cell_switch_rtl, sends_a_lone_frame_after_its_slots_and_its_time_on_the_line) {
    for (unsigned phase = 0; phase < switch_rtl_slot; ++phase) {
        switch_trace_setting setting = setting_for(4);
        setting.phase = phase;
        for (std::int64_t edge = 0; edge < 2 * switch_rtl_slot; ++edge) {
            traced_frame f;
            f.arrival = setting.clock * edge - 1_ps;
            f.egress_port = 2;
            f.frame_bytes = 130;  // three cells
            const switch_trace_result made = run_switch_rtl(setting, {f});
            const std::int64_t late = (edge + switch_rtl_slot - phase) % switch_rtl_slot;
            const std::int64_t slots = edge + (late == 0 ? 0 : switch_rtl_slot - late);
            EXPECT_EQ(made.departures[0], setting.clock * (slots + 3 * switch_rtl_slot + (130 + 20) / 2 + 1))
                << "edge " << edge << ", phase " << phase;
        }
    }
}

TEST(cell_switch_rtl, says_that_a_voq_is_full) {
    const std::unique_ptr<switch_pins> rtl = make_switch_pins(4);
    // No room at egress: everything stays in the VOQ.
    rtl->configure({4, 0_B, 1530_B, 20_B});
    rtl->reset();
    for (unsigned n = 0; n <= 64; ++n) {
        EXPECT_FALSE(rtl->overflow()) << n;
        rtl->arrive(0, {1, 0, 64, static_cast<std::uint16_t>(n)});
        rtl->clock();
    }
    rtl->clock();
    EXPECT_TRUE(rtl->overflow());
    rtl->reset();
    EXPECT_FALSE(rtl->overflow());
}

// A reset in mid-run leaves nothing behind: the same trace goes through as at first.
TEST(cell_switch_rtl, forgets_everything_at_a_reset) {
    trace_kind kind{4, 12, 300};
    const std::vector<traced_frame> frames = random_trace(kind);
    const std::unique_ptr<switch_pins> rtl = make_switch_pins(4);
    const auto pass = [&](std::int64_t edges) {
        std::vector<std::pair<std::int64_t, unsigned>> departures;
        rtl->reset();
        std::size_t next = 0;
        for (std::int64_t edge = 0; edge < edges; ++edge) {
            while (next < frames.size() && frames[next].arrival <= traced_clock * edge) {
                const traced_frame& f = frames[next];
                rtl->arrive(f.ingress_port,
                            {f.egress_port, f.frame_class, f.frame_bytes, static_cast<std::uint16_t>(next++)});
            }
            rtl->clock();
            for (unsigned e = 0; e < 4; ++e) {
                if ((rtl->departing() >> e & 1) != 0) {
                    departures.emplace_back(edge, rtl->departing_id(e));
                }
            }
        }
        return departures;
    };
    const auto whole = pass(100'000);
    ASSERT_EQ(whole.size(), frames.size());
    const std::vector<picoseconds> model =
        model_departures(4, traced_device(switch_rtl_setting{}, crossbar_mode::cell), frames);
    for (const auto& [edge, id] : whole) {
        EXPECT_EQ(edge, model[id] / traced_clock) << "frame " << id;
    }
    // Cut off where frames are everywhere.
    for (const std::int64_t cut : {5'000, 20'000, 20'003, 50'001}) {
        EXPECT_FALSE(pass(cut).empty());
        EXPECT_EQ(pass(100'000), whole) << "after a reset at edge " << cut;
    }
}

TEST(cell_switch_rtl, has_no_size_beyond_the_largest) {
    EXPECT_EQ(make_switch_pins(switch_rtl_sizes().back() + 1), nullptr);
    for (const unsigned ports : switch_rtl_sizes()) {
        EXPECT_EQ(make_switch_pins(ports)->ports(), ports);
    }
}

}  // namespace
