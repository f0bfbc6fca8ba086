// Transfers and jobs that have not completed by the end of a run: where they are listed, and what they do to
// percentiles. The reference multiplies (1 - 1 / at risk) sample by sample.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "support/errors_said.h"
#include "table_rows.h"
#include "weir/base/rng.h"

namespace weir::test {
namespace {

using nlohmann::json;

/// 400 transfers of 8 hosts in 4 ms, from seed-free numbers.
std::string trace() {
    random_stream chance(3, 0, random_purpose::sizes);
    std::string text = "start_ns,src,dst,bytes,priority,tag\n";
    for (int i = 0; i < 400; ++i) {
        const std::uint32_t src = chance.below(8);
        const std::uint32_t dst = (src + 1 + chance.below(7)) % 8;
        text += std::to_string(i * 10'000) + "," + std::to_string(src) + "," + std::to_string(dst) + "," +
                std::to_string(2'000 + chance.below(60'000)) + "," + (i % 2 == 0 ? "3,bulk\n" : "5,small\n");
    }
    return text;
}

/// 200 transfers of seven hosts to one, ten datagrams each, faster than its link.
std::string datagrams() {
    std::string text = "start_ns,src,dst,bytes\n";
    for (int i = 0; i < 200; ++i) {
        text += std::to_string(i * 1'000) + "," + std::to_string(1 + i % 7) + ",0,14720\n";
    }
    return text;
}

const arguments traced{"run",
                       "--fabric.topology=racks",
                       "--fabric.racks=2",
                       "--fabric.hosts_per_rack=4",
                       "--fabric.roots=1",
                       "--link.rate=10Gbps",
                       "--switch.ingress_buffer=512KiB",
                       "--switch.scheme=priority_pfc",
                       "--traffic.kind=trace",
                       "--traffic.file=flows.csv",
                       "--run.progress=off"};
const arguments broken{"--host.broken=h5 from=1ms"};

class unfinished : public testing::Test {
 protected:
    unfinished() { std::ofstream(m_dir / "flows.csv") << trace(); }

    json run(const std::string& name, const arguments& more = {}, const arguments& base = traced) const {
        const outcome made = run_program(m_dir, combined(arguments_of(more, base), {"--out", name}));
        EXPECT_EQ(made.status, 0) << made.err;
        return summary_of(m_dir / name);
    }
    /// A run takes 6 ms unless it says otherwise.
    static arguments arguments_of(const arguments& more, const arguments& base = traced) {
        const bool has_length = std::any_of(more.begin(), more.end(), [](const std::string& each) {
            return each.rfind("--run.duration", 0) == 0;
        });
        return combined(combined(base, more), has_length ? arguments{} : arguments{"--run.duration=6ms"});
    }

    /// Smallest time within which `share` of all completes; nothing: it is not reached.
    std::optional<double> estimate(const std::string& name, double share) const {
        std::vector<double> times;
        std::vector<double> ages;
        for (const table_row& row : rows_of(m_dir / name / "flows.csv")) {
            times.push_back(std::stod(row.at("fct_ns")));
        }
        for (const table_row& row : rows_of(m_dir / name / "unfinished.csv")) {
            ages.push_back(std::stod(row.at("age_ns")));
        }
        std::sort(times.begin(), times.end());
        double survivors = 1;
        for (std::size_t i = 0; i < times.size(); ++i) {
            const auto older =
                std::count_if(ages.begin(), ages.end(), [&](double age) { return age >= times[i]; });
            survivors *= 1 - 1 / static_cast<double>(times.size() - i + static_cast<std::size_t>(older));
            if (survivors <= 1 - share + 1e-12) {
                return times[i];
            }
        }
        return std::nullopt;
    }

    scratch_directory m_dir;
};

TEST_F(unfinished, transfers_are_listed_once_with_their_age_and_what_has_arrived) {
    const json summary = run("out", broken);
    std::set<std::string> completed;
    for (const table_row& row : rows_of(m_dir / "out" / "flows.csv")) {
        completed.insert(row.at("flow"));
    }
    std::size_t partly = 0;
    const auto rows = rows_of(m_dir / "out" / "unfinished.csv");
    for (const table_row& row : rows) {
        EXPECT_EQ(completed.count(row.at("flow")), 0U);
        EXPECT_EQ(std::stod(row.at("age_ns")) + std::stod(row.at("start_ns")), 6e6);
        EXPECT_LT(std::stoul(row.at("received_bytes")), std::stoul(row.at("bytes")));
        partly += row.at("received_bytes") != "0" ? 1 : 0;
    }
    EXPECT_GT(rows.size(), 50U);
    EXPECT_GT(partly, 0U);
    EXPECT_EQ(summary["flows"]["started"], 400);
    EXPECT_EQ(summary["flows"]["unfinished"], rows.size());
    EXPECT_EQ(completed.size() + rows.size(), 400U);
    EXPECT_EQ(summary["fct_ns"]["unfinished"], rows.size());
    EXPECT_EQ(summary["jct_ns"]["unfinished"], rows.size()) << "each transfer of a trace is a job";
    const std::string jobs = contents(m_dir / "out" / "unfinished_jobs.csv");
    EXPECT_EQ(jobs.substr(0, jobs.find('\n')), "job,kind,src,bytes,transfers,priority,tag,start_ns,age_ns");
}

TEST_F(unfinished, percentiles_are_product_limit_estimates_or_lower_bounds) {
    const json summary = run("out", broken)["fct_ns"];
    const std::pair<const char*, double> shares[] = {
        {"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99_9", 0.999}, {"max", 1}};
    std::size_t bounds = 0;
    for (const auto& [key, share] : shares) {
        const std::optional<double> expected = estimate("out", share);
        EXPECT_EQ(summary.contains(key + std::string("_is_lower_bound")), !expected) << key;
        bounds += expected ? 0 : 1;
        if (expected) {
            EXPECT_EQ(summary[key], *expected) << key;
        }
    }
    EXPECT_GT(bounds, 0U);
    EXPECT_LT(bounds, std::size(shares));
}

TEST_F(unfinished, runs_that_complete_everything_have_no_such_files_and_keys) {
    run("out", {"--run.duration=0ps"});
    for (const auto& [name, text] : results_in(m_dir / "out")) {
        EXPECT_EQ(name.find("unfinished"), std::string::npos);
        EXPECT_TRUE(name == "effective.ini" || text.find("unfinished") == std::string::npos) << name;
    }
}

TEST_F(unfinished, young_transfers_at_the_end_of_a_run_do_not_pull_the_median_down) {
    // 150 transfers over a link one after another, and 100 that start 1 us before the end.
    std::string flows = "start_ns,src,dst,bytes\n";
    for (int i = 0; i < 150; ++i) {
        flows += std::to_string(i * 20'000) + ",0,1,10000\n";
    }
    const std::string quiet = flows;
    for (int i = 0; i < 100; ++i) {
        flows += "5999000," + std::to_string(2 + i % 6) + ",1,10000\n";
    }
    std::ofstream(m_dir / "flows.csv") << quiet;
    const json without = run("without");
    std::ofstream(m_dir / "flows.csv") << flows;
    const json with = run("with");
    EXPECT_EQ(with["fct_ns"]["unfinished"], 100);
    for (const char* key : {"p50", "p99", "max"}) {
        EXPECT_EQ(with["fct_ns"][key], without["fct_ns"][key]) << key;
        EXPECT_FALSE(with["fct_ns"].contains(std::string(key) + "_is_lower_bound"));
    }
}

TEST_F(unfinished, datagrams_that_are_lost_leave_their_transfer_unfinished) {
    std::ofstream(m_dir / "flows.csv") << datagrams();
    const json summary = run("out", {"--pfc.mode=none", "--traffic.transport=udp", "--run.duration=0ps",
                                     "--switch.egress_buffer=32KiB"});
    ASSERT_GT(summary["frames"]["dropped"], 0);
    std::uint64_t missing = 0;
    for (const table_row& row : rows_of(m_dir / "out" / "unfinished.csv")) {
        missing += std::stoul(row.at("bytes")) - std::stoul(row.at("received_bytes"));
    }
    EXPECT_EQ(missing, summary["frames"]["dropped"].get<std::uint64_t>() * 1'472);
    EXPECT_EQ(summary["flows"]["completed"].get<int>() + summary["flows"]["unfinished"].get<int>(), 200);
}

TEST_F(unfinished, those_of_the_warm_up_are_counted_and_not_listed) {
    const json all = run("all", broken);
    const json late = run("late", combined(broken, {"--run.warmup=2ms"}));
    EXPECT_EQ(late["flows"]["unfinished"], all["flows"]["unfinished"]);
    std::size_t expected = 0;
    for (const table_row& row : rows_of(m_dir / "all" / "unfinished.csv")) {
        expected += std::stod(row.at("start_ns")) >= 2e6 ? 1 : 0;
    }
    EXPECT_EQ(rows_of(m_dir / "late" / "unfinished.csv").size(), expected);
    EXPECT_EQ(late["fct_ns"]["unfinished"], expected);
}

TEST_F(unfinished, are_the_same_for_any_threads_and_quantum) {
    run("a", broken);
    run("b", combined(broken, {"--run.threads=2", "--run.quantum=100ns"}));
    expect_same_bytes(m_dir / "a", m_dir / "b");
}

TEST_F(unfinished, are_the_same_for_two_ranks) {
    if (!why_no_ranks().empty()) {
        GTEST_SKIP() << why_no_ranks();
    }
    const arguments lossy{"--pfc.mode=none", "--traffic.transport=udp", "--switch.egress_buffer=32KiB"};
    for (const arguments& more : {broken, lossy}) {
        std::ofstream(m_dir / "flows.csv") << (more == lossy ? datagrams() : trace());
        const std::string one = "one" + std::to_string(more.size());
        const std::string two = "two" + std::to_string(more.size());
        run(one, more);
        surroundings around;
        around.ranks = 2;
        const outcome made = run_program(m_dir, combined(arguments_of(more), {"--out", two}), around);
        ASSERT_EQ(made.status, 0) << made.err;
        EXPECT_TRUE(fs::exists(m_dir / one / "unfinished.csv"));
        expect_same_bytes(m_dir / one, m_dir / two);
    }
}

TEST_F(unfinished, jobs_are_in_order_of_start_whatever_their_kind) {
    run("out",
        {"--traffic.kind=query", "--traffic.rate=3000", "--traffic.background_flows=1",
         "--traffic.background_bytes=100KB", "--run.duration=5ms"},
        {"run", "--fabric.topology=racks", "--fabric.racks=2", "--fabric.hosts_per_rack=4", "--fabric.roots=1",
         "--run.progress=off"});
    double last = 0;
    std::set<std::string> kinds;
    for (const table_row& row : rows_of(m_dir / "out" / "unfinished_jobs.csv")) {
        EXPECT_GE(std::stod(row.at("start_ns")), last);
        last = std::stod(row.at("start_ns"));
        kinds.insert(row.at("kind"));
    }
    EXPECT_EQ(kinds, (std::set<std::string>{"flow", "query"}));
}

TEST_F(unfinished, jobs_of_every_kind_are_listed_as_they_would_be_reported) {
    const arguments base{"run",
                         "--fabric.topology=racks",
                         "--fabric.racks=2",
                         "--fabric.hosts_per_rack=6",
                         "--fabric.roots=1",
                         "--traffic.rate=400",
                         "--run.progress=off"};
    const std::pair<const char*, const char*> kinds[] = {{"query", "query"},
                                                         {"sequential_web", "web_request"},
                                                         {"partition_aggregate", "partition_aggregate"},
                                                         {"incast", "incast_round"}};
    for (const auto& [workload, kind] : kinds) {
        arguments args{std::string("--traffic.kind=") + workload};
        const json cut = run(std::string("cut_") + workload, combined(args, {"--run.duration=21ms"}), base);
        const json whole = run(std::string("whole_") + workload,
                               combined(args, {"--traffic.stop=21ms", "--run.duration=0ps"}), base);
        if (!fs::exists(m_dir / (std::string("cut_") + workload) / "unfinished_jobs.csv")) {
            ADD_FAILURE() << workload << ": all jobs have completed";
            continue;
        }
        std::map<std::string, table_row> reported;
        for (const table_row& row : rows_of(m_dir / (std::string("whole_") + workload) / "jobs.csv")) {
            reported[row.at("job")] = row;
        }
        std::size_t of_kind = 0;
        for (const table_row& row : rows_of(m_dir / (std::string("cut_") + workload) / "unfinished_jobs.csv")) {
            of_kind += row.at("kind") == kind ? 1 : 0;
            for (const char* column : {"kind", "src", "bytes", "transfers", "priority", "tag", "start_ns"}) {
                EXPECT_EQ(row.at(column), reported[row.at("job")][column]) << workload << " " << row.at("job");
            }
        }
        EXPECT_GT(of_kind, 0U) << workload;
    }
}

TEST_F(unfinished, tables_say_at_least_and_a_broken_run_is_never_better_than_a_healthy_one) {
    run("healthy");
    run("broken", broken);
    const outcome table = run_program(m_dir, {"table", "healthy", "broken"});
    ASSERT_EQ(table.status, 0) << table.err;
    EXPECT_NE(table.out.find("at least "), std::string::npos) << table.out;
    EXPECT_NE(table.out.find("unfinished"), std::string::npos);
    EXPECT_NE(table.out.find("mean of completed"), std::string::npos);
    const json rows =
        json::parse(run_program(m_dir, {"table", "healthy", "broken", "--format=json"}).out)["runs"];
    for (const char* key : {"jct_ns.p90", "jct_ns.p99", "tags.bulk.jct_ns.p99", "priorities.5.jct_ns.p99"}) {
        EXPECT_GT(rows[1]["metrics"][key].get<double>(), rows[0]["metrics"][key].get<double>()) << key;
    }
    for (const char* key : {"jct_ns.mean", "fct_slowdown.mean", "tags.bulk.jct_ns.mean",
                            "tags.bulk.fct_slowdown.mean", "priorities.5.jct_ns.mean"}) {
        EXPECT_TRUE(rows[1]["metrics"][key].is_number()) << key;
        EXPECT_TRUE(rows[1]["ratios"].at(key).is_null()) << key << " is over completed ones";
        EXPECT_TRUE(rows[0]["ratios"].at(key).is_number()) << key;
    }
    const outcome one = run_program(m_dir, {"run", "broken/effective.ini", "--out", "again"});
    EXPECT_NE(one.out.find("at least "), std::string::npos) << one.out;
    EXPECT_NE(one.out.find(" unfinished\n"), std::string::npos) << one.out;
}

TEST_F(unfinished, victims_are_transfers_that_completed_in_the_first_run_only) {
    run("healthy");
    run("broken", broken);
    std::set<std::string> healthy;
    for (const table_row& row : rows_of(m_dir / "healthy" / "flows.csv")) {
        healthy.insert(row.at("flow"));
    }
    std::map<std::string, int> by_tag;
    std::map<std::string, int> by_destination;
    int all = 0;
    for (const table_row& row : rows_of(m_dir / "broken" / "unfinished.csv")) {
        if (row.at("src") == "5" || row.at("dst") == "5" || healthy.count(row.at("flow")) == 0) {
            continue;
        }
        ++all;
        ++by_tag[row.at("tag")];
        ++by_destination[std::stoi(row.at("dst")) < 4 ? "tor0" : "tor1"];
    }
    ASSERT_GT(all, 0);
    const outcome found =
        run_program(m_dir, {"table", "healthy", "broken", "--victims", "--without", "h5", "--format=csv"});
    ASSERT_EQ(found.status, 0) << found.err;
    std::ofstream(m_dir / "victims.csv") << found.out;
    int seen = 0;
    for (const table_row& row : rows_of(m_dir / "victims.csv")) {
        const int expected = row.at("by") == "all"                  ? all
                             : row.at("by") == "tag"                ? by_tag[row.at("name")]
                             : row.at("by") == "destination switch" ? by_destination[row.at("name")]
                                                                    : std::stoi(row.at("victims"));
        EXPECT_EQ(std::stoi(row.at("victims")), expected) << row.at("by") << " " << row.at("name");
        EXPECT_EQ(row.at("not_started"), "0");
        ++seen;
    }
    EXPECT_EQ(seen, 1 + 2 + 2 + 2);
}

TEST_F(unfinished, victims_are_refused_where_the_runs_differ) {
    run("healthy");
    run("other", {"--run.seed=2"});
    const auto expect_refused = [&](const arguments& args, const std::string& why) {
        const outcome got = run_program(m_dir, combined({"table"}, args));
        EXPECT_EQ(got.status, 2);
        EXPECT_EQ(got.out, "");
        EXPECT_TRUE(has_error(got.err, why));
    };
    expect_refused({"healthy", "other", "--victims"}, "run.seed");
    arguments wider = traced;
    std::replace(wider.begin(), wider.end(), std::string("--fabric.hosts_per_rack=4"),
                 std::string("--fabric.hosts_per_rack=5"));
    run("wider", {}, wider);
    expect_refused({"healthy", "wider", "--victims"}, "has other hosts or switches than healthy");
    fs::copy(m_dir / "healthy", m_dir / "no_hosts");
    std::ofstream(m_dir / "no_hosts" / "nodes.csv") << "node,kind,host,address,tier\ntor0,switch,,,tier1\n";
    expect_refused({"no_hosts", "healthy", "--victims"}, "names no host");
    fs::copy(m_dir / "healthy", m_dir / "no_flows");
    fs::remove(m_dir / "no_flows" / "flows.csv");
    expect_refused({"healthy", "no_flows", "--victims"}, "the run has no flows.csv");
    expect_refused({"healthy", "--victims"}, "--victims: compares two runs");
    expect_refused({"healthy", "other", "--without=h1"}, "--without: --victims");
    run("same", broken);
    expect_refused({"healthy", "same", "--victims", "--without=h99"}, "h99");
    expect_refused({"healthy", "same", "--victims", "--metric=fct_ns"}, "--metric: --victims");
}

TEST_F(unfinished, views_of_runs_with_unfinished_transfers_warn) {
    run("broken", broken);
    const outcome report = run_program(m_dir, {"report", "broken", "--out", "report.html"});
    EXPECT_EQ(report.status, 0) << report.err;
    EXPECT_NE(report.err.find("warning: broken: "), std::string::npos) << report.err;
    EXPECT_NE(report.err.find(" transfers did not complete"), std::string::npos) << report.err;
    const outcome sweep = run_program(
        m_dir,
        combined(combined({"sweep", "--run.duration=6ms"}, arguments(traced.begin() + 1, traced.end() - 1)),
                 combined(broken, {"--vary", "run.warmup=0ps,1ms", "--metric=fct_ns.mean", "--out", "sweep"})));
    EXPECT_EQ(sweep.status, 0) << sweep.err;
    EXPECT_NE(sweep.out.find("warning: 2 of 2 runs have transfers that did not complete"), std::string::npos)
        << sweep.out;
    const outcome page = run_program(m_dir, {"report", "sweep", "--out", "sweep.html"});
    EXPECT_NE(page.err.find("warning: sweep: transfers did not complete"), std::string::npos) << page.err;
    // Each of the two runs started all transfers of the trace.
    const auto started = std::to_string(2 * summary_of(m_dir / "broken")["flows"]["started"].get<int>());
    EXPECT_NE(contents(m_dir / "sweep.html").find(" of " + started + "\"],[\"Transfers unfinished\",\""),
              std::string::npos);
}

}  // namespace
}  // namespace weir::test
