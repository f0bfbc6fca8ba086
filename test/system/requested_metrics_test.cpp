// Metrics that `output.metrics` names: percentiles by tag, priority, size and rack against those of the lines
// of flows.csv, and the offered load against the trace.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "table_rows.h"
#include "weir/base/rng.h"

namespace weir::test {
namespace {

using nlohmann::json;

/// 600 transfers of 8 hosts in two racks, from seed-free numbers. One tag is empty, one has a dot.
std::string trace() {
    const char* const tags[] = {"", "bulk", "a.b"};
    random_stream chance(5, 0, random_purpose::sizes);
    std::string text = "start_ns,src,dst,bytes,priority,tag\n";
    for (int i = 0; i < 600; ++i) {
        const std::uint32_t src = chance.below(8);
        const std::uint32_t dst = (src + 1 + chance.below(7)) % 8;
        text += std::to_string(i * 5'000) + "," + std::to_string(src) + "," + std::to_string(dst) + "," +
                std::to_string(1'000 << chance.below(6)) + "," + std::to_string(2 * (i % 3)) + "," +
                tags[i % 3] + "\n";
    }
    return text;
}

const arguments traced{"run",
                       "--fabric.topology=racks",
                       "--fabric.racks=2",
                       "--fabric.hosts_per_rack=4",
                       "--fabric.roots=1",
                       "--traffic.kind=trace",
                       "--traffic.file=flows.csv",
                       "--run.progress=off"};

class requested_metrics : public testing::Test {
 protected:
    requested_metrics() { std::ofstream(m_dir / "flows.csv") << trace(); }

    json run(const std::string& name, const arguments& more) const {
        const outcome made = run_program(m_dir, combined(combined(traced, more), {"--out", name}));
        EXPECT_EQ(made.status, 0) << made.err;
        return summary_of(m_dir / name);
    }

    scratch_directory m_dir;
};

/// The same as the run's: smallest value that at least this share of all reaches.
double percentile_of(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size()) - 1e-9));
    return values[std::max<std::size_t>(rank, 1) - 1];
}

TEST_F(requested_metrics, are_those_of_the_lines_of_the_table) {
    const json all = run("out", {"--output.metrics=tags", "--output.metrics=priorities",
                                 "--output.metrics=sizes.*.fct_ns.p99", "--output.metrics=racks"});
    std::map<std::string, std::map<std::string, std::vector<double>>> times;
    std::map<std::string, std::map<std::string, std::vector<double>>> slowdowns;
    for (const table_row& row : rows_of(m_dir / "out" / "flows.csv")) {
        const double fct = std::stod(row.at("fct_ns"));
        const int dst = std::stoi(row.at("dst"));
        const std::pair<const char*, std::string> members[] = {{"tags", row.at("tag")},
                                                               {"priorities", row.at("priority")},
                                                               {"sizes", row.at("bytes")},
                                                               {"racks", dst < 4 ? "tor0" : "tor1"}};
        for (const auto& [family, member] : members) {
            times[family][member].push_back(fct);
            slowdowns[family][member].push_back(fct / std::stod(row.at("ideal_ns")));
        }
    }
    EXPECT_EQ(times["tags"].size(), 3U);
    EXPECT_EQ(times["sizes"].size(), 6U);
    for (const auto& [family, members] : times) {
        ASSERT_EQ(all.at(family).size(), members.size()) << family;
        for (const auto& [member, values] : members) {
            const json& found = all.at(family).at(member);
            EXPECT_EQ(found.at("fct_ns").at("count"), values.size());
            EXPECT_NEAR(found.at("fct_ns").at("p50"), percentile_of(values, 0.5), 1e-9) << family << member;
            EXPECT_NEAR(found.at("fct_ns").at("p99"), percentile_of(values, 0.99), 1e-9) << family << member;
            EXPECT_EQ(found.contains("fct_slowdown"), family != "sizes");
            if (found.contains("fct_slowdown")) {
                EXPECT_NEAR(found.at("fct_slowdown").at("p99"), percentile_of(slowdowns[family][member], 0.99),
                            2e-3);
            }
        }
    }
}

TEST_F(requested_metrics, leave_a_plain_run_as_it_is) {
    run("plain", {});
    run("more", {"--output.metrics=racks.tor0", "--output.metrics=offered"});
    EXPECT_EQ(contents(m_dir / "plain" / "effective.ini"), contents(m_dir / "more" / "effective.ini"));
    json more = summary_of(m_dir / "more");
    EXPECT_EQ(more.at("racks").size(), 1U);
    more.erase("racks");
    more.erase("offered");
    EXPECT_EQ(more, summary_of(m_dir / "plain"));
    const outcome nothing =
        run_program(m_dir, combined(traced, {"--output.metrics=tags.blk.fct_ns,offered.bps", "--out", "none"}));
    EXPECT_EQ(nothing.status, 0) << nothing.err;
    EXPECT_FALSE(summary_of(m_dir / "none").contains("tags"));
    EXPECT_TRUE(summary_of(m_dir / "none").contains("offered")) << "a list has commas";
    EXPECT_NE(
        nothing.err.find("warning: output.metrics: the run has no 'tags.blk.fct_ns'; did you mean tags.bulk"),
        std::string::npos)
        << nothing.err;
}

TEST_F(requested_metrics, count_the_load_that_is_offered_after_the_warm_up) {
    const json all = run("out", {"--output.metrics=offered", "--output.metrics=goodput.line_rate_percent",
                                 "--run.warmup=1ms", "--run.duration=4ms"});
    double offered = 0;
    std::istringstream lines(trace());
    std::string line;
    for (std::getline(lines, line); std::getline(lines, line);) {
        double start = 0;
        double bytes = 0;
        ASSERT_EQ(std::sscanf(line.c_str(), "%lf,%*d,%*d,%lf", &start, &bytes), 2);
        offered += start >= 1e6 ? bytes : 0;
    }
    EXPECT_EQ(all.at("offered").at("bytes"), offered);
    const double measured_ns = all.at("simulated_ns").get<double>() - 1e6;
    EXPECT_NEAR(all.at("offered").at("bps"), offered * 8e9 / measured_ns, 1);
    EXPECT_NEAR(all.at("offered").at("line_rate_percent"), offered * 8e9 / measured_ns / 8e9 * 100, 1e-3);
    EXPECT_NEAR(all.at("goodput").at("line_rate_percent"), all.at("goodput").at("bps").get<double>() / 8e7,
                1e-3);
}

TEST_F(requested_metrics, compare_the_busiest_link_with_the_mean_of_all) {
    const json all = run("out", {"--output.metrics=links.imbalance"});
    double sum = 0;
    double most = 0;
    for (const table_row& row : rows_of(m_dir / "out" / "limits.csv")) {
        if (row.at("resource") == "link") {
            sum += std::stod(row.at("busy_percent"));
            most = std::max(most, std::stod(row.at("busy_percent")));
        }
    }
    EXPECT_NEAR(all.at("links").at("imbalance"),
                most / sum * all.at("resources").at("link").at("of").get<double>(), 1e-3);
}

TEST_F(requested_metrics, have_the_fairness_of_hosts) {
    const json all = run("out", {"--output.metrics=goodput.host_jain_index"});
    std::map<std::string, double> received;
    for (const table_row& row : rows_of(m_dir / "out" / "flows.csv")) {
        received[row.at("dst")] += std::stod(row.at("bytes"));
    }
    double sum = 0;
    double squares = 0;
    for (const auto& [host, payload] : received) {
        sum += payload;
        squares += payload * payload;
    }
    EXPECT_NEAR(all.at("goodput").at("host_jain_index"),
                sum * sum / (static_cast<double>(received.size()) * squares), 1e-4);
}

TEST_F(requested_metrics, have_the_transmitter_that_was_paused_longest) {
    const json all = run("out", {"--output.metrics=pfc.most_paused_percent", "--switch.scheme=detail",
                                 "--switch.speedup=1", "--switch.ingress_buffer=60KB"});
    double longest = 0;
    for (const table_row& row : rows_of(m_dir / "out" / "ports.csv")) {
        longest = std::max(longest, row.at("paused_ns").empty() ? 0 : std::stod(row.at("paused_ns")));
    }
    EXPECT_GT(longest, 0);
    const double averaged = all.at("simulated_ns").get<double>() - all.value("averaged_from_ns", 0.0);
    EXPECT_NEAR(all.at("pfc").at("most_paused_percent"), 100 * longest / averaged, 1e-4);
}

TEST_F(requested_metrics, are_columns_of_sweeps_and_goals_of_searches) {
    const arguments sweep =
        combined({"sweep", "--vary", "link.rate=5Gbps,10Gbps", "--metric",
                  R"(tags.a.b.fct_ns.p99,racks."tor1".fct_ns.p50,offered.bps)", "--out", "sweep"},
                 {traced.begin() + 1, traced.end()});
    const outcome swept = run_program(m_dir, sweep);
    ASSERT_EQ(swept.status, 0) << swept.err;
    EXPECT_EQ(swept.err.find("warning"), std::string::npos) << swept.err;
    const std::vector<table_row> rows = rows_of(m_dir / "sweep" / "sweep.csv");
    ASSERT_EQ(rows.size(), 2U);
    for (const table_row& row : rows) {
        EXPECT_GT(std::stod(row.at(R"("tags.""a.b"".fct_ns.p99")")), 0);
        EXPECT_GT(std::stod(row.at("racks.tor1.fct_ns.p50")), 0);
        EXPECT_GT(std::stod(row.at("offered.bps")), 0);
    }
    const outcome sized =
        run_program(m_dir, combined({"size", "--smallest", "link.rate=1Gbps..10Gbps:log:4", "--goal",
                                     "tags.bulk.fct_ns.p99 <= 20ms", "--max-runs", "40", "--out", "sized"},
                                    {traced.begin() + 1, traced.end()}));
    EXPECT_EQ(sized.status, 0) << sized.out << sized.err;
}

TEST_F(requested_metrics, are_refused_where_they_are_none) {
    for (const char* const wrong :
         {"fct_ns.p99", "tag.bulk.fct_ns", "", "goodput", "*", "offered.bpss", "off", "tags.bulk.fct_ns.p98",
          "tags.bulk,goodput", "racks.nope.fct_ns.p99", "tags.bulk = fct_ns.p99"}) {
        const outcome made =
            run_program(m_dir, combined(traced, {std::string("--output.metrics=") + wrong, "--out", "out"}));
        EXPECT_EQ(made.status, 2) << wrong;
        EXPECT_NE(made.err.find("output.metrics"), std::string::npos) << made.err;
    }
}

}  // namespace
}  // namespace weir::test
