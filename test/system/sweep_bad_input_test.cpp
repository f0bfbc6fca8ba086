// Bad input to weir sweep: a message that names what is wrong and what is allowed, exit status 2, and nothing
// written.
#include <gtest/gtest.h>

#include "support/errors_said.h"
#include "sweep_rig.h"

using namespace weir::test;

namespace {

const std::string default_queries = "[run]\nduration = 1ms\n[traffic]\nkind = query\n";

struct bad_sweep {
    const char* name;
    arguments options;
    /// Each must stand in the message.
    std::vector<std::string> message;
};
void PrintTo(const bad_sweep& b, std::ostream* out) {
    *out << b.name;
}

const bad_sweep sweeps[] = {
    {"nothing_varied", {}, {"--vary", "missing", "--seeds"}},
    {"an_unknown_option", {"--vary", "switch.shceme=fc"}, {"switch.shceme", "switch.scheme"}},
    {"an_unknown_value", {"--vary", "switch.scheme=fc,pfff"}, {"switch.scheme", "'pfff'", "none, baseline"}},
    {"a_value_without_its_unit", {"--vary", "link.latency=1us,2"}, {"link.latency", "'2' has no unit"}},
    {"a_value_out_of_range", {"--vary", "fabric.hosts=4,0"}, {"fabric.hosts", "'0' is out of range"}},
    {"a_range_that_misses_its_end",
     {"--vary", "link.latency=1us..10us:4us"},
     {"1us..10us:4us", "has a step that misses the high end", "9us or 13us"}},
    {"a_range_without_a_step",
     {"--vary", "link.latency=1us..10us"},
     {"1us..10us", "has neither a step nor", "step"}},
    {"a_logarithm_of_zero", {"--vary", "link.latency=0us..10us:log:3"}, {"starts at 0", "above 0"}},
    {"a_pair_of_one", {"--vary", "pfc.xoff,pfc.xon=(20KB,10KB),(40KB)"}, {"(40KB)", "1 value;", "2 values"}},
    {"brackets_that_do_not_match", {"--vary", "traffic.priorities=(0,7"}, {"unbalanced brackets"}},
    {"a_value_twice", {"--vary", "link.latency=1us,1000ns"}, {"link.latency", "twice"}},
    {"an_option_varied_twice",
     {"--vary", "link.latency=1us,2us", "--vary", "link.latency=3us"},
     {"link.latency", "more than once"}},
    {"an_option_varied_and_set",
     {"--vary", "link.latency=1us,2us", "--link.latency=3us"},
     {"link.latency", "is also varied"}},
    {"threads", {"--vary", "run.threads=1,2"}, {"--vary", "run.threads, effective.ini"}},
    {"seeds_as_an_option", {"--vary", "run.seed=1,2"}, {"run.seed", "--seeds"}},
    {"a_seed_twice", {"--seeds", "1,2,1"}, {"--seeds", "twice"}},
    {"too_many_runs",
     {"--vary", "traffic.rate=1..2000:1", "--vary", "link.latency=1us..100us:1us"},
     {"too many runs", "100000"}},
    {"no_jobs", {"--vary", "link.latency=1us,2us", "--jobs", "0"}, {"--jobs", "1 to 4096"}},
    {"an_unknown_metric",
     {"--vary", "link.latency=1us,2us", "--metrics", "fct_ns.p98"},
     {"--metric", "fct_ns.p98"}},
    {"a_comparison_with_what_is_not_varied",
     {"--vary", "link.latency=1us,2us", "--against", "switch.scheme"},
     {"--against", "switch.scheme"}},
    {"a_picture_of_too_many_curves",
     {"--vary", "link.latency=1us,2us", "--vary", "traffic.rate=1..17:1", "--plot", "fct_ns.p50"},
     {"traffic.rate", "17 curves", "at most 16"}},
    {"a_point_that_can_not_be",
     {"--switch.scheme=detail", "--vary", "switch.ingress_buffer=64KiB,128KiB,30KB"},
     {"30KB", "expected", "point 0003: switch.ingress_buffer=30KB"}},
    {"points_that_do_not_fit_together",
     {"--switch.scheme=detail", "--vary", "link.rate=1Gbps,100Gbps", "--vary", "link.latency=1us,2us"},
     {"too small for 8 lossless classes", "point 0003: link.rate=100Gbps, link.latency=1us"}},
    {"a_trace_that_is_not_there",
     {"--traffic.kind=trace", "--vary", "traffic.file=here.csv,there.csv"},
     {"here.csv", "there.csv", "point 0002"}},
    {"a_mistake_at_every_point_is_told_once",
     {"--vary", "link.latency=1us,2us", "--tcp.mss=8000B"},
     {"switch.max_frame", "tcp.mss"}},
};

class bad_input_to_a_sweep : public testing::TestWithParam<bad_sweep> {};
TEST_P(bad_input_to_a_sweep, is_named_and_leaves_nothing_behind) {
    const bad_sweep& bad = GetParam();
    const scratch_directory where;
    where.write("config.ini", default_queries);
    for (const arguments& way : {arguments{"--out", "out"}, arguments{"--dry-run"}}) {
        const outcome o = run_program(where, combined(combined({"sweep", "config.ini"}, bad.options), way));
        EXPECT_EQ(o.status, 2);
        EXPECT_EQ(o.out, "");
        for (const std::string& part : bad.message) {
            EXPECT_TRUE(has_error(o.err, part));
        }
        EXPECT_FALSE(fs::exists(where / "out"));
    }
}
INSTANTIATE_TEST_SUITE_P(system, bad_input_to_a_sweep, testing::ValuesIn(sweeps),
                         [](const auto& which) { return std::string(which.param.name); });

TEST(sweep_bad_input, a_mistake_at_every_point_is_one_line) {
    const scratch_directory where;
    where.write("config.ini", default_queries + "[switch]\nspeedup = 99\n");
    const outcome o =
        run_program(where, {"sweep", "config.ini", "--vary", "link.latency=1us..9us:1us", "--dry-run"});
    EXPECT_TRUE(errors_are(o.err, {"config.ini:6: switch.speedup: 99, 1 to 16"}));
}

// The trace is read at the first point only; what it says holds at all of them.
TEST(sweep_bad_input, points_with_the_same_trace_are_warned_of_the_same) {
    const scratch_directory where;
    where.write("trace.csv", "start_ns,src,dst,bytes,priority\n0,0,1,5000,3\n10,2,1,5000,4\n");
    where.write("config.ini",
                "[traffic]\nkind = trace\nfile = trace.csv\ntransport = roce\n[marking]\nkind = ramp\n"
                "[pfc]\nmode = pfc\n[switch]\nbuffer = shared\n[shared]\nlossless_classes = 3, 4\n");
    const std::string of_classes =
        "shared.lossless_classes = 3, 4: some traffic is of other classes (7 by roce.cnp_priority), whose "
        "frames are "
        "dropped where memory is full";
    const outcome sweep =
        run_program(where, {"sweep", "config.ini", "--vary", "shared.memory=2MB,4MB,8MB", "--dry-run"});
    EXPECT_EQ(sweep.status, 0) << sweep.err;
    EXPECT_EQ(sweep.err, "warning: " + of_classes + "\n");
    for (const char* memory : {"2MB", "8MB"}) {
        const outcome run =
            run_program(where, {"run", "config.ini", std::string("--shared.memory=") + memory, "--dry-run"});
        EXPECT_EQ(run.err, "warning: " + of_classes + "\n");
    }
}

TEST(sweep_bad_input, a_trace_is_compared_with_the_duration_of_each_point) {
    const scratch_directory where;
    where.write("trace.csv", "start_ns,src,dst,bytes\n1000000,0,1,5000\n");
    where.write("config.ini", "[traffic]\nkind = trace\nfile = trace.csv\n");
    const outcome sweep =
        run_program(where, {"sweep", "config.ini", "--vary", "run.duration=1us,1s", "--dry-run"});
    EXPECT_EQ(sweep.status, 2);
    EXPECT_NE(sweep.err.find("(point 0001: run.duration=1us)"), std::string::npos) << sweep.err;
    EXPECT_EQ(sweep.err.find("run.duration=1s"), std::string::npos) << sweep.err;
}

TEST(sweep_bad_input, a_missing_configuration_file_is_named) {
    const scratch_directory where;
    const outcome o =
        run_program(where, {"sweep", "none.ini", "--vary", "link.latency=1us,2us", "--out", "out"});
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has_error(o.err, "none.ini: "));
    EXPECT_FALSE(fs::exists(where / "out"));
}

