// `weir report`: where it writes, what it refuses, and what it says.
#include <gtest/gtest.h>

#include "report_rig.h"
#include "support/errors_said.h"
#include "tb/study/points/sweep_plan.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/process/output_error.h"
#include "tb/view/page/report_page.h"
#include "tb/view/report/sweep_report.h"

namespace weir::tb {
namespace {

namespace fs = std::filesystem;

class report_of_two : public report_rig {
 protected:
    report_of_two() {
        write_run("a", {1000, 2000});
        write_run("b", {1000, 2000}, "", false);
    }
    /// Refused as bad input with this, and nothing was written.
    void expect_refused(const std::vector<std::string>& args, const std::vector<std::string>& all) {
        EXPECT_EQ(report(args), exit_status::bad_input);
        EXPECT_TRUE(errors_are(errors(), all));
        EXPECT_EQ(m_out.str(), "");
        EXPECT_FALSE(fs::exists(m_where / "r.html"));
    }
};

TEST_F(report_of_two, writes_one_page_and_warns_of_runs_that_were_stopped) {
    EXPECT_EQ(report({"@/a", "@/b", "--out", "@/r.html"}), exit_status::success);
    EXPECT_EQ(m_out.str(), path("r.html") + "\n");
    EXPECT_EQ(errors(), "warning: @/b: the run was stopped before its end\n");
    const std::string page = read("r.html");
    EXPECT_EQ(page.rfind(report_head, 0), 0U);
    EXPECT_NE(page.find(R"("title":"a, b")"), std::string::npos);
    EXPECT_NE(page.find(R"-("label":"b (incomplete)")-"), std::string::npos);
    EXPECT_FALSE(fs::exists(m_where / "r.html.partial"));
}

TEST_F(report_of_two, title_and_labels_are_the_users) {
    EXPECT_EQ(report({"@/a", "@/b", "--label", "A", "--label", "B", "--title", "T", "--out", "@/r.html"}), 0);
    EXPECT_NE(read("r.html").find(R"("title":"T")"), std::string::npos);
    EXPECT_NE(read("r.html").find(R"("label":"A")"), std::string::npos);
}

TEST_F(report_of_two, replaces_a_report_and_nothing_else) {
    write("r.html", std::string(report_head) + " of an earlier call");
    EXPECT_EQ(report({"@/a", "--out", "@/r.html"}), 0);
    EXPECT_GT(read("r.html").size(), 10'000U);
    write("mine.html", "<!DOCTYPE html>\n<p>mine</p>\n");
    EXPECT_EQ(report({"@/a", "--out", "@/mine.html"}), exit_status::bad_input);
    EXPECT_TRUE(errors_are(errors(), {"command line: --out: @/mine.html, report"}));
    EXPECT_EQ(read("mine.html"), "<!DOCTYPE html>\n<p>mine</p>\n");
    write("empty.html", "");
    EXPECT_EQ(report({"@/a", "--out", "@/empty.html"}), 0);
}

TEST_F(report_of_two, arguments_that_make_no_sense_are_refused) {
    expect_refused({"@/a"}, {"command line: --out: --out FILE.html, missing"});
    expect_refused({"@/a", "--out", "@/"}, {"command line: --out: @/, @/report.html, a directory"});
    expect_refused({"@/a", "@/b", "--label", "A", "--out", "@/r.html"},
                   {"command line: --label: 1, 2 directories"});
    expect_refused({"@/a", "@/b/../a", "--out", "@/r.html", "--label", "x", "--label", "x"},
                   {"command line: DIR: @/a, twice", "command line: --label: x, twice"});
    std::vector<std::string> many(17, "@/a");
    many.insert(many.end(), {"--out", "@/r.html"});
    EXPECT_EQ(report(many), exit_status::bad_input);
    EXPECT_TRUE(has_error(errors(), "at most 16"));
}

TEST_F(report_of_two, a_file_among_those_of_a_run_or_a_sweep_is_refused) {
    expect_refused({"@/a", "--out", "@/a/r.html"}, {"command line: --out: @/a/r.html, a run, outside"});
    EXPECT_FALSE(fs::exists(m_where / "a/r.html"));
    write("sweep/plan.json", "{}");
    fs::create_directories(m_where / "sweep/points");
    fs::create_directories(m_where / "sweep/plots");
    expect_refused({"@/a", "--out", "@/sweep/r.html"}, {"command line: --out: @/sweep/r.html, a sweep, plots"});
    EXPECT_EQ(report({"@/a", "--out", "@/sweep/plots/r.html"}), 0);
}

TEST_F(report_of_two, a_directory_that_does_not_exist_is_bad_input) {
    try {
        report({"@/a", "--out", "@/none/r.html"});
        FAIL() << "not refused";
    } catch (const command_error& error) {
        EXPECT_EQ(error.status(), exit_status::bad_input);
        EXPECT_NE(std::string(error.what()).find("--out"), std::string::npos) << error.what();
    }
}

TEST_F(report_of_two, what_is_no_run_is_refused_with_what_to_use) {
    expect_refused({"@/none", "--out", "@/r.html"}, {"command line: @/none: not a directory"});
}

TEST_F(report_of_two, a_run_that_failed_begins_with_its_verdict_and_one_that_was_killed_is_refused) {
    write("c/failure.json",
          R"({"status": 1, "verdict": "deadlock", "error": "/weir/deadlock: deadlock, found at 1us"})");
    write("c/effective.ini",
          std::string(effective_head) + "\n[run]\nseed = 7\n" + std::string(effective_end) + "\n");
    EXPECT_EQ(report({"@/a", "@/c", "--out", "@/r.html"}), 0);
    EXPECT_EQ(errors(), "warning: @/c: the run failed (deadlock)\n");
    EXPECT_NE(read("r.html").find(R"(["Transfers completed","0 of 0","not known"])"), std::string::npos);
    write("c/failure.json",
          R"({"status": 1, "verdict": "deadlock", "error": "/weir/deadlock: deadlock, found at 1us",
              "flows": {"started": 1207, "completed": 1200, "unfinished": 7}})");
    EXPECT_EQ(report({"@/a", "@/c", "--out", "@/r.html"}), 0);
    EXPECT_EQ(errors(), "warning: @/c: the run failed (deadlock)\n");
    const std::string page = read("r.html");
    EXPECT_NE(
        page.find(R"(["Transfers completed","0 of 0","1,200 of 1,207"],["Transfers unfinished","0","7"])"),
        std::string::npos);
    EXPECT_NE(
        page.find(R"-("verdicts":[{"title":"c (deadlock)","text":"deadlock, found at 1us","is_fault":true}])-"),
        std::string::npos);
    EXPECT_NE(page.find(R"(["Verdict","complete","failed: deadlock"])"), std::string::npos);
    EXPECT_NE(page.find(R"(["Seed","0","7"])"), std::string::npos);
    fs::remove(m_where / "c/failure.json");
    fs::remove(m_where / "r.html");
    write("c/ports.csv", "node,port\n");
    expect_refused({"@/c", "--out", "@/r.html"}, {"@/c: effective.ini, summary.json"});
}

TEST_F(report_of_two, a_sweep_has_its_failed_runs_its_points_and_curves) {
    sweep_plan plan;
    plan.version = "0.1.0";
    plan.axes = {{{"udp.payload"}, {{"18B"}, {"19B"}, {"256KB"}}}, {{"switch.scheme"}, {{"fc"}, {"detail"}}}};
    plan.seeds = {1};
    write("s/plan.json", to_json(plan).dump());
    for (int point = 1; point <= 5; ++point) {
        write_run("s/points/000" + std::to_string(point) + "/seed_1", {1000 * point, 2000 * point});
    }
    write("s/points/0006/seed_1/failure.json",
          R"({"status": 1, "verdict": "lossless_loss", "error": "e",
              "flows": {"started": 1207, "completed": 1200, "unfinished": 7}})");
    EXPECT_EQ(report({"@/s", "--out", "@/r.html"}), 0) << errors();
    std::ostringstream warnings;
    const report_document made = collect_sweep_report("t", {path("s")}, {"s"}, warnings);
    EXPECT_EQ(warnings.str(), "") << "all transfers completed";
    ASSERT_TRUE(made.errors.empty());
    const json opening = table(made.content, "opening")["rows"];
    EXPECT_EQ(opening[1], (json{"Points", "6"}));
    EXPECT_EQ(opening[2], (json{"Runs", "5 done, 1 failed"}));
    const auto row = [&](const char* name) {
        const auto is_it = [&](const json& each) { return each[0] == name; };
        return std::find_if(opening.begin(), opening.end(), is_it)->at(1);
    };
    EXPECT_EQ(row("Transfers completed"), "1,200 of 1,207") << "the run that failed counts";
    EXPECT_EQ(row("Transfers unfinished"), "7");
    EXPECT_EQ(made.content["verdicts"][0]["text"],
              "1 of 6 runs failed (udp.payload=256KB, switch.scheme=detail, seed 1: lossless loss)");
    EXPECT_EQ(table(made.content, "points")["rows"].size(), 6U);
    EXPECT_EQ(
        table(made.content, "failures")["rows"],
        json::parse(R"([["s", "points/0006/seed_1", "udp.payload=256KB, switch.scheme=detail", "lossless loss",
                               "e"]])"));
    const json& median = made.content["charts"][0];
    EXPECT_EQ(median["y"]["what"], "Median of job completion time");
    EXPECT_EQ(median["x"]["quantity"], "decimal_bytes");
    ASSERT_EQ(median["series"].size(), 2U);
    EXPECT_EQ(median["series"][0]["name"], "scheme = fc");
    EXPECT_EQ(median["series"][0]["x"], (json{18, 19, 256000})) << "no curve is shifted";
    EXPECT_EQ(median["series"][1]["x"], (json{18, 19}));
    // Medians of two: the lower one. Points 1, 3 and 5 are those of the first curve.
    EXPECT_EQ(median["series"][0]["y"], (json{1000, 3000, 5000}));
    fs::remove(m_where / "r.html");
    expect_refused({"@/a", "@/s", "--out", "@/r.html"}, {"@/a: sweep, @/s, @/s/points/0001/seed_1"});
}

