#include <gtest/gtest.h>

#include "tb/view/chart/panel_plot.h"
#include "tb/view/pictures/time_charts.h"

namespace weir::tb {
namespace {

TEST(share_plot, curves_are_cumulative_by_weight_and_runs_without_shares_have_none) {
    std::vector<run_data> runs(3);
    runs[0].label = "a";
    runs[0].busy_links = {{10, 1}, {0, 6}, {5, 2}, {5, 1}};
    runs[1].label = "b";
    runs[2].label = "c";
    runs[2].busy_links = {{2, 3}};
    const chart busy = share_chart("busy_links", "Busy links", "Busy links", "Share of time (CDF)", runs,
                                   &run_data::busy_links);
    EXPECT_EQ(busy.note, "no samples: b");
    const picture drawn = panel_picture({"busy_links", "Busy links", "3 runs"}, {{busy}}).value();
    EXPECT_EQ(drawn.data,
              "# Busy links, a\n# percent value\n0 0\n0 0.6\n5 0.9\n10 1\n10 1\n\n\n"
              "# Busy links, c\n# percent value\n2 0\n2 1\n2 1\n\n\n");
    EXPECT_NE(drawn.commands.find("index 1 using 1:2"), std::string::npos);
    EXPECT_EQ(drawn.commands.find("index 2"), std::string::npos);
}

}  // namespace
}  // namespace weir::tb