/// A sweep that is there, and commands that do not go on with it.
class other_sweep : public testing::Test {
 protected:
    other_sweep() {
        m_where.write("config.ini", default_queries);
        EXPECT_EQ(
            run_program(m_where, {"sweep", "config.ini", "--vary", "link.latency=1us,2us", "--out", "out"})
                .status,
            0);
        m_before = sweep_files(m_where / "out");
    }
    void expect_refused(const arguments& command, const std::vector<std::string>& message) {
        const outcome o =
            run_program(m_where, combined(combined({"sweep", "config.ini"}, command), {"--out", "out"}));
        EXPECT_EQ(o.status, 2);
        for (const std::string& part : message) {
            EXPECT_TRUE(has_error(o.err, part));
        }
        EXPECT_EQ(sweep_files(m_where / "out"), m_before);
    }

    scratch_directory m_where;
    std::map<std::string, std::string> m_before;
};

TEST_F(other_sweep, other_values_are_refused) {
    expect_refused({"--vary", "link.latency=1us,3us"},
                   {"out/plan.json: --vary:", "link.latency=1us,2us", "link.latency=1us,3us"});
}

TEST_F(other_sweep, other_options_are_refused_one_by_one) {
    expect_refused(
        {"--vary", "link.latency=1us,2us", "--traffic.rate=7", "--link.rate=2Gbps"},
        {"out/plan.json: traffic.rate: the sweep in this directory has '500', but this command has '7'",
         "out/plan.json: link.rate: the sweep in this directory has '1Gbps', but this command has '2Gbps'"});
}

