// The path of a frame: read from a run's tables, and what its picture shows of it.
#include "tb/view/pictures/cause_pictures.h"

#include <gtest/gtest.h>

namespace weir::tb {
namespace {

/// From h1 over tor0 to agg0, which sends it back once, then over tor1 to h4.
run_data run_with_path() {
    run_data run;
    run.label = "dibs";
    traced_path path;
    path.flow = 22;
    path.offset = 13'140;
    path.copies = 2;
    path.stops = {{"h1", "host", 1, std::nullopt, 1'000.0, "sent"},
                  {"tor0", "tier1", 8, 13'000.0, 20'000.0, "forwarded"},
                  {"agg0", "tier2", 10, 33'000.0, 36'000.0, "detoured"},
                  {"tor0", "tier1", 8, 49'000.0, 52'000.0, "forwarded"},
                  {"agg0", "tier2", 10, 65'000.0, 90'000.0, "other_path"},
                  {"tor1", "tier1", 9, 103'000.0, 106'000.0, "forwarded"},
                  {"h4", "host", 4, 119'000.0, std::nullopt, "delivered"}};
    run.path = path;
    return run;
}

TEST(frame_path_picture, has_a_row_for_each_node_and_dashes_for_each_detour) {
    run_data other;
    const auto drawn =
        frame_path_picture({"frame_path", "Path of a frame", "node by node"}, {other, run_with_path()});
    ASSERT_TRUE(drawn);
    // Hosts lowest, then by tier.
    EXPECT_NE(drawn->commands.find("('agg0' 0, 'tor1' 1, 'tor0' 2, 'h4' 3, 'h1' 4)"), std::string::npos)
        << drawn->commands;
    EXPECT_NE(drawn->commands.find("1 detour, delivered; the first of 2 copies; run dibs"), std::string::npos)
        << drawn->commands;
    EXPECT_NE(drawn->commands.find("set xlabel 'Time since the frame was sent, at 1 µs [µs]'"),
              std::string::npos)
        << drawn->commands;
    // Waiting at tor0, and the detour from agg0 back to it.
    EXPECT_NE(drawn->data.find("12 2\n19 2\n\n"), std::string::npos) << drawn->data;
    EXPECT_NE(drawn->data.find("# detoured\n# x_us y\n35 0\n48 2\n\n"), std::string::npos) << drawn->data;
}

TEST(frame_path_picture, is_not_drawn_for_runs_without_a_path) {
    EXPECT_FALSE(frame_path_picture({"frame_path", "Path of a frame", "node by node"}, {run_data{}}));
}

}  // namespace
}  // namespace weir::tb
