// Every golden file, byte for byte, from its stimulus columns.
#include <algorithm>
#include <cmath>
#include <set>

#include "golden/golden_rows.h"
#include "support/replay_rig.h"

namespace weir::test {

using namespace tb;
namespace {

class replay_golden : public replay_rig {};

TEST_F(replay_golden, islip_writes_matchings_pointers_grants_and_accepts_of_the_reference) {
    for (const std::string ports : {"4", "8"}) {
        for (const std::string iterations : {"1", "2", "3", "4"}) {
            SCOPED_TRACE(ports + " ports, " + iterations + " iterations");
            expect_success({"islip", "--requests", golden_path("islip/requests_n" + ports + ".csv"),
                            "--iterations", iterations, "--out", path("o.csv")});
            expect_same_text(written("o.csv"), contents(golden_path("islip/mckeown_booksim2_n" + ports + "_i" +
                                                                    iterations + ".csv")));
        }
    }
}

TEST_F(replay_golden, tcam_with_the_rule_of_that_rtl_writes_its_lookups) {
    for (const std::string size : {"a3_k8", "a4_k16", "a6_k32"}) {
        SCOPED_TRACE(size);
        const std::string lookups = golden_path("tcam/lookup_" + size + ".csv");
        expect_success({"tcam", "--table", golden_path("tcam/table_" + size + ".csv"), "--lookups", lookups,
                        "--out", path("o.csv"), "--rule", "canonical_values_only"});
        expect_same_text(written("o.csv"), contents(lookups));
    }
}

TEST_F(replay_golden, tcam_with_the_ternary_rule_differs_in_noncanonical_lines_only) {
    for (const std::string size : {"a3_k8", "a4_k16", "a6_k32"}) {
        SCOPED_TRACE(size);
        const std::string lookups = golden_path("tcam/lookup_" + size + ".csv");
        expect_success({"tcam", "--table", golden_path("tcam/table_" + size + ".csv"), "--lookups", lookups,
                        "--out", path("o.csv")});
        const std::vector<std::string> got = lines_of(written("o.csv"));
        const std::vector<std::string> expected = lines_of(contents(lookups));
        ASSERT_EQ(got.size(), expected.size());
        std::size_t differences = 0;
        for (std::size_t line = 0; line < got.size(); ++line) {
            if (got[line] != expected[line]) {
                ++differences;
                EXPECT_EQ(got[line].rfind("noncanonical,", 0), 0U) << got[line];
            }
        }
        EXPECT_GT(differences, 0U);
    }
}

TEST_F(replay_golden, lpm_writes_the_longest_prefixes_through_all_updates) {
    for (const std::string entries : {"8", "16"}) {
        SCOPED_TRACE(entries);
        const std::string lookups = golden_path("tcam/lpm_lookup_n" + entries + ".csv");
        expect_success({"lpm", "--table", golden_path("tcam/lpm_table_n" + entries + ".csv"), "--lookups",
                        lookups, "--out", path("o.csv")});
        expect_same_text(written("o.csv"), contents(lookups));
    }
}

TEST_F(replay_golden, cam_writes_answers_and_cycles_of_both_styles) {
    const std::string operations = golden_path("tcam/exact_cam_mac_d48_n32.csv");
    expect_success({"cam", "--operations", operations, "--out", path("o.csv")});
    expect_same_text(written("o.csv"), contents(operations));
}

TEST_F(replay_golden, pfc_rx_writes_every_event_and_pause_of_all_scenarios) {
    const std::string events = golden_path("pfc/rx_events.csv");
    expect_success({"pfc-rx", "--scenarios", golden_path("pfc/rx_scenarios.csv"), "--stimuli",
                    golden_path("pfc/rx_stimuli.csv"), "--controls", events, "--out-intervals", path("i.csv"),
                    "--out-events", path("e.csv")});
    expect_same_text(written("e.csv"), contents(events));
    expect_same_text(written("i.csv"), contents(golden_path("pfc/rx_pause_intervals.csv")));
}

// The lines that tx_known_rtl_defects.csv lists come out too, because the model has these defects by default.
TEST_F(replay_golden, pfc_tx_writes_every_frame_and_event_of_all_scenarios) {
    expect_success({"pfc-tx", "--scenarios", golden_path("pfc/tx_scenarios.csv"), "--stimuli",
                    golden_path("pfc/tx_stimuli.csv"), "--out-frames", path("f.csv"), "--out-events",
                    path("e.csv")});
    expect_same_text(written("f.csv"), contents(golden_path("pfc/tx_frames.csv")));
    expect_same_text(written("e.csv"), contents(golden_path("pfc/tx_events.csv")));
}

TEST_F(replay_golden, dcqcn_writes_every_change_of_rate_of_both_rules) {
    for (const std::string scenario : {"class_defaults_40g", "fork_config_25g", "noclamp_10g", "paper_40g"}) {
        SCOPED_TRACE(scenario);
        const std::string set = "dcqcn/" + scenario;
        const auto replay = [&](const std::string& variant, const std::string& stimuli) {
            expect_success({"dcqcn", "--scenarios", golden_path("dcqcn/scenarios.csv"), "--scenario", scenario,
                            "--stimuli", golden_path(set + stimuli), "--variant", variant, "--out",
                            path("o.csv")});
            expect_same_text(written("o.csv"), contents(golden_path(set + "." + variant + ".csv")));
        };
        replay("paper", ".script.csv");
        replay("hpcc", ".script.csv");
        replay("hpcc", ".cnp.csv");
    }
}

/// What a replay of a schedule wrote against the column of a golden file: rows of this schedule, where the
/// column says something.
void expect_ends(const std::string& written, const std::string& file, const std::string& schedule,
                 const std::string& key, const std::string& column, const std::string& reference) {
    std::map<std::string, std::string> got;
    for (const golden::row& row : golden::rows_of_file(written)) {
        got[row.at("schedule") + " " + row.at("parameters") + " " + row.at(key)] = row.at(column);
    }
    std::size_t rows = 0;
    for (const golden::row& row : golden::rows(file)) {
        if (row.at("schedule") == schedule) {
            const std::string name = schedule + " " + row.at("parameters") + " " + row.at(key);
            const std::string& expected = row.at(reference + "_" + column);
            EXPECT_TRUE(expected.empty() || got.at(name) == expected)
                << name << ": " << got.at(name) << " instead of " << expected;
            ++rows;
        }
    }
    EXPECT_EQ(got.size(), rows);
}

TEST_F(replay_golden, goal_ends_every_rank_when_its_references_do) {
    for (const std::string schedule :
         {"pingpong_1b", "pingpong_64k", "tree_8", "tree_20", "tree_32", "ring_8", "ring_16_calc", "alltoall_8",
          "alltoall_16", "alltoall_32", "fan_in_12"}) {
        for (const std::string text : {"logp", "goalsim", "loggopsim"}) {
            SCOPED_TRACE(schedule + " " + text);
            expect_success({"goal", "--schedule", golden_path("goal/" + schedule + ".goal"), "--parameters",
                            golden_path("goal/parameters.csv"), "--text", text, "--out", path("o.csv"),
                            "--out-times", path("t.csv")});
            expect_ends(path("o.csv"), "goal/ranks.csv", schedule, "rank", "end_ns", text);
            expect_ends(path("t.csv"), "goal/times.csv", schedule, "ranks", "last_end_ns", text);
        }
    }
}

TEST_F(replay_golden, goal_agrees_with_loggopsim_on_schedules_of_all_sorts) {
    for (unsigned i = 0; i < 8; ++i) {
        const std::string name = "mixed_" + std::to_string(i);
        SCOPED_TRACE(name);
        expect_success({"goal", "--schedule", golden_path("goal/" + name + ".goal"), "--parameters",
                        golden_path("goal/mixed_parameters.csv"), "--set", name, "--text", "loggopsim", "--out",
                        path("o.csv")});
        expect_ends(path("o.csv"), "goal/mixed_ranks.csv", name, "rank", "end_ns", "loggopsim");
    }
}

/// Configuration, scenario and cycle of the first beat.
using frame_key = std::vector<std::string>;

TEST_F(replay_golden, pfc_tx_without_the_defects_mends_the_frames_that_are_listed) {
    expect_success({"pfc-tx", "--scenarios", golden_path("pfc/tx_scenarios.csv"), "--stimuli",
                    golden_path("pfc/tx_stimuli.csv"), "--out-frames", path("f.csv"), "--out-events",
                    path("e.csv"), "--launch-edge=kept"});
    std::set<frame_key> lost_bits;
    std::set<frame_key> listed;
    std::set<frame_key> scenarios;
    for (const auto& line : golden::lines("pfc/tx_known_rtl_defects.csv")) {
        listed.insert({line[0], line[1], line[2]});
        scenarios.insert({line[0], line[1]});
        if (line[3] == "timer_nonzero_with_enable_bit_clear") {
            lost_bits.insert({line[0], line[1], line[2]});
        }
    }
    const auto got = golden::lines_of_file(path("f.csv"));
    const auto expected = golden::lines("pfc/tx_frames.csv");
    ASSERT_EQ(got.size(), expected.size()) << "the defects move no frame";
    std::vector<frame_key> not_listed;
    for (std::size_t f = 0; f < got.size(); ++f) {
        const frame_key key{got[f][0], got[f][1], got[f][3]};
        const auto enabled = [](const auto& line, unsigned c) {
            return (std::stoul(line[8], nullptr, 16) >> c & 1) != 0;
        };
        for (unsigned c = 0; got[f][2] == "pfc" && c < 8; ++c) {
            EXPECT_TRUE(enabled(got[f], c) || got[f][9 + c] == "0") << "a time without its bit";
            // What else differs: releases of classes whose pause that RTL has lost and this frame has not.
            EXPECT_TRUE(lost_bits.count(key) != 0 || enabled(got[f], c) == enabled(expected[f], c) ||
                        (enabled(got[f], c) && got[f][9 + c] == "0"));
        }
        EXPECT_TRUE(lost_bits.count(key) == 0 || got[f] != expected[f]) << "a listed frame that is not mended";
        if (got[f] != expected[f]) {
            EXPECT_TRUE(std::equal(got[f].begin(), got[f].begin() + 8, expected[f].begin())) << "time and type";
            if (listed.count(key) == 0) {
                not_listed.push_back(key);
            }
        }
    }
    EXPECT_EQ(not_listed, (std::vector<frame_key>{{"d512_400g", "rand_s1", "136"}}));

    const auto sound = [&](std::vector<std::vector<std::string>> lines) {
        lines.erase(std::remove_if(lines.begin(), lines.end(),
                                   [&](const auto& line) {
                                       return scenarios.count({line[0], line[1]}) != 0;
                                   }),
                    lines.end());
        return lines;
    };
    EXPECT_EQ(sound(golden::lines_of_file(path("e.csv"))), sound(golden::lines("pfc/tx_events.csv")));
}

TEST_F(replay_golden, mac10g_writes_every_frame_on_xgmii_and_every_event) {
    expect_success({"mac10g", "--scenarios", golden_path("pfc/mac10g_scenarios.csv"), "--out-frames",
                    path("f.csv"), "--out-events", path("e.csv")});
    expect_same_text(written("f.csv"), contents(golden_path("pfc/mac10g_frames.csv")));
    expect_same_text(written("e.csv"), contents(golden_path("pfc/mac10g_events.csv")));
}

TEST_F(replay_golden, pfc_tx_at_other_data_widths_agrees_with_the_retyped_rtl) {
    const std::string folder = "pfc/other_widths/";
    expect_success({"pfc-tx", "--scenarios", golden_path(folder + "tx_scenarios.csv"), "--stimuli",
                    golden_path(folder + "tx_stimuli.csv"), "--out-frames", path("f.csv"), "--out-events",
                    path("e.csv")});
    expect_same_text(written("f.csv"), contents(golden_path(folder + "tx_frames.csv")));
    expect_same_text(written("e.csv"), contents(golden_path(folder + "tx_events.csv")));
}

TEST_F(replay_golden, mac10g_with_64_bits_agrees_with_the_retyped_rtl_in_places_and_beats) {
    const std::string folder = "pfc/other_widths/";
    expect_success({"mac10g", "--scenarios", golden_path(folder + "mac_d64_scenarios.csv"), "--out-frames",
                    path("f.csv"), "--out-events", path("e.csv")});
    std::string places = "config,scenario,start_cycle,start_lane,term_cycle,term_lane\n";
    for (const auto& line : golden::lines_of_file(path("f.csv"))) {
        places +=
            line[0] + "," + line[1] + "," + line[3] + "," + line[4] + "," + line[5] + "," + line[6] + "\n";
    }
    expect_same_text(places, contents(golden_path(folder + "mac_d64_places.csv")));
    std::string beats = "config,scenario,cycle,signal\n";
    for (const auto& line : golden::lines_of_file(path("e.csv"))) {
        if (line[4] == "tx_axis_first_beat.frame" || line[4] == "rx_axis_tlast.tuser") {
            beats += line[0] + "," + line[1] + "," + line[2] + "," +
                     line[4].substr(0, line[4].rfind(".tuser")) + "\n";
        }
    }
    expect_same_text(beats, contents(golden_path(folder + "mac_d64_beats.csv")));
}

/// Numbers within the tolerance; what is no number, or empty, the same.
void expect_same_value(const std::string& got, const std::string& expected, double tolerance) {
    if (got != expected) {
        ASSERT_FALSE(got.empty() || expected.empty()) << "'" << got << "' instead of '" << expected << "'";
        const double value = std::stod(expected);
        EXPECT_NEAR(std::stod(got), value, std::max(tolerance, 1e-9 * std::abs(value)));
    }
}

/// What rounding to so many decimals changes at most.
double half_of_last(int decimals) {
    return 0.500001 * std::pow(10, -decimals);
}

void expect_words(const std::string& written, const std::string& reference, const std::string& prefix,
                  const std::string& column) {
    const std::vector<golden::row> got = golden::rows_of_file(written);
    const std::vector<golden::row> expected = golden::rows_of_file(reference);
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t row = 0; row < got.size(); ++row) {
        EXPECT_EQ(got[row].at(column), expected[row].at(prefix + column)) << column << " of row " << row;
    }
}

/// Columns of `written` against those of `reference` that have the same name between `prefix` and `suffix`.
void expect_columns(const std::string& written, const std::string& reference, const std::string& prefix,
                    const std::vector<std::string>& columns, double tolerance = 1e-9,
                    const std::string& suffix = "") {
    const std::vector<golden::row> got = golden::rows_of_file(written);
    const std::vector<golden::row> expected = golden::rows_of_file(reference);
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t row = 0; row < got.size(); ++row) {
        SCOPED_TRACE("row " + std::to_string(row));
        for (const std::string same : {"i", "event"}) {
            if (got[row].has(same)) {
                EXPECT_EQ(got[row].at(same), expected[row].at(same));
            }
        }
        for (const std::string& column : columns) {
            SCOPED_TRACE(column);
            expect_same_value(got[row].at(column), expected[row].at(prefix + column + suffix), tolerance);
        }
    }
}

