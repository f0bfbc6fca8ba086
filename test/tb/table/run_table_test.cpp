// What tables take from a run's directory, against directories whose few lines are written here.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <sstream>

#include "support/errors_said.h"
#include "support/scratch_directory.h"
#include "tb/run/arguments/commands.h"
#include "tb/run/completions/completion_statistics.h"
#include "tb/run/results/summary_writer.h"
#include "tb/support/files/run_directory.h"
#include "tb/support/process/error_text.h"
#include "tb/view/readers/run_labels.h"
#include "tb/view/table/run_table.h"

using namespace weir;
using namespace weir::tb;
using nlohmann::ordered_json;
using weir::test::scratch_directory;
namespace fs = std::filesystem;

namespace {

/// Four transfers, of which two are jobs of their own.
ordered_json summary() {
    run_summary s;
    s.version = "0.1.0";
    s.complete = true;
    s.simulated = 1ms;
    s.averaged.length = 1ms;
    s.pauses.tiers = {{"host", {1'500, 4}}};
    s.buffers = {{"ingress", 1'000, 250}};
    s.frames.dropped = 3;
    s.frames.reasons = {drop_reason::egress_full};
    s.frames.drops[static_cast<unsigned>(drop_reason::egress_full)] = 3;
    completion_statistics c;
    c.add_flow({0, 1_KB, 7}, {10us, 10us});
    c.add_flow({0, 1_KB, 7}, {30us, 10us});
    c.add_flow_and_job({1, 8_KB, 0}, {40us, 20us}, {40us});
    c.add_flow_and_job({1, 8_KB, 0}, {80us}, {80us});
    s.fct = c.fct();
    s.jct = c.jct();
    s.fct_slowdown = c.fct_slowdown();
    s.groups = c.groups();
    s.tags = {"query", "background"};
    ordered_json j = to_json(s);
    j["resources"]["link"] = {{"of", 4},           {"binding", 1},
                              {"worst", "s0.tx1"}, {"busy_percent", 60.0},
                              {"lost_frames", 0},  {"stalled_percent", 0.0}};
    j["limited_by"] = {"link"};
    return j;
}

constexpr const char* options_text =
    "# Every option as used; running this file again gives the same results. Its last line is `# end`.\n\n"
    "[run]\n# A comment.\nseed = 1\n[switch]\ningress_buffer = 128KiB\n[fabric]\nlink = a b\nlink = c d\n"
    "[traffic]\nrate = 500\n# end\n";
constexpr const char* flows_text =
    "flow,job,src,dst,bytes,priority,tag,start_ns,fct_ns,ideal_ns,retransmits,timeouts\n"
    "1,1,0,1,1000,7,query,0,10000,10000,0,0\n2,2,0,1,1000,7,query,0,30000,10000,0,0\n"
    "3,3,0,1,8000,0,background,0,40000,20000,0,0\n4,4,0,1,8000,0,background,0,80000,,0,0\n";
constexpr const char* ports_text =
    "node,port,class,peer,ingress_max_bytes,egress_max_bytes\n"
    "h0,0,7,s0,,\nh0,0,all,s0,,900\ns0,0,7,h0,250,10\ns0,1,7,h1,20,700\ns0,1,0,h1,250,700\n";
constexpr const char* limits_text =
    "node,resource,part,busy_percent\n"
    "s0,link,tx0,20.0000\ns0,link,tx1,60.0000\ns0,link,tx2,40.0000\ns0,crossbar,tx2,90.0000\n";

/// With two blanks between cells.
std::string without_columns(std::string text) {
    for (std::size_t at = text.find("   "); at != std::string::npos; at = text.find("   ")) {
        text.erase(at, 1);
    }
    return text;
}

class run_tables : public testing::Test {
 protected:
    /// A directory of a run with these files, and a summary.
    std::string run(const std::string& name, const ordered_json& of = summary()) const {
        const run_directory made(m_dir / name);
        made.write("summary.json", to_text(of));
        made.write("effective.ini", options_text);
        made.write("flows.csv", flows_text);
        made.write("ports.csv", ports_text);
        made.write("limits.csv", limits_text);
        return (m_dir / name).string();
    }
    void write(const std::string& name, const std::string& text) const { m_dir.write(name, text); }
    measured_run read(const std::string& directory) const {
        config_errors errors;
        measured_run run = read_measured_run(directory, read_files::all, errors);
        EXPECT_TRUE(errors.empty()) << format_error(errors[0]);
        return run;
    }
    std::string value(const measured_run& run, const std::string& key) const {
        const run_measure* const measure = run.find(key);
        return measure == nullptr ? "none of that name" : measure->cell.value.dump();
    }
    /// Status, what was printed, what was said.
    int call(const std::vector<std::string>& args) {
        m_out.str("");
        m_err.str("");
        return table_command(args, m_out, m_err);
    }
    int plot(std::vector<std::string> args) {
        args.insert(args.end(), {"--format", "svg", "--out", (m_dir / "o").string()});
        m_out.str("");
        m_err.str("");
        return run_metric_plot_command(args, m_out, m_err);
    }
    /// Refused with this error first, and nothing was printed.
    void expect_refused(const std::vector<std::string>& args, const std::string& message) {
        EXPECT_EQ(call(args), 2);
        EXPECT_EQ(m_out.str(), "");
        EXPECT_TRUE(errors_are(m_err.str().substr(0, m_err.str().find('\n')), {message})) << m_err.str();
    }

    scratch_directory m_dir;
    std::ostringstream m_out;
    std::ostringstream m_err;
};

TEST_F(run_tables, slowdown_is_the_time_as_a_multiple_of_the_shortest_one) {
    const measured_run made = read(run("r"));
    EXPECT_EQ(value(made, "fct_slowdown.count"), "3") << "one transfer has no shortest time";
    EXPECT_EQ(value(made, "fct_slowdown.mean"), "2.0");
    EXPECT_EQ(value(made, "fct_slowdown.p50"), "2.0");
    EXPECT_EQ(value(made, "fct_slowdown.max"), "3.0");
    EXPECT_EQ(value(made, "fct_slowdown.p99"), "null") << "of too few values";
    EXPECT_EQ(value(made, "tags.background.fct_slowdown.max"), "2.0");
    EXPECT_EQ(value(made, "priorities.7.fct_slowdown.mean"), "2.0");
    EXPECT_EQ(value(made, "jct_slowdown.mean"), "none of that name") << "output.ideal_jobs is off";
    EXPECT_EQ(value(made, "groups.query.1000.7.fct_slowdown.max"), "3.0");
}

TEST_F(run_tables, times_are_split_by_tag_and_by_priority) {
    const measured_run made = read(run("r"));
    EXPECT_EQ(value(made, "tags.query.fct_ns.count"), "2");
    EXPECT_EQ(value(made, "tags.query.fct_ns.mean"), "20000");
    EXPECT_EQ(value(made, "tags.background.fct_ns.p50"), "40000");
    EXPECT_EQ(value(made, "priorities.0.fct_ns.max"), "80000");
    EXPECT_EQ(value(made, "priorities.7.fct_ns.max"), "30000");
}

TEST_F(run_tables, the_fullest_port_and_the_busiest_links_are_named) {
    const measured_run made = read(run("r"));
    EXPECT_EQ(value(made, "buffers.ingress.watermark_bytes"), "250");
    EXPECT_EQ(value(made, "buffers.ingress.watermark_at"), R"("s0.rx0 class 7")") << "the first of equals";
    EXPECT_EQ(value(made, "ports.egress_max_bytes"), "700");
    EXPECT_EQ(value(made, "ports.egress_max_at"), R"("s0.tx1 class 7")");
    EXPECT_EQ(value(made, "ports.nic_max_bytes"), "900");
    EXPECT_EQ(value(made, "ports.nic_max_at"), R"("h0")");
    EXPECT_EQ(value(made, "utilisation.link.mean_percent"), "30.0") << "of four, one of which was never used";
    EXPECT_EQ(value(made, "utilisation.link.max_percent"), "60.0");
    EXPECT_EQ(value(made, "utilisation.link.busiest"), R"(["s0.tx1","s0.tx2","s0.tx0"])");
    EXPECT_EQ(value(made, "limited_by"), R"(["link"])");
}

TEST_F(run_tables, places_in_a_shared_memory_are_those_of_its_marks) {
    ordered_json shared = summary();
    shared["buffers"] = {
        {"queue", {{"size_bytes", 1000}, {"watermark_bytes", 600}, {"watermark_percent", 60.0}}},
        {"lossy_pool", {{"size_bytes", 500}, {"watermark_bytes", 0}, {"watermark_percent", 0.0}}}};
    const std::string directory = run("r", shared);
    write("r/buffers.csv",
          "node,what,slice,port,class,size_bytes,watermark_bytes\ns0,lossy_pool,0,,,500,0\n"
          "s0,queue,,2,7,,500\ns1,queue,,3,5,,600\n");
    const measured_run made = read(directory);
    EXPECT_EQ(value(made, "buffers.queue.watermark_at"), R"("s1.tx3 class 5")");
    EXPECT_EQ(value(made, "buffers.lossy_pool.watermark_at"), "null") << "nothing was ever in it";
}

TEST_F(run_tables, every_number_of_the_summary_is_there_under_the_name_that_sweeps_give_it) {
    const measured_run made = read(run("r"));
    for (const metric_value& metric : metrics_of(summary())) {
        EXPECT_EQ(value(made, metric.name), metric.is_of_few ? "null" : metric.value.dump()) << metric.name;
    }
}

TEST_F(run_tables, options_that_differ_stand_on_top) {
    const std::string a = run("a");
    const std::string b = run("b");
    std::string other = options_text;
    other.replace(other.find("128KiB"), 6, "64KiB");
    other.replace(other.find("rate = 500"), 10, "rate = 1000");
    other.replace(other.find("link = c d"), 10, "link = c e");
    other.replace(other.find("seed = 1"), 8, "seed = 1\nof_another_version = 5");
    write("b/effective.ini", other);
    EXPECT_EQ(call({a, b}), 0);
    EXPECT_EQ(without_columns(m_out.str().substr(0, m_out.str().find("\n\n"))),
              "options  a  b  ratio\n"
              "switch.ingress_buffer  128KiB  64KiB\n"
              "fabric.link  a b; c d  a b; c e\n"
              "traffic.rate  500  1000\n"
              "run.of_another_version  -  5");
    EXPECT_EQ(m_err.str(), "");
    EXPECT_EQ(call({a, b, "--format=json"}), 0);
    const ordered_json j = ordered_json::parse(m_out.str());
    EXPECT_EQ(
        j["runs"][1]["options"].dump(),
        R"({"switch.ingress_buffer":"64KiB","switch.ingress_buffer_bytes":65536,"fabric.link":"a b; c e",)"
        R"("traffic.rate":1000,"run.of_another_version":"5"})");
}

TEST_F(run_tables, ratios_are_to_the_first_run) {
    ordered_json slow = summary();
    slow["fct_ns"]["p50"] = 60'000;
    const std::string a = run("a");
    const std::string b = run("b", slow);
    EXPECT_EQ(call({a, b, "--metric=fct_ns.p50,fct_ns.p99,frames.dropped"}), 0);
    EXPECT_EQ(m_out.str(),
              "transfers  size  priority               a          b   ratio\n"
              "all                        p50  30.000 us  60.000 us  2.000x\n"
              "all                        p99          -          -       -\n"
              "\n"
              "losses\n"
              "frames dropped                          3          3\n")
        << "percentiles of too few values are left out";
}

TEST_F(run_tables, a_run_that_was_stopped_is_marked_in_every_format) {
    ordered_json stopped = summary();
    stopped["complete"] = false;
    const std::string a = run("whole");
    const std::string b = run("stopped", stopped);
    EXPECT_EQ(call({a, b}), 0);
    EXPECT_NE(m_out.str().find("  stopped (incomplete)   ratio\n"), std::string::npos) << m_out.str();
    EXPECT_EQ(m_err.str(), "warning: " + b + ": the run was stopped before its end\n");
    EXPECT_EQ(call({a, b, "--format=csv"}), 0);
    EXPECT_NE(m_out.str().find("\nstopped," + b + ",false,"), std::string::npos) << m_out.str();
    EXPECT_EQ(call({a, b, "--format=md"}), 0);
    EXPECT_NE(m_out.str().find("| stopped (incomplete) |"), std::string::npos) << m_out.str();
    EXPECT_EQ(call({a, b, "--format=json"}), 0);
    EXPECT_EQ(ordered_json::parse(m_out.str())["runs"][1]["complete"], false);
}

/// A run that ended with a verdict after 0.8 ms. It left no summary.json, flows.csv and jobs.csv.
constexpr const char* failed_ports =
    "node,port,class,peer,tx_frames,ingress_full_frames,nic_full_frames,link_down_frames,"
    "unsent_link_down_frames,ingress_max_bytes,egress_max_bytes,xoff_sent,xon_sent,xoff_received,xon_received,"
    "paused_ns\n"
    "h0,0,7,s0,5,,,,,,,0,0,2,1,1500.5\nh0,0,6,s0,0,,,,,,,0,0,2,1,9000\nh0,0,all,s0,,0,9,0,4,,900,,,,,\n"
    "s0,0,7,h0,0,3,0,1,0,240,10,2,1,0,0,0\ns0,1,7,h1,4,2,0,0,0,20,700,1,0,0,0,500\n"
    "s0,1,6,h1,0,0,0,0,0,0,0,8,8,0,0,700\n";
constexpr const char* failed_limits =
    "node,resource,part,busy_percent,stalled_percent,port_used_percent,lost_frames,bound_percent,bound_from_ns,"
    "bound_to_ns\ns0,link,tx0,95.0000,0.0000,0.0000,0,0.0000,,\ns0,link,tx1,60.0000,0.0000,0.0000,0,0.0000,,\n";

TEST_F(run_tables, plots_of_a_metric_have_a_mark_for_each_run_in_order_or_over_another_metric) {
    ordered_json slower = summary();
    slower["fct_ns"]["max"] = 90'000.0;
    slower["frames"]["dropped"] = 1;
    const std::string a = run("b_first", slower);
    const std::string b = run("a_second");
    ASSERT_EQ(plot({a, b, "--metric", "fct_ns.max"}), 0) << m_err.str();
    const std::string data = test::contents(m_dir / "o/fct_ns.max_over_run.dat");
    EXPECT_NE(data.find("0 90 ? ?\n1 80 ? ?\n"), std::string::npos) << data;
    const std::string script = test::contents(m_dir / "o/fct_ns.max_over_run.gp");
    EXPECT_NE(script.find("'b_first' 0, 'a_second' 1"), std::string::npos) << script;
    EXPECT_NE(script.find("2 runs"), std::string::npos) << script;
    ASSERT_EQ(plot({a, b, "--metric", "fct_ns.max", "--over", "frames.dropped"}), 0) << m_err.str();
    EXPECT_NE(
        m_out.str().find("Pareto front (lower fct_ns.max, lower frames.dropped): 2 of 2 points\n  b_first: "),
        std::string::npos)
        << m_out.str();
    // A tag's percentile is computed from flows.csv.
    ASSERT_EQ(plot({a, "--metric", "tags.query.fct_ns.max"}), 0) << m_err.str();
    EXPECT_NE(test::contents(m_dir / "o/tags.query.fct_ns.max_over_run.dat").find("0 30 ? ?\n"),
              std::string::npos);
    EXPECT_EQ(plot({a, "--metric", "fct_ns.p98"}), 2);
    EXPECT_NE(m_err.str().find("fct_ns.p98"), std::string::npos) << m_err.str();
    EXPECT_EQ(plot({a, "--metric", "fct_ns.p99,tags.query.fct_ns.p99"}), 2);
    for (const char* const times : {"fct_ns", "tags.query.fct_ns"}) {
        EXPECT_NE(m_err.str().find("no run to draw has 100 values of " + std::string(times)), std::string::npos)
            << m_err.str();
    }
    EXPECT_EQ(plot({a, "--metric", "none = frames.dropped / flows.unfinished"}), 2);
    EXPECT_NE(m_err.str().find("'none' is not drawn, because no run has a value of it; expected"),
              std::string::npos)
        << m_err.str();
    // A mean that leaves out unfinished transfers is marked, and is not in the front.
    slower["fct_ns"]["unfinished"] = 3;
    ASSERT_EQ(plot({run("b_first", slower), b, "--metric", "fct_ns.mean", "--over", "frames.dropped"}), 0)
        << m_err.str();
    EXPECT_NE(m_out.str().find("): 1 of 2 points\n  a_second: "), std::string::npos) << m_out.str();
    EXPECT_EQ(plot({a, b, "--metric", "fct_ns.max", "--over", "fct_ns"}), 2);
    EXPECT_NE(m_err.str().find("--over: 'fct_ns' names "), std::string::npos) << m_err.str();
    for (const auto& [over, said] :
         {std::pair("", "--over: is empty; expected METRIC"),
          std::pair("y_bps = goodput.bps / 2", "--over: 'y_bps = goodput.bps / 2' defines"),
          std::pair("fct_ns.p98", "--over: no run has 'fct_ns.p98'"),
          std::pair("limited_by", "--over: no run has 'limited_by'; expected a number")}) {
        EXPECT_EQ(plot({a, b, "--metric", "fct_ns.max", "--over", over}), 2) << over;
        EXPECT_NE(m_err.str().find(said), std::string::npos) << m_err.str();
        EXPECT_EQ(m_err.str().find("; --format=csv"), std::string::npos) << m_err.str();
    }
    // Any spelling names the metric.
    for (const char* const over : {"frames.d?opped", "groups.\"query\".1000.7.fct-ns.max"}) {
        EXPECT_EQ(plot({a, b, "--metric", "fct_ns.max", "--over", over}), 0) << m_err.str();
    }
    EXPECT_TRUE(fs::exists(m_dir / "o/fct_ns.max_over_groups.query.1000.7.fct_ns.max.gp"));
}

class failed_runs_in_tables : public run_tables {
 protected:
    std::string failed(const std::string& name) const {
        const run_directory made(m_dir / name);
        made.write("failure.json",
                   "{\"status\": 1, \"verdict\": \"lossless_loss\", \"error\": \"/weir/invariant: at 0.8ms: a "
                   "frame\"}\n");
        made.write("effective.ini", options_text);
        made.write("nodes.csv", "node,kind,host,address,tier\nh0,host,0,10.0.0.1,host\ns0,switch,,,tier1\n");
        made.write("ports.csv", failed_ports);
        made.write("limits.csv", failed_limits);
        made.write("limit_intervals.csv", "start_ns,end_ns,resource\n0,400000,link\n400000,800000,link\n");
        return (m_dir / name).string();
    }
};

TEST_F(failed_runs_in_tables, the_numbers_are_those_of_their_tables_and_null_where_no_table_has_them) {
    const measured_run run = read(failed("broken"));
    ASSERT_TRUE(run.failure);
    EXPECT_EQ(run.failure->verdict, run_verdict::lossless_loss);
    EXPECT_FALSE(run.is_complete);
    const std::map<std::string, std::string> expected{
        {"frames.dropped", "6"},  // 3 + 2 + 1, without the NIC's 9
        {"drops.ingress_full", "5"},
        {"drops.nic_full", "9"},
        {"drops.link_down", "1"},
        {"drops.unsent_link_down", "4"},
        {"pfc.xoff_sent", "3"},
        {"pfc.xon_sent", "1"},
        {"pfc.paused_ns.host", "1500.5"},
        {"pfc.paused_ns.tier1", "500"},
        {"buffers.ingress.watermark_bytes", "240"},
        {"buffers.egress.watermark_bytes", "700"},
        {"simulated_ns", "800000"},
        {"limited_by", "[\"link\"]"},
        {"resources.link.busy_percent", "95.0"},
        {"utilisation.link.max_percent", "95.0"},
        {"fct_ns.count", "null"},
        {"jct_ns.p99", "null"},
        {"goodput.bps", "null"},
        {"pfc.frames_sent", "null"}};
    for (const auto& [key, wanted] : expected) {
        EXPECT_EQ(value(run, key), wanted) << key;
    }
}

TEST_F(failed_runs_in_tables, a_plot_of_a_metric_names_the_run_and_no_seed) {
    ASSERT_EQ(plot({run("whole"), failed("broken"), "--metric", "fct_ns.max"}), 0) << m_err.str();
    const std::string script = test::contents(m_dir / "o/fct_ns.max_over_run.gp");
    EXPECT_NE(script.find("1 of 2 runs failed (run=broken: lossless loss)"), std::string::npos) << script;
    EXPECT_EQ(plot({(m_dir / "whole").string(), (m_dir / "broken").string(), "--metric", "drops.nic_full"}), 2);
    EXPECT_NE(m_err.str().find("1 of 2 runs failed (run=broken: lossless loss), whose numbers are not drawn"),
              std::string::npos)
        << m_err.str();
    EXPECT_EQ(plot({(m_dir / "broken").string(), "--metric", "frames.dropped"}), 2);
    EXPECT_NE(m_err.str().find("DIR: 1 of 1 run failed (run=broken: lossless loss); expected a run"),
              std::string::npos)
        << m_err.str();
}

TEST_F(failed_runs_in_tables, transfers_are_those_that_the_failure_counts) {
    const std::string broken = failed("broken");
    EXPECT_EQ(value(read(broken), "flows.completed"), "null");
    write("broken/failure.json",
          R"({"status": 1, "verdict": "deadlock", "error": "e",
              "flows": {"started": 7, "completed": 4, "unfinished": 3}})");
    EXPECT_EQ(value(read(broken), "flows.completed"), "4");
    EXPECT_EQ(value(read(broken), "flows.unfinished"), "3");
}

TEST_F(failed_runs_in_tables, the_verdict_stands_first_in_every_format) {
    const std::string a = run("whole");
    const std::string b = failed("broken");
    EXPECT_EQ(call({a, b}), 0);
    EXPECT_EQ(m_out.str().rfind("broken failed (lossless loss): at 0.8ms: a frame\n\n", 0), 0U) << m_out.str();
    EXPECT_NE(m_out.str().find("broken (lossless loss)"), std::string::npos) << m_out.str();
    EXPECT_EQ(m_err.str(),
              "warning: " + b + ": the run failed (lossless loss); its numbers are up to that time\n");
    EXPECT_EQ(call({b}), 0);
    EXPECT_EQ(m_out.str().find("completed"), std::string::npos) << "nothing is known of it: " << m_out.str();
    EXPECT_EQ(call({a, b, "--format=md"}), 0);
    EXPECT_EQ(m_out.str().rfind("**broken failed (lossless loss): at 0.8ms: a frame**\n\n", 0), 0U)
        << m_out.str();
    EXPECT_EQ(call({a, b, "--format=csv"}), 0);
    EXPECT_EQ(m_out.str().rfind("run,directory,complete,verdict,error,", 0), 0U) << m_out.str();
    EXPECT_NE(m_out.str().find("\nwhole," + a + ",true,,,"), std::string::npos) << m_out.str();
    EXPECT_NE(m_out.str().find("\nbroken," + b + ",false,lossless_loss,/weir/invariant: at 0.8ms: a frame,"),
              std::string::npos)
        << m_out.str();
    EXPECT_EQ(call({a, b, "--format=json"}), 0);
    const ordered_json j = ordered_json::parse(m_out.str())["runs"];
    EXPECT_TRUE(j[0]["verdict"].is_null());
    EXPECT_EQ(j[1]["verdict"], "lossless_loss");
    EXPECT_TRUE(j[1]["metrics"]["fct_ns.p99"].is_null());
}

TEST_F(failed_runs_in_tables, traffic_that_does_not_end_is_a_verdict_beside_a_summary) {
    ordered_json stopped = summary();
    stopped["complete"] = false;
    const std::string a = run("endless", stopped);
    write("endless/failure.json", R"({"status": 1, "verdict": "limit", "error": "the traffic does not end"})");
    EXPECT_EQ(call({a}), 0);
    EXPECT_EQ(m_out.str().rfind("endless failed (limit): the traffic does not end\n", 0), 0U) << m_out.str();
    EXPECT_NE(m_out.str().find("completed"), std::string::npos) << "summary.json has completions";
}

TEST_F(run_tables, sizes_are_shown_in_the_units_in_which_they_were_given) {
    const std::string a = run("a");
    const std::string b = run("b");
    std::string text = options_text;
    text.replace(text.find("128KiB"), 6, "250KiB");
    write("b/effective.ini", text);
    write("b/run.json", R"({"given": {"switch.ingress_buffer": "256KB"}})");
    EXPECT_EQ(call({a, b}), 0);
    EXPECT_NE(without_columns(m_out.str()).find("switch.ingress_buffer  128KiB  256KB\n"), std::string::npos)
        << m_out.str();
    EXPECT_EQ(call({a, b, "--format=csv"}), 0);
    EXPECT_NE(m_out.str().find(",256KB,256000,"), std::string::npos) << m_out.str();
    // Equal sizes do not differ, however they were given.
    write("a/effective.ini", text);
    EXPECT_EQ(call({a, b}), 0);
    EXPECT_EQ(m_out.str().find("ingress_buffer"), std::string::npos) << m_out.str();
}

TEST_F(run_tables, what_a_run_has_not_kept_is_missing_and_no_error) {
    const std::string a = run("a");
    const std::string b = run("b");
    for (const char* file : {"flows.csv", "ports.csv", "limits.csv", "effective.ini"}) {
        fs::remove(m_dir / "b" / file);
    }
    EXPECT_EQ(call({a, b, "--format=json"}), 0);
    const ordered_json j = ordered_json::parse(m_out.str());
    EXPECT_EQ(j["runs"][0]["metrics"]["tags.query.fct_slowdown.max"], 3.0);
    EXPECT_TRUE(j["runs"][1]["metrics"]["tags.query.fct_slowdown.max"].is_null());
    EXPECT_TRUE(j["runs"][1]["options"].empty());
    EXPECT_EQ(m_err.str(), "warning: " + b + ": effective.ini is missing; options of this run are not known\n");
}

TEST_F(run_tables, groups_are_left_out_where_there_are_too_many_unless_they_are_named) {
    ordered_json many = summary();
    const ordered_json group = many["groups"][0];
    for (int size = 1; size <= 40; ++size) {
        many["groups"].push_back(group);
        many["groups"].back()["bytes"] = 100 * size;
    }
    const std::string a = run("a", many);
    EXPECT_EQ(call({a}), 0);
    EXPECT_EQ(m_out.str().find("4KB"), std::string::npos);
    EXPECT_NE(m_err.str().find("note: there are more than 32 groups"), std::string::npos);
    EXPECT_EQ(call({a, "--metric=groups"}), 0);
    EXPECT_NE(m_out.str().find("  4KB"), std::string::npos);
    EXPECT_EQ(m_err.str(), "");
}

TEST_F(run_tables, names_are_the_last_parts_of_paths_that_differ) {
    EXPECT_EQ(default_labels({"out/a", "out/b/"}), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(default_labels({"x/run", "y/run/summary.json"}), (std::vector<std::string>{"x/run", "y/run"}));
    EXPECT_EQ(default_labels({"a/x/run", "b/x/run"}), (std::vector<std::string>{"a/x/run", "b/x/run"}));
    const std::string a = run("a");
    const std::string b = run("b");
    EXPECT_EQ(call({a, b, "--label", "first, with a comma", "--label", "second", "--format=csv"}), 0);
    EXPECT_NE(m_out.str().find("\n\"first, with a comma\"," + a + ",true"), std::string::npos);
}

// --- what is refused -------------------------------------------------------------------------------------

TEST_F(run_tables, arguments_that_make_no_sense_are_refused) {
    const std::string a = run("a");
    const std::string b = run("b");
    expect_refused({}, "command line: no directory, at least 1");
    expect_refused({a, "--format=xml"}, "command line: --format: xml, text, csv, json, md");
    expect_refused({a, "--metric=fct_ns.p98"}, "command line: --metric: fct_ns.p98, fct_ns.p90");
    expect_refused({a, "--metric="}, "command line: --metric: summary.json, empty");
    expect_refused({a, b, "--label=x"}, "command line: --label: 1, 2 directories");
    expect_refused({a, b, "--label=x", "--label=x"}, "command line: --label: x, twice");
    expect_refused({a, b, "--label=x", "--label="}, "command line: --label: empty");
    expect_refused({a, a + "/"}, "command line: DIR: " + a + ", twice");
    expect_refused({a, "--confidence=90%"}, "command line: --confidence: no effect, sweeps");
    expect_refused({a, "--confidence=0"}, "command line: --confidence: ");
    expect_refused({a, "--groups"}, "command line: --groups: ");
}

TEST_F(run_tables, files_that_are_no_results_are_refused_with_their_name) {
    const std::string a = run("a");
    const auto damage = [&](const std::string& file, const std::string& text, const std::string& message) {
        const std::string b = run("b");
        write("b/" + file, text);
        expect_refused({a, b}, b + "/" + file + message);
    };
    const std::string nowhere = (m_dir / "nowhere").string();
    expect_refused({a, nowhere}, nowhere + ": No such file or directory");
    damage("summary.json", "{\"groups\": [", ":1: summary.json, incomplete");
    damage("summary.json", "{\"complete\": 3}", ": complete: 3, true, false");
    damage("effective.ini", "[run]\nseed = 1\n", ":2: incomplete, # end");
    damage("effective.ini", "seed = 1\n# end\n", ":1: section, key = value");
    damage("flows.csv", std::string(flows_text).substr(0, std::string(flows_text).rfind("4,4,")),
           ": 3, summary.json, 4");
    damage("flows.csv", "flow,fct_ns\n", ":1: tag: is missing in the header 'flow,fct_ns'; expected");
    std::string slow = flows_text;
    slow.replace(slow.find("10000"), 5, "never");
    damage("flows.csv", slow, ":2: fct_ns: never, 0");
    damage("ports.csv", "node,port\n", ":1: class: is missing in the header 'node,port'; expected");
    damage("limits.csv", "node,resource,part,busy_percent\ns0,link,tx0,x\n", ":2: busy_percent: 'x' is not a");
    fs::remove(m_dir / "b" / "summary.json");
    expect_refused({a, (m_dir / "b").string()}, (m_dir / "b").string() + ": holds a run that has not ended (");
}

}  // namespace
