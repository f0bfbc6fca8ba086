#include "weir/model/flow_control/pause_timers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "golden/pfc/pfc_golden.h"
#include "weir/model/clocked/pfc_receive_control.h"
#include "weir/model/flow_control/pause_requests.h"

namespace weir::model {

using namespace tb;
namespace {

using pfc_golden::interval;
using pfc_golden::number;
using pfc_golden::row;

pause_fields fields_of(class_mask enable, std::uint16_t quanta) {
    pause_fields f;
    f.class_enable = enable;
    f.quanta.fill(quanta);
    return f;
}

/// Drives the timers as a node's agenda does: an event per frame, an event per expiry, and notes the pauses.
class driver {
 public:
    explicit driver(bit_rate rate) : m_link(rate) {}

    void receive(const pause_fields& fields, picoseconds when) {
        run_to(when - 1_ps);
        m_timers.apply(fields, when, m_link);
        note(when);
        m_timers.expire(when);
        note(when);
    }
    void run_to(picoseconds end) {
        while (m_timers.next_expiry() <= end) {
            const picoseconds now = m_timers.next_expiry();
            ASSERT_NE(m_timers.expire(now), 0);
            note(now);
        }
    }
    pause_timers& timers() { return m_timers; }
    /// Unit: ps.
    std::vector<interval> pauses() const { return m_pauses; }

 private:
    void note(picoseconds now) {
        EXPECT_EQ(m_timers.paused_mask(), m_timers.paused(now));
        const unsigned changed = unsigned{m_last} ^ m_timers.paused_mask();
        for (unsigned c = 0; c < pfc_classes; ++c) {
            if ((changed >> c & 1) == 0) {
                continue;
            }
            if ((m_last >> c & 1) == 0) {
                m_start[c] = now;
            } else if (now > m_start[c]) {
                m_pauses.push_back({c, m_start[c].count(), now.count()});
            }
        }
        m_last = m_timers.paused_mask();
    }