TEST_F(replay_golden, tcp_cc_has_the_windows_of_the_texts_after_every_event) {
    const std::string folder = golden_path("transport/tcp_cc/");
    for (const auto& [scenario, plain] :
         {std::pair{"reno_mix", "newreno"}, std::pair{"dctcp_marks", "linuxreno"}}) {
        for (const std::string text : {"rfc5681", "abc1", "rfc8257"}) {
            SCOPED_TRACE(std::string(scenario) + " " + text);
            expect_success({"tcp_cc", "--scenarios", folder + "scenarios.csv", "--stimuli",
                            folder + scenario + ".stim.csv", "--text", text, "--out", path("o.csv")});
            const bool estimates = text == "rfc8257";
            expect_columns(path("o.csv"), folder + scenario + "." + (estimates ? "dctcp" : plain) + ".csv",
                           text + "_",
                           estimates ? std::vector<std::string>{"cwnd", "ssthresh", "alpha", "m"}
                                     : std::vector<std::string>{"cwnd", "ssthresh"});
        }
    }
}

TEST_F(replay_golden, tcp_cc_has_cubics_windows_and_regions_of_both_rfcs_after_every_event) {
    const std::string folder = golden_path("transport/tcp_cc/");
    const auto replay = [&](const std::string& scenario, const std::string& file,
                            const std::string& converges) {
        for (const std::string text : {"rfc9438", "rfc8312"}) {
            SCOPED_TRACE(file + " " + text);
            expect_success({"tcp_cc", "--scenarios", folder + "scenarios.csv", "--stimuli",
                            folder + scenario + ".stim.csv", "--text", text, "--fast-convergence", converges,
                            "--out", path("o.csv")});
            expect_columns(path("o.csv"), folder + file, text + "_", {"cwnd", "ssthresh"});
            expect_columns(path("o.csv"), folder + file, text + "_", {"w_max_seg"}, half_of_last(4));
            expect_columns(path("o.csv"), folder + file, text + "_", {"k_s"}, half_of_last(6));
            expect_words(path("o.csv"), folder + file, text + "_", "region");
        }
    };
    for (const std::string scenario : {"reno_mix", "cubic_wan", "cubic_stretch", "cubic_dc"}) {
        replay(scenario, scenario + ".cubic.csv", "on");
    }
    replay("cubic_wan", "cubic_wan.cubic_nofc.csv", "off");
}

