// A user's own SystemC module at the end of a link: frames reach it at the right kernel time, it can send, also
// while the domain skips empty time, and a sender that breaks the rules is told.
#include <gtest/gtest.h>

#include "support/fabric_rig.h"

using namespace weir;
using namespace weir::tb;
using weir::test::fabric_rig;
using weir::test::fatal_message;
using weir::test::user_module;

namespace {

constexpr picoseconds latency = 6'600ns;
/// A frame of 1,000 B at 1 Gb/s, no wire overhead.
constexpr picoseconds frame_time = 8us;
/// From the first bit on one link to the first bit on the next: last bit, lookup, crossbar.
constexpr picoseconds through_switch = latency + frame_time + 3'100ns + 2us;

struct module_rig {
    module_rig() : rig(plan(), parameters()) { user.bind(rig, 2); }
    static topology plan() {
        single_config config;
        config.hosts = 3;
        return make_topology(config);
    }
    static fabric_parameters parameters() {
        fabric_parameters p;
        p.wire_overhead = 0_B;
        p.open_hosts = {2};
        return p;
    }
    fabric_rig rig;
    user_module user{"user"};
};

class user_module_at : public testing::TestWithParam<std::tuple<std::int64_t, engine_kind, unsigned>> {
 protected:
    void SetUp() override { m.rig.threads = std::get<2>(GetParam()); }
    picoseconds quantum() const { return picoseconds{std::get<0>(GetParam())}; }
    engine_kind engine() const { return std::get<1>(GetParam()); }

    module_rig m;
};

TEST_P(user_module_at, receives_each_frame_at_the_kernel_time_of_its_first_bit) {
    std::vector<picoseconds> expected;
    const ethernet_frame frame = m.rig.frame(0, 2, 1000, 3);
    // Back to back, then alone, then after a long silence.
    m.rig.stream(1'000'001_ps, 5, frame, 0);
    for (int i = 0; i < 5; ++i) {
        expected.push_back(1'000'001_ps + frame_time * i + through_switch + latency);
    }
    for (const picoseconds start : {picoseconds{500us}, picoseconds{700ms}}) {
        m.rig.stream(start, 1, frame, 0);
        expected.push_back(start + through_switch + latency);
    }
    m.rig.run(1s, quantum(), engine());
    ASSERT_EQ(m.user.arrivals.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(m.user.arrivals[i].first_bit, expected[i]);
        EXPECT_EQ(m.user.arrivals[i].frame.frame_bytes, 1000);
        EXPECT_EQ(m.user.arrivals[i].frame.priority, 3);
    }
}

TEST_P(user_module_at, can_send_also_while_the_domain_skips_empty_time) {
    const ethernet_frame frame = m.rig.frame(2, 1, 1000);
    // Kernel times on and off every grid; the second is spaced by a transmission; the delay may be longer than
    // the link's latency.
    struct call {
        picoseconds time;
        picoseconds delay;
    };
    const std::vector<call> calls{{0_ps, latency},
                                  {8us, latency},
                                  {123'456'789_ps, latency},
                                  {500ms, latency},
                                  {500ms + 9us, 3 * latency},
                                  {900'000'000'001_ps, latency + 1_ps}};
    for (const call& c : calls) {
        m.user.at(c.time, frame, c.delay);
    }
    m.rig.run(1s, quantum(), engine());
    const auto& arrivals = m.rig.ends[1].arrivals;
    ASSERT_EQ(arrivals.size(), calls.size());
    for (std::size_t i = 0; i < calls.size(); ++i) {
        EXPECT_EQ(arrivals[i].time,
                  calls[i].time + calls[i].delay - latency + through_switch + frame_time + latency);
    }
    // Empty time was skipped: not a million quanta.
    EXPECT_LT(m.rig.made.engine().quanta(), 5'000U);
}

TEST_P(user_module_at, answers_within_the_same_run_and_all_counts_agree) {
    // Both directions at once, so that calls of the module fall into quanta that are under way.
    for (int i = 0; i < 50; ++i) {
        m.rig.stream(10us * i, 1, m.rig.frame(0, 2, 1000), 0);
        m.user.at(10us * i + 777'777_ps, m.rig.frame(2, 1, 1000), latency);
    }
    m.rig.run(2ms, quantum(), engine());
    EXPECT_EQ(m.user.arrivals.size(), 50U);
    ASSERT_EQ(m.rig.ends[1].arrivals.size(), 50U);
    for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(m.rig.ends[1].arrivals[static_cast<std::size_t>(i)].time,
                  10us * i + 777'777_ps + through_switch + frame_time + latency);
    }
    EXPECT_EQ(m.rig.made.device(0).balance().received, 100U);
    EXPECT_EQ(m.rig.made.device(0).balance().sent, 100U);
    EXPECT_TRUE(m.rig.made.is_empty());
}

INSTANTIATE_TEST_SUITE_P(quantum, user_module_at,
                         testing::Values(std::make_tuple(6'600'000, engine_kind::fast, 1),
                                         std::make_tuple(2'200'000, engine_kind::fast, 1),
                                         std::make_tuple(660'000, engine_kind::fast, 1),
                                         std::make_tuple(6'600'000, engine_kind::fast, 3),
                                         std::make_tuple(660'000, engine_kind::fast, 3),
                                         std::make_tuple(6'600'000, engine_kind::literal, 1)),
                         [](const auto& which) {
                             return std::to_string(std::get<0>(which.param)) + "ps" +
                                    (std::get<1>(which.param) == engine_kind::literal ? "_literal" : "") +
                                    (std::get<2>(which.param) == 1 ? "" : "_threads");
                         });

void expect_refused(picoseconds call_at, picoseconds delay, bool busy) {
    module_rig m;
    if (busy) {
        m.rig.stream(0us, 100, m.rig.frame(0, 1, 1000), 0);
    }
    m.user.at(call_at, m.rig.frame(2, 1, 1000), delay);
    const std::string message = fatal_message([&] { m.rig.run(10ms); });
    for (const char* part : {"/weir/wire", "fabric.tor0", "latency of 6.6us"}) {
        EXPECT_NE(message.find(part), std::string::npos) << part << " is not in: '" << message << "'";
    }
}
TEST(user_module_that_annotates_too_short_a_delay, is_told_so_within_a_quantum_under_way) {
    expect_refused(101us, 1us, true);
}
TEST(user_module_that_annotates_too_short_a_delay, is_told_so_by_one_picosecond) {
    expect_refused(101us, latency - 1_ps, true);
}
TEST(user_module_that_annotates_too_short_a_delay, is_told_so_while_the_fabric_is_idle) {
    expect_refused(5ms, 1us, false);
}

TEST(user_module, frames_that_it_holds_back_from_a_switch_do_not_stop_the_others) {
    // It never sends, and is never sent to: the run is as without it.
    module_rig m;
    m.rig.stream(0us, 3, m.rig.frame(0, 1, 1000), 0);
    m.rig.run(1ms);
    EXPECT_EQ(m.rig.ends[1].arrivals.size(), 3U);
    EXPECT_TRUE(m.user.arrivals.empty());
}

}  // namespace
