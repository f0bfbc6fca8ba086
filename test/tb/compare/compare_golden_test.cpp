// `weir compare` on the golden traces: a shift, a dropped event, a wrong arbiter, an RTL's known defects.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "compare_rig.h"
#include "golden/golden_rows.h"

namespace weir::test {

using namespace tb;
namespace {

class compare_golden : public compare_rig {};

const std::vector<std::string> result_files{"islip/mckeown_booksim2_n8_i3.csv",
                                            "tcam/lookup_a6_k32.csv",
                                            "tcam/lpm_lookup_n16.csv",
                                            "tcam/exact_cam_mac_d48_n32.csv",
                                            "pfc/rx_events.csv",
                                            "pfc/rx_pause_intervals.csv",
                                            "pfc/tx_frames.csv",
                                            "pfc/tx_events.csv",
                                            "pfc/mac10g_frames.csv",
                                            "pfc/mac10g_events.csv"};

TEST_F(compare_golden, every_file_agrees_with_itself_without_an_option) {
    for (const std::string& name : result_files) {
        EXPECT_EQ(compare(golden_path(name), golden_path(name)), 0) << name << '\n' << report();
        const std::string count = std::to_string(golden::lines(name).size());
        std::string plain = report();
        plain.erase(std::remove(plain.begin(), plain.end(), ','), plain.end());
        EXPECT_NE(plain.find("matched   " + count + " missing 0"), std::string::npos) << report();
    }
}

std::string later(const std::string& cycle, int by) {
    return std::to_string(std::stoll(cycle) + by);
}

TEST_F(compare_golden, a_shift_by_one_cycle_fails_at_tolerance_0_passes_at_1_and_is_stated) {
    const std::string golden = golden_path("pfc/rx_events.csv");
    for (const int by : {1, -1}) {
        const std::string shifted =
            write("s.csv", with_column(contents(golden), "cycle", [&](const auto& c) { return later(c, by); }));
        const std::string offset = by > 0 ? "offset    +1 cycle in all events of 796 streams of 796"
                                          : "offset    -1 cycle in all events of 796 streams of 796";
        EXPECT_EQ(compare(golden, shifted), 1);
        expect_in_report(
            {"missing 0, extra 0, late 11,097, different 0", offset + "; not subtracted", "MISMATCH"});
        EXPECT_EQ(compare(golden, shifted, {"--tolerance-cycles", "1"}), 0);
        expect_in_report({"matched   11,097, missing 0", offset, "no mismatch"});
        EXPECT_EQ(compare(golden, shifted, {"--align", "first"}), 0);
        expect_in_report({offset + "; subtracted separately for each stream"});
        EXPECT_EQ(compare(golden, shifted, {"--align=all"}), 0);
        EXPECT_EQ(compare(golden, shifted, {"--tolerance-cycles", "0"}), 1);
    }
}

TEST_F(compare_golden, each_event_that_is_dropped_is_named_and_nothing_else) {
    const std::vector<std::string> lines = lines_of(contents(golden_path("pfc/tx_events.csv")));
    for (std::size_t dropped = 1; dropped < lines.size(); dropped += 97) {
        std::string text;
        for (std::size_t l = 0; l < lines.size(); ++l) {
            text += l == dropped ? "" : lines[l] + "\n";
        }
        SCOPED_TRACE(lines[dropped]);
        EXPECT_EQ(compare(golden_path("pfc/tx_events.csv"), write("d.csv", text)), 1);
        expect_in_report({"missing 1, extra 0, late 0, different 0", "first mismatch: missing, config=",
                          "tx_events.csv:" + std::to_string(dropped + 1) + ")"});
        EXPECT_EQ(compare(write("d.csv", text), golden_path("pfc/tx_events.csv")), 1);
        expect_in_report(
            {"missing 0, extra 1, late 0, different 0", "tx_events.csv:" + std::to_string(dropped + 1) + ")"});
    }
}

TEST_F(compare_golden, a_pause_that_is_a_cycle_longer_needs_a_tolerance_of_durations) {
    const std::string golden = golden_path("pfc/rx_pause_intervals.csv");
    const std::string longer =
        write("l.csv", with_column(contents(golden), "end_cycle", [](const auto& c) { return later(c, 1); }));
    EXPECT_EQ(compare(golden, longer, {"--tolerance-cycles", "5"}), 1);
    expect_in_report({"durations end_cycle - start_cycle,duration_cycles, tolerance 0 cycles",
                      "end_cycle: expected 146, actual 147", "missing 0, extra 0, late 0, different"});
    EXPECT_EQ(compare(golden, longer, {"--duration-tolerance-cycles", "1"}), 0);
}

/// iSLIP as McKeown 1999 has it, but for the pointers: they move in every iteration, and not in the first
/// alone.
class eager_islip {
 public:
    eager_islip(int ports, int iterations)
        : m_ports(ports), m_iterations(iterations), m_grant(ports), m_accept(ports) {}

