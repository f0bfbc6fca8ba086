// Links that change during the run, to the picosecond: which frames a change holds for, that frames stay in
// order and do not overlap when a link becomes shorter, and that each frame keeps the rate, the latency and the
// chance of an error that it left with.
//
// One switch, 1 Gb/s, DeTail's numbers without wire overhead: a frame of 1,000 B takes 8 us on a link and 2 us
// in the crossbar, a lookup 3.1 us, a link 6.6 us.
#include <gtest/gtest.h>

#include "support/child_process.h"
#include "support/fabric_rig.h"
#include "weir/model/flow_control/pfc_thresholds.h"

using namespace weir;
using namespace weir::tb;
using weir::test::fabric_rig;
using weir::test::fatal_message;
using weir::test::user_module;

namespace {

constexpr picoseconds latency = 6'600ns;
constexpr picoseconds frame_time = 8us;
/// From a host's first bit to the first bit that the switch sends, the host's link as at the start.
constexpr picoseconds to_egress = frame_time + latency + 3'100ns + 2us;

topology three_hosts() {
    single_config config;
    config.hosts = 3;
    return make_topology(config);
}
link_id link_of(host_id h) {
    return *three_hosts().find_link("h" + std::to_string(h) + "-tor0");
}
fabric_change change_of(picoseconds at, host_id h) {
    fabric_change change;
    change.at = at;
    change.link = link_of(h);
    return change;
}
fabric_change new_latency(picoseconds at, host_id h, picoseconds value) {
    fabric_change change = change_of(at, h);
    change.latency = value;
    return change;
}
fabric_change new_rate(picoseconds at, host_id h, bit_rate value) {
    fabric_change change = change_of(at, h);
    change.rate = value;
    return change;
}
fabric_change new_frame_errors(picoseconds at, host_id h, double value) {
    fabric_change change = change_of(at, h);
    change.frame_error_rate = value;
    return change;
}
fabric_change cut(picoseconds at, host_id h, bool up = false) {
    fabric_change change = change_of(at, h);
    change.up = up;
    return change;
}

struct change_rig : fabric_rig {
    explicit change_rig(const std::vector<fabric_change>& changes, const std::vector<host_id>& open = {})
        : fabric_rig(three_hosts(), parameters_of(changes, open)) {}
    static fabric_parameters parameters_of(const std::vector<fabric_change>& changes,
                                           const std::vector<host_id>& open) {
        fabric_parameters p;
        p.wire_overhead = 0_B;
        p.changes = changes;
        p.open_hosts = open;
        return p;
    }
    /// When host `h` had the last bit of each frame.
    std::vector<picoseconds> last_bits(host_id h) const {
        std::vector<picoseconds> times;
        for (const auto& arrival : ends[h].arrivals) {
            times.push_back(arrival.time);
        }
        return times;
    }
    std::uint64_t dropped_by_host(host_id h, drop_reason reason) {
        return made.host(h)->stats().drops[static_cast<unsigned>(reason)];
    }
    std::uint64_t dropped_by_switch(drop_reason reason) {
        return made.device(0).stats().drops[static_cast<unsigned>(reason)];
    }
};

// --- latency -----------------------------------------------------------------------------------------------

/// Five frames back to back from host 0 to host 1; the link to host 1 takes 20 us from `at` on, counted from
/// when the switch begins the first one. `longer`: the first frame that it holds for.
void expect_longer_from(picoseconds at, int longer) {
    const picoseconds first = 1us + to_egress;
    change_rig rig({new_latency(first + at, 1, 20us)});
    rig.stream(1us, 5, rig.frame(0, 1, 1000), 0);
    rig.run(1ms);
    EXPECT_EQ(rig.made.lookahead(), latency);
    std::vector<picoseconds> expected;
    for (int i = 0; i < 5; ++i) {
        expected.push_back(first + frame_time * (i + 1) + (i < longer ? latency : picoseconds{20us}));
    }
    EXPECT_EQ(rig.last_bits(1), expected);
}
TEST(latency_that_grows, holds_for_the_frame_that_leaves_at_that_instant) {
    expect_longer_from(3 * frame_time, 3);
}
TEST(latency_that_grows, does_not_hold_for_a_frame_that_has_left_one_picosecond_before) {
    expect_longer_from(3 * frame_time + 1_ps, 4);
}
TEST(latency_that_grows, holds_for_a_frame_that_leaves_one_picosecond_later) {
    expect_longer_from(3 * frame_time - 1_ps, 3);
}

TEST(latency_that_falls, frames_stay_in_order_and_do_not_overlap_until_a_gap_is_as_long_as_the_difference) {
    // From 20 us to 2 us, in the middle of a train of six frames. The frames behind the change find the far end
    // busy with those before it: as long as they leave back to back, they come as if nothing had changed.
    const picoseconds host_link = latency;  // host 0's own link stays as it is
    const picoseconds first = 1us + frame_time + host_link + 3'100ns + 2us;
    change_rig rig({new_latency(0_ps, 1, 20us), new_latency(first + 3 * frame_time, 1, 2us)});
    EXPECT_EQ(rig.made.lookahead(), 2us);
    const ethernet_frame frame = rig.frame(0, 1, 1000);
    rig.stream(1us, 6, frame, 0);
    // After a gap of 10 us, two more: 8 us of the 18 us are left. Then one alone.
    rig.stream(1us + 6 * frame_time + 10us, 2, frame, 0);
    rig.stream(500us, 1, frame, 0);
    rig.run(1ms);
    std::vector<picoseconds> expected;
    for (int i = 0; i < 6; ++i) {
        expected.push_back(first + frame_time * i + 20us + frame_time);
    }
    const picoseconds train_end = expected.back();
    expected.push_back(train_end + frame_time);
    expected.push_back(train_end + 2 * frame_time);
    expected.push_back(500us - 1us + first + 2us + frame_time);
    EXPECT_EQ(rig.last_bits(1), expected);
    // The seventh left 10 us after the train's end, so it would have been here at 2 us, and is at 10 us.
    EXPECT_EQ(expected[6] - frame_time - (first + 6 * frame_time + 10us), 10us);
}

TEST(latency_that_falls, a_lone_frame_gains_the_whole_difference) {
    const picoseconds first = 1us + to_egress;
    change_rig rig({new_latency(first + 100us, 1, 1us)});
    rig.stream(1us, 1, rig.frame(0, 1, 1000), 0);
    rig.stream(1us + 100us, 1, rig.frame(0, 1, 1000), 0);
    rig.run(1ms);
    EXPECT_EQ(rig.last_bits(1),
              (std::vector<picoseconds>{first + latency + frame_time, first + 100us + 1us + frame_time}));
}

TEST(latency_changes, hold_for_both_directions) {
    change_rig rig({new_latency(200us, 1, 15us)});
    for (const picoseconds start : {picoseconds{1us}, picoseconds{300us}}) {
        rig.stream(start, 1, rig.frame(0, 1, 1000), 0);
        rig.stream(start, 1, rig.frame(1, 0, 1000), 1);
    }
    rig.run(1ms);
    const picoseconds before = to_egress + latency + frame_time;
    const picoseconds after = before + 15us - latency;
    const std::vector<picoseconds> expected{1us + before, 300us + after};
    EXPECT_EQ(rig.last_bits(1), expected);
    EXPECT_EQ(rig.last_bits(0), expected);
}

// --- a literal chain of wires ------------------------------------------------------------------------------

struct literal_frame {
    picoseconds ready;
    bytes length;
    picoseconds first_bit_in{0};
    picoseconds last_bit_in{0};
};

/// One direction of a link with its transmitter, frame by frame, from the words of docs/blocks/link.md.
class literal_link {
 public:
    literal_link(host_id h, const std::vector<fabric_change>& changes)
        : m_link(link_of(h)), m_changes(changes) {}
    void carry(literal_frame& frame) {
        const picoseconds leaves = std::max(frame.ready, m_transmitter_free);
        bit_rate rate = 1_Gbps;
        picoseconds takes = latency;
        for (const fabric_change& change : m_changes) {  // in order of time
            if (change.link == m_link && change.at <= leaves) {
                rate = change.rate.count() > 0 ? change.rate : rate;
                takes = change.latency.value_or(takes);
            }
        }
        const picoseconds length = transmission_time(frame.length, rate);
        m_transmitter_free = leaves + length;
        frame.first_bit_in = std::max(leaves + takes, m_far_end_free);
        frame.last_bit_in = m_far_end_free = frame.first_bit_in + length;
    }

