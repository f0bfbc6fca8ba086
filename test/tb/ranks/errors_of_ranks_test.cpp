// What is printed of mistakes that ranks have been started with, and by which rank.
#include "tb/run/ranks/errors_of_ranks.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "support/errors_said.h"
#include "support/thread_team.h"

namespace weir::tb {
namespace {

/// By rank: what it was told, and what it printed.
struct told {
    bool refused;
    std::string text;
};

template <class Call>
std::vector<told> told_by(std::size_t ranks, const Call& call) {
    test::thread_team team(static_cast<unsigned>(ranks));
    std::vector<told> all(ranks);
    team.run([&](model::rank_team& rank) {
        std::ostringstream err;
        all[rank.rank()].refused = call(rank, err);
        all[rank.rank()].text = err.str();
    });
    return all;
}

std::vector<told> told_of_errors(const std::vector<config_errors>& of_ranks) {
    return told_by(of_ranks.size(), [&](model::rank_team& rank, std::ostream& err) {
        return print_errors_of_ranks(rank, of_ranks[rank.rank()], err);
    });
}

std::vector<told> told_of_commands(const std::vector<std::string>& of_ranks) {
    return told_by(of_ranks.size(), [&](model::rank_team& rank, std::ostream& err) {
        return print_other_command(rank, of_ranks[rank.rank()], err);
    });
}

config_errors one_error(const std::string& key) {
    config_errors errors;
    errors.push_back({"a.ini", 3, key, "is wrong"});
    return errors;
}

TEST(errors_of_ranks, are_none_where_no_rank_has_any) {
    for (const told& each : told_of_errors({{}, {}, {}})) {
        EXPECT_FALSE(each.refused);
        EXPECT_EQ(each.text, "");
    }
}

TEST(errors_of_ranks, of_rank_0_stand_alone_whatever_others_have) {
    for (const told& each : told_of_errors({one_error("run.seed"), {}, one_error("tcp.mss")})) {
        EXPECT_TRUE(each.refused);
        EXPECT_EQ(each.text, "a.ini:3: run.seed: is wrong\n");
    }
}

TEST(errors_of_ranks, of_another_rank_have_its_number) {
    for (const told& each : told_of_errors({{}, {}, one_error("run.seed"), one_error("tcp.mss")})) {
        EXPECT_TRUE(each.refused);
        EXPECT_EQ(each.text, "On rank 2:\na.ini:3: run.seed: is wrong\n");
    }
}

TEST(commands_of_ranks, that_are_the_same_are_not_refused) {
    for (const told& each : told_of_commands({"run", "run", "run"})) {
        EXPECT_FALSE(each.refused);
        EXPECT_EQ(each.text, "");
    }
}

TEST(commands_of_ranks, that_differ_are_refused_by_all_and_named_by_rank_0) {
    const std::vector<told> all = told_of_commands({"run", "sweep", "run", "size"});
    for (std::size_t r = 0; r < all.size(); ++r) {
        EXPECT_TRUE(all[r].refused) << r;
        EXPECT_EQ(all[r].text.empty(), r > 0) << r;
    }
    EXPECT_TRUE(errors_are(all[0].text, {"rank 1, weir sweep, rank 0, weir run"}));
}

}  // namespace
}  // namespace weir::tb