TEST_F(replay_golden, tcp_cc_has_vegas_windows_and_decisions_after_every_event) {
    const std::string folder = golden_path("transport/tcp_cc/");
    for (const std::string scenario : {"reno_mix", "vegas_rtt", "vegas_few"}) {
        SCOPED_TRACE(scenario);
        expect_success({"tcp_cc", "--scenarios", folder + "scenarios.csv", "--stimuli",
                        folder + scenario + ".stim.csv", "--text", "paper", "--out", path("o.csv")});
        const std::string reference = folder + scenario + ".vegas.csv";
        expect_columns(path("o.csv"), reference, "paper_", {"cwnd", "ssthresh"});
        expect_columns(path("o.csv"), reference, "paper_", {"diff_seg"}, half_of_last(6));
        expect_words(path("o.csv"), reference, "paper_", "decision");
    }
}

TEST_F(replay_golden, red_marks_what_a_step_marks_in_each_of_its_three_readings) {
    const std::string folder = golden_path("transport/red/");
    for (const std::string scenario : {"dctcp_step_byte", "dctcp_step_pkt"}) {
        SCOPED_TRACE(scenario);
        expect_success({"red", "--scenarios", folder + "scenarios.csv", "--stimuli",
                        folder + scenario + ".stim.csv", "--out", path("o.csv")});
        const std::string reference = folder + scenario + ".csv";
        expect_columns(path("o.csv"), reference, "", {"q_ge_k", "q_gt_k", "q_incl_gt_k"});
        const auto got = golden::rows_of_file(path("o.csv"));
        const auto expected = golden::rows_of_file(reference);
        for (std::size_t row = 0; row < got.size(); ++row) {
            EXPECT_EQ(got[row].at("q_before"), expected[row].at("ns3_q_before"));
            EXPECT_EQ(got[row].at("q_after"), expected[row].at("ns3_q_after"));
        }
    }
}

