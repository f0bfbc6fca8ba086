#include "support/errors_said.h"
#include "weir/traffic/goal/goal_file.h"

#include "traffic/goal/goal_test_files.h"

namespace weir::traffic {
namespace {

TEST(goal_text, reads_operations_labels_requirements_and_comments) {
    const goal_schedule s = good_goal_of(
        "num_ranks 2 // two\n"
        "/* a comment\nof lines */ rank 0 {\n"
        "  l1: calc 500 cpu 1\r\n"
        "l2 :send 8 b to 1 tag 3 cpu 2 nic 4 /* here */\n"
        "l2 requires l1 // and\n"
        "later irequires l2\n"
        "later: recv 7b from 1\n"
        "}\n\nrank 1 {\n"
        "recv 8b from -1 tag -1\n"
        "send 7b to 0 nic 1\n"
        "}\n");
    EXPECT_EQ(text_of(s),
              "rank 0\n"
              "2 500 0 0 1 0 needs 0, frees 1\n"
              "0 8 1 3 2 4 needs 1, frees i2\n"
              "1 7 1 0 0 0 needs 1, frees\n"
              "rank 1\n"
              "1 8 4294967295 4294967295 0 0 needs 0, frees\n"
              "0 7 0 0 0 1 needs 0, frees\n");
    EXPECT_EQ(s.cpus(), 3U);
    EXPECT_EQ(s.nics(), 5U);
    EXPECT_EQ(s.rank_of(2), 0U);
    EXPECT_EQ(s.rank_of(3), 1U);
}

TEST(goal_text, ranks_may_be_empty) {
    const goal_schedule s = good_goal_of("num_ranks 3\nrank 0 {\n}\nrank 1 {\ncalc 1\n}\nrank 2 {\n}\n");
    EXPECT_EQ(s.ranks(), 3U);
    EXPECT_EQ(s.rank_of(0), 1U);
    EXPECT_EQ(s.size(), 1U);
}

/// The errors of a text, `line: key: message` each.
std::string errors_of(const std::string& text) {
    std::string all;
    for (const config_error& e : goal_of(text).errors) {
        EXPECT_EQ(e.file, "s.goal");
        EXPECT_TRUE(e.message.find("expected ") != std::string::npos || e.key.empty()) << e.message;
        all += (all.empty() ? "" : "\n") + std::to_string(e.line) + ": " + e.key + ": " + e.message;
    }
    return all;
}
std::string errors_within(const std::string& operations) {
    return errors_of("num_ranks 2\nrank 0 {\n" + operations + "\n}\nrank 1 {\n}\n");
}

TEST(goal_text, what_is_wrong_within_a_rank_is_told_with_its_line) {
    EXPECT_TRUE(errors_are(errors_within("l1: send 8b to 2"), {"3: send: 2, 0 to 1"}));
    EXPECT_TRUE(errors_are(errors_within("send 8b to -1"), {"3: send: -1, 0 to 1"}));
    EXPECT_TRUE(errors_are(errors_within("recv 8 from 1"), {"3: recv: 8, 8b"}));
    EXPECT_TRUE(errors_are(errors_within("recv 8b to 1"), {"3: recv: to, from"}));
    EXPECT_TRUE(errors_are(errors_within("calc x"), {"3: calc: x, 0 to 281474976710656"}));
    EXPECT_TRUE(errors_are(errors_within("calc 5 tag 3"), {"3: calc: tag, cpu, end of the line"}));
    EXPECT_TRUE(errors_are(errors_within("send 1b to 1 tag 1 color 3"), {"3: send: color, tag, cpu, nic"}));
    EXPECT_TRUE(errors_are(errors_within("send 1b to 1 cpu 256"), {"3: cpu: 256, 0 to 255"}));
    EXPECT_TRUE(errors_are(errors_within("l1: put 5"), {"3: l1: put, send, recv, calc"}));
    EXPECT_TRUE(errors_are(errors_within("l1 needs l2"), {"3: l1: needs, requires, irequires"}));
    EXPECT_TRUE(errors_are(errors_within("5l: calc 5"), {"3: 5l: send, recv, calc"}));
    EXPECT_TRUE(errors_are(errors_within("l1: calc 1\nl1 requires l9\nl8 irequires l1"),
                           {"4: requires: l9, rank 0", "5: requires: l8, rank 0"}));
    EXPECT_TRUE(errors_are(errors_within("l1: calc 1\nl1: calc 2"), {"4: l1: once"}));
    EXPECT_TRUE(errors_are(errors_within("l1: calc 1\nl1 requires l1 l2"), {"4: l1: l2, end of the line"}));
}

TEST(goal_text, circles_of_requirements_are_told_at_one_of_their_operations) {
    EXPECT_TRUE(
        errors_are(errors_within("l0: calc 1\nl1: calc 1\nl1 requires l1"), {"4: requires: itself, circle"}));
    EXPECT_TRUE(
        errors_are(errors_within("a: calc 1\nb: calc 1\nc: calc 1\nb requires a\nb requires c\nc irequires b"),
                   {"4: requires: itself, circle"}));
}

TEST(goal_text, ranks_that_are_missing_or_out_of_order_are_told) {
    EXPECT_TRUE(errors_are(errors_of(""), {"0: num_ranks: missing, num_ranks N"}));
    EXPECT_TRUE(errors_are(errors_of("num_ranks 0\n"), {"1: num_ranks: 0, 1 to 1048576"}));
    EXPECT_TRUE(errors_are(errors_of("num_ranks 2\nnum_ranks 2\n"), {"2: num_ranks: twice"}));
    EXPECT_TRUE(errors_are(errors_of("rank 0 {\n"), {"1: rank: num_ranks N"}));
    EXPECT_TRUE(errors_are(errors_of("num_ranks 2\nrank 0 {\n}\n"), {"3: rank: 1 of 2"}));
    EXPECT_TRUE(errors_are(errors_of("num_ranks 2\nrank 1 {\n}\n"), {"2: rank: 1, 0"}));
    EXPECT_TRUE(errors_are(errors_of("num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n"), {"4: rank: 0, no further"}));
    EXPECT_TRUE(errors_are(errors_of("num_ranks 1\nrank 0 {\ncalc 5\n"), {"3: rank: no end, }"}));
    EXPECT_TRUE(errors_are(errors_of("num_ranks 1\nrank 0 {\n}\n/* open\n"), {"4: /*: no end, */"}));
    EXPECT_TRUE(errors_are(errors_of("num_ranks 2\nrank 0 {\nrank 1 {\n}\n"), {"3: rank: rank 0, }"}));
    EXPECT_EQ(errors_of("num_ranks 1\ncalc 5\n").substr(0, 31), "2: calc: stands outside a rank;");
    EXPECT_EQ(errors_of("num_ranks 1\n}\n").substr(0, 21), "2: }: ends no rank; e");
}

TEST(goal_text, twenty_errors_are_kept_and_the_others_counted) {
    std::string many;
    for (int i = 0; i < 25; ++i) {
        many += "calc x\n";
    }
    const config_errors errors = goal_of("num_ranks 1\nrank 0 {\n" + many + "}\n").errors;
    ASSERT_EQ(errors.size(), 21U);
    EXPECT_EQ(errors.back().message, "and 5 more");
}

}  // namespace
}  // namespace weir::traffic
