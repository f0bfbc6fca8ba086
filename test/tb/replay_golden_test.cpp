// Every golden file, byte for byte, from its stimulus columns.
#include "replay_rig.h"

namespace weir::test {
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

}  // namespace
}  // namespace weir::test
