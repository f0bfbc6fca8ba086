#include "weir/model/engine/engine_config.h"

#include <gtest/gtest.h>

using weir::usable_processors;
using weir::model::thread_config;

namespace {

TEST(thread_config, makes_no_more_threads_than_there_are_processors_but_for_a_grain_of_0) {
    const unsigned many = usable_processors() + 3;
    EXPECT_EQ(thread_config{}.team(), 1U);
    EXPECT_EQ((thread_config{many, 10}.team()), usable_processors());
    EXPECT_EQ((thread_config{many, 1}.team()), usable_processors());
    EXPECT_EQ((thread_config{many, 0}.team()), many);
}

TEST(thread_config, memory_is_fetched_ahead_in_large_fabrics_and_with_a_grain_of_0) {
    EXPECT_FALSE(thread_config{}.fetches_ahead(2047));
    EXPECT_TRUE(thread_config{}.fetches_ahead(2048));
    EXPECT_FALSE((thread_config{2, 1}.fetches_ahead(1)));
    EXPECT_TRUE((thread_config{2, 0}.fetches_ahead(1)));
}

}  // namespace
