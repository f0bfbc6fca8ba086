// `weir headroom`: what it prints, SONiC's files in and out, and what it refuses.
#include "tb/run/arguments/commands.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/errors_said.h"
#include "tb/asic/headroom/headroom_options.h"
#include "tb/asic/headroom/profile_file.h"

namespace weir::tb {
namespace {

struct outcome {
    int status;
    std::string out;
    std::string err;
};

outcome run(const std::vector<std::string>& args) {
    std::ostringstream out;
    std::ostringstream err;
    const int status = headroom_command(args, out, err);
    return {status, out.str(), err.str()};
}

std::string written(const std::string& name, const std::string& text) {
    const std::string path = testing::TempDir() + "/weir_headroom_" + name;
    std::ofstream(path) << text;
    return path;
}

/// SONiC's rows of one ASIC, as the file that they were taken from.
std::string table_of(const std::string& asic, std::size_t* rows = nullptr) {
    std::ifstream in(WEIR_GOLDEN_DIR "/sonic/headroom_tables.csv");
    std::string text = "# speed cable size xon xoff threshold\n";
    std::size_t count = 0;
    for (std::string line; std::getline(in, line);) {
        std::vector<std::string> f;
        std::istringstream fields(line);
        for (std::string field; std::getline(fields, field, ',');) {
            f.push_back(field);
        }
        if (f[0] == asic) {
            text += f[2] + ' ' + f[3] + "m " + f[4] + ' ' + f[5] + ' ' + f[6] + ' ' + f[7] + '\n';
            ++count;
        }
    }
    if (rows != nullptr) {
        *rows = count;
    }
    return text;
}

TEST(headroom_golden, all_39_rows_of_sn2700_and_sn5600_bit_for_bit) {
    std::size_t all = 0;
    for (const auto& [asic, profile] :
         {std::pair("Spectrum SN2700", "spectrum"), std::pair("Spectrum-4 SN5600", "spectrum4")}) {
        std::size_t rows = 0;
        const std::string file = written(profile, table_of(asic, &rows));
        const outcome same = run({std::string("--profile=") + profile, "--diff", file});
        EXPECT_EQ(same.status, 0) << same.out << same.err;
        const std::string n = std::to_string(rows);
        EXPECT_NE(same.out.find(n + " of " + n + " rows equal; " + n + " of " + n + " headrooms"),
                  std::string::npos)
            << same.out;
        all += rows;
    }
    EXPECT_EQ(all, 39U);
}

TEST(headroom_golden, the_table_of_sn5600_is_written_as_sonic_has_it) {
    const outcome made = run({"--profile", "spectrum4", "--table", "--format=sonic"});
    ASSERT_EQ(made.status, 0) << made.err;
    std::istringstream in(made.out);
    const profile_file ours = read_profile_file(in, "ours");
    std::istringstream golden(table_of("Spectrum-4 SN5600"));
    const profile_file theirs = read_profile_file(golden, "theirs");
    EXPECT_TRUE(ours.errors.empty() && theirs.errors.empty());
    ASSERT_EQ(ours.rows.size(), theirs.rows.size());
    for (std::size_t i = 0; i < ours.rows.size(); ++i) {
        const profile_row& a = ours.rows[i];
        const profile_row& b = theirs.rows[i];
        EXPECT_TRUE(a.speed == b.speed && a.cable == b.cable && a.size == b.size && a.xon == b.xon &&
                    a.headroom == b.headroom && a.threshold == b.threshold)
            << "row " << i;
    }
}

/// Other vendors': what their tables gain per metre, over what a cable holds there and back at 5 ns/m
/// (docs/experiments/headroom_tables.md).
TEST(headroom_golden, slopes_of_other_vendors_tables_are_as_documented) {
    const auto fits = [](const std::string& asic) {
        std::istringstream in(table_of(asic));
        return fit_by_speed(read_profile_file(in, asic).rows, metres_per_second{200'000'000});
    };
    for (const speed_fit& f : fits("Tomahawk")) {
        EXPECT_NEAR(f.of_round_trip, 2.81, 0.015) << f.speed.count();
    }
    for (const speed_fit& f : fits("Trident2")) {
        EXPECT_NEAR(f.of_round_trip, f.speed < 40_Gbps ? 0 : 1.205, 0.01) << f.speed.count();
    }
    for (const speed_fit& f : fits("Marvell 128x400G")) {
        EXPECT_NEAR(f.of_round_trip, f.speed == 25_Gbps ? 1.22 : 1.025, 0.005) << f.speed.count();
    }
    for (const speed_fit& f : fits("Tofino2")) {
        const double capped = f.speed == 400_Gbps ? 1 : f.speed == 50_Gbps ? 3.22 : 4;
        EXPECT_NEAR(f.of_round_trip, capped, 0.12) << f.speed.count();
    }
}

TEST(headroom_command, every_term_is_printed_with_its_source_and_the_total) {
    const outcome made = run({"--rate=10Gbps", "--cable", "100m", "--lossless_classes=2"});
    EXPECT_EQ(made.status, 0);
    for (const char* text :
         {"PFC headroom at 10Gbps over 100m, profile ieee_802_1qbb",
          "PFC frame                  84.0     67.2        672      84.0  802.1Qbb: 672 bit times",
          "sum                     25694.0  20555.2     205552   25694.0",
          "Headroom (SONiC: xoff): 25,694 B per port and class, 51,388 B per port with 2 lossless"}) {
        EXPECT_NE(made.out.find(text), std::string::npos) << text << "\nis not in\n" << made.out;
    }
}

TEST(headroom_command, csv_and_json_hold_the_same_numbers) {
    const outcome json = run({"--table", "--speeds=10Gbps,100Gbps", "--cables=5m,1.5km", "--format=json"});
    const outcome csv = run({"--table", "--speeds=10Gbps,100Gbps", "--cables=5m,1.5km", "--format=csv"});
    const auto parsed = nlohmann::json::parse(json.out);
    ASSERT_EQ(parsed.size(), 4U);
    EXPECT_EQ(parsed[3]["rate_bps"], 100'000'000'000);
    EXPECT_EQ(parsed[3]["cable_m"], 1500.0);
    // 2 x 9,236 + 84 + 187,500 + 30,720 + 25,216 B
    EXPECT_EQ(parsed[3]["headroom_bytes"], 261'992);
    EXPECT_EQ(parsed[3]["terms"][2]["wire_bytes"], 187'500.0);
    EXPECT_NE(csv.out.find("ieee_802_1qbb,100000000000,1500,headroom,,,,261992,"), std::string::npos)
        << csv.out;
    EXPECT_NE(csv.out.find("1500,\"cable, both ways\",187500.000,15000.000,1500000.000,187500.000,"),
              std::string::npos)
        << csv.out;
}

TEST(headroom_command, an_ini_file_holds_what_the_command_line_does) {
    const std::string file =
        written("own.ini", "[headroom]\nprofile = spectrum4\nrate = 100Gbps\ncable = 300m\n");
    EXPECT_EQ(run({file}).out, run({"--profile=spectrum4", "--headroom.rate=100Gbps", "--cable=300m"}).out);
    EXPECT_NE(run({file}).out.find("225,280 B"), std::string::npos);
    EXPECT_NE(run({file, "--cable=5m"}).out.find("113,664 B"), std::string::npos);
}

TEST(headroom_command, a_difference_gives_status_1_and_is_shown) {
    const std::string file =
        written("other.ini", "100000 300m 244736 19456 225280 0\n 100000 5m 133120 19456 113665 0\n");
    const outcome made = run({"--profile=spectrum4", "--diff", file});
    EXPECT_EQ(made.status, 1);
    EXPECT_NE(made.out.find("1 of 2 rows equal; 1 of 2 headrooms"), std::string::npos) << made.out;
    EXPECT_NE(made.out.find("113665"), std::string::npos);
    EXPECT_NE(made.out.find("-1\n"), std::string::npos);
}

TEST(headroom_command, texts_of_lengths_and_delays_are_read_back) {
    for (const char* text : {"5m", "1.5km", "40km", "2500mm", "0m", "300ft", "3ft"}) {
        const auto read = parse_length(text);
        ASSERT_TRUE(read) << read.error;
        EXPECT_EQ(parse_length(to_text(read.value)).value, read.value) << to_text(read.value);
    }
    EXPECT_EQ(parse_length("300ft").value, millimetres{91'440});
    EXPECT_EQ(parse_length("3ft").value, millimetres{915}) << "914.4 mm, rounded up";
    for (const char* text :
         {"1.6us", "0ps", "8192bt", "67q", "0.8KiB", "19KiB", "3891.2B", "0.001B", "1.05KB"}) {
        const auto read = parse_delay(text);
        ASSERT_TRUE(read) << read.error;
        const auto again = parse_delay(to_text(read.value));
        ASSERT_TRUE(again) << again.error;
        EXPECT_EQ(bytes_of(again.value, 100_Gbps), bytes_of(read.value, 100_Gbps)) << to_text(read.value);
    }
    EXPECT_EQ(parse_delay("0.8KiB").value.count, 819'200);
    EXPECT_EQ(bytes_of(parse_delay("67q").value, 1_Gbps), 4'288);
    EXPECT_EQ(parse_velocity("198000km/s").value.count(), 198'000'000);
}

struct refusal {
    const char* name;
    std::vector<std::string> args;
    /// Each must stand in the message.
    std::vector<std::string> message;
};

TEST(headroom_command, bad_input_is_named_with_what_is_allowed_and_gives_status_2) {
    const std::string bad =
        written("bad.ini", "# a\n100000 5m 1 2 3\n1 5 1 2 x 0\n10 5m 1 1 1 0\n10 5m 1 1 1 0\n");
    const std::string empty = written("empty.ini", "# nothing\n");
    const std::string other = written("other.ini", "[run]\nseed = 1\n[switch]\nports = 3\n");
    const std::string own =
        written("own_bad.ini", "[headroom]\nrate = 10Gbps\ncable = 5\n[switch]\ncell = 3\n");
    const std::string own_twice = written("own_twice.ini", "[headroom]\ncables = 5m, 5m\n");
    const refusal all[] = {
        {"no_unit", {"--cable=5"}, {"headroom.cable: '5' has no unit", "m or km"}},
        {"a_delay_in_litres", {"--response=5l"}, {"headroom.response", "bt (bit times)"}},
        {"out_of_range", {"--cable=2000km"}, {"headroom.cable", "0m to 1000km"}},
        {"an_unknown_profile",
         {"--profile=qbb"},
         {"headroom.profile: 'qbb'", "ieee_802_1qbb, detail, spectrum"}},
        {"another_profiles_option", {"--tile=1ns"}, {"headroom.tile", "headroom.profile = spectrum"}},
        {"a_table_without_a_table", {"--speeds=1Gbps"}, {"headroom.speeds", "--table"}},
        {"one_rate_for_a_table", {"--table", "--rate=1Gbps"}, {"headroom.rate", "headroom.speeds"}},
        {"sonic_without_a_table", {"--format=sonic"}, {"--format: 'sonic'", "with --table"}},
        {"an_unknown_format", {"--table", "--format=xml"}, {"--format: 'xml'", "csv, json, sonic"}},
        {"a_column_of_another_format", {"--table", "--threshold=1"}, {"headroom.threshold", "--format=sonic"}},
        {"a_factor_that_no_run_takes",
         {"--table", "--format=sonic", "--threshold=11"},
         {"headroom.threshold: 11, -9 to 10"}},
        {"a_simulation_of_a_table", {"--table", "--verify"}, {"--verify", "no --table"}},
        {"a_mix_under_attack",
         {"--verify", "--mix=64B:50%,1500B:50%"},
         {"headroom.mix: gives only the mean", "--verify"}},
        {"a_search_without_a_simulation", {"--search_cases=3"}, {"headroom.search_cases", "--verify"}},
        {"an_empty_table", {"--table", "--cables="}, {"headroom.cables", "at least one"}},
        {"a_cable_twice", {"--table", "--cables=5m,40m,5000mm"}, {"headroom.cables: 5m, 1, 3, twice"}},
        {"a_speed_twice",
         {"--table", "--speeds=1Gbps,1000Mbps"},
         {"headroom.speeds: 1Gbps is given twice (values 1 and 2)"}},
        {"a_speed_that_sonic_has_no_number_for",
         {"--table", "--speeds=1500kbps", "--format=sonic"},
         {"headroom.speeds: ", "Mb/s"}},
        {"cables_twice_in_a_file",
         {own_twice, "--table"},
         {own_twice + ":2: headroom.cables: 5m is given twice"}},
        {"an_attack_without_a_simulation",
         {"--attacked_memory=shared"},
         {"headroom.attacked_memory", "--verify"}},
        {"several_ports_of_a_ports_own_memory",
         {"--verify", "--attacked_ports=2"},
         {"headroom.attacked_ports: ", "attacked_memory = shared or headroom_pool"}},
        {"too_many_groups",
         {"--verify", "--attacked_memory=headroom_pool", "--attacked_ports=16", "--lossless_classes=5"},
         {"headroom.attacked_ports: '16' ", "at most 64 groups"}},
        {"more_memory_than_can_be_simulated",
         {"--verify", "--attacked_memory=shared", "--rate=800Gbps", "--cable=40km", "--cell=512B",
          "--attacked_ports=2"},
         {"headroom.attacked_ports: '2' ", "1 GiB"}},
        {"an_unknown_memory", {"--verify", "--attacked_memory=all"}, {"headroom.attacked_memory: 'all'"}},
        {"an_unknown_option", {"--kable=5m"}, {"--kable: unknown option"}},
        {"a_run_option", {"--switch.cell=64B"}, {"--switch.cell: unknown option"}},
        {"no_file_to_compare", {"--diff", "/none"}, {"--diff: '/none' cannot be read"}},
        {"an_empty_file", {"--diff", empty}, {empty + ": pg_profile_lookup.ini"}},
        {"another_file", {"--diff", other}, {other + ":1: 1, pg_profile_lookup.ini, [xon_offset]"}},
        {"a_file_with_mistakes",
         {"--diff", bad},
         {bad + ":2: the line has 5 fields", bad + ":3: cable: '5' has no unit", bad + ":3: xoff: 'x'",
          bad + ":5: 10 5m is already in line 4"}},
        {"own_file_with_mistakes",
         {own},
         {own + ":3: headroom.cable: '5' has no unit", own + ":4: [switch]: unknown section"}},
    };
    for (const refusal& each : all) {
        const outcome made = run(each.args);
        EXPECT_EQ(made.status, 2) << each.name;
        EXPECT_EQ(made.out, "") << each.name;
        for (const std::string& text : each.message) {
            EXPECT_TRUE(has_error(made.err, text));
        }
    }
}

}  // namespace
}  // namespace weir::tb
