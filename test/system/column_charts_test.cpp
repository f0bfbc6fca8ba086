// Charts over columns of tables, against the lines of the tables.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "program.h"
#include "table_rows.h"

namespace weir::test {
namespace {

class column_charts : public testing::Test {
 protected:
    /// Draws a run of an incast with PFC; returns the script of the picture.
    std::string script_of(const std::string& picture) {
        const outcome ran = run_program(
            m_dir, {"run", "--fabric.hosts=8", "--switch.scheme=detail", "--switch.speedup=1",
                    "--traffic.kind=incast", "--traffic.incast_bytes=700KB", "--traffic.incast_rounds=2",
                    "--output.windows=h1", "--output.occupancy_interval=20us", "--out", "out"});
        EXPECT_EQ(ran.status, 0) << ran.err;
        const outcome drawn = run_program(m_dir, {"plot", "out", "--format", "svg", "--out", "plots"});
        EXPECT_EQ(drawn.status, 0) << drawn.err;
        return contents(m_dir / "plots" / (picture + ".gp"));
    }
    /// The largest number of the second column of the picture's data.
    double largest(const std::string& picture) const {
        std::istringstream lines(contents(m_dir / "plots" / (picture + ".dat")));
        double most = 0;
        for (std::string line; std::getline(lines, line);) {
            double x = 0;
            double y = 0;
            if (std::istringstream(line) >> x >> y) {
                most = std::max(most, y);
            }
        }
        return most;
    }

    scratch_directory m_dir;
};

TEST_F(column_charts, progress_ends_at_the_bytes_confirmed) {
    const std::string script = script_of("progress");
    EXPECT_NE(script.find("Bytes confirmed"), std::string::npos) << script;
    double confirmed = 0;
    for (const table_row& row : rows_of(m_dir / "out" / "windows.csv")) {
        confirmed = std::max(confirmed, std::stod(row.at("confirmed_bytes")));
    }
    EXPECT_GT(confirmed, 0);
    EXPECT_NEAR(1024 * largest("progress"), confirmed, 1) << "the axis is in KiB";
}

TEST_F(column_charts, xoffs_have_the_sums_of_tiers) {
    const std::string script = script_of("xoffs");
    std::map<std::string, std::uint64_t> sums;
    for (const table_row& row : rows_of(m_dir / "out" / "pauses.csv")) {
        sums[row.at("tier")] += std::stoull(row.at("xoff_sent"));
    }
    std::uint64_t all = 0;
    for (const auto& [tier, sum] : sums) {
        all += sum;
        EXPECT_EQ(script.find(tier + ": " + std::to_string(sum)) != std::string::npos, sum > 0) << script;
    }
    EXPECT_GT(all, 0U);
    EXPECT_LE(all, summary_of(m_dir / "out").at("pfc").at("xoff_sent").get<std::uint64_t>());
}

}  // namespace
}  // namespace weir::test
