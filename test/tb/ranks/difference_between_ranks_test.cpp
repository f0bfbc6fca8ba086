// What ranks say of a program, an option or a file that one of them has otherwise.
#include "tb/run/ranks/difference_between_ranks.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/errors_said.h"
#include "support/thread_team.h"

namespace weir::tb {
namespace {

using facts = std::vector<rank_fact>;

/// On rank 0, as it is printed; empty if all ranks have the same. Other ranks say nothing.
std::string difference_between(const std::vector<facts>& of_ranks) {
    test::thread_team team(static_cast<unsigned>(of_ranks.size()));
    std::vector<std::string> said(of_ranks.size());
    team.run([&](model::rank_team& rank) {
        if (const auto difference = difference_between_ranks(rank, of_ranks[rank.rank()])) {
            said[rank.rank()] = difference->file + ": " + difference->key + ": " + difference->message;
        }
    });
    for (std::size_t r = 1; r < said.size(); ++r) {
        EXPECT_EQ(said[r], "") << r;
    }
    return said[0];
}

const facts common = {{"the program", "weir 1"}, {"run.seed", "1"}, {"trace.csv", "10 B"}};

TEST(difference_between_ranks, is_none_where_all_have_the_same) {
    EXPECT_EQ(difference_between({common, common, common}), "");
    EXPECT_EQ(difference_between({{}, {}}), "");
}

TEST(difference_between_ranks, names_the_first_fact_and_the_first_rank_that_has_it_otherwise) {
    facts other = common;
    other[1].second = "2";
    other[2].second = "11 B";
    EXPECT_TRUE(errors_are(difference_between({common, common, other, other}),
                           {"ranks: run.seed: 2, rank 2, 1, rank 0"}));
}

// Of another version, or with a plugin.
TEST(difference_between_ranks, names_an_option_that_only_one_has) {
    facts more = common;
    more.emplace_back("tcp.mine", "3");
    EXPECT_TRUE(
        errors_are(difference_between({common, more}), {"ranks: tcp.mine: 3, rank 1, not there on rank 0"}));
    EXPECT_TRUE(
        errors_are(difference_between({more, common}), {"ranks: tcp.mine: not there on rank 1, 3, rank 0"}));
    facts instead = common;
    instead[1].first = "run.grain";
    EXPECT_TRUE(
        errors_are(difference_between({common, instead}), {"ranks: run.seed: not there on rank 1, 1, rank 0"}));
}

}  // namespace
}  // namespace weir::tb