TEST_F(replay_golden, red_has_the_averages_and_the_answers_of_the_papers) {
    const std::string folder = golden_path("transport/red/");
    for (const std::string scenario :
         {"pkt_ecn", "pkt_drop_gentle_wait", "byte_ecn_gentle", "dctcp_step_pkt"}) {
        SCOPED_TRACE(scenario);
        expect_success({"red", "--scenarios", folder + "scenarios.csv", "--stimuli",
                        folder + scenario + ".stim.csv", "--text", "paper", "--out", path("o.csv")});
        const std::string reference = folder + scenario + ".csv";
        expect_columns(path("o.csv"), reference, "ns3_", {"q_before", "q_after"});
        if (scenario != "dctcp_step_pkt") {
            expect_columns(path("o.csv"), reference, "paper_", {"avg", "pb", "pa", "count_after", "act"});
        }
    }
}

TEST_F(replay_golden, qcn_samples_as_its_pseudo_code_does_with_either_quantiser) {
    const std::string folder = golden_path("transport/qcn/");
    for (const std::string scenario : {"cp_26k_w2_j1", "cp_60k_w1_j0"}) {
        for (const std::string text : {"msb", "scaled"}) {
            SCOPED_TRACE(scenario + " " + text);
            expect_success({"qcn", "--scenarios", folder + "cp_scenarios.csv", "--stimuli",
                            folder + scenario + ".csv", "--text", text, "--out", path("o.csv")});
            expect_columns(path("o.csv"), folder + scenario + ".csv", "",
                           {"fb_raw", "fb", "qfb", "sampled", "cnm", "q_old", "left"}, 1e-9, "_" + text);
        }
    }
}

TEST_F(replay_golden, qcn_limits_rates_as_its_pseudo_code_and_the_standards_phases_do) {
    const std::string folder = golden_path("transport/qcn/");
    for (const std::string scenario : {"rp_10g", "rp_40g_bytes_slow"}) {
        for (const std::string text : {"pan", "select"}) {
            SCOPED_TRACE(scenario + " " + text);
            expect_success({"qcn", "--scenarios", folder + "rp_scenarios.csv", "--stimuli",
                            folder + scenario + ".stim.csv", "--text", text, "--out", path("o.csv")});
            expect_columns(path("o.csv"), folder + scenario + "." + text + ".csv", "",
                           {"t_ns", "cause", "fb", "current_bps", "target_bps", "byte_stage", "time_stage",
                            "phase", "bytes_left", "timer_expiry_ns"});
        }
    }
}

}  // namespace
}  // namespace weir::test