TEST_F(other_sweep, an_edited_configuration_is_refused) {
    m_where.write("config.ini", default_queries + "[tcp]\nmin_rto = 3ms\n");
    expect_refused({"--vary", "link.latency=1us,2us"}, {"out/plan.json: tcp.min_rto:", "'3ms'"});
}

TEST_F(other_sweep, other_seeds_and_files_to_keep_are_refused) {
    expect_refused({"--vary", "link.latency=1us,2us", "--seeds", "7,8", "--keep", "all"},
                   {"--seeds: the sweep in this directory has 1, but this command has 7,8",
                    "--keep: the sweep in this directory has summary"});
}

TEST_F(other_sweep, another_build_is_refused_unless_it_is_wanted) {
    auto run = nlohmann::ordered_json::parse(contents(m_where / "out/run.json"));
    run["program_crc64"] = "0123456789abcdef";
    m_where.write("out/run.json", run.dump());
    fs::remove_all(m_where / "out/points/0002");
    m_before = sweep_files(m_where / "out");
    expect_refused({"--vary", "link.latency=1us,2us"}, {"out/run.json", "another build", "--mixed-builds"});
    const outcome o = run_program(
        m_where, {"sweep", "config.ini", "--vary", "link.latency=1us,2us", "--out", "out", "--mixed-builds"});
    EXPECT_EQ(o.status, 0) << o.err;
}

TEST_F(other_sweep, a_run_with_another_configuration_is_found) {
    const std::string name = "points/0002/seed_1/effective.ini";
    std::string text = m_before.at(name);
    text.replace(text.find("latency = 2us"), 13, "latency = 9us");
    m_where.write("out/" + name, text);
    m_before = sweep_files(m_where / "out");
    expect_refused({"--vary", "link.latency=1us,2us"}, {name, "point 0002"});
}

TEST_F(other_sweep, a_plan_that_is_none_is_refused) {
    m_where.write("out/plan.json", "{\"axes\": ");
    m_before = sweep_files(m_where / "out");
    expect_refused({"--vary", "link.latency=1us,2us"}, {"out/plan.json", "plan.json"});
}

TEST(sweep_bad_input, an_input_file_that_has_changed_is_found) {
    const scratch_directory where;
    where.write("trace.csv", "start_ns,src,dst,bytes\n0,0,1,1000\n");
    const arguments sweep{"sweep",  "--traffic.kind=trace", "--traffic.file=trace.csv",
                          "--vary", "link.latency=1us,2us", "--out",
                          "out"};
    ASSERT_EQ(run_program(where, sweep).status, 0);
    where.write("trace.csv", "start_ns,src,dst,bytes\n0,0,1,2000\n");
    const outcome o = run_program(where, sweep);
    EXPECT_EQ(o.status, 2);
    EXPECT_NE(o.err.find("trace.csv: the sweep in this directory has"), std::string::npos) << o.err;
}

TEST(sweep_bad_input, a_directory_that_holds_something_else_is_left_alone) {
    const scratch_directory where;
    where.write("config.ini", default_queries);
    fs::create_directory(where / "out");
    where.write("out/thesis.tex", "years of work");
    const outcome o =
        run_program(where, {"sweep", "config.ini", "--vary", "link.latency=1us,2us", "--out", "out"});
    EXPECT_EQ(o.status, 2);
    EXPECT_NE(o.err.find("thesis.tex"), std::string::npos) << o.err;
    EXPECT_EQ(sweep_files(where / "out").size(), 1U);
    for (const char* out : {"config.ini", "config.ini/below"}) {
        EXPECT_EQ(
            run_program(where, {"sweep", "config.ini", "--vary", "link.latency=1us,2us", "--out", out}).status,
            2);
    }
    EXPECT_EQ(contents(where / "config.ini"), default_queries);
}

}  // namespace
