// Drawn delays of a host's network stack: each frame has its draw, and none overtakes another.
#include "weir/model/host/host_node.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/fabric_rig.h"

using namespace weir;
using weir::test::fabric_rig;

namespace {

fabric_parameters with_drawn_delays(picoseconds out, picoseconds in) {
    fabric_parameters p;
    p.seed = 5;
    p.host.stack_out = out;
    p.host.stack_in = in;
    p.host.stack_distribution = delay_shape::exponential;
    return p;
}

topology two_hosts() {
    single_config config;
    config.hosts = 2;
    return make_topology(config);
}

/// The draws of one direction of a host's stack, from the definition: half of the mean, and the other half
/// times a unit exponential.
std::vector<picoseconds> draws_of(const fabric_rig& r, host_id host, random_purpose direction,
                                  std::size_t count, picoseconds mean) {
    random_stream chance{5, r.plan.node_index(node_ref::of_host(host)), direction};
    std::vector<picoseconds> draws;
    for (std::size_t i = 0; i < count; ++i) {
        const double half = static_cast<double>(mean.count()) / 2;
        draws.push_back(
            picoseconds{std::llround(half) + std::llround(-half * log_one_plus(-chance.uniform()))});
    }
    return draws;
}

TEST(stack_delay, each_frame_that_comes_alone_takes_its_draw_in_and_out) {
    constexpr std::size_t frames = 500;
    fabric_rig r(two_hosts(), with_drawn_delays(9'500ns, 24us));
    for (std::size_t i = 0; i < frames; ++i) {
        r.ends[0].at(static_cast<int>(i) * 1ms, r.frame(0, 1, 1000));
    }
    r.run(600ms);
    const auto out = draws_of(r, 0, random_purpose::stack_out, frames, 9'500ns);
    const auto in = draws_of(r, 1, random_purpose::stack_in, frames, 24us);
    ASSERT_EQ(r.ends[1].arrivals.size(), frames);
    const auto rest = [&](std::size_t i) {
        return r.ends[1].arrivals[i].time - static_cast<int>(i) * 1ms - out[i] - in[i];
    };
    EXPECT_GT(rest(0), 2 * transmission_time(1000_B, 1_Gbps)) << "two links, and a switch between them";
    EXPECT_LT(rest(0), 40us);
    for (std::size_t i = 1; i < frames; ++i) {
        EXPECT_EQ(rest(i), rest(0)) << i;
    }
}

// Frames of one instant, one behind the other on the wire: literal FIFOs before and behind it.
TEST(stack_delay, frames_that_come_together_stay_in_their_order) {
    constexpr std::uint16_t frames = 300;
    fabric_rig r(two_hosts(), with_drawn_delays(100us, 200us));
    for (std::uint16_t i = 0; i < frames; ++i) {
        ethernet_frame frame = r.frame(0, 1, 1000);
        frame.transfer.flow = i;
        r.ends[0].at(1ms, frame);
    }
    r.run(100ms);
    const auto out = draws_of(r, 0, random_purpose::stack_out, frames, 100us);
    const auto in = draws_of(r, 1, random_purpose::stack_in, frames, 200us);
    ASSERT_EQ(r.ends[1].arrivals.size(), frames);
    const picoseconds on_wire = transmission_time(1020_B, 1_Gbps);
    picoseconds at_nic{0};
    picoseconds wire_free{0};
    std::vector<picoseconds> first_bits;
    for (const picoseconds delay : out) {
        at_nic = std::max(1ms + delay, at_nic + 1_ps);
        first_bits.push_back(std::max(at_nic, wire_free));
        wire_free = first_bits.back() + on_wire;
    }
    const auto& arrivals = r.ends[1].arrivals;
    // What the network takes is the same for all: no frame waits in it for another.
    const picoseconds network = arrivals[0].time - first_bits[0] - in[0];
    picoseconds there{0};
    unsigned behind = 0;
    for (std::size_t i = 0; i < frames; ++i) {
        const picoseconds alone = first_bits[i] + network + in[i];
        behind += alone <= there ? 1 : 0;
        there = std::max(alone, there + 1_ps);
        EXPECT_EQ(arrivals[i].frame.transfer.flow, i);
        EXPECT_EQ(arrivals[i].time, there) << i;
    }
    EXPECT_GT(behind, 50U) << "the test shall have frames that would overtake";
}

}  // namespace