    serializer m_link;
    pause_timers m_timers;
    class_mask m_last = 0;
    std::array<picoseconds, pfc_classes> m_start{};
    std::vector<interval> m_pauses;
};

TEST(pause_timers_golden, all_golden_scenarios_without_handshake_and_control_changes_give_the_rtl_intervals) {
    const auto stimuli = pfc_golden::by_scenario(pfc_golden::read("rx_stimuli.csv"));
    auto golden_events = pfc_golden::by_scenario(pfc_golden::read("rx_events.csv"));
    auto golden_pauses = pfc_golden::by_scenario(pfc_golden::read("rx_pause_intervals.csv"));
    int scenarios = 0;
    std::size_t pauses = 0;
    for (const row& scenario : pfc_golden::read("rx_scenarios.csv")) {
        const pfc_golden::scenario_key key{scenario.at("config"), scenario.at("scenario")};
        SCOPED_TRACE(key.first + " " + key.second);
        const auto& events = golden_events[key];
        const bool controls = std::any_of(events.begin(), events.end(), [](const row& r) {
            return r.at("signal").compare(0, 3, "in.") == 0;
        });
        if (scenario.at("ack_mode") != "always" || controls) {
            continue;  // pfc_receive_control_test.cpp
        }
        ++scenarios;
        const std::int64_t clock = number(scenario.at("clk_period_ps"));
        driver d(bit_rate{number(scenario.at("line_rate_gbps")) * 1'000'000'000});
        for (const row& r : stimuli.at(key)) {
            const auto data = pfc_golden::octets(r.at("frame_hex"));
            const pause_frame_result decoded = decode_pause_frame(data.data(), data.size());
            if (decoded && decoded.frame.kind == frame_kind::pfc && r.at("tuser_bad_fcs") == "0") {
                const std::int64_t at = number(r.at("cycle_last_beat")) + pause_request_latency.count();
                d.receive(decoded.frame.fields, picoseconds{at * clock});
            }
        }
        const picoseconds end{number(scenario.at("end_cycle")) * clock};
        d.run_to(end);
        d.timers().settle(end);

        std::vector<interval> expected;
        std::array<std::int64_t, pfc_classes> paused_time{};
        for (const row& r : golden_pauses[key]) {
            const auto c = static_cast<unsigned>(number(r.at("class")));
            expected.push_back({c, number(r.at("start_cycle")) * clock, number(r.at("end_cycle")) * clock});
            paused_time[c] += expected.back().end - expected.back().start;
        }
        std::vector<interval> got = d.pauses();
        std::sort(got.begin(), got.end());
        std::sort(expected.begin(), expected.end());
        EXPECT_TRUE(got == expected);
        pauses += expected.size();

        std::array<std::uint32_t, pfc_classes> xoff{};
        std::array<std::uint32_t, pfc_classes> xon{};
        for (const row& r : events) {
            for (unsigned c = 0; c < pfc_classes; ++c) {
                const bool set = (number(r.at("value")) >> c & 1) != 0;
                xoff[c] += set && r.at("signal") == "stat_rx_pfc_xoff";
                xon[c] += set && r.at("signal") == "stat_rx_pfc_xon";
            }
        }
        for (unsigned c = 0; c < pfc_classes; ++c) {
            EXPECT_EQ(d.timers().stats().paused_time[c].count(), paused_time[c]);
            EXPECT_EQ(d.timers().stats().xoff_received[c], xoff[c]);
            EXPECT_EQ(d.timers().stats().xon_received[c], xon[c]);
        }
    }
    EXPECT_EQ(scenarios, 116);  // the number that the traces' own README counts
    EXPECT_GT(pauses, 1000U);
}

TEST(pause_timers, a_pause_is_half_open) {
    pause_timers t;
    t.apply(fields_of(0x08, 2), 10us, 1_Gbps);  // 1.024 us
    EXPECT_EQ(t.next_expiry(), 11024ns);
    EXPECT_EQ(t.paused(11024ns - 1_ps), 0x08);
    EXPECT_EQ(t.paused(11024ns), 0);
    EXPECT_EQ(t.expire(11024ns - 1_ps), 0);
    EXPECT_EQ(t.expire(11024ns), 0x08);
    EXPECT_EQ(t.paused_mask(), 0);
    EXPECT_EQ(t.next_expiry(), never);
    EXPECT_EQ(t.expire(12us), 0);
}

TEST(pause_timers, a_later_frame_replaces_the_timer_whether_longer_or_shorter) {
    pause_timers t;
    t.apply(fields_of(0x01, 100), 0us, 1_Gbps);
    t.apply(fields_of(0x01, 5), 1us, 1_Gbps);
    EXPECT_EQ(t.pause_end(0), 1us + 5 * 512ns);
    t.apply(fields_of(0x01, 200), 2us, 1_Gbps);
    EXPECT_EQ(t.next_expiry(), 2us + 200 * 512ns);
}

TEST(pause_timers, xon_releases_its_classes_at_once_and_no_others) {
    pause_timers t;
    EXPECT_EQ(t.apply(fields_of(0xFF, 1000), 0us, 10_Gbps), 0);
    EXPECT_EQ(t.apply(fields_of(0x21, 0), 1us, 10_Gbps), 0x21);
    EXPECT_EQ(t.paused_mask(), 0xDE);
    EXPECT_EQ(t.apply(fields_of(0x21, 0), 2us, 10_Gbps), 0);
    EXPECT_EQ(t.stats().xon_received[5], 2U);
    EXPECT_EQ(t.stats().xoff_received[5], 1U);
}

TEST(pause_timers, a_refresh_at_the_end_leaves_no_gap) {
    pause_timers t;
    t.apply(fields_of(0x04, 20), 0us, 1_Gbps);
    const picoseconds end = t.next_expiry();
    EXPECT_EQ(t.apply(fields_of(0x04, 20), end, 1_Gbps), 0);
    EXPECT_EQ(t.expire(end), 0);
    EXPECT_EQ(t.paused(end), 0x04);
    t.settle(end + end);
    EXPECT_EQ(t.stats().paused_time[2], end + end);
}

TEST(pause_timers, pause_stops_all_classes_for_its_one_time) {
    pause_timers t;
    pause_fields f;
    f.quanta[0] = 0xFFFF;
    t.apply_pause(f, 0us, 1_Gbps);
    EXPECT_EQ(t.paused_mask(), 0xFF);
    EXPECT_EQ(t.next_expiry(), 33'553'920ns);  // 33.55 ms
    f.quanta[0] = 0;
    EXPECT_EQ(t.apply_pause(f, 1us, 1_Gbps), 0xFF);
    EXPECT_EQ(t.next_expiry(), never);
}

TEST(pause_timers, the_longest_pause_matches_the_closed_form_at_three_speeds) {
    for (const auto& [rate, time] :
         {std::pair{100_Mbps, picoseconds{335'539'200ns}}, std::pair{1_Gbps, picoseconds{33'553'920ns}},
          std::pair{10_Gbps, picoseconds{3'355'392ns}}}) {
        pause_timers t;
        t.apply(fields_of(0x80, 0xFFFF), 0us, rate);
        EXPECT_EQ(t.next_expiry(), time);
    }
}

/// A class's pause as a list of frames, looked through from the start each time.
struct literal_timers {
    struct received {
        pause_fields fields;
        picoseconds at;
    };
    std::vector<received> frames;

    bool paused(unsigned c, picoseconds now) const {
        bool result = false;
        for (const received& f : frames) {
            if (f.at <= now && (f.fields.class_enable >> c & 1) != 0) {
                result = now < f.at + pause_time(pause_quanta{f.fields.quanta[c]}, 10_Gbps);
            }
        }
        return result;
    }
};

TEST(pause_timers, mask_end_and_paused_time_agree_with_a_literal_list_of_frames) {
    std::mt19937 random(7);
    for (int run = 0; run < 50; ++run) {
        pause_timers t;
        literal_timers literal;
        std::array<std::int64_t, pfc_classes> paused_time{};
        // All times are multiples of one quantum at 10 Gb/s, so that ends and frames often coincide.
        constexpr picoseconds tick{51'200};
        for (int n = 0; n < 200; ++n) {
            const picoseconds now = n * tick;
            const class_mask before = t.paused_mask();
            class_mask ended = 0;
            if (random() % 4 == 0) {
                pause_fields f;
                f.class_enable = static_cast<class_mask>(random());
                for (auto& q : f.quanta) {
                    q = static_cast<std::uint16_t>(random() % 12);
                }
                literal.frames.push_back({f, now});
                ended = t.apply(f, now, 10_Gbps);
            }
            // An owner that is late: it expires only now and then, and asks with the time.
            class_mask expected = 0;
            for (unsigned c = 0; c < pfc_classes; ++c) {
                const bool paused = literal.paused(c, now);
                expected = static_cast<class_mask>(expected | unsigned{paused} << c);
                paused_time[c] += paused ? tick.count() : 0;
            }
            EXPECT_EQ(t.paused(now), expected);
            if (random() % 3 == 0) {
                ended = static_cast<class_mask>(ended | t.expire(now));
                EXPECT_EQ(t.paused_mask(), expected);
                EXPECT_EQ(ended, before & ~expected);
            }
        }
        t.settle(200 * tick);
        for (unsigned c = 0; c < pfc_classes; ++c) {
            EXPECT_EQ(t.stats().paused_time[c].count(), paused_time[c]);
        }
    }
}

TEST(pause_timers, expire_no_later_than_an_event_can_be) {
    // 65,535 quanta at 1 Mb/s: 33.6 s.
    pause_fields all;
    all.class_enable = 0xFF;
    all.quanta.fill(65'535);
    pause_timers timers;
    timers.apply(all, 4490s, 1_Mbps);
    EXPECT_EQ(timers.next_expiry(), latest_time);
    pause_requests requests{pause_config{}, 1_Mbps};
    requests.request_xoff(1);
    requests.launch(4490s);
    EXPECT_EQ(requests.refresh_due(), latest_time);
}

}  // namespace
}  // namespace weir::model
