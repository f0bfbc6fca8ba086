// Charts of the registry: columns of tables as series, and one description for pictures, pages, help and docs.
#include "tb/view/pictures/run_charts.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "extending/obeyed_chart.h"
#include "tb/report/report_rig.h"
#include "tb/view/pictures/run_pictures.h"

namespace weir::tb {
namespace {

class run_charts : public report_rig {
 protected:
    /// The series of these columns of a table with this text.
    std::vector<time_series> series_of(const std::string& text, const table_columns& columns) {
        write("run/" + std::string(columns.file), text);
        m_run = {};
        m_run.directory = path("run");
        const series_source source = columns;
        source.read(m_run);
        return source(m_run);
    }

    run_data m_run;
};

constexpr const char* lost =
    "time_ns,node,port,a_frames,b_c_frames\n"
    "10,s0,0,1,0\n10,s0,1,2,\n10.5,s0,0,4,3\n10.5,s1,0,8,5\n";

TEST_F(run_charts, lines_of_one_time_are_added_up_in_the_series_of_their_names) {
    const std::vector<time_series> of_node = series_of(lost, {"t.csv", {"node"}, "a_frames"});
    ASSERT_EQ(of_node.size(), 2U);
    EXPECT_EQ(of_node[0].name, "s0");
    EXPECT_EQ(of_node[0].time_ns, (std::vector<double>{10, 10.5}));
    EXPECT_EQ(of_node[0].values, (std::vector<double>{3, 4}));
    EXPECT_EQ(of_node[1].values, (std::vector<double>{8}));
    EXPECT_EQ(series_of(lost, {"t.csv", {"node", "port"}, "a_frames"}).at(1).name, "s0 port 1");
}

TEST_F(run_charts, a_star_makes_a_series_of_each_column_that_fits) {
    const std::vector<time_series> by_reason = series_of(lost, {"t.csv", {}, "*_frames"});
    ASSERT_EQ(by_reason.size(), 2U);
    EXPECT_EQ(by_reason[0].name, "a");
    EXPECT_EQ(by_reason[0].values, (std::vector<double>{3, 12}));
    EXPECT_EQ(by_reason[1].name, "b_c");
    EXPECT_EQ(by_reason[1].values, (std::vector<double>{0, 8})) << "an empty cell is no value";
}

TEST_F(run_charts, what_a_table_lacks_has_no_series_and_what_is_wrong_is_an_error) {
    EXPECT_TRUE(series_of(lost, {"t.csv", {}, "other"}).empty());
    EXPECT_TRUE(series_of(lost, {"t.csv", {"other"}, "a_frames"}).empty());
    EXPECT_TRUE(m_run.errors.empty());
    series_of("time_ns,v\n20,1\n10,1\n", {"t.csv", {}, "v"});
    ASSERT_EQ(m_run.errors.size(), 1U);
    EXPECT_EQ(m_run.errors[0].line, 3);
    EXPECT_EQ(m_run.errors[0].key, "time_ns");
    series_source(table_columns{"t.csv", {"time_ns"}, "v"}).read(m_run);
    EXPECT_EQ(m_run.errors.size(), 1U) << "another chart repeats no mistake";
}

TEST_F(run_charts, sums_of_stretches_lose_no_value) {
    time_series many{"s", "s", {}, {}};
    for (int i = 1; i <= 1001; ++i) {
        many.time_ns.push_back(i * 10);
        many.values.push_back(i);
    }
    const chart_series sums = stretches_of(many, true);
    EXPECT_EQ(sums.y.size(), 201U) << "of 5 samples each, but for the last";
    EXPECT_EQ(sums.x.size(), 202U);
    EXPECT_EQ(sums.x[200] - sums.x[199], 50);
    EXPECT_EQ(sums.x.front(), 0);
    EXPECT_EQ(sums.x.back(), 10'010);
    EXPECT_EQ(std::accumulate(sums.y.begin(), sums.y.end(), 0.0), many.sum());
    // A sample at the start of the run ends no interval, and counts nevertheless.
    EXPECT_EQ(stretches_of({"s", "s", {0, 10, 20}, {7, 1, 2}}, true).y, (std::vector<double>{8, 2}));
}

TEST_F(run_charts, a_chart_from_outside_is_in_pictures_pages_and_help) {
    outside::add_obeyed_chart();
    write_run("a", {1000, 2000});
    write_run("b", {1000, 2000});
    write("a/port_series.csv",
          "time_ns,node,port,class,ingress_bytes,counted_bytes,threshold_bytes,ingress_capacity_bytes,"
          "egress_bytes,egress_limit_bytes,egress_capacity_bytes,rx_bps,tx_bps,xoff_sent,xon_sent,"
          "xoff_received,paused_percent\n"
          "10,s0,1,3,,,,,,,,,,,,,\n20,s0,1,3,,,,,,,,,,,,4,\n20,s0,1,7,,,,,,,,,,,,3,\n");
    const json made = chart(document({"a", "b"}), "obeyed_0");
    EXPECT_EQ(made.at("section"), "pauses");
    EXPECT_EQ(made.at("title"), "XOFFs that ports obeyed: a");
    EXPECT_EQ(made.at("note"), "the four ports with most XOFFs");
    EXPECT_EQ(made.at("kind"), "steps");
    EXPECT_EQ(made.at("series").at(0).at("name"), "s0 port 1: 7");
    std::ostringstream notes;
    const picture drawn = run_pictures({}, runs({"a", "b"}), notes).back();
    EXPECT_EQ(drawn.name, "obeyed");
    EXPECT_NE(drawn.commands.find("'the four ports with most XOFFs; no samples: b'"), std::string::npos)
        << drawn.commands;
    EXPECT_EQ(run_picture_names().back(), "obeyed");
    std::ostringstream help;
    plot_command({"--help"}, help, notes);
    EXPECT_NE(help.str().find("XOFFs that ports obeyed (port_series.csv)"), std::string::npos) << help.str();
}

TEST_F(run_charts, charts_that_are_no_lines_are_drawn_too) {
    run_chart_traits traits{"by switch", "x.csv", [](charted_runs& of) {
                                weir::tb::chart bars;
                                bars.kind = chart_kind::bars;
                                bars.section = "mine";
                                bars.x.names = {"s0", "s1"};
                                bars.y = {"Frames"};
                                chart_series made{"all"};
                                made.add(0, 5);
                                made.add(1, 7);
                                bars.add(made, 0);
                                return of.runs.empty() ? chart_rows{} : chart_rows{{bars}};
                            }};
    charts().add({"bars", "Bars", traits});
    write_run("a", {1000, 2000});
    const json made = chart(document({"a"}), "bars_1");
    EXPECT_EQ(made.at("kind"), "bars");
    EXPECT_EQ(made.at("title"), "Bars");
    EXPECT_EQ(made.at("note"), "by switch");
    std::ostringstream notes;
    const picture drawn = run_pictures({}, runs({"a"}), notes).back();
    EXPECT_EQ(drawn.name, "bars");
    EXPECT_NE(drawn.data.find("0 5\n1 7\n"), std::string::npos) << drawn.data;
}

TEST_F(run_charts, the_page_of_pictures_names_all) {
    std::ifstream file(WEIR_GOLDEN_DIR "/../../docs/plots.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    for (const std::string& name : run_picture_names()) {
        EXPECT_NE(page.find('`' + name + '`'), std::string::npos) << name << " is not in docs/plots.md";
    }
}

}  // namespace
}  // namespace weir::tb
