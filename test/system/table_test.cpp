// `weir table` as its user runs it: over runs and sweeps, the same values in every format and in summary.json.
#include <cmath>

#include "support/errors_said.h"
#include "sweep_rig.h"

namespace weir::test {
namespace {

using nlohmann::json;

const arguments small_run{"run",
                          "--fabric.topology=racks",
                          "--fabric.racks=2",
                          "--fabric.hosts_per_rack=4",
                          "--fabric.roots=1",
                          "--traffic.kind=query"};
const arguments busy{"--traffic.rate=4000", "--run.duration=20ms"};
/// Everything completes.
const arguments finite{"--traffic.rate=4000", "--traffic.stop=20ms", "--run.duration=0ps"};
/// Of a sweep.
const arguments small_sweep(small_run.begin() + 1, small_run.end());

/// Lines of CSV by the names of the header; quotes as RFC 4180 says, without line ends in them.
std::vector<std::map<std::string, std::string>> csv_rows(const std::string& text) {
    const auto fields = [](const std::string& line) {
        std::vector<std::string> all(1);
        bool is_quoted = false;
        for (const char c : line) {
            is_quoted = is_quoted != (c == '"');
            if (c == ',' && !is_quoted) {
                all.emplace_back();
            } else if (c != '"') {
                all.back() += c;
            }
        }
        return all;
    };
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    const std::vector<std::string> header = fields(line);
    std::vector<std::map<std::string, std::string>> rows;
    while (std::getline(lines, line)) {
        const std::vector<std::string> values = fields(line);
        EXPECT_EQ(values.size(), header.size()) << line;
        rows.emplace_back();
        for (std::size_t i = 0; i < std::min(values.size(), header.size()); ++i) {
            EXPECT_TRUE(rows.back().emplace(header[i], values[i]).second) << header[i] << " stands there twice";
        }
    }
    return rows;
}

/// The value of summary.json that a name with dots stands for; groups are elsewhere.
json value_at(const json& summary, const std::string& name) {
    const json* at = &summary;
    std::istringstream keys(name);
    for (std::string key; std::getline(keys, key, '.');) {
        if (!at->is_object() || !at->contains(key)) {
            return {};
        }
        at = &at->at(key);
    }
    return *at;
}

/// `1.158 ms` in ns.
double nanoseconds_in(const std::string& text) {
    static const std::map<std::string, double> units{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    std::istringstream words(text);
    double value = 0;
    std::string unit;
    words >> value >> unit;
    EXPECT_EQ(units.count(unit), 1U) << text;
    return units.count(unit) != 0 ? value * units.at(unit) : 0;
}

/// Parts of a line of text that two blanks or more divide, or of one of Markdown.
std::vector<std::string> cells_of(const std::string& line, bool is_markdown) {
    const std::string separator = is_markdown ? " |" : "  ";
    std::vector<std::string> cells;
    for (std::size_t from = 0; from < line.size();) {
        const std::size_t end = std::min(line.find(separator, from), line.size());
        std::string cell = line.substr(from, end - from);
        cell.erase(0, cell.find_first_not_of(" |"));
        if (!cell.empty() || is_markdown) {
            cells.push_back(cell);
        }
        from = end + separator.size();
    }
    return cells;
}

/// CSV's text is the number of JSON; empty for null.
void expect_number(const std::string& text, const json& number, const std::string& what) {
    if (number.is_null() || text.empty()) {
        EXPECT_EQ(text.empty(), number.is_null()) << what;
    } else {
        EXPECT_EQ(std::stod(text), number.get<double>()) << what;
    }
}

class table_command : public testing::Test {
 protected:
    void make_run(const std::string& name, const arguments& options, const arguments& traffic = busy) const {
        const outcome made =
            run_program(m_dir, combined(combined(combined(small_run, traffic), options), {"--out", name}));
        ASSERT_EQ(made.status, 0) << made.err;
    }
    void make_warmup_sweep(const std::string& name) const {
        const arguments args{"sweep", "--vary", "run.warmup=0ps,1ms", "--out", name};
        ASSERT_EQ(run_program(m_dir, combined(combined(args, small_sweep), busy)).status, 0);
    }
    std::string table(const arguments& args, const std::string& format) const {
        const outcome got = run_program(m_dir, combined(combined({"table"}, args), {"--format=" + format}));
        EXPECT_EQ(got.status, 0) << got.err;
        return got.out;
    }

    /// Every value of the JSON document is that of summary.json, and CSV has the same.
    void expect_same_values(const arguments& runs) const {
        const json made = json::parse(table(runs, "json"));
        const auto rows = csv_rows(table(runs, "csv"));
        ASSERT_EQ(made["runs"].size(), runs.size());
        ASSERT_EQ(rows.size(), runs.size());
        for (std::size_t r = 0; r < runs.size(); ++r) {
            const json& run = made["runs"][r];
            const json summary = summary_of(m_dir / runs[r]);
            EXPECT_EQ(run["run"], runs[r]);
            EXPECT_EQ(run["complete"], summary["complete"]);
            std::size_t compared = 0;
            for (const auto& [key, value] : run["metrics"].items()) {
                const json there = value_at(summary, key);
                if (there.is_number() && !value.is_null()) {
                    EXPECT_EQ(value, there) << runs[r] << ": " << key;
                    ++compared;
                }
                if (value.is_boolean()) {
                    EXPECT_EQ(rows[r].at(key), "true") << runs[r] << ": " << key;
                } else if (!value.is_string() && !value.is_array()) {
                    expect_number(rows[r].at(key), value, runs[r] + ": " + key);
                }
            }
            EXPECT_GT(compared, 40U);
            for (const auto& [key, value] : run["ratios"].items()) {
                const json& first = made["runs"][0]["metrics"][key];
                const json& here = run["metrics"][key];
                if (value.is_number()) {
                    EXPECT_NEAR(value.get<double>(), here.get<double>() / first.get<double>(), 1e-9) << key;
                }
                expect_number(rows[r].at(key + ".ratio"), value, key);
            }
        }
    }

    scratch_directory m_dir;
};

TEST_F(table_command, two_runs_have_the_same_values_in_all_formats_and_in_their_summaries) {
    make_run("cut_baseline", {"--switch.scheme=baseline"});
    make_run("cut_detail", {"--switch.scheme=detail"});
    expect_same_values({"cut_baseline", "cut_detail"});
    make_run("baseline", {"--switch.scheme=baseline"}, finite);
    make_run("detail", {"--switch.scheme=detail"}, finite);
    const arguments runs{"baseline", "detail"};
    expect_same_values(runs);
    for (const std::string format : {"text", "md"}) {
        const std::string text = table(runs, format);
        std::istringstream lines(text);
        std::size_t compared = 0;
        bool in_jobs = false;
        for (std::string line; std::getline(lines, line);) {
            const std::vector<std::string> cells = cells_of(line, format == "md");
            in_jobs = cells.empty() ? false : in_jobs || cells[0] == "jobs";
            const std::size_t labels = format == "md" ? 4 : 2;
            if (!in_jobs || cells.size() < labels + 3 || cells[0] != "all") {
                continue;
            }
            const std::string shown = cells[labels - 1];
            const std::string name = shown == "p99.9" ? "p99_9" : shown == "mean of completed" ? "mean" : shown;
            if (cells[labels] == "-") {
                EXPECT_EQ(name, "p99_9");
                EXPECT_LT(summary_of(m_dir / "baseline")["jct_ns"]["count"], 1000);
                continue;
            }
            if (name == "completed") {
                continue;
            }
            const double first = summary_of(m_dir / "baseline")["jct_ns"][name].get<double>();
            const double second = summary_of(m_dir / "detail")["jct_ns"][name].get<double>();
            EXPECT_NEAR(nanoseconds_in(cells[labels]), first, 1e-3 * first) << line;
            EXPECT_NEAR(nanoseconds_in(cells[labels + 1]), second, 1e-3 * second) << line;
            EXPECT_NEAR(std::stod(cells[labels + 2]), second / first, 0.00051) << line;
            ++compared;
        }
        EXPECT_GE(compared, 4U) << text;
        EXPECT_NE(text.find("switch.scheme"), std::string::npos);
    }
}

TEST_F(table_command, eight_runs_have_the_same_values_in_all_formats_and_lines_that_fit) {
    arguments runs;
    for (int seed = 1; seed <= 8; ++seed) {
        runs.push_back("seed_" + std::to_string(seed));
        make_run(runs.back(), {"--run.seed=" + std::to_string(seed)},
                 {"--traffic.rate=4000", "--traffic.stop=5ms", "--run.duration=0ps"});
    }
    expect_same_values(runs);
    std::istringstream lines(table(runs, "text"));
    std::size_t compared = 0;
    std::string block;
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 110U) << line;
        const std::vector<std::string> cells = cells_of(line, false);
        block = cells.size() == 1 ? line : block;
        if (block == "jobs: all" && cells.size() > 2 && cells[0].rfind("seed_", 0) == 0 &&
            cells[1].find("s") == std::string::npos) {
            const double mean = summary_of(m_dir / cells[0])["jct_ns"]["mean"].get<double>();
            EXPECT_NEAR(nanoseconds_in(cells[2]), mean, 1e-3 * mean) << line;
            ++compared;
        }
    }
    EXPECT_EQ(compared, 8U);
    const std::string markdown = table(runs, "md");
    for (const std::string& run : runs) {
        EXPECT_NE(markdown.find("\n| " + run + " | "), std::string::npos) << run;
    }
}

TEST_F(table_command, slowdown_is_that_of_the_lines_of_flows_csv) {
    make_run("r", {"--switch.scheme=detail", "--output.ideal_jobs=true"}, finite);
    const json metrics = json::parse(table({"r"}, "json"))["runs"][0]["metrics"];
    for (const auto& [file, time, key] : {std::tuple("flows.csv", "fct_ns", "fct_slowdown"),
                                          std::tuple("jobs.csv", "jct_ns", "jct_slowdown")}) {
        std::vector<double> slowdowns;
        for (const auto& row : csv_rows(contents(m_dir / "r" / file))) {
            if (!row.at("ideal_ns").empty()) {
                slowdowns.push_back(std::stod(row.at(time)) / std::stod(row.at("ideal_ns")));
            }
        }
        std::sort(slowdowns.begin(), slowdowns.end());
        ASSERT_GT(slowdowns.size(), 100U);
        double sum = 0;
        for (const double each : slowdowns) {
            sum += each;
        }
        const auto count = static_cast<double>(slowdowns.size());
        const std::string name = key;
        EXPECT_EQ(metrics[name + ".count"], slowdowns.size());
        EXPECT_NEAR(metrics[name + ".mean"].get<double>(), sum / count, 2e-6);
        EXPECT_NEAR(metrics[name + ".max"].get<double>(), slowdowns.back(), 1e-6);
        for (const auto& [percentile, share] : {std::pair(".p50", 0.5), std::pair(".p99", 0.99)}) {
            const auto rank = static_cast<std::size_t>(std::ceil(share * count));
            EXPECT_NEAR(metrics[name + percentile].get<double>(), slowdowns[rank - 1], 1e-6) << percentile;
        }
    }
}

TEST_F(table_command, points_of_a_sweep_are_the_means_of_its_own_table) {
    const arguments args = combined(
        small_sweep, {"--vary", "traffic.rate=2000,4000", "--vary", "switch.ingress_buffer=64KiB,128KiB",
                      "--seeds", "3", "--keep", "all", "--run.duration=5ms", "--out", "s"});
    const outcome made = run_program(m_dir, combined({"sweep"}, args));
    ASSERT_EQ(made.status, 0) << made.err;
    const auto rows = csv_rows(table({"s"}, "csv"));
    ASSERT_EQ(rows.size(), 4U);
    const json document = json::parse(table({"s"}, "json"));
    std::size_t compared = 0;
    for (const auto& mean : csv_rows(contents(m_dir / "s" / "means.csv"))) {
        const std::size_t p = std::stoul(mean.at("point")) - 1;
        const std::string& metric = mean.at("metric");
        const auto& row = rows[p];
        EXPECT_EQ(row.at("traffic.rate"), mean.at("traffic.rate"));
        EXPECT_EQ(row.at("switch.ingress_buffer_bytes"), mean.at("switch.ingress_buffer_bytes"));
        // Percentiles of too few values are in means.csv, and not here.
        if (row.at(metric + ".n") == mean.at("n") && mean.at("n") == "3") {
            EXPECT_EQ(row.at(metric), mean.at("mean")) << metric;
            EXPECT_EQ(row.at(metric + ".low"), mean.at("low")) << metric;
            EXPECT_EQ(row.at(metric + ".high"), mean.at("high")) << metric;
            const json& value = document["points"][p]["metrics"][metric];
            expect_number(mean.at("mean"), value["mean"], metric);
            ++compared;
        }
    }
    EXPECT_GT(compared, 200U);
    const std::string text = table({"s"}, "text");
    EXPECT_EQ(text.substr(0, text.find("runs_done")), "point  traffic.rate  switch.ingress_buffer  ");
    const std::string slowdown = table({"s", "--metric", "fct_slowdown.mean"}, "csv");
    EXPECT_EQ(
        slowdown.substr(0, slowdown.find('\n')),
        "sweep,point,traffic.rate,switch.ingress_buffer,switch.ingress_buffer_bytes,runs_done,runs_failed,"
        "runs_missing,fct_slowdown.mean,fct_slowdown.mean.n,fct_slowdown.mean.low,fct_slowdown.mean.high");
    EXPECT_GT(std::stod(csv_rows(slowdown)[0].at("fct_slowdown.mean")), 1.0);
    // Sweeps and runs are not mixed, nor sweeps that vary something else.
    make_run("r", {});
    const outcome mixed = run_program(m_dir, {"table", "s", "r"});
    EXPECT_EQ(mixed.status, 2);
    EXPECT_EQ(mixed.out, "");
    EXPECT_TRUE(errors_are(mixed.err, {"r: s, sweep, s/points/0001/seed_1"}));
    make_warmup_sweep("t");
    const outcome others = run_program(m_dir, {"table", "s", "t"});
    EXPECT_EQ(others.status, 2);
    EXPECT_TRUE(errors_are(others.err, {"t: run.warmup, s, traffic.rate, switch.ingress_buffer"}));
    // The same sweep twice, elsewhere, is two that can be compared.
    fs::copy(m_dir / "s", m_dir / "u", fs::copy_options::recursive);
    const auto both = csv_rows(table({"s", "u"}, "csv"));
    ASSERT_EQ(both.size(), 8U);
    EXPECT_EQ(both[4].at("sweep"), "u");
    EXPECT_EQ(both[4].at("fct_ns.p50"), both[0].at("fct_ns.p50"));
    EXPECT_EQ(table({"s", "u"}, "text").substr(0, 14), "sweep  point  ");
    // Seeds that are limited by different resources.
    for (const auto& [seed, by] : {std::pair("seed_1", json{"crossbar"}), {"seed_2", json{"host_link"}}}) {
        const fs::path file = m_dir / "u/points/0001" / seed / "summary.json";
        json summary = json::parse(contents(file));
        summary["limited_by"] = by;
        std::ofstream(file) << summary.dump(2);
    }
    const std::string limits = csv_rows(table({"u", "--metric", "limited_by"}, "csv"))[0].at("limited_by");
    EXPECT_EQ(limits.substr(limits.find("host_link")), "host_link, crossbar") << limits;
}

TEST_F(table_command, a_run_that_was_interrupted_is_marked_and_one_that_was_killed_refused) {
    make_run("whole", {});
    const auto end = [&](const std::string& name, int signal) {
        const process run(m_dir,
                          combined(small_run, {"--traffic.rate=4000", "--run.duration=100s", "--out", name}));
        // Once it has written something it is under way, and a signal is no longer the end of the process.
        ASSERT_TRUE(wait_until([&] {
            std::error_code none_yet;
            const auto written = fs::file_size(m_dir / name / "flows.csv.partial", none_yet);
            return !none_yet && written > 0;
        }));
        run.send(signal);
        static_cast<void>(run.wait());
    };
    end("interrupted", SIGINT);
    end("killed", SIGKILL);
    const outcome marked = run_program(m_dir, {"table", "whole", "interrupted"});
    EXPECT_EQ(marked.status, 0) << marked.err;
    EXPECT_NE(marked.out.find("interrupted (incomplete)"), std::string::npos) << marked.out;
    EXPECT_EQ(marked.err, "warning: interrupted: the run was stopped before its end\n");
    const outcome refused = run_program(m_dir, {"table", "whole", "killed"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_EQ(refused.out, "");
    EXPECT_TRUE(has_error(refused.err, "killed: not ended"));
}

TEST_F(table_command, a_sweep_of_which_no_run_is_done_is_refused) {
    make_warmup_sweep("t");
    fs::remove_all(m_dir / "t" / "points" / "0001");
    const auto rows = csv_rows(table({"t"}, "csv"));
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].at("runs_missing"), "1");
    EXPECT_EQ(rows[0].at("jct_ns.p50"), "");
    fs::remove_all(m_dir / "t" / "points");
    const outcome refused = run_program(m_dir, {"table", "t"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_TRUE(errors_are(refused.err, {"t: 0 of 2, weir sweep"}));
}

}  // namespace
}  // namespace weir::test
