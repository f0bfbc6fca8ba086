#include "weir/model/engine/occupancy_sampler.h"

#include <gtest/gtest.h>

using namespace weir;
using namespace weir::model;

namespace {

/// The k-th sample's values are made from its time, so that a sample that moved to the wrong place shows.
std::uint32_t fill_at(picoseconds time, std::uint32_t column) {
    return static_cast<std::uint32_t>(time / 1ns) * 10 + column;
}

/// Takes every sample that is due before `until`, as a node does.
void run(occupancy_sampler& sampler, picoseconds until) {
    while (sampler.due() < until) {
        const picoseconds now = sampler.due();
        pause_sample sample;
        sample.paused_time[3] = now / 2;
        sample.xoff_sent[3] = sample.pfc_frames_sent = static_cast<std::uint64_t>(now / 1ns);
        sampler.take(&sample, [&](std::uint32_t column) { return fill_at(now, column); });
    }
}

void expect_grid(const occupancy_sampler& sampler, picoseconds interval, std::size_t count) {
    ASSERT_EQ(sampler.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
        const pause_sample s = sampler.pauses(i);
        const picoseconds time = sampler.time(i);
        ASSERT_EQ(time, interval * static_cast<std::int64_t>(i));
        ASSERT_EQ(s.paused_time[3], time / 2);
        ASSERT_EQ(s.xoff_sent[3], static_cast<std::uint64_t>(time / 1ns));
        ASSERT_EQ(s.pfc_frames_sent, s.xoff_sent[3]);
        for (std::uint32_t c = 0; c < sampler.columns(); ++c) {
            ASSERT_EQ(sampler.fill(i, c), fill_at(time, c));
        }
    }
}

TEST(occupancy_sampler, takes_a_sample_per_interval_from_time_zero_on) {
    occupancy_sampler sampler;
    EXPECT_FALSE(sampler.enabled());
    EXPECT_EQ(sampler.due(), never);
    sampler.enable(100ns, 64, 3);
    run(sampler, 2'000ns);
    expect_grid(sampler, 100ns, 20);
}

TEST(occupancy_sampler, halves_its_samples_and_doubles_the_interval_when_the_store_is_full) {
    for (const std::uint32_t capacity : {4U, 8U, 16U, 64U}) {
        for (std::int64_t intervals = 1; intervals < 400; ++intervals) {
            occupancy_sampler sampler;
            sampler.enable(100ns, capacity, 2);
            run(sampler, 100ns * intervals);
            // Literally: all samples, thinned each time that the store was full.
            std::int64_t step = 1;
            std::size_t stored = 0;
            for (std::int64_t k = 0; k < intervals; ++k) {
                if (k % step == 0 && ++stored == capacity) {
                    stored = capacity / 2;
                    step *= 2;
                }
            }
            ASSERT_NO_FATAL_FAILURE(expect_grid(sampler, 100ns * step, stored))
                << "capacity " << capacity << ", " << intervals << " intervals";
            ASSERT_LT(sampler.size(), capacity);
        }
    }
}

TEST(occupancy_sampler, what_remains_in_the_end_depends_on_the_end_and_not_on_how_far_the_node_ran) {
    const std::uint32_t capacity = 16;
    for (std::int64_t end = 0; end < 150; ++end) {
        // Literally: the finest grid with fewer than half of the store's samples up to the end.
        std::int64_t step = 1;
        while (end / step + 1 >= capacity / 2) {
            step *= 2;
        }
        for (const std::int64_t beyond : {std::int64_t{0}, std::int64_t{1}, end / 3, end / 2, end}) {
            occupancy_sampler sampler;
            sampler.enable(100ns, capacity, 2);
            run(sampler, 100ns * (end + beyond) + 1_ps);
            sampler.finish(100ns * end);
            ASSERT_NO_FATAL_FAILURE(
                expect_grid(sampler, 100ns * step, static_cast<std::size_t>(end / step + 1)))
                << "end " << end << ", " << beyond << " intervals beyond";
        }
    }
}

TEST(occupancy_sampler, has_no_pauses_before_the_first_one_and_all_after_it) {
    for (std::int64_t first = 0; first < 40; ++first) {
        occupancy_sampler sampler;
        sampler.enable(100ns, 8, 1);
        const auto paused_at = [&](picoseconds time) { return time >= first * 100ns ? time + 1_ps : 0_ps; };
        while (sampler.due() < 3us) {
            pause_sample sample;
            sample.paused_time[1] = paused_at(sampler.due());
            sampler.take(sample.paused_time[1] > 0_ps ? &sample : nullptr, [](std::uint32_t) { return 0U; });
        }
        // Asleep, it has what it had when it fell asleep.
        const std::size_t awake = sampler.size();
        const picoseconds last = sampler.pauses(awake - 1).paused_time[1];
        sampler.sleep();
        sampler.wake(sampler.time(awake - 1) + 450ns);
        for (std::size_t i = 0; i < sampler.size(); ++i) {
            const picoseconds expected = std::min(last, paused_at(sampler.time(i)));
            ASSERT_EQ(sampler.pauses(i).paused_time[1], expected) << first << ", sample " << i;
        }
    }
}

TEST(occupancy_sampler, is_due_no_later_than_an_event_can_be) {
    occupancy_sampler sampler;
    sampler.enable(2000s, 64, 1);
    const auto take = [&] { sampler.take(nullptr, [](std::uint32_t) { return 0U; }); };
    take();
    take();
    EXPECT_EQ(sampler.due(), picoseconds{4000s});
    take();
    EXPECT_EQ(sampler.due(), latest_time);
}

}  // namespace