    std::string slot(const std::vector<unsigned>& requests) {
        std::vector<int> match(m_ports, -1);
        std::vector<bool> taken(m_ports);
        std::string grants;
        std::string accepts;
        for (int i = 0; i < m_iterations; ++i) {
            std::vector<int> granted(m_ports, -1);
            std::vector<int> accepted(m_ports, -1);
            for (int egress = 0; egress < m_ports; ++egress) {
                for (int n = 0; n < m_ports && !taken[egress] && granted[egress] < 0; ++n) {
                    const int ingress = (m_grant[egress] + n) % m_ports;
                    if (match[ingress] < 0 && (requests[ingress] >> egress & 1) != 0) {
                        granted[egress] = ingress;
                    }
                }
            }
            for (int ingress = 0; ingress < m_ports; ++ingress) {
                for (int n = 0; n < m_ports && accepted[ingress] < 0; ++n) {
                    const int egress = (m_accept[ingress] + n) % m_ports;
                    if (granted[egress] == ingress) {
                        accepted[ingress] = egress;
                    }
                }
            }
            for (int ingress = 0; ingress < m_ports; ++ingress) {
                const int egress = accepted[ingress];
                if (egress >= 0) {
                    match[ingress] = egress;
                    taken[egress] = true;
                    m_grant[egress] = (ingress + 1) % m_ports;
                    m_accept[ingress] = (egress + 1) % m_ports;
                }
            }
            grants += (i == 0 ? "" : "|") + list(granted);
            accepts += (i == 0 ? "" : "|") + list(accepted);
        }
        return list(match) + "," + list(m_grant) + "," + list(m_accept) + "," + grants + "," + accepts;
    }

 private:
    static std::string list(const std::vector<int>& ports) {
        std::string text;
        for (const int p : ports) {
            text += (text.empty() ? "" : " ") + std::to_string(p);
        }
        return text;
    }

