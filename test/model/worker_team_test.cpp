#include "weir/model/worker_team.h"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>

using weir::worker_team;

namespace {

TEST(worker_team, each_worker_does_each_job_once_and_sees_what_was_written_before) {
    for (const unsigned workers : {1U, 2U, 3U, 8U}) {
        worker_team team(workers);
        EXPECT_EQ(team.size(), workers);
        std::vector<std::uint64_t> done(workers);
        std::uint64_t input = 0;
        for (int round = 1; round <= 2000; ++round) {
            input += static_cast<std::uint64_t>(round);
            team.run([&](unsigned worker) { done[worker] += input; });
        }
        // The sum of the first 2,000 triangular numbers.
        const std::uint64_t expected = std::uint64_t{2000} * 2001 * 2002 / 6;
        EXPECT_EQ(done, std::vector<std::uint64_t>(workers, expected));
    }
}

TEST(worker_team, workers_that_have_gone_to_sleep_wake_up) {
    worker_team team(3);
    std::vector<int> done(3);
    for (int round = 0; round < 5; ++round) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        team.run([&](unsigned worker) { ++done[worker]; });
    }
    EXPECT_EQ(done, std::vector<int>(3, 5));
}

TEST(worker_team, a_team_may_end_without_a_job) {
    const worker_team team(4);
    EXPECT_EQ(team.size(), 4U);
}

}  // namespace