 private:
    link_id m_link;
    std::vector<fabric_change> m_changes;
    picoseconds m_transmitter_free{0};
    picoseconds m_far_end_free{0};
};

class random_changes : public testing::TestWithParam<unsigned> {
 protected:
    random_changes() : m_random(GetParam(), 0, random_purpose::bit_errors) {
        picoseconds at{0};
        for (int i = 0; i < 40; ++i) {
            at += picoseconds{below(25'000'000)};
            const auto h = static_cast<host_id>(below(3));
            if (below(2) == 0) {
                m_changes.push_back(new_latency(at, h, picoseconds{1'000'000 + below(40'000'000)}));
            } else {
                // Rates that have no whole number of picoseconds per byte, too; none above the crossbar's.
                m_changes.push_back(new_rate(at, h, bit_rate{200'000'000 + below(800'000'001)}));
            }
        }
        picoseconds ready{1us};
        for (int i = 0; i < 60; ++i) {
            // Trains and gaps. Lengths within a factor of four: a frame has crossed before the next one may.
            ready += below(3) == 0 ? picoseconds{below(60'000'000)} : 0_ps;
            m_frames.push_back({ready, bytes{400 + below(1'100)}});
        }
    }
    std::int64_t below(std::uint32_t n) { return m_random.below(n); }
    static host_id destination(std::size_t i) { return i % 2 == 0 ? 1 : 2; }

    /// What the literal links say: last bits at host 1, first bits at the module in place of host 2.
    std::string expected() const {
        literal_link from_host(0, m_changes);
        std::array<literal_link, 3> to{literal_link(0, m_changes), literal_link(1, m_changes),
                                       literal_link(2, m_changes)};
        std::array<std::string, 3> text;
        for (std::size_t i = 0; i < m_frames.size(); ++i) {
            literal_frame frame = m_frames[i];
            from_host.carry(frame);
            frame.ready = frame.last_bit_in + 3'100ns + transmission_time(frame.length, 4_Gbps);
            to[destination(i)].carry(frame);
            const picoseconds seen = destination(i) == 1 ? frame.last_bit_in : frame.first_bit_in;
            text[destination(i)] += std::to_string(seen.count()) + '\n';
        }
        return text[1] + "module\n" + text[2];
    }
    std::string simulated(picoseconds quantum, engine_kind engine) const {
        return weir::test::in_child([&] {
            change_rig rig(m_changes, {2});
            user_module user("user");
            user.bind(rig, 2);
            for (std::size_t i = 0; i < m_frames.size(); ++i) {
                const auto length = static_cast<std::uint16_t>(m_frames[i].length.count());
                rig.ends[0].at(m_frames[i].ready, rig.frame(0, destination(i), length));
            }
            rig.run(20ms, quantum, engine);
            std::string text;
            for (const picoseconds time : rig.last_bits(1)) {
                text += std::to_string(time.count()) + '\n';
            }
            text += "module\n";
            for (const auto& arrival : user.arrivals) {
                text += std::to_string(arrival.first_bit.count()) + '\n';
            }
            EXPECT_TRUE(rig.made.is_empty());
            return text;
        });
    }

    random_stream m_random;
    std::vector<fabric_change> m_changes;
    std::vector<literal_frame> m_frames;
};

TEST_P(random_changes, of_rate_and_latency_move_each_frame_as_literal_links_do) {
    const std::string literally = expected();
    EXPECT_EQ(simulated(1us, engine_kind::fast), literally);
    EXPECT_EQ(simulated(123'457_ps, engine_kind::fast), literally);
    EXPECT_EQ(simulated(1us, engine_kind::literal), literally);
}
INSTANTIATE_TEST_SUITE_P(link, random_changes, testing::Range(0U, 8U));

// --- errors ------------------------------------------------------------------------------------------------

TEST(error_rate, holds_for_frames_that_leave_from_its_instant_on_in_both_directions) {
    // Frames leave the switch at first + 8 us x i, and host 1 at 1 us + 8 us x i. All are lost that leave in
    // [begin, end).
    const picoseconds first = 1us + to_egress;
    const picoseconds begin = first + 4 * frame_time;
    const picoseconds end = first + 7 * frame_time + 1_ps;
    change_rig rig({new_frame_errors(begin, 1, 1), new_frame_errors(end, 1, 0)});
    rig.stream(1us, 12, rig.frame(0, 1, 1000), 0);
    rig.stream(1us, 12, rig.frame(1, 0, 1000), 1);
    rig.run(1ms);
    std::vector<picoseconds> to_host_1;
    std::vector<picoseconds> to_host_0;
    for (int i = 0; i < 12; ++i) {
        const picoseconds leaves_switch = first + frame_time * i;
        if (leaves_switch < begin || leaves_switch >= end) {
            to_host_1.push_back(leaves_switch + latency + frame_time);
        }
        const picoseconds leaves_host = 1us + frame_time * i;
        if (leaves_host < begin || leaves_host >= end) {
            to_host_0.push_back(leaves_host + to_egress + latency + frame_time);
        }
    }
    EXPECT_EQ(to_host_1.size(), 8U);  // the frame that leaves 1 ps before the end is lost
    EXPECT_EQ(to_host_0.size(), 9U);
    EXPECT_EQ(rig.last_bits(1), to_host_1);
    EXPECT_EQ(rig.last_bits(0), to_host_0);
    EXPECT_EQ(rig.dropped_by_host(1, drop_reason::bit_error), 4U);
    EXPECT_EQ(rig.dropped_by_switch(drop_reason::bit_error), 3U);
}

TEST(error_rate, of_bits_takes_the_longer_frames_first) {
    fabric_change errors = change_of(0_ps, 1);
    errors.bit_error_rate = 1e-4;
    fabric_change better = change_of(300ms, 1);
    better.bit_error_rate = 0;
    change_rig rig({errors, better});
    for (int i = 0; i < 10'000; ++i) {
        rig.stream(30us * i, 1, rig.frame(0, 1, 1000), 0);
        rig.stream(30us * i, 1, rig.frame(0, 1, 100), 0);
    }
    for (int i = 0; i < 10'000; ++i) {
        rig.stream(300ms + 30us * i, 1, rig.frame(0, 1, 1000), 0);
    }
    rig.run(1s);
    std::array<int, 2> here{};
    for (const auto& arrival : rig.ends[1].arrivals) {
        ++here[arrival.frame.frame_bytes == 100 ? 1 : 0];
    }
    // (1 - 1e-4)^8000 = 0.4493 and (1 - 1e-4)^800 = 0.9231 of 10,000: within five standard deviations. All of
    // the later ones.
    EXPECT_NEAR(here[0] - 10'000, 4'493, 5 * 50);
    EXPECT_NEAR(here[1], 9'231, 5 * 27);
    EXPECT_EQ(rig.dropped_by_host(1, drop_reason::bit_error), 30'000U - rig.ends[1].arrivals.size());
}

// --- cuts of links whose rate changes ----------------------------------------------------------------------

TEST(cut, that_was_over_before_a_frame_left_does_not_take_it_though_the_rate_falls_meanwhile) {
    // At 100 Mb/s the frame would have to have left before the cut. Both directions.
    const picoseconds from_host = 301us;
    const picoseconds from_switch = from_host;
    change_rig rig({cut(270us, 1), cut(280us, 1, true), new_rate(from_host + 1us, 1, 100_Mbps)});
    rig.stream(from_host, 1, rig.frame(1, 0, 1000), 1);
    rig.stream(from_switch - to_egress, 1, rig.frame(0, 1, 1000), 0);
    rig.run(1ms);
    EXPECT_EQ(rig.last_bits(0), (std::vector<picoseconds>{from_host + to_egress + latency + frame_time}));
    EXPECT_EQ(rig.last_bits(1), (std::vector<picoseconds>{from_switch + latency + frame_time}));
}

TEST(cut, while_a_frame_is_on_its_way_takes_it_though_the_rate_rises_meanwhile) {
    // Begun at 100 Mb/s, it takes 80 us; at 1 Gb/s it would have left after the cut.
    const picoseconds leaves = 301us;
    change_rig rig({new_rate(0_ps, 1, 100_Mbps), cut(leaves + 10us, 1), cut(leaves + 11us, 1, true),
                    new_rate(leaves + 20us, 1, 1_Gbps)});
    rig.stream(leaves, 1, rig.frame(1, 0, 1000), 1);
    rig.stream(leaves - to_egress, 1, rig.frame(0, 1, 1000), 0);
    rig.run(1ms);
    EXPECT_EQ(rig.last_bits(0), std::vector<picoseconds>{});
    EXPECT_EQ(rig.last_bits(1), std::vector<picoseconds>{});
    EXPECT_EQ(rig.dropped_by_switch(drop_reason::link_down), 1U);
    EXPECT_EQ(rig.dropped_by_host(1, drop_reason::link_down), 1U);
}

// --- a module of the user's own at the other end -----------------------------------------------------------

struct module_rig : change_rig {
    explicit module_rig(const std::vector<fabric_change>& changes) : change_rig(changes, {2}) {
        user.bind(*this, 2);
    }
    user_module user{"user"};
};

TEST(foreign_sender, on_a_link_that_changes_is_honoured_as_it_annotates) {
    // 6.6 us; 2 us from 200 us on; 15 us and 100 Mb/s from 500 us on.
    fabric_change third = new_latency(500us, 2, 15us);
    third.rate = 100_Mbps;
    module_rig rig({new_latency(200us, 2, 2us), third});
    const ethernet_frame frame = rig.frame(2, 1, 1000);
    rig.user.at(100us, frame, latency);
    rig.user.at(198us, frame, 4us);  // announced ahead: it leaves at 200 us
    rig.user.at(300us, frame, 2us);
    rig.user.at(400us, frame, latency);  // more than the latency
    rig.user.at(490us, frame, 2us);
    rig.user.at(495us, frame, 8us);  // leaves at 499.999999 us at the latest: still at 1 Gb/s
    rig.user.at(600us, frame, 15us);
    rig.run(2ms);
    const picoseconds after_last_bit = 3'100ns + 2us + latency + frame_time;
    std::vector<picoseconds> expected;
    for (const picoseconds first_bit : {picoseconds{106'600ns}, picoseconds{202us}, picoseconds{302us},
                                        picoseconds{406'600ns}, picoseconds{492us}, picoseconds{503us}}) {
        expected.push_back(first_bit + frame_time + after_last_bit);
    }
    expected.push_back(615us + 10 * frame_time + after_last_bit);
    EXPECT_EQ(rig.last_bits(1), expected);
}

void expect_refused(picoseconds call_at, picoseconds delay, const char* latency_named) {
    module_rig rig({new_latency(200us, 2, 2us), new_latency(500us, 2, 15us)});
    rig.user.at(call_at, rig.frame(2, 1, 1000), delay);
    const std::string message = fatal_message([&] { rig.run(2ms); });
    EXPECT_NE(message.find("/weir/wire"), std::string::npos) << message;
    EXPECT_NE(message.find(std::string("at least the link's latency of ") + latency_named), std::string::npos)
        << message;
}
TEST(foreign_sender, that_annotates_less_than_the_latency_at_the_start_is_refused) {
    expect_refused(100us, latency - 1_ps, "6.6us");
}
TEST(foreign_sender, that_annotates_less_than_a_shorter_link_allows_is_refused) {
    expect_refused(300us, 2us - 1_ps, "2us");
}
TEST(foreign_sender, that_does_not_see_its_link_grow_is_refused) {
    expect_refused(600us, latency, "15us");
}
TEST(foreign_sender, that_announces_a_frame_ahead_of_a_shorter_link_too_early_is_refused) {
    expect_refused(198us, 4us - 1_ps, "4us");
}

TEST(foreign_sender, whose_frames_would_overlap_on_a_link_that_has_become_shorter_is_refused) {
    // It annotates; so it is up to it to keep its frames in order.
    module_rig rig({new_latency(200us, 2, 1us)});
    rig.user.at(199us, rig.frame(2, 1, 1000), latency);
    rig.user.at(207us, rig.frame(2, 1, 1000), 1us);
    const std::string message = fatal_message([&] { rig.run(2ms); });
    EXPECT_NE(message.find("the sender must space frames"), std::string::npos) << message;
}

TEST(foreign_sender, loses_the_frames_that_leave_while_the_link_has_errors_or_is_cut) {
    module_rig rig(
        {new_frame_errors(200us, 2, 1), new_frame_errors(300us, 2, 0), cut(400us, 2), cut(401us, 2, true)});
    for (const picoseconds leaves : {picoseconds{199us}, picoseconds{208us}, picoseconds{299us},
                                     picoseconds{390us}, picoseconds{400'500ns}, picoseconds{409us}}) {
        rig.user.at(leaves, rig.frame(2, 1, 1000), latency);
    }
    rig.run(2ms);
    EXPECT_EQ(rig.dropped_by_switch(drop_reason::bit_error), 2U);
    // The one that leaves while the link is cut is lost too, though it would be here when the cut is over.
    EXPECT_EQ(rig.dropped_by_switch(drop_reason::link_down), 2U);
    EXPECT_EQ(rig.ends[1].arrivals.size(), 2U);
}

// --- flow control ------------------------------------------------------------------------------------------

/// Two hosts at full rate into one, lossless, one class; thresholds are left to the program. Returns how the
/// run ended.
std::string lossless_run(std::vector<fabric_change> changes, bytes memory) {
    fabric_parameters p;
    p.flow_control.mode = flow_control_mode::pfc;
    p.device.classes = 1;
    p.device.ingress_buffer = memory;
    p.changes = std::move(changes);
    fabric_rig rig(three_hosts(), p);
    rig.stream(1us, 500, rig.frame(0, 2, 1500), 0);
    rig.stream(1us, 500, rig.frame(1, 2, 1500), 1);
    const std::string message = fatal_message([&] { rig.run(100ms); });
    if (message.empty()) {
        EXPECT_EQ(rig.ends[2].arrivals.size(), 1'000U);
        EXPECT_GT(rig.made.device(0).mac(0).requests.stats().xoff_sent[0], 10U);
    }
    return message;
}
TEST(automatic_thresholds, hold_on_a_link_that_grows_and_shrinks_again_under_pauses) {
    std::vector<fabric_change> changes;
    for (const host_id h : {0U, 1U}) {
        changes.push_back(new_latency(2ms, h, 60us));
        changes.push_back(new_latency(5ms, h, 1us));
        changes.push_back(new_latency(8ms, h, 60us));
    }
    // 60 us: 2 x 12.4 + 0.672 + 120 + 1.024 us are 18,312 B; the memory has 21 KB for that, a frame and XOFF.
    EXPECT_EQ(lossless_run(changes, 21_KB), "");
}
TEST(automatic_thresholds, are_refused_where_the_memory_does_not_do_for_the_longest_link) {
    fabric_change longer = new_latency(2ms, 0, 60us);
    const std::vector<port_config> ports = ports_of_links(three_hosts(), {longer}, 20_B);
    switch_config device;
    device.classes = 1;
    device.ingress_buffer = 19_KB;
    pfc_config pfc;
    pfc.mode = flow_control_mode::pfc;
    EXPECT_EQ(resolve_flow_control(device, pfc, ports[link_of(0)]).errors.size(), 1U);
    EXPECT_EQ(resolve_flow_control(device, pfc, ports[link_of(1)]).errors.size(), 0U);
}

TEST(deadlock, is_not_reported_while_an_xon_is_on_its_way_over_a_link_that_has_become_long) {
    // Short pauses: a fabric that stands still for 130 us used to count as dead. The host at the long link
    // waits for 400 us for its XON.
    fabric_parameters p = change_rig::parameters_of({new_latency(0_ps, 0, 400us)}, {});
    p.flow_control.mode = flow_control_mode::pfc;
    p.flow_control.quanta = pause_quanta{100};
    p.flow_control.xoff = 1_B;
    p.flow_control.xon = 1_B;
    fabric_rig rig(three_hosts(), p);
    rig.stream(1us, 300, rig.frame(0, 1, 500), 0);
    EXPECT_EQ(fatal_message([&] { rig.run(20ms); }), "");
    EXPECT_EQ(rig.ends[1].arrivals.size(), 300U);
}

}  // namespace
