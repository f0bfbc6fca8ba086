// The tree of pauses: read from a run's file, and what its pictures show of it.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tb/view/pictures/cause_pictures.h"

using namespace weir;
using namespace weir::tb;
namespace fs = std::filesystem;

namespace {

struct scratch {
    scratch() : path(fs::temp_directory_path() / ("weir_pause_tree_" + std::to_string(::getpid()))) {
        fs::create_directories(path);
    }
    ~scratch() { fs::remove_all(path); }
    void write(const std::string& text) const { std::ofstream(path / "pause_tree.json") << text; }
    fs::path path;
};

const char* const two_roots = R"({"paused_ns": 1000, "unknown_ns": 100, "events_left_out": 3,
  "hops": [{"hop": 1, "paused_ns": 600, "share": 0.6}, {"hop": 2, "paused_ns": 300, "share": 0.3}],
  "roots": [
    {"queue": "h0.tx0 class 0", "kind": "adapter", "all_paused_ns": 700, "pauses": [
      {"queue": "tor0.tx0 class 0", "paused_ns": 400, "all_paused_ns": 700, "pauses": [
        {"queue": "h4.tx0 class 0", "paused_ns": 200, "all_paused_ns": 200},
        {"queue": "h5.tx0 class 0", "paused_ns": 100, "all_paused_ns": 100}]}]},
    {"queue": "tor1.tx4 class 0", "kind": "congested", "all_paused_ns": 200, "pauses": [
      {"queue": "h6.tx0 class 0", "paused_ns": 200, "all_paused_ns": 200}]}]})";

run_data run_with(const std::string& text, const std::string& label = "run") {
    const scratch where;
    where.write(text);
    run_data run;
    run.label = label;
    run.tree = read_pause_tree(where.path.string(), run.errors);
    return run;
}

TEST(pause_tree, is_read_with_its_places_in_order) {
    const run_data run = run_with(two_roots);
    ASSERT_TRUE(run.errors.empty());
    ASSERT_TRUE(run.tree);
    EXPECT_EQ(run.tree->paused_ns, 1000);
    EXPECT_EQ(run.tree->unknown_ns, 100);
    EXPECT_EQ(run.tree->events_left_out, 3U);
    EXPECT_EQ(run.tree->hop_ns, (std::vector<double>{600, 300}));
    ASSERT_EQ(run.tree->places.size(), 6U);
    const pause_tree::place& h5 = run.tree->places[3];
    EXPECT_EQ(h5.queue, "h5.tx0 class 0");
    EXPECT_EQ(h5.parent, 1U);
    EXPECT_EQ(h5.depth, 2U);
    EXPECT_EQ(h5.paused_ns, 100);
    EXPECT_EQ(run.tree->places[4].kind, "congested");
    EXPECT_EQ(run.tree->places[4].parent, pause_tree::place::no_parent);
}

TEST(pause_tree, that_is_missing_is_nothing_and_one_that_is_broken_is_named) {
    const scratch where;
    config_errors errors;
    EXPECT_FALSE(read_pause_tree(where.path.string(), errors));
    EXPECT_TRUE(errors.empty());
    for (const char* text : {"", "{", "[]", "{\"paused_ns\": 1}", "{\"paused_ns\": \"x\"}"}) {
        const run_data run = run_with(text);
        EXPECT_FALSE(run.tree) << text;
        ASSERT_FALSE(run.errors.empty()) << text;
        EXPECT_NE(run.errors[0].file.find("pause_tree.json"), std::string::npos);
        EXPECT_NE(run.errors[0].message.find("expected "), std::string::npos);
    }
}

TEST(pause_tree_picture, has_a_row_for_each_place_and_bars_by_hop) {
    const auto drawn = pause_tree_picture({"pause_tree", "Why", "tree"}, {run_with(two_roots)});
    ASSERT_TRUE(drawn);
    // Times with all below; then each place's own by hop; and rows.
    EXPECT_EQ(drawn->data,
              "# with all that came of it\n# x_ns y\n700 0\n700 1\n200 2\n100 3\n200 4\n200 5\n\n\n"
              "# hop 1\n# x_ns y\n400 1\n200 5\n\n\n# hop 2\n# x_ns y\n200 2\n100 3\n\n\n");
    for (const char* text :
         {"'h0.tx0 class 0, adapter'", "'tor1.tx4 class 0, congested'", "'400 of 700 ns'", "'700 ns'",
          "10 % of unknown cause", "'└ tor0.tx0 class 0'", "├ h4.tx0 class 0'"}) {
        EXPECT_NE(drawn->commands.find(text), std::string::npos) << text << "\n" << drawn->commands;
    }
}

/// A root of each of 8 classes; under each, 6 hosts in that class; under one of them one more hop.
std::string eight_classes() {
    std::string text = R"({"paused_ns": 1, "unknown_ns": 0, "events_left_out": 0, "hops": [], "roots": [)";
    for (int c = 0; c < 8; ++c) {
        const std::string name = " class " + std::to_string(c);
        text += (c == 0 ? "" : ", ") + std::string(R"({"queue": "tor0.tx7)") + name +
                R"(", "kind": "congested", "all_paused_ns": 700, "pauses": [)";
        for (int h = 0; h < 6; ++h) {
            text += (h == 0 ? "" : ", ") + std::string(R"({"queue": "h)") + std::to_string(h) + ".tx0" + name +
                    R"(", "paused_ns": )" + std::to_string(100 + h) + R"(, "all_paused_ns": )" +
                    std::to_string(110 + h);
            text += c == 0 && h == 5
                        ? R"(, "pauses": [{"queue": "x.tx0 class 3", "paused_ns": 10, "all_paused_ns": 10}]})"
                        : "}";
        }
        text += "]}";
    }
    return text + "]}";
}

