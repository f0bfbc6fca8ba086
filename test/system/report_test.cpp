// `weir report` on directories of real runs: equal bytes, a full disk.
#include <gtest/gtest.h>

#include "program.h"

using namespace weir::test;

namespace {

class report_of_a_run : public testing::Test {
 protected:
    void run(const std::string& out, const arguments& more = {}) const {
        const outcome o = run_program(
            m_where,
            combined({"run", "--fabric.hosts=8", "--traffic.rate=2000", "--switch.scheme=detail",
                      "--run.duration=5ms", "--trace.pause_causes=on", "--output.windows=h0", "--out", out},
                     more));
        EXPECT_EQ(o.status, 0) << o.err;
    }
    outcome report(const arguments& args, std::uintmax_t largest_file = 0) const {
        return run_program(m_where, combined({"report"}, args), {largest_file});
    }

    scratch_directory m_where;
};

TEST_F(report_of_a_run, equal_runs_give_equal_bytes_however_they_were_run) {
    run("one");
    run("elsewhere/two", {"--run.threads=2", "--run.quantum=1us"});
    for (const char* name : {"one", "elsewhere/two"}) {
        const outcome o = report({name, "--label", "same", "--title", "same", "--out",
                                  fs::path(name).filename().string() + ".html"});
        EXPECT_EQ(o.status, 0) << o.err;
    }
    EXPECT_FALSE(contents(m_where / "one.html").empty());
    EXPECT_EQ(contents(m_where / "one.html"), contents(m_where / "two.html"));
    EXPECT_EQ(contents(m_where / "one.html").find(m_where.path().string()), std::string::npos);
}

TEST_F(report_of_a_run, has_all_that_the_run_wrote) {
    run("one");
    ASSERT_EQ(report({"one", "--out", "r.html"}).status, 0);
    const std::string page = contents(m_where / "r.html");
    for (const char* part : {"job_completion_cdf", "percentiles_by_size_0", "occupancy_egress", "windows_0",
                             "\"ports\"", "\"limits\"", "weir run --fabric.hosts=8"}) {
        EXPECT_NE(page.find(part), std::string::npos) << part;
    }
    EXPECT_LT(page.size(), 1'000'000U);
}

TEST_F(report_of_a_run, a_full_disk_is_named_and_keeps_the_report_that_was_there) {
    run("one");
    ASSERT_EQ(report({"one", "--out", "r.html"}).status, 0);
    const std::string before = contents(m_where / "r.html");
    const outcome o = report({"one", "--title", "another", "--out", "r.html"}, 20'000);
    EXPECT_EQ(o.status, 3);
    EXPECT_NE(o.err.find("r.html.partial: cannot be written: File too large"), std::string::npos) << o.err;
    EXPECT_EQ(contents(m_where / "r.html"), before);
}

TEST_F(report_of_a_run, goes_to_standard_output_where_it_is_told_to) {
    run("one");
    const outcome o = report({"one", "--out", "/dev/stdout"});
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.out.rfind("<!DOCTYPE html>", 0), 0U) << o.out.substr(0, 80);
    EXPECT_EQ(o.out.substr(o.out.size() - 8), "</html>\n");
}

}  // namespace