    int m_ports;
    int m_iterations;
    std::vector<int> m_grant;
    std::vector<int> m_accept;
};

TEST_F(compare_golden, an_arbiter_whose_pointers_move_in_every_iteration_fails_at_the_first_wrong_slot) {
    for (const int ports : {4, 8}) {
        for (const int iterations : {1, 2, 3, 4}) {
            SCOPED_TRACE(std::to_string(ports) + " ports, " + std::to_string(iterations) + " iterations");
            const std::string n = std::to_string(ports);
            eager_islip wrong(ports, iterations);
            std::string text = "slot,match,gptr_after,aptr_after,grants_per_iter,accepts_per_iter\n";
            for (const golden::row& row : golden::rows("islip/requests_n" + n + ".csv")) {
                std::vector<unsigned> requests;
                for (int p = 0; p < ports; ++p) {
                    requests.push_back(
                        static_cast<unsigned>(std::stoul(row.at("in" + std::to_string(p)), nullptr, 16)));
                }
                text += row.at("slot") + "," + wrong.slot(requests) + "\n";
            }
            const std::string golden =
                golden_path("islip/mckeown_booksim2_n" + n + "_i" + std::to_string(iterations) + ".csv");
            EXPECT_EQ(compare(golden, write("w.csv", text)), iterations == 1 ? 0 : 1);
            if (iterations > 1) {
                // Slot 0 leaves wrong pointers behind a right match.
                expect_in_report({"missing 0, extra 0, late 0, different ",
                                  "first mismatch: different, slot 0 (", "gptr_after: expected ",
                                  "first mismatch outside the state: different, slot 1 ("});
            }
            EXPECT_EQ(compare(golden, write("w.csv", text), {"--ignore", "gptr_after,aptr_after"}),
                      iterations == 1 ? 0 : 1);
            if (iterations > 1) {
                expect_in_report({"missing 0, extra 0, late 0, different ",
                                  "first mismatch: different, slot 1 (", "match: expected ",
                                  "state before:\n  slot 0, match "});
            }
        }
    }
}

TEST_F(compare_golden, defects_of_the_transmitting_rtl_are_waived_by_the_list_that_comes_with_it) {
    expect_success({"pfc-tx", "--scenarios", golden_path("pfc/tx_scenarios.csv"), "--stimuli",
                    golden_path("pfc/tx_stimuli.csv"), "--out-frames", path("f.csv"), "--out-events",
                    path("e.csv"), "--launch-edge=kept"});
    const std::string golden = golden_path("pfc/tx_frames.csv");
    const std::string listed = golden_path("pfc/tx_known_rtl_defects.csv");
    const std::string not_listed = golden_path("pfc/tx_unlisted_rtl_defects.csv");
    EXPECT_EQ(compare(golden, path("f.csv")), 1);
    expect_in_report({"matched   1,070, missing 0, extra 0, late 0, different 77\n"});
    EXPECT_EQ(compare(golden, path("f.csv"), {"--waivers", listed}), 1);
    expect_in_report({"different 1, waived 76",
                      "first mismatch: different, config=d512_400g scenario=rand_s1, "
                      "cycle_first_beat 136 (",
                      "class_enable: expected 0x005e, actual 0x005f",
                      // These say that the statistics are wrong, and their frames are right.
                      "unused waivers: 22 of 137\n"});
    EXPECT_EQ(compare(golden, path("f.csv"), {"--waivers", listed, "--waivers", not_listed}), 0);
    expect_in_report({"different 0, waived 77", "unused waivers: 22 of 138", "no mismatch that is not waived"});
    // With the defects in the model there is nothing to waive.
    EXPECT_EQ(compare(golden, golden, {"--waivers", listed}), 0);
    expect_in_report({"waived 0", "unused waivers: 137 of 137"});
}

TEST_F(compare_golden, events_of_those_defects_have_a_list_that_follows_from_the_others) {
    // The rule of PROVENANCE.md, from the RTL's own files.
    std::set<std::string> frames;
    for (const char* const list : {"pfc/tx_known_rtl_defects.csv", "pfc/tx_unlisted_rtl_defects.csv"}) {
        for (const golden::row& row : golden::rows(list)) {
            frames.insert(row.at("config") + "," + row.at("scenario") + "," + row.at("cycle_first_beat"));
        }
    }
    std::map<std::string, std::set<long>> launches;
    for (const golden::row& row : golden::rows("pfc/tx_events.csv")) {
        if (row.at("signal") == "stat_tx_pfc_pkt") {
            launches[row.at("config") + "," + row.at("scenario")].insert(std::stol(row.at("cycle")));
        }
    }
    std::set<std::string> expected;
    for (const std::string& frame : frames) {
        const std::string scenario = frame.substr(0, frame.rfind(','));
        const long first_beat = std::stol(frame.substr(frame.rfind(',') + 1));
        const long launch = *std::prev(launches[scenario].upper_bound(first_beat - 2));
        for (const char* const signal : {"stat_tx_pfc_xoff", "stat_tx_pfc_xon"}) {
            expected.insert(scenario + "," + std::to_string(launch) + "," + signal + ",frame of cycle " +
                            std::to_string(first_beat));
        }
    }
    const std::string list = golden_path("pfc/tx_events_of_rtl_defects.csv");
    std::vector<std::string> lines = lines_of(contents(list));
    lines.erase(lines.begin());
    EXPECT_EQ(std::set<std::string>(lines.begin(), lines.end()), expected);
    expect_success({"pfc-tx", "--scenarios", golden_path("pfc/tx_scenarios.csv"), "--stimuli",
                    golden_path("pfc/tx_stimuli.csv"), "--out-frames", path("f.csv"), "--out-events",
                    path("e.csv"), "--launch-edge=kept"});
    const std::string golden = golden_path("pfc/tx_events.csv");
    EXPECT_EQ(compare(golden, path("e.csv")), 1);
    expect_in_report({"missing 11, extra 21, late 0, different 130\n"});
    EXPECT_EQ(compare(golden, path("e.csv"), {"--waivers", list}), 0);
    expect_in_report({"missing 0, extra 0, late 0, different 0, waived 162", "no mismatch that is not waived"});
}

TEST_F(compare_golden, the_standard_ternary_rule_differs_from_that_tcam_in_one_table_only) {
    const std::string lookups = golden_path("tcam/lookup_a6_k32.csv");
    expect_success({"tcam", "--table", golden_path("tcam/table_a6_k32.csv"), "--lookups", lookups, "--out",
                    path("o.csv")});
    EXPECT_EQ(compare(lookups, path("o.csv")), 1);
    const std::string noncanonical = write("w.csv", "table,reason\nnoncanonical,its rule is another\n");
    EXPECT_EQ(compare(lookups, path("o.csv"), {"--waivers", noncanonical}), 0);
    EXPECT_EQ(report().find("unused"), std::string::npos) << report();
}

}  // namespace
}  // namespace weir::test