TEST(pause_tree_picture, has_one_row_for_all_classes_of_a_place) {
    const auto drawn = pause_tree_picture({"pause_tree", "Why", "tree"}, {run_with(eight_classes())});
    ASSERT_TRUE(drawn);
    // The root, six hosts, longest first, and the one below: instead of 57 places of which 40 fit.
    EXPECT_EQ(drawn->data.substr(0, drawn->data.find("\n\n")),
              "# with all that came of it\n# x_us y\n5.6 0\n0.92 1\n0.01 2\n"
              "0.912 3\n0.904 4\n0.896 5\n0.888 6\n0.88 7");
    EXPECT_NE(drawn->commands.find("'tor0.tx7 classes 0-7, congested'"), std::string::npos) << drawn->commands;
    EXPECT_NE(drawn->commands.find("├ h5.tx0 classes 0-7'"), std::string::npos);
    EXPECT_NE(drawn->commands.find("└ x.tx0 class 3'"), std::string::npos);
    EXPECT_EQ(drawn->commands.find("more places"), std::string::npos);
}

TEST(pause_tree, names_the_classes_that_it_sums) {
    pause_tree tree;
    for (const char* queue : {"a class 0", "a class 2", "a class 3", "a class 7", "b class 4", "c"}) {
        tree.places.push_back({queue, "congested", pause_tree::place::no_parent, 0, 0, 1});
    }
    const pause_tree summed = with_classes_summed(tree);
    ASSERT_EQ(summed.places.size(), 3U);
    EXPECT_EQ(summed.places[0].queue, "a classes 0, 2-3, 7");
    EXPECT_EQ(summed.places[0].all_ns, 4);
    EXPECT_EQ(summed.places[1].queue, "b class 4");
    EXPECT_EQ(summed.places[2].queue, "c");
}

TEST(pause_tree_picture, shows_the_longest_times_and_says_what_it_leaves_out) {
    std::string text =
        R"({"paused_ns": 5150, "unknown_ns": 0, "events_left_out": 0, "hops": [{"paused_ns": 5150}],
      "roots": [{"queue": "s0.tx0 class 0", "kind": "congested", "all_paused_ns": 5150, "pauses": [)";
    for (int i = 1; i <= 100; ++i) {
        text += (i == 1 ? "" : ", ") + std::string(R"({"queue": "h)") + std::to_string(i) +
                R"(", "paused_ns": )" + std::to_string(i) + R"(, "all_paused_ns": )" + std::to_string(i) + "}";
    }
    const auto drawn = pause_tree_picture({"pause_tree", "Why", "tree"}, {run_with(text + "]}]}")});
    ASSERT_TRUE(drawn);
    // The root and 39 of its hundred.
    EXPECT_NE(drawn->commands.find("61 more places, up to 0.061 µs each"), std::string::npos)
        << drawn->commands;
    EXPECT_NE(drawn->commands.find(" h62'"), std::string::npos);
    EXPECT_EQ(drawn->commands.find(" h61'"), std::string::npos);
}

TEST(pause_tree_picture, is_of_the_first_run_with_a_tree_and_none_where_nothing_was_paused) {
    run_data plain;
    plain.label = "plain";
    const auto drawn = pause_tree_picture({"t", "Why", "tree"}, {plain, run_with(two_roots, "storm")});
    ASSERT_TRUE(drawn);
    EXPECT_NE(drawn->commands.find("tree, of run storm"), std::string::npos);
    const run_data quiet =
        run_with(R"({"paused_ns": 0, "unknown_ns": 0, "events_left_out": 0, "hops": [], "roots": []})");
    ASSERT_TRUE(quiet.tree);
    EXPECT_FALSE(pause_tree_picture({"t", "Why", "tree"}, {plain, quiet}));
    EXPECT_FALSE(pause_hops_picture({"h", "Hops", "hops"}, {plain, quiet}));
}

TEST(pause_hops_picture, has_each_runs_share_of_each_hop_and_of_what_nobody_knows) {
    const run_data other = run_with(
        R"({"paused_ns": 400, "unknown_ns": 0, "events_left_out": 0, "hops": [{"paused_ns": 100}, {"paused_ns": 0},
            {"paused_ns": 300}], "roots": []})",
        "other");
    run_data plain;
    const auto drawn = pause_hops_picture({"pause_hops", "Hops", "hops"}, {run_with(two_roots), plain, other});
    ASSERT_TRUE(drawn);
    EXPECT_EQ(
        drawn->data,
        "# Share of paused time [%]: run\n# x y_%\n-0.2666667 60\n0.7333333 30\n1.733333 0\n2.733333 10\n\n\n"
        "# Share of paused time [%]: other\n# x y_%\n0.2666667 25\n1.266667 0\n2.266667 75\n3.266667 0\n\n\n");
    EXPECT_NE(drawn->commands.find("'cause not known' 3"), std::string::npos);
    // A run without data has no bars, of which gnuplot would warn, but its place in the legend.
    EXPECT_NE(drawn->commands.find("(no data)"), std::string::npos);
    EXPECT_NE(drawn->commands.find("with boxxyerror " + bar_style(2)), std::string::npos) << drawn->commands;
    EXPECT_EQ(drawn->commands.find("with boxxyerror " + bar_style(1)), std::string::npos);
}

}  // namespace
