// The line that says what limits a run.
#include "tb/run/summary/summary_texts.h"

#include <gtest/gtest.h>

namespace weir::tb {
namespace {

using nlohmann::ordered_json;

/// A run of 2 ms with one kind of resource.
ordered_json summary_with(const char* kind, const ordered_json& use, bool limits) {
    ordered_json summary;
    summary["simulated_ns"] = 2'000'000;
    summary["limited_by"] = limits ? ordered_json{kind} : ordered_json::array();
    summary["resources"][kind] = use;
    return summary;
}

ordered_json busy_link() {
    return {{"of", 384},
            {"binding", 377},
            {"worst", "agg5.tx3"},
            {"busy_percent", 66.8},
            {"stalled_percent", 0},
            {"lost_frames", 0},
            {"bound_percent", 56.7},
            {"bound_from_ns", 11'800},
            {"bound_to_ns", 1'500'000},
            {"fullest",
             {{{"name", "agg5.tx3"}, {"busy_percent", 66.8}, {"bound_percent", 56.7}},
              {{"name", "agg1.tx2"}, {"busy_percent", 65.1}, {"bound_percent", 51.2}},
              {{"name", "core0.tx7"}, {"busy_percent", 60.2}, {"bound_percent", 50.0}}}}};
}

TEST(limits_text, names_the_few_that_were_full_longest_and_how_many_ever_were) {
    EXPECT_EQ(limits_text(summary_with("link", busy_link(), true)),
              "link agg5.tx3, 66.8 % busy on average, full for 56.7 % of the time; also agg1.tx2 (51.2 %) and "
              "core0.tx7 (50.0 %); 377 of 384 links were full at some time");
}

TEST(limits_text, says_when_a_resource_was_full_if_that_was_less_than_half_of_the_run) {
    ordered_json link = busy_link();
    link["bound_from_ns"] = 600'000;
    link["binding"] = 1;
    link.erase("fullest");
    EXPECT_EQ(
        limits_text(summary_with("link", link, true)),
        "link agg5.tx3, 66.8 % busy on average, full for 56.7 % of the time, between 600.000 us and 1.500 "
        "ms; 1 of 384 links was full at some time");
}

TEST(limits_text, says_that_nothing_limits_a_run_whose_resources_were_rarely_full) {
    ordered_json link = busy_link();
    link["bound_percent"] = 1.4;
    link.erase("fullest");
    EXPECT_EQ(
        limits_text(summary_with("link", link, false)),
        "nothing for long; fullest: link agg5.tx3, 66.8 % busy on average, full for 1.4 % of the time; 377 "
        "of 384 links were full at some time");
    link["bound_percent"] = 0;
    link["binding"] = 0;
    EXPECT_EQ(limits_text(summary_with("link", link, false)),
              "nothing; busiest: link agg5.tx3, 66.8 % busy on average");
}

TEST(limits_text, says_what_was_lost_or_awaited) {
    const ordered_json memory{{"of", 1},
                              {"binding", 1},
                              {"worst", "tor0.slice0"},
                              {"busy_percent", 100},
                              {"stalled_percent", 41.1},
                              {"lost_frames", 54'505},
                              {"bound_percent", 100},
                              {"bound_from_ns", 0},
                              {"bound_to_ns", 2'000'000}};
    EXPECT_EQ(
        limits_text(summary_with("memory", memory, true)),
        "memory tor0.slice0, 100.0 % busy on average, awaited for 41.1 % of the time, 54,505 frames lost, "
        "full all the time");
}

TEST(limits_text, takes_summaries_of_earlier_builds) {
    ordered_json link = busy_link();
    for (const char* key : {"bound_percent", "bound_from_ns", "bound_to_ns", "fullest"}) {
        link.erase(key);
    }
    EXPECT_EQ(limits_text(summary_with("link", link, true)),
              "link agg5.tx3, 66.8 % busy on average; 377 of 384 links were full at some time");
}

}  // namespace
}  // namespace weir::tb
