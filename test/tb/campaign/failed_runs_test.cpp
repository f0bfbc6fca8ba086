#include "tb/study/campaign/campaign_directory.h"

#include <gtest/gtest.h>

namespace weir::tb {
namespace {

run_record failed_with(std::optional<run_verdict> verdict) {
    return {run_failure{1, verdict, "e"}, run_record::states::failed};
}

TEST(failed_runs, are_named_by_settings_seed_and_verdict) {
    failed_runs runs;
    EXPECT_EQ(runs.text(), "");
    for (std::uint64_t seed = 1; seed <= 27; ++seed) {
        runs.add({{"shared.memory", "12MiB"}}, seed, {run_failure{}, run_record::states::done});
    }
    EXPECT_EQ(runs.text(), "");
    EXPECT_FALSE(runs.any());
    runs.add({{"shared.memory", "40MiB"}}, 1, failed_with(run_verdict::lossless_loss));
    EXPECT_EQ(runs.text(), "1 of 28 runs failed (shared.memory=40MiB, seed 1: lossless loss)");
    runs.add({{"shared.memory", "40MiB"}}, 2, failed_with(std::nullopt));
    runs.add({{"shared.memory", "40MiB"}}, 3, {run_failure{}, run_record::states::missing});
    EXPECT_EQ(runs.text(),
              "2 of 30 runs failed (shared.memory=40MiB, seed 1: lossless loss; shared.memory=40MiB, seed 2: "
              "failure); 1 is missing");
}

TEST(failed_runs, beyond_eight_are_counted) {
    failed_runs runs;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        runs.add({}, seed, failed_with(run_verdict::deadlock));
    }
    EXPECT_EQ(runs.text().rfind("10 of 10 runs failed (seed 1: deadlock; seed 2: deadlock; ", 0), 0U);
    EXPECT_NE(runs.text().find("; seed 8: deadlock; and 2 more)"), std::string::npos) << runs.text();
    failed_runs missing;
    missing.add({}, 1, {});
    EXPECT_EQ(missing.text(), "1 of 1 run is missing");
}

}  // namespace
}  // namespace weir::tb
