#include "tb/support/text/word_stems.h"

#include <gtest/gtest.h>

namespace weir::tb {
namespace {

using words = std::vector<std::string>;

TEST(word_stems, have_no_endings_of_plurals_and_verbs) {
    EXPECT_EQ(word_stems("Pauses, PAUSED; pausing: pause"), (words{"paus", "paus", "paus", "paus"}));
    EXPECT_EQ(word_stems("dropped drops dropping"), (words{"drop", "drop", "drop"}));
    EXPECT_EQ(word_stems("classes class losses loss"), (words{"class", "class", "loss", "loss"}));
    EXPECT_EQ(word_stems("retries retry"), (words{"retry", "retry"}));
    EXPECT_EQ(word_stems("RED red bus us"), (words{"red", "red", "bus", "us"}));
    EXPECT_EQ(word_stems(" . "), words{});
}

TEST(word_search, finds_whole_words_in_their_order) {
    EXPECT_TRUE(word_search("FEC").is_in("no preemption, no FEC."));
    EXPECT_FALSE(word_search("FEC").is_in("has no effect"));
    EXPECT_TRUE(word_search("egress buffer").is_in("switch.egress_buffer"));
    EXPECT_FALSE(word_search("buffer egress").is_in("switch.egress_buffer"));
    EXPECT_FALSE(word_search("").is_in("anything"));
    EXPECT_TRUE(word_search("802.1Qbb").is_in("IEEE 802.1Qbb: pauses"));
}

TEST(word_search, finds_what_begins_with_the_words) {
    EXPECT_TRUE(word_search("thresh").begins_in("an ECN threshold"));
    EXPECT_FALSE(word_search("hold").begins_in("an ECN threshold"));
    EXPECT_FALSE(word_search("").begins_in("anything"));
}

}  // namespace
}  // namespace weir::tb
