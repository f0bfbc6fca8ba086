#include "weir/base/number_table.h"

#include <gtest/gtest.h>

#include <map>

namespace weir {
namespace {

TEST(number_table, answers_as_a_map_does) {
    number_table<std::uint64_t> table;
    std::map<std::uint64_t, std::uint64_t> reference;
    random_stream chance{1, 0, random_purpose::adversary};
    for (int step = 0; step < 200'000; ++step) {
        const std::uint64_t job = chance.below(300);
        const auto known = reference.find(job);
        std::uint64_t* found = table.find(job);
        ASSERT_EQ(found != nullptr, known != reference.end()) << step;
        if (found != nullptr) {
            ASSERT_EQ(*found, known->second);
            table.remove(job);
            reference.erase(known);
        } else {
            table.add(job) = reference[job] = chance();
        }
        ASSERT_EQ(table.size(), reference.size());
    }
}

TEST(number_table, grows_with_what_is_open_and_not_with_what_has_been) {
    number_table<int> table;
    for (std::uint64_t job = 0; job < 1'000'000; ++job) {
        table.add(job) = 1;
        if (job >= 100) {
            table.remove(job - 100);
        }
    }
    EXPECT_EQ(table.size(), 100U);
    EXPECT_EQ(table.capacity(), 256U);
}

TEST(number_table, a_place_that_is_used_again_starts_afresh) {
    number_table<int> table;
    table.add(5) = 9;
    table.remove(5);
    EXPECT_EQ(table.find(5), nullptr);
    EXPECT_EQ(table.add(5), 0);
}

TEST(number_table, what_is_over_is_removed_and_all_else_is_found) {
    number_table<std::uint64_t> table;
    for (std::uint64_t job = 0; job < 3000; ++job) {
        table.add(job * 7) = job;
    }
    table.remove_if([](std::uint64_t job) { return job % 3 != 0; });
    EXPECT_EQ(table.size(), 1000U);
    for (std::uint64_t job = 0; job < 3000; ++job) {
        const std::uint64_t* found = table.find(job * 7);
        ASSERT_EQ(found != nullptr, job % 3 == 0);
        ASSERT_TRUE(found == nullptr || *found == job);
    }
}

}  // namespace
}  // namespace weir
