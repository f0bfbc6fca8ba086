// What a report's document says of small runs whose numbers are known.
#include <gtest/gtest.h>

#include <numeric>

#include "report_rig.h"
#include "tb/view/page/report_numbers.h"
#include "tb/view/page/report_page.h"
#include "tb/view/report/report_configuration.h"
#include "tb/view/report/report_tables.h"

namespace weir::tb {
namespace {

std::vector<int> counted(int first, int count) {
    std::vector<int> times(static_cast<std::size_t>(count));
    std::iota(times.begin(), times.end(), first);
    return times;
}

TEST_F(report_rig, a_small_distribution_has_every_value_with_its_rank) {
    write_run("a", {3000, 1000, 2000});
    const json cdf = chart(document({"a"}), "job_completion_cdf");
    ASSERT_EQ(cdf["series"].size(), 1U);
    EXPECT_EQ(cdf["series"][0]["x"], json({1000, 2000, 3000}));
    EXPECT_EQ(cdf["series"][0]["y"], json({0.3333333, 0.6666667, 1}));
    EXPECT_EQ(cdf["series"][0]["left"], json({1, 0.6666667, 0.3333333}));
    // Nearest rank: the second of three. A 99th percentile takes a hundred.
    EXPECT_EQ(cdf["series"][0]["marks"].dump(), "[[50,2000]]");
}

TEST_F(report_rig, a_large_distribution_is_thinned_and_keeps_its_ends_and_percentiles) {
    write_run("a", counted(1000, 30'000));
    const json series = chart(document({"a"}), "job_completion_cdf")["series"][0];
    EXPECT_LE(series["x"].size(), 2000U);
    EXPECT_GT(series["x"].size(), 1000U);
    EXPECT_EQ(series["x"].size(), series["y"].size());
    EXPECT_EQ(series["x"].size(), series["left"].size());
    EXPECT_EQ(series["x"].front(), 1000);
    EXPECT_EQ(series["x"].back(), 30'999);
    EXPECT_EQ(series["marks"][3].dump(), "[99.9,30969]");
    for (std::size_t i = 0; i < series["x"].size(); ++i) {
        EXPECT_NEAR(series["x"][i].get<double>(), 999 + 30'000 * series["y"][i].get<double>(), 0.01);
    }
}

TEST_F(report_rig, one_value_has_no_curve_and_the_legend_says_whose_it_is) {
    write_run("a", {1000, 2000});
    write_run("b", {1000});
    const json cdf = chart(document({"a", "b"}), "job_completion_cdf");
    ASSERT_EQ(cdf["series"].size(), 2U);
    EXPECT_EQ(cdf["series"][0]["run"], 0);
    EXPECT_EQ(cdf["series"][1]["name"], "b (no curve)");
    EXPECT_TRUE(cdf["series"][1]["x"].empty());
}

TEST_F(report_rig, transfers_have_a_chart_unless_each_job_is_one_of_them) {
    write_run("a", {1000, 2000});
    EXPECT_EQ(chart(document({"a"}), "transfer_completion_cdf")["series"][0]["x"], json({500, 1000}));
    write("a/flows.csv", "bytes,fct_ns\n8192,1000\n8192,2000\n");
    const json same = document({"a"});
    EXPECT_EQ(same["charts"].size(), 1U);
    EXPECT_EQ(chart(same, "job_completion_cdf")["note"],
              "2 queries, each of one transfer; markers: 50th percentile");
}

TEST_F(report_rig, series_of_ports_have_charts_with_thresholds_capacities_and_announcements) {
    write_run("a", {1000, 2000});
    const std::string memory = ",5,7,9,16,1,40,400,8,6,";
    write(
        "a/port_series.csv",
        "time_ns,node,port,class,ingress_bytes,counted_bytes,threshold_bytes,ingress_capacity_bytes,egress_"
        "bytes,egress_limit_bytes,egress_capacity_bytes,rx_bps,tx_bps,xoff_sent,xon_sent,xoff_received,paused_"
        "percent\n10,tor0,1,3" +
            memory + "2,1,0,50\n20,tor0,1,3" + memory + "0,2,0,0\n");
    const json all = document({"a"});
    const json ingress = chart(all, "port_memory_ingress_0");
    ASSERT_EQ(ingress["series"].size(), 3U);
    EXPECT_EQ(ingress["series"][1]["name"], "tor0.rx1 class 3, threshold");
    EXPECT_EQ(ingress["series"][2].dump(), R"({"name":"capacity 16 B","style":9,"x":[10,20],"y":[16,16]})");
    const json egress = chart(all, "port_memory_egress_0");
    EXPECT_EQ(egress["series"].size(), 1U) << "what is far above is named only";
    EXPECT_EQ(egress["series"][0]["name"], "tor0.tx1 class 3 of 400 B");
    const json announced = chart(all, "port_announced_0")["series"];
    EXPECT_EQ(chart(all, "port_announced_0")["kind"], "steps");
    EXPECT_EQ(announced[0]["x"], json({10, 20}));
    EXPECT_EQ(announced[0]["y"], json::array({2}));
    EXPECT_EQ(announced[1]["name"], "tor0.rx1 class 3, XON");
    EXPECT_EQ(announced[1]["x"], json({10, 20, 20}));
    EXPECT_EQ(announced[1]["y"], json({1, 3}));
    EXPECT_EQ(chart(all, "port_received_0")["series"][0]["y"], json({8, 8}));
    EXPECT_EQ(chart(all, "port_sent_0")["series"][0]["y"], json({6, 6}));
    EXPECT_EQ(chart(all, "port_paused_0")["series"][0]["y"], json({50, 0}));
}

TEST_F(report_rig, times_by_group_have_a_row_per_value_and_ratios_to_the_first_run) {
    write_run("a", {1000, 2000});
    write_run("b", {500, 3000});
    const json times = table(document({"a", "b"}), "job_times");
    EXPECT_EQ(times["head"].dump(), R"(["jobs","size","priority","","a","b","ratio"])");
    // The group, then all. 2 values have no 99th percentile.
    ASSERT_EQ(times["rows"].size(), 12U);
    EXPECT_EQ(times["rows"][3].dump(), R"(["q","8KiB","7","p99","-","-","-"])");
    EXPECT_EQ(times["rows"][5].dump(), R"(["q","8KiB","7","max","2.000 µs","3.000 µs","1.500x"])");
}

TEST_F(report_rig, of_one_run_there_are_no_ratios) {
    write_run("a", {1000, 2000});
    EXPECT_EQ(table(document({"a"}), "job_times")["head"].dump(), R"(["jobs","size","priority","","a"])");
}

TEST_F(report_rig, begins_with_verdicts_counts_and_the_options_that_have_an_effect) {
    write_run("a", {1000, 2000},
              "[switch]\nbuffer = shared\ningress_buffer = 64KiB\n[shared]\nmemory = 2MiB\n");
    write_run("b", {1000}, "[switch]\nbuffer = partitioned\ningress_buffer = 32KiB\n[shared]\nmemory = 3MiB\n",
              false);
    json summary = json::parse(read("b/summary.json"));
    summary["flows"] = {{"started", 1003}, {"completed", 1}, {"unfinished", 1002}};
    write("b/summary.json", summary.dump());
    const json opening = table(document({"a", "b"}), "opening");
    EXPECT_EQ(opening["head"], (json{"", "a", "b"}));
    json rows;
    for (const json& row : opening["rows"]) {
        rows[row[0].get<std::string>()] = {row[1], row[2]};
    }
    EXPECT_EQ(rows["Verdict"], (json{"complete", "stopped before its end"}));
    EXPECT_EQ(rows["Transfers completed"], (json{"0 of 0", "1 of 1,003"}));
    EXPECT_EQ(rows["Transfers unfinished"], (json{"0", "1,002"}));
    EXPECT_EQ(rows["Jobs completed"], (json{"2 of 2", "1 of 1"}));
    EXPECT_EQ(rows["switch.ingress_buffer"], (json{"-", "32KiB"})) << "a shared memory has none";
    EXPECT_EQ(rows["shared.memory"], (json{"2MiB", "-"}));
    EXPECT_FALSE(rows.contains("switch.speedup")) << "no run recorded it";
    EXPECT_NE(opening["note"], "") << "what an unfinished transfer means";
}

TEST_F(report_rig, begins_with_the_bytes_of_thresholds_that_are_auto) {
    // pfc_thresholds.h: 9,953 B with all terms and DeTail's 11,546 B, for 1 Gb/s, 6.6 us, 1,530 B and 128 KiB.
    const std::string options =
        "[fabric]\ntopology = single\n[link]\nrate = 1Gbps\nlatency = 6.6us\nwire_overhead = 0B\n[switch]\n"
        "ingress_buffer = 128KiB\n[pfc]\nmode = pfc\nxoff = auto\nxon = ";
    write_run("a", {1000}, options + "auto\n");
    write_run("b", {1000}, options + "2KB\nprofile = detail\n");
    write_run("c", {1000}, options + "auto\n[fabric]\nhosts = none\n");
    const json opening = table(document({"a", "b", "c"}), "opening");
    json rows;
    for (const json& row : opening["rows"]) {
        rows[row[0].get<std::string>()] = {row[1], row[2], row[3]};
    }
    EXPECT_EQ(rows["pfc.xoff"], (json{"auto: 9,953 B", "auto: 11,546 B", "auto"}));
    EXPECT_EQ(rows["pfc.xon"][1], "2KB");
}

TEST_F(report_rig, options_are_those_that_differ_then_those_that_are_changed_then_all) {
    write_run("a", {1000, 2000}, "[switch]\nspeedup = 4\nlookup_delay = 5us\n");
    write_run("b", {1000, 2000}, "[switch]\nspeedup = 8\nlookup_delay = 5us\n");
    const json made = document({"a", "b"})["configuration"];
    ASSERT_EQ(made.size(), 3U);
    EXPECT_EQ(made[0]["title"], "Options in which the runs differ (1)");
    EXPECT_EQ(made[0]["tables"][0]["head"], json({"Option", "Default", "a", "b", "What it does"}));
    const json differing = made[0]["tables"][0]["rows"][0];
    EXPECT_EQ(differing[0], "switch.speedup");
    EXPECT_EQ(differing[2].get<std::string>() + differing[3].get<std::string>(), "48");
    EXPECT_FALSE(differing[4].get<std::string>().empty());
    EXPECT_EQ(made[1]["tables"][0]["head"], json({"Option", "Default", "All runs", "What it does"}));
    EXPECT_EQ(made[1]["tables"][0]["rows"][0][0], "switch.lookup_delay");
    ASSERT_EQ(made[2]["tables"].size(), 1U);
    EXPECT_EQ(made[2]["tables"][0]["title"].get<std::string>().rfind("[switch] ", 0), 0U);
    EXPECT_EQ(made[2]["tables"][0]["rows"].size(), 2U);
}

/// Values of the first option in which the runs differ.
nlohmann::ordered_json first_difference(const nlohmann::ordered_json& made) {
    const nlohmann::ordered_json row = made["configuration"][0]["tables"][0]["rows"][0];
    return {row[2], row[3]};
}

TEST_F(report_rig, an_option_that_only_one_run_has_differs) {
    write_run("a", {1000, 2000}, "[switch]\nspeedup = 4\n");
    write_run("b", {1000, 2000});
    EXPECT_EQ(first_difference(document({"a", "b"})), json({"4", "not recorded"}));
}

TEST_F(report_rig, paths_are_shown_by_as_many_parts_as_tell_them_apart) {
    write_run("a", {1000, 2000}, "[traffic]\nfile = /home/a/traces/web/day.csv\n");
    write_run("b", {1000, 2000}, "[traffic]\nfile = /home/b/traces/web/day.csv\n");
    write_run("c", {1000, 2000}, "[traffic]\nfile = /home/b/traces/web/night.csv\n");
    EXPECT_EQ(first_difference(document({"b", "c"})), json({"day.csv", "night.csv"}));
    EXPECT_EQ(first_difference(document({"a", "b"})), json({"a/traces/web/day.csv", "b/traces/web/day.csv"}));
    EXPECT_EQ(document({"a"}).dump().find("/home"), std::string::npos);
}

TEST_F(report_rig, options_of_another_version_are_told_and_left_out) {
    write_run("a", {1000, 2000}, "[switch]\nspeedup = 4\nteleport = on\n");
    const json made = document({"a"});
    EXPECT_EQ(made["runs"][0]["warnings"].dump(),
              R"(["effective.ini:4: switch.teleport is not known to this version of weir, and not shown",)"
              R"("a.ini:3: link.rate: w"])");
    EXPECT_EQ(made["configuration"][1]["tables"][0]["rows"].size(), 1U);
}

TEST_F(report_rig, a_command_line_is_shown_without_what_no_result_depends_on) {
    EXPECT_EQ(shown_command("/opt/bin/weir run a.ini --out out/x --link.rate=10Gbps --run.threads=2"),
              "weir run a.ini --link.rate=10Gbps");
    EXPECT_EQ(shown_command("weir run --out='a dir' '--traffic.tag=two words' --run.quantum 5us"),
              "weir run '--traffic.tag=two words'");
    EXPECT_EQ(shown_command("weir run --traffic.tag='it'\\''s'"), "weir run --traffic.tag='it'\\''s'");
}

TEST_F(report_rig, provenance_has_version_and_warnings) {
    write_run("a", {1000, 2000}, "", false);
    const json run = document({"a"})["runs"][0];
    EXPECT_EQ(run["version"], "0.0.7");
    EXPECT_EQ(run["command_line"], "weir run a.ini --link.rate=10Gbps");
    EXPECT_EQ(run["commit"], "0123");
    EXPECT_EQ(run["warnings"].dump(), R"(["the run was stopped before its end","a.ini:3: link.rate: w"])");
}

TEST_F(report_rig, the_most_used_ports_are_summed_over_their_classes) {
    write("a/ports.csv",
          "node,port,class,peer,rx_frames,tx_frames,tx_bytes,egress_full_frames,bit_error_frames,"
          "unsent_link_down_frames,ingress_max_bytes,egress_max_bytes,paused_ns,port_utilisation_percent\n"
          "h0,0,all,s0,,,,,,7,,500,,\n"
          "s0,1,0,h1,5,5,100,2,1,0,10,20,1.5,40.5\n"
          "s0,1,7,h1,5,5,200,4,0,0,30,15,2,40.5\n"
          "s0,0,0,h0,5,5,100,0,0,0,1,2,0,90\n");
    config_errors errors;
    const std::vector<busy_port> all = read_ports(path("a"), errors);
    const std::vector<busy_port> ports = most_used_ports(all, 2);
    EXPECT_TRUE(errors.empty());
    ASSERT_EQ(ports.size(), 2U);
    EXPECT_EQ(ports[0].port, "0");
    EXPECT_EQ(ports[1].node + ":" + ports[1].port + " to " + ports[1].peer, "s0:1 to h1");
    EXPECT_EQ(ports[1].tx_bytes, 300U);
    EXPECT_EQ(ports[1].dropped_frames, 7U);
    EXPECT_EQ(ports[1].paused_ns, 3.5);
    EXPECT_EQ(ports[1].ingress_max_bytes, 30U);
    EXPECT_EQ(ports[1].egress_max_bytes, 20U);
    EXPECT_TRUE(read_ports(path("none"), errors).empty());
    EXPECT_TRUE(errors.empty());
    EXPECT_EQ(named_ports(all, "at 1us: fabric.s0: ingress port 1 lost a frame").size(), 1U);
    EXPECT_EQ(named_ports(all, "s0.tx1 class 0 holds 5 B, paused by s0.rx0, where").size(), 2U);
    EXPECT_TRUE(named_ports(all, "ss0.tx1 waits for s0.tx10 and s0: ingress port 12").empty()) << "other ports";
}

TEST_F(report_rig, a_port_is_called_by_its_transmitter_and_times_have_the_unit_of_charts) {
    write_run("a", {1000, 2000});
    write(
        "a/ports.csv",
        "node,port,class,peer,tx_bytes,ingress_max_bytes,egress_max_bytes,paused_ns,port_utilisation_percent\n"
        "s0,12,0,h1,100,10,20,1500,40.5\n");
    const json row = table(document({"a"}), "ports")["rows"][0];
    EXPECT_EQ(row[1], "s0.tx12");
    EXPECT_EQ(row[6], "1.500 µs");
    EXPECT_EQ(page_text("s0 used 3.000 us, 4.000 us, not 5 use"), "s0 used 3.000 µs, 4.000 µs, not 5 use");
}

TEST_F(report_rig, charts_say_which_runs_have_no_data) {
    for (const char* run : {"a", "b", "c"}) {
        write_run(run, {1000, 2000});
    }
    write("b/full_queues.csv",
          "time_ns,node,port,occupancy_bytes,switches_1_hop,free_1_hop_percent,switches_2_hops,free_2_hops_"
          "percent\n"
          "1,s,0,9,1,10,2,20\n2,s,0,9,1,30,2,40\n");
    write("b/occupancy.csv", "time_ns,node,port,side,occupancy_bytes\n0,s,1,egress,5\n20,s,1,egress,9\n");
    write("b/pauses.csv", "time_ns,tier,paused_ns\n0,tier1,0\n20,tier1,5\n");
    write("c/jobs.csv", "kind,bytes,jct_ns\n");
    write("c/flows.csv", "bytes,fct_ns\n");
    write("c/summary.json", to_text(to_json(summary_of({}, true))));
    const json made = document({"a", "b", "c"});
    EXPECT_EQ(chart(made, "free_one_hop")["note"], "no samples: a, c");
    EXPECT_EQ(chart(made, "occupancy_egress")["note"],
              "of the port that was fullest at the time; no samples: a, c");
    EXPECT_EQ(chart(made, "pauses_tier1")["note"], "a transmitter is one class of one port; no samples: a, c");
    EXPECT_EQ(chart(made, "job_completion_cdf")["series"][2]["name"], "c (no curve)");
}

/// Of the classes there are, so many transfers each: 1000 ns, 1001 ns, ...
std::string flows_of(const std::vector<std::pair<int, int>>& classes) {
    std::string text = "bytes,fct_ns,ideal_ns,priority,tag\n";
    for (const auto& [priority, count] : classes) {
        for (int i = 0; i < count; ++i) {
            text += "8192," + std::to_string(1000 + i) + ",500," + std::to_string(priority) + ",q\n";
        }
    }
    return text;
}

TEST_F(report_rig, transfers_have_a_folded_chart_for_each_tag_and_class) {
    write_run("a", {1000, 2000, 3000, 4000});
    write_run("b", {1000, 2000});
    write("a/flows.csv", flows_of({{0, 2}, {7, 2}}));
    write("b/flows.csv", flows_of({{7, 2}}));
    const json made = document({"a", "b"});
    const json first = chart(made, "transfer_completion_cdf_by_class_0");
    EXPECT_EQ(first["title"], "Transfer completion time by tag and class: q, class 0: 0 to 2");
    EXPECT_EQ(first["folded"], "Transfer completion time by tag and class");
    EXPECT_EQ(first["series"][0]["x"], json({1000, 1001}));
    EXPECT_TRUE(first["series"][1]["x"].empty());
    const json second = chart(made, "transfer_completion_cdf_by_class_1");
    EXPECT_EQ(second["title"], "Transfer completion time by tag and class: q, class 7: 2");
    EXPECT_EQ(second["series"].size(), 2U);
    EXPECT_EQ(second["series"][1]["run"], 1);
    EXPECT_EQ(chart(made, "slowdown_cdf_by_class_1")["series"][0]["x"], json({2, 2.002}));
    // One class is what the chart of all shows.
    EXPECT_EQ(document({"b"}).dump().find("by_class"), std::string::npos);
}

TEST_F(report_rig, of_many_classes_those_with_most_transfers_have_charts) {
    write_run("a", std::vector<int>(35, 1000));
    write("a/flows.csv", flows_of({{0, 2}, {1, 3}, {2, 4}, {3, 5}, {4, 6}, {5, 7}, {6, 8}}));
    const json made = document({"a"});
    const json last = chart(made, "transfer_completion_cdf_by_class_5");
    EXPECT_EQ(last["title"], "Transfer completion time by tag and class: q, class 6: 8");
    EXPECT_EQ(last["note"].get<std::string>().rfind("a panel for each tag and class; not drawn: q, class 0", 0),
              0U);
    EXPECT_EQ(made.dump().find("by_class_6"), std::string::npos);
}

TEST_F(report_rig, a_tree_of_pauses_is_nested_with_its_classes_summed) {
    write_run("a", {1000, 2000});
    write("a/pause_tree.json", R"({"paused_ns": 100, "unknown_ns": 10, "events_left_out": 0,
        "hops": [{"paused_ns": 60}, {"paused_ns": 30}],
        "roots": [{"queue": "s0.tx1 class 0", "kind": "congested", "all_paused_ns": 90, "pauses": [
            {"queue": "s1.tx0 class 0", "paused_ns": 40, "all_paused_ns": 70, "pauses": [
                {"queue": "h3.tx0 class 0", "paused_ns": 30, "all_paused_ns": 30}]},
            {"queue": "s1.tx0 class 1", "paused_ns": 20, "all_paused_ns": 20}]}]})");
    const json trees = document({"a"})["trees"];
    ASSERT_EQ(trees.size(), 1U);
    EXPECT_EQ(trees[0]["hops"], json({60, 30}));
    EXPECT_EQ(trees[0]["unknown_ns"], 10);
    ASSERT_EQ(trees[0]["places"].size(), 1U);
    const json& root = trees[0]["places"][0];
    EXPECT_EQ(root["kind"], "congested");
    ASSERT_EQ(root["below"].size(), 1U);
    EXPECT_EQ(root["below"][0]["name"], "s1.tx0 classes 0-1");
    EXPECT_EQ(root["below"][0]["own_ns"], 60);
    EXPECT_EQ(root["below"][0]["all_ns"], 90);
    EXPECT_EQ(root["below"][0]["below"][0]["name"], "h3.tx0 class 0");
}

TEST_F(report_rig, occupancy_of_several_runs_is_that_of_the_fullest_port_and_ports_are_folded_away) {
    for (const char* run : {"a", "b"}) {
        write_run(run, {1000, 2000});
        write(run + std::string("/occupancy.csv"),
              "time_ns,node,port,side,occupancy_bytes\n0,s,1,egress,5\n0,s,2,egress,9\n10,s,1,egress,8\n"
              "10,s,2,egress,3\n");
    }
    const json made = document({"a", "b"});
    const json overview = chart(made, "occupancy_egress");
    EXPECT_EQ(overview["series"].size(), 2U);
    EXPECT_EQ(overview["series"][1]["y"], json({9, 8}));
    EXPECT_EQ(overview["group"], "time");
    const json ports = chart(made, "occupancy_egress_1");
    EXPECT_EQ(ports["folded"], "Ports of each run, egress");
    // The largest mean first.
    EXPECT_EQ(ports["series"][0]["name"], "s.tx1");
    EXPECT_EQ(ports["series"][0]["y"], json({5, 8}));
    EXPECT_FALSE(chart(document({"a"}), "occupancy_egress_0").contains("folded"));
}

TEST_F(report_rig, pauses_are_shares_of_a_tiers_transmitters) {
    write_run("a", {1000, 2000});
    write("a/pauses.csv",
          "time_ns,tier,paused_ns,xoff_sent,transmitters\n10,host,20,1,4\n20,host,0,0,4\n10,tier1,0,0,4\n"
          "20,tier1,0,0,4\n");
    const json made = document({"a"});
    const json hosts = chart(made, "pauses_host");
    EXPECT_EQ(hosts["kind"], "steps");
    EXPECT_EQ(hosts["series"][0]["x"], json({0, 10, 20}));
    EXPECT_EQ(hosts["series"][0]["y"], json({50, 0}));
    // Where nothing was paused there is nothing to see.
    EXPECT_EQ(made.dump().find("pauses_tier1"), std::string::npos);
}

TEST_F(report_rig, equal_runs_under_equal_labels_have_equal_documents) {
    write_run("a", {1000, 2000}, "[switch]\nspeedup = 4\n");
    write_run("deep/er/b", {1000, 2000}, "[switch]\nspeedup = 4\n");
    std::vector<run_data> a = runs({"a"});
    std::vector<run_data> b = runs({"deep/er/b"});
    a[0].label = b[0].label = "same";
    EXPECT_EQ(collect_report("t", a).content.dump(), collect_report("t", b).content.dump());
}

TEST(report_page, no_text_can_end_the_script_that_it_is_in) {
    const nlohmann::ordered_json hostile{{"label", "</script><!-- <b> & \xE2\x80\xA8 \xFF"}};
    const std::string text = embedded_json(hostile);
    for (const char* part : {"<", ">", "&"}) {
        EXPECT_EQ(text.find(part), std::string::npos) << text;
    }
    EXPECT_EQ(nlohmann::ordered_json::parse(text)["label"], "</script><!-- <b> & \xE2\x80\xA8 \xEF\xBF\xBD");
}

TEST(report_page, is_one_file_that_names_no_other) {
    const std::string page = report_page({{"title", "t"}});
    EXPECT_EQ(page.rfind(report_head, 0), 0U);
    for (const char* other :
         {" src=", "url(http", "url(\"", "@import", "https:", "fetch(", "/* scripts */", "{\"data\": null}"}) {
        EXPECT_EQ(page.find(other), std::string::npos) << other;
    }
    EXPECT_NE(page.find("{\"title\":\"t\"}</script>"), std::string::npos);
}

}  // namespace
}  // namespace weir::tb
