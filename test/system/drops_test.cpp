// drops.csv, and its picture: the sums over time are the counts of summary.json, for each reason.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "program.h"
#include "table_rows.h"

namespace weir::test {
namespace {

/// Losses at switches and at hosts, before and after the end of the warm-up.
const arguments lossy =
    combined({"run", "--fabric.topology=racks", "--fabric.racks=2", "--fabric.hosts_per_rack=6"},
             combined({"--fabric.roots=1", "--fabric.link=h0-tor0 frame_error_rate=2%",
                       "--fabric.link=tor1-root0 down at=4ms", "--fabric.link=h8-tor1 down at=500us",
                       "--switch.scheme=baseline"},
                      {"--traffic.kind=incast", "--traffic.incast_rounds=2", "--traffic.incast_bytes=600KB",
                       "--host.nic_buffer=30KB", "--run.warmup=1ms", "--run.duration=10013us",
                       "--output.series=tor0", "--run.progress=false"}));

/// Sums of the columns of frames, by reason.
std::map<std::string, std::uint64_t> sums_of(const fs::path& table) {
    std::map<std::string, std::uint64_t> sums;
    for (const auto& row : rows_of(table)) {
        for (const std::string& column : row.columns()) {
            if (column != "time_ns" && column != "tier") {
                sums[column.substr(0, column.size() - std::string("_frames").size())] +=
                    std::stoull(row.at(column));
            }
        }
    }
    return sums;
}

std::map<std::string, std::uint64_t> losses_of(const fs::path& run) {
    const nlohmann::json summary = nlohmann::json::parse(contents(run / "summary.json"));
    return summary.at("drops").get<std::map<std::string, std::uint64_t>>();
}

TEST(drops, sums_over_time_are_the_counts_of_summary_json) {
    const scratch_directory where;
    const outcome o = run_program(where, combined(lossy, {"--out", "out"}));
    ASSERT_EQ(o.status, 0) << o.err;
    const auto lost = losses_of(where / "out");
    EXPECT_EQ(sums_of(where / "out/drops.csv"), lost);
    std::size_t reasons = 0;
    for (const auto& [reason, frames] : lost) {
        reasons += frames > 0 ? 1 : 0;
    }
    EXPECT_GE(reasons, 5U) << "too few reasons: the test says little";
    const auto rows = rows_of(where / "out/drops.csv");
    EXPECT_EQ(rows.back().at("time_ns"), "10013000") << "the last sample is the end of the run";
    for (const arguments& other : {arguments{"--run.threads=2", "--run.thread_grain=0"},
                                   arguments{"--run.engine=literal"}, arguments{"--run.quantum=100ns"}}) {
        ASSERT_EQ(run_program(where, combined(combined(lossy, other), {"--out", "other"})).status, 0);
        EXPECT_EQ(contents(where / "other/drops.csv"), contents(where / "out/drops.csv")) << other.front();
    }
}

TEST(drops, the_picture_has_each_reason_with_its_sum) {
    const scratch_directory where;
    ASSERT_EQ(run_program(where, combined(lossy, {"--out", "out"})).status, 0);
    ASSERT_EQ(run_program(where, combined(lossy, {"--output.window_start=2ms", "--out", "late"})).status, 0);
    const outcome o = run_program(where, {"plot", "out", "late", "--format", "svg", "--out", "plots"});
    ASSERT_EQ(o.status, 0) << o.err;
    const std::string script = contents(where / "plots/drops.gp");
    std::uint64_t all = 0;
    for (const auto& [reason, frames] : losses_of(where / "out")) {
        EXPECT_EQ(script.find("'" + reason + ": ") != std::string::npos, frames > 0) << reason;
        all += frames;
    }
    std::uint64_t late = 0;
    for (const auto& [reason, frames] : sums_of(where / "late/drops.csv")) {
        late += frames;
    }
    EXPECT_LT(late, all);
    const auto grouped = [](std::uint64_t count) {
        std::string text = std::to_string(count);
        return count < 1000 ? text : text.insert(text.size() - 3, ",");
    };
    EXPECT_NE(script.find("out: " + grouped(all) + " frames"), std::string::npos) << script;
    EXPECT_NE(script.find("late: " + grouped(late) + " of " + grouped(all) + " frames"), std::string::npos)
        << script;
}

}  // namespace
}  // namespace weir::test
