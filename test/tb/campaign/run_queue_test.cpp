#include "tb/study/campaign/run_queue.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace weir::tb {
namespace {

namespace fs = std::filesystem;

class two_points : public run_list {
 public:
    std::string describe(std::size_t point) const override { return "point " + std::to_string(point); }
    std::string file(std::size_t) const override { return "a.ini"; }
    std::vector<std::string> arguments(const pending_run&) const override { return {}; }
    std::string effective_ini(const pending_run& run) const override {
        return "# what follows is a point\npoint = " + std::to_string(run.point) + "\n";
    }
    kept_files kept(std::size_t) const override { return kept_files::summary; }
};

class run_queues : public testing::Test {
 protected:
    void SetUp() override { fs::create_directories(m_root); }
    void TearDown() override { fs::remove_all(m_root); }
    void put(const pending_run& run, const std::string& file, const std::string& text) const {
        fs::create_directories(m_layout.run(run.point, run.seed));
        std::ofstream(m_layout.run(run.point, run.seed) / file) << text;
    }
    void put_failed(const pending_run& run) const {
        put(run, "failure.json", R"({"status": 1, "error": "deadlock"})");
        put(run, "effective.ini", "point = " + std::to_string(run.point) + "\n");
    }

    const fs::path m_root = fs::temp_directory_path() / ("weir_run_queue_" + std::to_string(::getpid()));
    const campaign_layout m_layout{m_root, 2};
    const two_points m_runs;
    const std::vector<pending_run> m_all{{0, 7}, {1, 7}, {0, 8}, {1, 8}};
};

TEST(campaign_status, says_how_far_it_is_and_how_long_it_takes) {
    EXPECT_EQ(progress_text({200, 37, 0, 2, -1}), "37 of 200 runs done, 2 running");
    EXPECT_EQ(progress_text({200, 37, 1, 2, 192}), "37 of 200 runs done, 1 failed, 2 running, 3 min 12 s left");
    EXPECT_EQ(progress_text({200, 37, 1, 2, -1, 3}),
              "37 of 200 runs done, 1 failed, 3 not finished, 2 running");
}

TEST(campaign_layout, a_point_has_its_number_from_1_with_as_many_digits_as_the_last) {
    EXPECT_EQ(point_name(0, 10), "0001");
    EXPECT_EQ(point_name(99'998, 99'999), "99999");
    EXPECT_EQ(point_name(0, 99'999), "00001");
}

TEST_F(run_queues, an_empty_directory_leaves_every_run_to_be_made) {
    const inventory found = take_inventory(m_all, m_runs, m_layout, false);
    EXPECT_EQ(found.pending.size(), 4U);
    EXPECT_EQ(found.done + found.failed, 0U);
}

TEST_F(run_queues, a_verdict_is_final_unless_it_is_to_be_made_again) {
    put_failed({1, 7});
    const inventory found = take_inventory(m_all, m_runs, m_layout, false);
    EXPECT_EQ(found.pending.size(), 3U);
    EXPECT_EQ(found.failed, 1U);
    EXPECT_TRUE(found.foreign.empty());
    EXPECT_EQ(take_inventory(m_all, m_runs, m_layout, true).pending.size(), 4U);
}

TEST_F(run_queues, what_the_environment_ended_is_not_final) {
    put({1, 7}, "failure.json", R"({"status": 3, "error": "disk full", "final": false})");
    put({1, 7}, "effective.ini", "point = 1\n");
    EXPECT_EQ(take_inventory(m_all, m_runs, m_layout, false).pending.size(), 4U);
}

TEST_F(run_queues, a_run_of_another_configuration_is_foreign) {
    put_failed({1, 7});
    put({1, 7}, "effective.ini", "point = 0\n");
    const inventory found = take_inventory(m_all, m_runs, m_layout, false);
    ASSERT_EQ(found.foreign.size(), 1U);
    EXPECT_NE(found.foreign[0].message.find("differs from this command's configuration of point 1;"),
              std::string::npos);
}

TEST_F(run_queues, runs_are_named_once_in_their_order_and_counted_as_they_end) {
    inventory found;
    found.pending = m_all;
    found.done = 5;
    run_queue queue(m_runs, found, 2, 1);
    std::vector<std::string> notes;
    queue.note = [&](const std::string& text) { notes.push_back(text); };
    for (const pending_run& expected : m_all) {
        const auto run = queue.next();
        ASSERT_TRUE(run);
        EXPECT_EQ(run->point, expected.point);
        EXPECT_EQ(run->seed, expected.seed);
    }
    EXPECT_FALSE(queue.next());
    queue.take({m_all[0], {{0, {}, ""}, run_record::states::done}, 2.0});
    queue.take({m_all[1], {{1, run_verdict::lossless_loss, "a loss"}, run_record::states::failed}, 2.0});
    queue.take({m_all[2], {{3, {}, "disk full"}, run_record::states::missing}, 2.0});
    EXPECT_EQ(queue.status().total, 9U);
    EXPECT_EQ(queue.status().done, 6U);
    EXPECT_EQ(queue.status().failed, 1U);
    EXPECT_EQ(queue.status().not_finished, 1U);
    const std::vector<std::string> expected{"point 1, seed 7: failed: a loss",
                                            "point 0, seed 8: not finished: disk full"};
    EXPECT_EQ(notes, expected);
}

}  // namespace
}  // namespace weir::tb
