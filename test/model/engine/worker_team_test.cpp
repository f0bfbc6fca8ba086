#include "weir/model/engine/worker_team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>

using weir::model::worker_team;

namespace {

/// A job as the engine's: whoever is there does it, all of it.
struct shared_job {
    explicit shared_job(unsigned workers) : calls(workers), sum(workers) {}

    void operator()(unsigned worker) {
        ++calls[worker];
        while (next.fetch_add(1) < items) {
            sum[worker] += input;
        }
    }
    static constexpr unsigned items = 16;
    std::uint64_t input = 0;
    std::atomic<unsigned> next{0};
    std::vector<int> calls;
    std::vector<std::uint64_t> sum;
};

TEST(worker_team, every_job_is_done_by_those_who_come_each_once_and_sees_what_was_written_before) {
    for (const unsigned workers : {1U, 2U, 3U, 8U}) {
        worker_team team(workers);
        EXPECT_EQ(team.size(), workers);
        shared_job job(workers);
        for (int round = 1; round <= 2000; ++round) {
            job.input += static_cast<std::uint64_t>(round);
            job.next = 0;
            std::vector<int> before = job.calls;
            team.run(job);
            EXPECT_EQ(job.calls[0], before[0] + 1);
            for (unsigned worker = 1; worker < workers; ++worker) {
                EXPECT_LE(job.calls[worker], before[worker] + 1);
            }
        }
        // The sum of the first 2,000 triangular numbers, for each item.
        const std::uint64_t expected = job.items * std::uint64_t{2000} * 2001 * 2002 / 6;
        EXPECT_EQ(std::accumulate(job.sum.begin(), job.sum.end(), std::uint64_t{0}), expected);
    }
}

// Worker 0 waits for the others here, which a job must not do in earnest.
TEST(worker_team, workers_that_have_gone_to_sleep_wake_up) {
    worker_team team(3);
    std::vector<int> done(3);
    for (int round = 0; round < 5; ++round) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        std::atomic<unsigned> here{0};
        team.run([&](unsigned worker) {
            ++done[worker];
            for (++here; here != 3;) {
                std::this_thread::yield();
            }
        });
    }
    EXPECT_EQ(done, std::vector<int>(3, 5));
}

TEST(worker_team, a_worker_that_comes_too_late_finds_the_job_done) {
    worker_team team(2);
    std::atomic<int> late{0};
    for (int round = 0; round < 10'000; ++round) {
        int mine = 0;
        // Nothing to wait for: mostly over before the other one has looked.
        team.run([&](unsigned worker) { worker == 0 ? void(++mine) : void(++late); });
        ASSERT_EQ(mine, 1);
    }
    EXPECT_LE(late, 10'000);
}

TEST(worker_team, a_team_may_end_without_a_job) {
    const worker_team team(4);
    EXPECT_EQ(team.size(), 4U);
}

}  // namespace