TEST_F(report_of_two, broken_files_are_refused) {
    write("a/ports.csv", "node,port\n");
    EXPECT_EQ(report({"@/a", "--out", "@/r.html"}), exit_status::bad_input);
    EXPECT_EQ(errors().rfind("@/a/ports.csv:1: ", 0), 0U) << errors();
    fs::remove(m_where / "a/ports.csv");
    write("a/run.json", "{\"command_line\": 7}");
    expect_refused({"@/a", "--out", "@/r.html"}, {"@/a/run.json: command_line: 7, text"});
    fs::remove(m_where / "a/run.json");
    write("a/effective.ini", std::string(effective_head) + "\n[switch]\n");
    EXPECT_EQ(report({"@/a", "--out", "@/r.html"}), exit_status::bad_input);
    EXPECT_TRUE(has_error(errors(), "@/a/effective.ini:2: incomplete"));
    write("b/jobs.csv", "kind,bytes,jct_ns\nquery,8192,1000\n");
    EXPECT_EQ(report({"@/b", "--out", "@/r.html"}), exit_status::bad_input);
    EXPECT_EQ(errors().rfind("@/b/jobs.csv", 0), 0U) << errors();
    EXPECT_FALSE(fs::exists(m_where / "r.html"));
}

TEST_F(report_of_two, help_names_its_arguments) {
    EXPECT_EQ(report({"--help"}), 0);
    for (const char* word : {"--out", "--label", "--title", "FILE.html"}) {
        EXPECT_NE(m_out.str().find(word), std::string::npos) << word;
    }
}

}  // namespace
}  // namespace weir::tb
