#include "weir/model/forwarding/lookup_pipeline.h"

#include <gtest/gtest.h>

#include <deque>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "weir/base/rng.h"

namespace weir::model {
namespace {

/// The oracle: steps through time, one picosecond after the other, with a queue before the engine.
std::vector<picoseconds> stepped_completions(const std::vector<picoseconds>& arrivals, std::int64_t latency,
                                             std::int64_t interval) {
    std::vector<picoseconds> completions;
    std::deque<std::size_t> waiting;
    std::size_t next = 0;
    std::int64_t busy = 0;
    for (std::int64_t now = 0; completions.size() < arrivals.size(); ++now) {
        while (next < arrivals.size() && arrivals[next].count() == now) {
            waiting.push_back(next++);
        }
        while (!waiting.empty() && busy == 0) {
            waiting.pop_front();
            completions.push_back(picoseconds{now + latency});
            busy = interval;
        }
        busy -= busy > 0 ? 1 : 0;
    }
    return completions;
}

TEST(lookup_pipeline, completions_agree_with_a_queue_stepped_through_time) {
    random_stream chance{3, 0, random_purpose::adversary};
    for (unsigned run = 0; run < 200; ++run) {
        const std::int64_t latency = chance.below(20);
        const std::int64_t interval = chance.below(6);
        std::vector<picoseconds> arrivals;
        picoseconds now{0};
        for (unsigned n = 0; n < 100; ++n) {
            now += picoseconds{chance.below(2) == 0 ? 0 : chance.below(10)};
            arrivals.push_back(now);
        }
        const std::vector<picoseconds> expected = stepped_completions(arrivals, latency, interval);
        lookup_pipeline pipeline(picoseconds{latency}, picoseconds{interval});
        picoseconds wait{0};
        picoseconds longest{0};
        std::uint64_t waited = 0;
        for (std::size_t n = 0; n < arrivals.size(); ++n) {
            ASSERT_EQ(pipeline.issue(arrivals[n]), expected[n]) << "run " << run << ", lookup " << n;
            const picoseconds w = expected[n] - arrivals[n] - picoseconds{latency};
            wait += w;
            longest = std::max(longest, w);
            waited += w.count() > 0 ? 1 : 0;
        }
        EXPECT_EQ(pipeline.stats().lookups, arrivals.size());
        EXPECT_EQ(pipeline.stats().wait_time, wait);
        EXPECT_EQ(pipeline.stats().longest_wait, longest);
        EXPECT_EQ(pipeline.stats().waited, waited);
    }
}

TEST(lookup_pipeline, simultaneous_arrivals_are_one_interval_apart_in_call_order) {
    lookup_pipeline pipeline(100ns, 10ns);
    EXPECT_EQ(pipeline.issue(1us), 1100ns);
    EXPECT_EQ(pipeline.issue(1us), 1110ns);
    EXPECT_EQ(pipeline.issue(1us), 1120ns);
    EXPECT_EQ(pipeline.stats().waited, 2U);
    EXPECT_EQ(pipeline.stats().wait_time, 30ns);
    EXPECT_EQ(pipeline.stats().longest_wait, 20ns);
}

TEST(lookup_pipeline, arrival_at_the_issue_slot_does_not_wait) {
    lookup_pipeline pipeline(100ns, 10ns);
    EXPECT_EQ(pipeline.issue(1000ns), 1100ns);
    EXPECT_EQ(pipeline.issue(1010ns), 1110ns);
    EXPECT_EQ(pipeline.issue(1019ns), 1120ns);
    EXPECT_EQ(pipeline.stats().waited, 1U);
}

TEST(lookup_pipeline, interval_0_never_waits) {
    lookup_pipeline pipeline(3100ns, 0_ps);
    for (unsigned n = 0; n < 10; ++n) {
        EXPECT_EQ(pipeline.issue(5us), 8100ns);
    }
    EXPECT_EQ(pipeline.stats().lookups, 10U);
    EXPECT_EQ(pipeline.stats().waited, 0U);
}

TEST(lookup_pipeline, reset_stats_leaves_the_timing_alone) {
    lookup_pipeline pipeline(100ns, 10ns);
    (void)pipeline.issue(0_ps);
    pipeline.reset_stats();
    EXPECT_EQ(pipeline.issue(0_ps), 110ns);
    EXPECT_EQ(pipeline.stats().lookups, 1U);
}

TEST(lookup_pipeline_golden, one_lookup_per_cycle_has_the_latency_of_the_longest_prefix_rtl) {
    constexpr picoseconds clock = 4ns;
    const std::map<std::string, std::int64_t> log2_entries = {{"8", 3}, {"16", 4}};
    for (const auto& [entries, log2] : log2_entries) {
        std::ifstream file(std::string(WEIR_GOLDEN_DIR) + "/tcam/lpm_lookup_n" + entries + ".csv");
        ASSERT_TRUE(file);
        lookup_pipeline pipeline(clock * (3 + log2), clock);
        std::string line;
        std::getline(file, line);
        picoseconds now{0};
        for (; std::getline(file, line); now += clock) {
            const std::int64_t cycles = std::stoll(line.substr(line.rfind(',') + 1));
            ASSERT_EQ(pipeline.issue(now), now + clock * cycles);
        }
        EXPECT_EQ(pipeline.stats().lookups, 1100U);
    }
}

TEST(lookup_pipeline, is_done_no_later_than_an_event_can_be) {
    lookup_pipeline pipeline(1s, 1s);
    EXPECT_EQ(pipeline.issue(4499s), picoseconds{4500s});
    for (int i = 0; i < 10; ++i) {
        EXPECT_LE(pipeline.issue(4499s), latest_time);
    }
}

}  // namespace
}  // namespace weir::model
