// PFC of a user's own in a switch (pfc_if): it alone says when pauses begin and end, and when which frame is
// sent.
#include <gtest/gtest.h>

#include "support/fabric_rig.h"
#include "weir/model/switch/switch_blocks.h"

using namespace weir;
using namespace weir::tb;
using weir::test::fabric_rig;
using weir::test::fatal_message;
using weir::test::user_module;

namespace {

// 1 Gb/s, 500 B.
constexpr picoseconds frame_time = 4us;
constexpr picoseconds control_time = 512ns;
constexpr picoseconds latency = 6'600ns;
/// From a frame's last bit to its place at egress: lookup, crossbar.
constexpr picoseconds inside = 3'100ns + 1us;

ethernet_frame xoff_of_class_3() {
    ethernet_frame xoff;
    xoff.kind = frame_kind::pfc;
    xoff.frame_bytes = 64;
    xoff.pause.class_enable = 1 << 3;
    xoff.pause.quanta.fill(65'535);
    return xoff;
}

/// Obeys frames 5 us late, and for 30 us at 1 Gb/s whatever they say; tells of requests 3 us late, with 9
/// quanta.
struct slow_pfc : block_module<pfc_if> {
    static constexpr picoseconds effect = 5us;
    static constexpr picoseconds length = 30us;
    static constexpr picoseconds delay = 3us;

    explicit slow_pfc(sc_core::sc_module_name name) : block_module(name) {}

    picoseconds arrive(unsigned, const ethernet_frame& frame, picoseconds now, picoseconds) override {
        m_classes = frame.pause.class_enable;
        m_from = now + effect;
        return m_from;
    }
    class_mask paused(unsigned, picoseconds now) override {
        m_next = now >= m_from && now < m_from + m_length ? m_from + m_length : never;
        return m_next != never ? m_classes : class_mask{0};
    }
    picoseconds next_change(unsigned) const override { return m_next; }

    void request(unsigned, class_mask wanted, bool again, picoseconds now) override {
        m_fields.quanta.fill(0);
        for (unsigned c = 0; c < pfc_classes; ++c) {
            m_fields.quanta[c] = (wanted >> c & 1) != 0 ? 9 : 0;
        }
        m_fields.class_enable = 0xFF;
        m_offer = now + delay;
        repeated += again ? 1 : 0;
    }
    const pause_fields* offer(unsigned, picoseconds now) override {
        return now >= m_offer ? &m_fields : nullptr;
    }
    void sent(unsigned, picoseconds last_bit) override {
        m_offer = never;
        ends.push_back(last_bit);
    }
    picoseconds next_offer(unsigned) const override { return m_offer; }

    void set_rate(unsigned, bit_rate rate) override {
        last_rate = rate;
        m_length = picoseconds{length.count() * 1'000'000'000 / rate.count()};
    }
    void clear(unsigned, picoseconds now) override {
        cleared.push_back(now);
        m_from = never;
    }

    std::vector<picoseconds> ends;
    std::vector<picoseconds> cleared;
    bit_rate last_rate{0};
    int repeated = 0;

 private:
    class_mask m_classes = 0;
    picoseconds m_from = never;
    picoseconds m_length = length;
    picoseconds m_next = never;
    pause_fields m_fields;
    picoseconds m_offer = never;
};

topology two_hosts() {
    single_config config;
    config.hosts = 2;
    return make_topology(config);
}

fabric_parameters with_pfc() {
    fabric_parameters p;
    p.wire_overhead = 0_B;
    p.flow_control.mode = flow_control_mode::pfc;
    return p;
}

TEST(replaced_pfc, a_pause_begins_and_ends_when_the_block_says) {
    fabric_parameters parameters = with_pfc();
    parameters.open_hosts = {1};
    fabric_rig rig(two_hosts(), parameters);
    slow_pfc block("block");
    rig.made.device(0).pfc.bind(block.block);
    user_module user{"user"};
    user.bind(rig, 1);
    rig.stream(1us, 10, rig.frame(0, 1, 500, 3), 0);
    const picoseconds first = 1us + frame_time + latency + inside;
    const picoseconds last_bit = first + 2 * frame_time - 1us;
    user.at(last_bit - control_time - latency, xoff_of_class_3(), latency);
    rig.run(1ms);
    const std::vector<picoseconds> starts = user.starts(3, latency);
    ASSERT_EQ(starts.size(), 10U);
    EXPECT_EQ(starts[2], first + 2 * frame_time);
    // T_R of the configuration, 1.024 us, would have kept it back.
    const picoseconds effect = last_bit + slow_pfc::effect;
    EXPECT_EQ(starts[3], effect + slow_pfc::length);
    EXPECT_EQ(starts[9], effect + slow_pfc::length + 6 * frame_time);
    const pause_timer_stats& stats = rig.made.device(0).mac(1).timers.stats();
    EXPECT_EQ(stats.paused_time[3], slow_pfc::length);
    EXPECT_EQ(stats.xoff_received[3], 1U);
}

TEST(replaced_pfc, frames_are_sent_when_the_block_has_them_and_say_what_it_says) {
    // XOFF with the first byte, XON with the last.
    fabric_parameters parameters = with_pfc();
    parameters.open_hosts = {0};
    parameters.flow_control.xoff = 1_B;
    parameters.flow_control.xon = 1_B;
    fabric_rig rig(two_hosts(), parameters);
    slow_pfc block("block");
    rig.made.device(0).pfc.bind(block.block);
    user_module user{"user"};
    user.bind(rig, 0);
    user.at(0us, rig.frame(0, 1, 500, 7), latency);
    rig.run(1ms);
    const picoseconds arrived = latency + frame_time;
    ASSERT_EQ(user.arrivals.size(), 2U);
    const picoseconds xoff = arrived + slow_pfc::delay;
    const picoseconds xon = arrived + inside + slow_pfc::delay;
    EXPECT_EQ(user.arrivals[0].first_bit, xoff + latency);
    EXPECT_EQ(user.arrivals[0].frame.pause.class_enable, 0xFF);
    EXPECT_EQ(user.arrivals[0].frame.pause.quanta[7], 9);
    EXPECT_EQ(user.arrivals[1].first_bit, xon + latency);
    EXPECT_EQ(user.arrivals[1].frame.pause.quanta[7], 0);
    EXPECT_EQ(block.ends, (std::vector<picoseconds>{xoff + control_time, xon + control_time}));
    const pause_request_stats& stats = rig.made.device(0).mac(0).requests.stats();
    EXPECT_EQ(stats.frames_sent, 2U);
    EXPECT_EQ(stats.xoff_sent[7], 1U);
    EXPECT_EQ(stats.xon_sent[7], 1U);
}

TEST(replaced_pfc, the_block_is_told_of_the_links_changes) {
    fabric_parameters parameters = with_pfc();
    const topology plan = two_hosts();
    const link_id link = *plan.find_link("h0-tor0");
    parameters.changes = {
        {100us, link, false, bit_rate{0}}, {200us, link, true, bit_rate{0}}, {300us, link, {}, 10_Gbps}};
    fabric_rig rig(plan, parameters);
    slow_pfc block("block");
    rig.made.device(0).pfc.bind(block.block);
    rig.stream(1us, 1, rig.frame(1, 0, 500, 7), 1);
    rig.run(1ms);
    EXPECT_EQ(block.cleared, (std::vector<picoseconds>{200us}));
    EXPECT_EQ(block.last_rate, 10_Gbps);
    EXPECT_EQ(block.repeated, 2);
}

// The link that comes up has forgotten its pause: the port must not wait for the end that it had.
TEST(replaced_pfc, a_pause_that_the_block_clears_with_its_link_is_over) {
    fabric_parameters parameters = with_pfc();
    const topology plan = two_hosts();
    const link_id link = *plan.find_link("h1-tor0");
    parameters.open_hosts = {1};
    parameters.changes = {{20us, link, false, bit_rate{0}}, {25us, link, true, bit_rate{0}}};
    fabric_rig rig(plan, parameters);
    slow_pfc block("block");
    rig.made.device(0).pfc.bind(block.block);
    user_module user{"user"};
    user.bind(rig, 1);
    user.at(0us, xoff_of_class_3(), latency);
    // The pause would hold from 12.1 us to 42.1 us; the frame is at egress at 30 us.
    const picoseconds at_egress = 30us;
    rig.stream(at_egress - inside - latency - frame_time, 1, rig.frame(0, 1, 500, 3), 0);
    rig.run(1ms);
    EXPECT_EQ(block.cleared, (std::vector<picoseconds>{25us}));
    EXPECT_EQ(user.starts(3, latency), (std::vector<picoseconds>{at_egress}));
    EXPECT_EQ(rig.made.device(0).mac(1).timers.stats().paused_time[3],
              25us - (latency + control_time + slow_pfc::effect));
}

// At 10 Gb/s the pause would have held for 3 us: it is over with the change, and not when it would have ended.
TEST(replaced_pfc, a_pause_follows_the_rate_of_its_link) {
    fabric_parameters parameters = with_pfc();
    const topology plan = two_hosts();
    parameters.open_hosts = {1};
    parameters.changes = {{20us, *plan.find_link("h1-tor0"), {}, 10_Gbps}};
    fabric_rig rig(plan, parameters);
    slow_pfc block("block");
    rig.made.device(0).pfc.bind(block.block);
    user_module user{"user"};
    user.bind(rig, 1);
    user.at(0us, xoff_of_class_3(), latency);
    rig.stream(1us, 1, rig.frame(0, 1, 500, 3), 0);
    rig.run(1ms);
    EXPECT_EQ(user.starts(3, latency), (std::vector<picoseconds>{20us}));
    EXPECT_EQ(rig.made.device(0).mac(1).timers.stats().paused_time[3],
              20us - (latency + control_time + slow_pfc::effect));
}

TEST(replaced_pfc, a_watchdog_beside_it_is_refused) {
    fabric_parameters parameters = with_pfc();
    parameters.flow_control.watchdog = watchdog_action::drop;
    fabric_rig rig(two_hosts(), parameters);
    slow_pfc block("block");
    rig.made.device(0).pfc.bind(block.block);
    EXPECT_NE(fatal_message([&] { rig.run(1ms); }).find("a PFC watchdog cannot end the pauses"),
              std::string::npos);
}

}  // namespace
