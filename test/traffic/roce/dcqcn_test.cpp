// DCQCN's reaction points beside literal readings of the texts: the paper's as a walk through every
// microsecond, the simulator's as its own code is, on an event queue as ns-3 has it.
#include "weir/traffic/roce/dcqcn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <vector>

#include "weir/traffic/roce/dcqcn_mellanox.h"
#include "weir/traffic/roce/queue_pair_receiver.h"

namespace weir::traffic {
namespace {

using generator = std::mt19937_64;

std::int64_t between(generator& g, std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(g() % static_cast<std::uint64_t>(high - low + 1));
}

dcqcn_config random_config(generator& g) {
    dcqcn_config c;
    c.gain = 1.0 / static_cast<double>(between(g, 1, 300));
    c.alpha_timer = between(g, 1, 80) * picoseconds{1us};
    c.increase_timer = between(g, 1, 120) * picoseconds{1us};
    c.decrease_interval = between(g, 1, 60) * picoseconds{1us};
    c.byte_counter = bytes{between(g, 1, 400'000)};
    c.fast_recovery = static_cast<std::uint32_t>(between(g, 1, 5));
    c.additive_increase = bit_rate{between(g, 1, 300'000'000)};
    c.hyper_increase = bit_rate{between(g, 1, 900'000'000)};
    c.min_rate = bit_rate{between(g, 1, 200'000'000)};
    c.first_rate = 1.0 / static_cast<double>(between(g, 1, 3));
    c.clamp_target = between(g, 0, 1) == 1;
    return c;
}

constexpr bit_rate line = 25_Gbps;

// The paper's rule ----------------------------------------------------------------------------------------

/// SIGCOMM 2015, figure 7 and section 3.1, one microsecond after the other.
struct paper_reference {
    dcqcn_config c;
    double rc = 25e9, rt = 25e9, alpha = 1;
    int timer_stage = 0, byte_stage = 0;
    bool limited = false;
    std::int64_t alpha_in = 0, timer_in = 0, bytes_in = 0;

    void increase() {
        const int f = static_cast<int>(c.fast_recovery);
        if (std::max(timer_stage, byte_stage) >= f) {
            const bool hyper = std::min(timer_stage, byte_stage) > f;
            rt += hyper
                      ? static_cast<double>(c.hyper_increase->count()) * (std::min(timer_stage, byte_stage) - f)
                      : static_cast<double>(c.additive_increase->count());
            rt = std::min(rt, 25e9);
        }
        rc = (rc + rt) / 2;
    }
    void cnp() {
        rt = rc;
        rc = std::max(rc * (1 - alpha / 2), static_cast<double>(c.min_rate->count()));
        alpha = (1 - c.gain) * alpha + c.gain;
        timer_stage = byte_stage = 0;
        alpha_in = c.alpha_timer / picoseconds{1us};
        timer_in = c.increase_timer / picoseconds{1us};
        bytes_in = c.byte_counter.count();
        limited = true;
    }
    /// What happens in one microsecond: timers that run out, a CNP, a frame.
    void microsecond(bool has_cnp, std::int64_t frame) {
        const bool restarted = has_cnp;
        if (has_cnp) {
            // The timers would run out now, too: the CNP comes first, and they start anew.
            cnp();
        }
        if (limited && !restarted) {
            if (--timer_in == 0) {
                timer_in = c.increase_timer / picoseconds{1us};
                ++timer_stage;
                increase();
            }
            if (--alpha_in == 0) {
                alpha_in = c.alpha_timer / picoseconds{1us};
                alpha *= 1 - c.gain;
            }
        }
        for (; limited && frame > 0; --frame) {
            if (--bytes_in == 0) {
                bytes_in = c.byte_counter.count();
                ++byte_stage;
                increase();
            }
        }
    }
};

TEST(dcqcn, follows_the_paper_through_random_notifications_and_frames) {
    generator g(7);
    for (int run = 0; run < 60; ++run) {
        const dcqcn_config config = random_config(g);
        const dcqcn rule(config, line);
        dcqcn_state s;
        rule.open(s);
        paper_reference reference;
        reference.c = config;
        const std::int64_t calm = between(g, 20, 400);
        for (std::int64_t us = 1; us < 4'000; ++us) {
            const bool has_cnp = between(g, 0, calm) == 0;
            const std::int64_t frame = between(g, 0, 3) == 0 ? between(g, 64, 1'500) : 0;
            reference.microsecond(has_cnp, frame);
            const picoseconds now = us * picoseconds{1us};
            // Timers are looked at when something happens, and now and then.
            if (has_cnp) {
                rule.on_notification(s, now);
            }
            if (frame > 0) {
                rule.advance(s, now);
                rule.on_sent(s, static_cast<std::uint64_t>(frame));
            }
            if (has_cnp || frame > 0 || us % 37 == 0) {
                rule.advance(s, now);
                ASSERT_NEAR(s.current, reference.rc, reference.rc * 1e-12) << "run " << run << ", us " << us;
                ASSERT_NEAR(s.target, reference.rt, reference.rt * 1e-12);
                ASSERT_NEAR(s.alpha, reference.alpha, reference.alpha * 1e-9);
                ASSERT_EQ(s.timer_stage, static_cast<std::uint32_t>(reference.timer_stage));
                ASSERT_EQ(s.byte_stage, static_cast<std::uint32_t>(reference.byte_stage));
                ASSERT_EQ(s.rate.count(), static_cast<std::int64_t>(s.current));
            }
        }
    }
}

TEST(dcqcn, the_rate_does_not_change_before_the_time_that_is_said) {
    generator g(11);
    for (int run = 0; run < 40; ++run) {
        const dcqcn_config config = random_config(g);
        const dcqcn paper(config, line);
        const dcqcn_mellanox adapter(config, line);
        dcqcn_state of_paper;
        dcqcn_mellanox_state of_adapter;
        const std::vector<std::pair<const rate_control*, rate_state*>> both{{&paper, &of_paper},
                                                                            {&adapter, &of_adapter}};
        for (const auto& [rule, s] : both) {
            rule->open(*s);
            EXPECT_EQ(s->next_change, never) << "no notification, no change";
            picoseconds now{0};
            for (int step = 0; step < 200; ++step) {
                now += picoseconds{between(g, 1, 30'000'000)};
                const bit_rate before = s->rate;
                const picoseconds next = s->next_change;
                rule->advance(*s, now);
                ASSERT_TRUE(now >= next || s->rate == before);
                ASSERT_GT(s->next_change, now);
                if (between(g, 0, 9) == 0) {
                    rule->on_notification(*s, now);
                }
            }
        }
    }
}

TEST(dcqcn, rates_that_are_not_set_are_shares_of_the_links) {
    const dcqcn_config defaults;
    EXPECT_EQ(defaults.additive_rate(40_Gbps), 40_Mbps);
    EXPECT_EQ(defaults.hyper_rate(40_Gbps), 400_Mbps);
    EXPECT_EQ(defaults.least_rate(40_Gbps), 10_Mbps);
    EXPECT_EQ(defaults.additive_rate(100_Gbps), 100_Mbps);
    dcqcn_config high;
    high.min_rate = 10_Gbps;
    EXPECT_EQ(high.least_rate(1_Gbps), 1_Gbps) << "never above the link's";
}

// Mellanox's rule -----------------------------------------------------------------------------------------

/// RdmaHw's functions of the same names, on a scheduler as ns-3's: by time, then in the order of scheduling.
struct simulator_reference {
    dcqcn_config c;
    std::multimap<std::int64_t, std::function<void()>> queue;
    std::int64_t now = 0;
    std::uint64_t rate = 25'000'000'000, target = 25'000'000'000;
    double alpha = 1;
    std::uint32_t stage = 0;
    bool first = true, alpha_arrived = false, decrease_arrived = false;
    std::multimap<std::int64_t, std::function<void()>>::iterator rp_timer = queue.end();

    auto schedule(std::int64_t after, std::function<void()> call) {
        return queue.emplace(now + after, std::move(call));
    }
    static std::int64_t ns(picoseconds time) { return time / picoseconds{1ns}; }
    static std::uint64_t scaled(std::uint64_t bps, double factor) {
        return static_cast<std::uint64_t>(static_cast<double>(bps) * factor);
    }
    void cnp_received() {
        alpha_arrived = decrease_arrived = true;
        if (first) {
            alpha = 1;
            alpha_arrived = false;
            schedule(ns(c.alpha_timer), [this] { update_alpha(); });
            schedule(ns(c.decrease_interval) + 1, [this] { check_decrease(); });
            target = rate = scaled(rate, c.first_rate);
            first = false;
        }
    }
    void update_alpha() {
        alpha = alpha_arrived ? (1 - c.gain) * alpha + c.gain : (1 - c.gain) * alpha;
        alpha_arrived = false;
        schedule(ns(c.alpha_timer), [this] { update_alpha(); });
    }
    void check_decrease() {
        schedule(ns(c.decrease_interval), [this] { check_decrease(); });
        if (decrease_arrived) {
            if (c.clamp_target || stage != 0) {
                target = rate;
            }
            rate = std::max(static_cast<std::uint64_t>(c.min_rate->count()), scaled(rate, 1 - alpha / 2));
            stage = 0;
            decrease_arrived = false;
            if (rp_timer != queue.end()) {
                queue.erase(rp_timer);
            }
            rp_timer = schedule(ns(c.increase_timer), [this] { increase(); });
        }
    }
    void increase() {
        rp_timer = schedule(ns(c.increase_timer), [this] { increase(); });
        if (stage >= c.fast_recovery) {
            target += static_cast<std::uint64_t>(
                (stage == c.fast_recovery ? c.additive_increase : c.hyper_increase)->count());
            target = std::min<std::uint64_t>(target, 25'000'000'000);
        }
        rate = rate / 2 + target / 2;
        ++stage;
    }
    void run_until(std::int64_t end) {
        while (!queue.empty() && queue.begin()->first <= end) {
            now = queue.begin()->first;
            const auto call = queue.begin()->second;
            queue.erase(queue.begin());
            call();
        }
    }
};

TEST(dcqcn_mellanox, follows_the_simulators_code_through_random_notifications) {
    generator g(13);
    for (int run = 0; run < 60; ++run) {
        const dcqcn_config config = random_config(g);
        std::vector<std::int64_t> cnps;
        for (std::int64_t at = 0; at < 6'000'000;) {
            // Some on the microsecond, where ticks are, too.
            at += between(g, 1, 3) == 1 ? between(g, 1, 400'000) : between(g, 1, 120) * 1'000;
            cnps.push_back(at);
        }
        simulator_reference reference;
        reference.c = config;
        for (const std::int64_t at : cnps) {
            reference.schedule(at, [&reference] { reference.cnp_received(); });
        }
        const dcqcn_mellanox rule(config, line);
        dcqcn_mellanox_state s;
        rule.open(s);
        for (const std::int64_t at : cnps) {
            reference.run_until(at - 1);
            rule.advance(s, (at - 1) * picoseconds{1ns});
            ASSERT_EQ(static_cast<std::uint64_t>(s.rate.count()), reference.rate)
                << "run " << run << ", ns " << at;
            ASSERT_EQ(static_cast<std::uint64_t>(s.target.count()), reference.target);
            ASSERT_EQ(s.alpha, reference.alpha);
            ASSERT_EQ(s.stage, reference.stage);
            rule.on_notification(s, at * picoseconds{1ns});
        }
    }
}

// The notification point ----------------------------------------------------------------------------------

TEST(notification_point, answers_a_mark_unless_it_has_answered_one_within_the_interval) {
    generator g(17);
    for (int run = 0; run < 50; ++run) {
        const picoseconds interval{between(g, 0, 60'000'000)};
        notification_point np;
        std::vector<picoseconds> sent;
        picoseconds now{0};
        for (int mark = 0; mark < 500; ++mark) {
            now += picoseconds{between(g, 0, 20'000'000)};
            const bool recent =
                std::any_of(sent.begin(), sent.end(), [&](picoseconds at) { return at > now - interval; });
            ASSERT_EQ(np.on_marked(now, interval), !recent);
            if (!recent) {
                sent.push_back(now);
            }
        }
    }
}

}  // namespace
}  // namespace weir::traffic
