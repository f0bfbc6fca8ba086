// `weir plot` on the directory of a real run: what earlier calls have left, tables that were cut, a full disk.
#include <gtest/gtest.h>

#include <sstream>

#include "program.h"

using namespace weir::test;

namespace {

class plot_of_a_run : public testing::Test {
 protected:
    plot_of_a_run() {
        const outcome o = run_program(
            m_where, {"run", "--fabric.hosts=8", "--traffic.rate=2000", "--switch.scheme=detail",
                      "--switch.buffer=shared", "--run.duration=5ms", "--output.series=*", "--out", "run"});
        EXPECT_EQ(o.status, 0) << o.err;
    }
    outcome plot(const arguments& more, std::uintmax_t largest_file = 0) const {
        return run_program(m_where, combined({"plot", "run", "--out", "plots", "--format", "svg"}, more),
                           {largest_file});
    }
    bool has_gnuplot() const { return plot({}).err.find("gnuplot is not installed") == std::string::npos; }
    fs::path file(const std::string& name) const { return m_where.path() / name; }

    scratch_directory m_where;
};

TEST_F(plot_of_a_run, leaves_no_picture_of_an_earlier_call_and_nothing_but_its_own_is_removed) {
    if (!has_gnuplot()) {
        GTEST_SKIP() << "gnuplot is not installed";
    }
    ASSERT_TRUE(fs::exists(file("plots/percentiles_by_size.svg")));
    std::ofstream(file("plots/notes.txt")) << "mine";
    std::ofstream(file("plots/percentiles_by_size.png")) << "of a call with another format";
    // Bad input changes nothing.
    EXPECT_EQ(plot({"--size", "7"}).status, 2);
    EXPECT_TRUE(fs::exists(file("plots/percentiles_by_size.svg")));
    const outcome o = plot({"--size", "8000"});
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_NE(o.err.find("note: percentiles_by_size: the picture of an earlier call has been removed\n"),
              std::string::npos)
        << o.err;
    for (const char* suffix : {".gp", ".dat", ".svg", ".png"}) {
        EXPECT_FALSE(fs::exists(file(std::string("plots/percentiles_by_size") + suffix))) << suffix;
        EXPECT_FALSE(fs::exists(file(std::string("plots/job_completion_cdf_by_size") + suffix))) << suffix;
    }
    EXPECT_TRUE(fs::exists(file("plots/job_completion_cdf.svg")));
    EXPECT_EQ(contents(file("plots/notes.txt")), "mine");
}

TEST_F(plot_of_a_run, a_table_cut_anywhere_is_refused) {
    for (const std::string table :
         {"jobs.csv", "flows.csv", "occupancy.csv", "pauses.csv", "port_series.csv", "pool_series.csv"}) {
        const std::string whole = contents(file("run/" + table));
        const std::size_t middle = whole.find('\n', whole.size() / 2) + 1;
        const std::size_t last_line = whole.rfind('\n', whole.size() - 2) + 1;
        for (const std::size_t length : {middle, last_line, middle + 3, whole.size() - 1, whole.size() - 2}) {
            m_where.write("run/" + table, whole.substr(0, length));
            const outcome o = plot({});
            EXPECT_EQ(o.status, 2) << table << " of " << length << " B of " << whole.size();
            EXPECT_EQ(o.err.rfind("run/" + table, 0), 0U) << o.err;
            EXPECT_FALSE(fs::exists(file("plots")));
        }
        m_where.write("run/" + table, whole);
    }
}

TEST_F(plot_of_a_run, samples_cut_at_the_same_time_in_all_tables_are_refused) {
    const std::vector<std::string> tables{"occupancy.csv", "pauses.csv", "port_series.csv", "pool_series.csv"};
    for (const std::string& table : tables) {
        std::istringstream lines(contents(file("run/" + table)));
        std::string kept;
        for (std::string line; std::getline(lines, line) && line.rfind("2500000,", 0) != 0;) {
            kept += line + "\n";
        }
        m_where.write("run/" + table, kept);
    }
    const outcome o = plot({});
    EXPECT_EQ(o.status, 2);
    for (const std::string& table : tables) {
        EXPECT_NE(o.err.find("run/" + table + ": ends before the last sample"), std::string::npos) << o.err;
    }
}

TEST_F(plot_of_a_run, a_full_disk_is_named_with_the_systems_reason_and_leaves_no_half_picture) {
    // What is printed has to fit, too.
    const outcome none = plot({}, 240);
    EXPECT_EQ(none.status, 3);
    EXPECT_EQ(none.err.substr(none.err.find("plots/")),
              "plots/job_completion_cdf.dat.partial: cannot be written: File too large\n");
    EXPECT_FALSE(fs::exists(file("plots"))) << "made, and empty";
    if (!has_gnuplot()) {
        GTEST_SKIP() << "gnuplot is not installed";
    }
    // Scripts and data fit, pictures do not.
    const std::uintmax_t limit = 12'000;
    ASSERT_LT(fs::file_size(file("plots/job_completion_cdf.dat")), limit);
    ASSERT_GT(fs::file_size(file("plots/job_completion_cdf.svg")), limit);
    const outcome half = plot({}, limit);
    EXPECT_EQ(half.status, 3);
    EXPECT_NE(half.err.find("plots/job_completion_cdf.svg: gnuplot wrote only a part of it"), std::string::npos)
        << half.err;
    EXPECT_FALSE(fs::exists(file("plots/job_completion_cdf.svg")));
}

}  // namespace
