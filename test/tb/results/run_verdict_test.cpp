#include "tb/run/results/run_verdict.h"

#include <gtest/gtest.h>

namespace weir::tb {
namespace {

TEST(run_verdict, is_read_as_it_was_written) {
    for (unsigned v = 0; v < static_cast<unsigned>(run_verdict::count); ++v) {
        const auto verdict = static_cast<run_verdict>(v);
        const auto read =
            parse_failure(to_text(run_failure{1, verdict, "what was said", transfer_counts{7, 4, 3}}));
        ASSERT_TRUE(read);
        EXPECT_EQ(read->status, 1);
        EXPECT_EQ(read->verdict, verdict);
        EXPECT_EQ(read->error, "what was said");
        ASSERT_TRUE(read->flows);
        EXPECT_EQ(read->flows->started, 7U);
        EXPECT_EQ(read->flows->completed, 4U);
        EXPECT_EQ(read->flows->unfinished, 3U);
    }
}

TEST(run_verdict, does_not_follow_from_what_was_said) {
    const std::string text = "/weir/deadlock: ingress port 1 lost a frame of lossless class 0";
    EXPECT_EQ(parse_failure(to_text(run_failure{1, run_verdict::invariant, text}))->verdict,
              run_verdict::invariant);
}

TEST(run_verdict, is_none_where_a_file_of_an_earlier_version_names_none) {
    EXPECT_EQ(parse_failure(R"({"status": 1, "error": "deadlock"})")->verdict, std::nullopt);
    EXPECT_FALSE(parse_failure(R"({"status": 1, "error": "deadlock"})")->flows);
    EXPECT_EQ(parse_failure(R"({"status": 1, "verdict": "lost", "error": "x"})")->verdict, std::nullopt);
    EXPECT_FALSE(parse_failure(R"({"verdict": "deadlock"})"));
    EXPECT_FALSE(parse_failure(""));
}

}  // namespace
}  // namespace weir::tb
