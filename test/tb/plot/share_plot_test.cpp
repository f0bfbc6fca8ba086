#include "tb/plot/share_plot.h"

#include <gtest/gtest.h>

namespace weir::tb {
namespace {

TEST(share_plot, curves_are_cumulative_by_weight_and_runs_without_shares_have_none) {
    std::vector<run_data> runs(3);
    runs[0].label = "a";
    runs[0].busy_links = {{10, 1}, {0, 6}, {5, 2}, {5, 1}};
    runs[2].label = "c";
    runs[2].busy_links = {{2, 3}};
    const chart busy = share_chart("Busy links", "Share of time (CDF)", runs, &run_data::busy_links);
    const picture drawn = share_picture({"busy_links", "Busy links", "3 runs"}, runs, {busy});
    EXPECT_EQ(drawn.data,
              "# a, Busy links\n# percent cumulative_share\n0 0\n0 0.6\n5 0.9\n10 1\n\n\n"
              "# c, Busy links\n# percent cumulative_share\n2 0\n2 1\n\n\n");
    EXPECT_NE(drawn.commands.find("index 1 using 1:2"), std::string::npos);
    EXPECT_EQ(drawn.commands.find("index 2"), std::string::npos);
}

}  // namespace
}  // namespace weir::tb
