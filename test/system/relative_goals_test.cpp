// Goals of weir size relative to a reference point, through the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "sweep_rig.h"

using namespace weir::test;
using nlohmann::json;

namespace {

// With 4,608 B a frame of a lossless class is lost; below 4 KB the configuration is refused.
const std::string config =
    "[run]\nduration = 1ms\n[fabric]\nhosts = 4\n[switch]\nscheme = detail\negress_buffer = 16KiB\n"
    "balance_thresholds = 4KiB\n[pfc]\nxoff = 4KB\nxon = 2KB\nreserve = 0B\n"
    "[traffic]\nkind = query\nrate = 12000\nsizes = 8KB\n";

void expect_bad_input(const scratch_directory& where, const arguments& command,
                      const std::vector<std::string>& said) {
    const outcome o = run_program(where, command);
    EXPECT_EQ(o.status, 2) << o.err;
    for (const std::string& part : said) {
        EXPECT_NE(o.err.find(part), std::string::npos) << part << "\n" << o.err;
    }
}

/// All queries complete: no value is a bound.
arguments relative(const std::string& goal, const std::string& axis) {
    return {"size",
            "config.ini",
            "--run.duration=0s",
            "--traffic.stop=1ms",
            "--goal",
            goal,
            "--smallest",
            axis,
            "--curve",
            "0",
            "--out",
            "out"};
}

json summary_at(const scratch_directory& where, const std::string& point, std::size_t seed) {
    return json_in(where / "out/points" / point / ("seed_" + std::to_string(seed)) / "summary.json");
}

TEST(relative_goals, compares_with_a_reference_point_seed_by_seed) {
    const scratch_directory where;
    where.write("config.ini", config);
    const arguments command =
        relative("mean fct <= 1.2 x of pfc.xoff=64KB,pfc.xon=32KB,switch.ingress_buffer=1MiB",
                 "switch.ingress_buffer=8KiB,16KiB");
    const outcome o = run_program(where, combined(command, {"--jobs", "3"}));
    EXPECT_LE(o.status, 1) << o.err;
    const json answer = json_in(where / "out/answer.json");
    ASSERT_EQ(answer["references"].size(), 1U);
    const json& reference = answer["references"][0];
    EXPECT_EQ(reference["point"], 3);
    EXPECT_EQ(reference["options"]["switch.ingress_buffer"], "1MiB");
    EXPECT_EQ(reference["options"]["pfc.xoff"], "64KB");
    const auto runs = reference["runs"].get<std::ptrdiff_t>();
    const auto kept = fs::directory_iterator(where / "out/points/0003");
    EXPECT_EQ(std::distance(fs::begin(kept), fs::end(kept)), runs) << "once for each seed";
    EXPECT_NE(o.out.find("and 1 reference point; "), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("reference pfc.xoff=64KB, pfc.xon=32KB, switch.ingress_buffer=1MiB: fct_ns.mean "),
              std::string::npos)
        << o.out;
    std::istringstream rows(contents(where / "out/runs.csv"));
    std::ptrdiff_t seen = 0;
    for (std::string row; std::getline(rows, row);) {
        std::smatch cells;
        const std::regex form("(\\d+),[^,]+,\\d+,(\\d+),0,0,0,([0-9.]+),,([0-9.]+),([0-9.]+),");
        if (std::regex_match(row, cells, form)) {
            const std::size_t seed = std::stoul(cells[2]);
            EXPECT_EQ(std::stod(cells[4]), summary_at(where, "000" + cells[1].str(), seed)["fct_ns"]["mean"]);
            EXPECT_EQ(std::stod(cells[5]), summary_at(where, "0003", seed)["fct_ns"]["mean"]);
            EXPECT_NEAR(std::stod(cells[3]), std::stod(cells[4]) / std::stod(cells[5]), 1e-9);
            ++seen;
        }
    }
    EXPECT_EQ(seen + runs, answer["runs"]);
    EXPECT_NE(contents(where / "out/plots/curve.dat").find("reference"), std::string::npos);
    // Again: nothing runs. Another reference takes the place of the first one.
    const auto before = ended_runs(where / "out");
    EXPECT_EQ(run_program(where, command).out, o.out);
    EXPECT_EQ(ended_runs(where / "out"), before);
    const outcome other = run_program(
        where, relative("mean fct <= 9 x of switch.ingress_buffer=512KiB", "switch.ingress_buffer=8KiB,16KiB"));
    EXPECT_EQ(other.status, 0) << other.err;
    EXPECT_NE(contents(where / "out/points/0003/seed_1/effective.ini").find("ingress_buffer = 512KiB"),
              std::string::npos);
}

TEST(relative_goals, a_reference_that_is_tried_too_runs_once_and_each_value_has_its_own) {
    const scratch_directory where;
    where.write("config.ini", config);
    const outcome o = run_program(
        where,
        combined(
            relative("mean fct <= 2 x of switch.ingress_buffer=16384B", "switch.ingress_buffer=8KiB,16KiB"),
            {"--goal", "p50 fct <= 2 x of switch.ingress_buffer=256KiB", "--each", "traffic.rate=6000,12000"}));
    EXPECT_EQ(o.status, 0) << o.err;
    const json answer = json_in(where / "out/answer.json");
    std::vector<std::pair<int, std::string>> found;
    for (const json& each : answer["references"]) {
        found.emplace_back(each["point"], each["options"]["traffic.rate"]);
    }
    // Points 2 and 4 are tried with 16 KiB; the other reference is no tried point.
    EXPECT_EQ(found,
              (std::vector<std::pair<int, std::string>>{{2, "6000"}, {4, "12000"}, {7, "6000"}, {8, "12000"}}));
    EXPECT_FALSE(fs::exists(where / "out/points/0005"));
    EXPECT_NE(contents(where / "out/points/0007/seed_1/effective.ini").find("rate = 6000"), std::string::npos);
    EXPECT_NE(contents(where / "out/runs.csv").find(",16KiB,16384,1,0,0,0,1,,"), std::string::npos)
        << "the ratio to itself";
}

TEST(relative_goals, a_reference_without_a_ratio_ends_the_search_and_a_closed_loop_is_refused) {
    const scratch_directory where;
    where.write("config.ini", config);
    const std::string axis = "switch.ingress_buffer=16KiB,32KiB";
    for (const auto& [goal, said] :
         {std::pair("drops <= 2 x of switch.ingress_buffer=64KiB",
                    "has no ratio to the run of switch.ingress_buffer=64KiB, where the metric is not above 0"),
          std::pair("mean fct <= 2 x of switch.ingress_buffer=4608B",
                    "has no ratio to the run of switch.ingress_buffer=4608B, which ended: ")}) {
        const outcome o = run_program(where, relative(goal, axis));
        EXPECT_EQ(o.status, 1) << o.out;
        EXPECT_NE(o.err.find("point 0001: switch.ingress_buffer=16KiB, seed "), std::string::npos) << o.err;
        EXPECT_NE(o.err.find(said), std::string::npos) << o.err;
        fs::remove_all(where / "out");
    }
    const arguments open = relative("mean fct <= 2 x of switch.ingress_buffer=64KiB", axis);
    expect_bad_input(where, combined(open, {"--traffic.kind=incast"}),
                     {"do not see the same traffic", "traffic.kind = incast: each round starts"});
    expect_bad_input(where, combined(open, {"--traffic.background_flows=1"}),
                     {"traffic.background_flows = 1: "});
    const std::string twice =
        run_program(where, relative("bogus.name <= 1.1 x of switch.ingress_buffer=1MiB", axis)).err;
    EXPECT_EQ(twice.find("is about"), twice.rfind("is about")) << "one error for a goal: " << twice;
    expect_bad_input(where, relative("mean fct <= 2 x of switch.ingress_buffer=1KiB", axis),
                     {"reference point switch.ingress_buffer=1KiB: ", "pfc.xoff: "});
    EXPECT_FALSE(fs::exists(where / "out"));
}

TEST(relative_goals, a_reference_point_replaces_options_of_the_command_line) {
    const scratch_directory where;
    where.write("config.ini", config);
    const outcome o = run_program(where, combined(relative("mean fct <= 9 x of switch.ingress_buffer=1MiB",
                                                           "switch.egress_buffer=16KiB,32KiB"),
                                                  {"--switch.ingress_buffer=64KiB"}));
    EXPECT_EQ(o.status, 0) << o.err;
    for (const auto& [point, size] : {std::pair("0001", "64KiB"), std::pair("0003", "1MiB")}) {
        const std::string effective =
            contents(where / "out/points" / std::string(point) / "seed_1/effective.ini");
        EXPECT_NE(effective.find(std::string("\ningress_buffer = ") + size), std::string::npos) << effective;
    }
}

TEST(relative_goals, a_reference_point_with_other_traffic_is_refused) {
    const scratch_directory where;
    where.write("config.ini", config);
    for (const std::string reference :
         {"traffic.rate=6000", "fabric.hosts=8", "run.warmup=10us", "run.duration=2ms"}) {
        expect_bad_input(where,
                         relative("mean fct <= 2 x of " + reference, "switch.ingress_buffer=16KiB,32KiB"),
                         {"compares runs with different traffic: ", " at the reference point, and ",
                          " at point 0001: switch.ingress_buffer=16KiB"});
    }
    // Every difference is named, each by its key on both sides.
    expect_bad_input(
        where,
        relative("mean fct <= 2 x of traffic.rate=100,run.duration=10ms", "switch.ingress_buffer=16KiB,32KiB"),
        {"different traffic: run.duration = 10ms, traffic.rate = 100 at the reference point, and "
         "run.duration = 0ps, traffic.rate = 12000 at point 0001"});
    expect_bad_input(
        where,
        relative("mean fct <= 2 x of traffic.kind=poisson,traffic.flow_bytes=8KB",
                 "switch.ingress_buffer=16KiB,32KiB"),
        {"rate of the links that traffic.load is a share of = 4.000 Gb/s", "traffic.kind = poisson",
         "traffic.kind = query", "rate of the links that traffic.load is a share of = none"});
    // The load is a share of the links' rate; a rate of requests is not.
    const arguments faster = combined(
        relative("mean fct <= 9 x of link.rate=25Gbps", "switch.ingress_buffer=16KiB,32KiB"), {"--dry-run"});
    EXPECT_EQ(run_program(where, faster).status, 0);
    expect_bad_input(where, combined(faster, {"--traffic.kind=poisson", "--traffic.flow_bytes=8KB"}),
                     {"rate of the links that traffic.load is a share of = "});
    expect_bad_input(where, relative("mean fct <= 2 x of traffic.rate=6000", "traffic.rate=6000,12000"),
                     {" at point 0002: traffic.rate=12000"});
    EXPECT_FALSE(fs::exists(where / "out"));
}

TEST(relative_goals, points_with_an_impossible_reference_are_not_possible_and_the_others_are_searched) {
    const scratch_directory where;
    where.write("config.ini", config);
    const outcome o = run_program(where, combined(relative("mean fct <= 9 x of switch.ingress_buffer=16KiB",
                                                           "switch.egress_buffer=16KiB,32KiB"),
                                                  {"--switch.ingress_buffer=128KiB", "--each",
                                                   "pfc.xoff=4KB,64KB", "--goal", "drops = 0 in 10% of runs"}));
    EXPECT_EQ(o.status, 1) << o.err;
    const json answer = json_in(where / "out/answer.json");
    EXPECT_EQ(answer["answers"][0]["verdict"], "met");
    EXPECT_EQ(answer["answers"][1]["verdict"], "not possible");
    EXPECT_NE(o.out.find("not possible: reference point switch.ingress_buffer=16KiB: "), std::string::npos)
        << o.out;
    EXPECT_FALSE(fs::exists(where / "out/points/0003"));
}

TEST(relative_goals, tables_and_reports_mark_the_reference_point_and_count_tested_values_only) {
    const scratch_directory where;
    where.write("config.ini", config);
    EXPECT_LE(run_program(where, relative("mean fct <= 9 x of switch.ingress_buffer=1MiB",
                                          "switch.ingress_buffer=8KiB,16KiB"))
                  .status,
              1);
    const std::string table = run_program(where, {"table", "out", "--format=csv"}).out;
    EXPECT_NE(table.find("point,role,switch.ingress_buffer,"), std::string::npos) << table;
    EXPECT_NE(table.find("0001,tested,8KiB,"), std::string::npos) << table;
    EXPECT_NE(table.find("0003,reference,1MiB,"), std::string::npos) << table;
    const json page = report_of(where, "out");
    const json rows = table_in(page, "opening")["rows"];
    EXPECT_EQ(rows[1], (json{"Points", "2 and 1 reference point"}));
    EXPECT_EQ(rows[3], (json{"Varied", "switch.ingress_buffer: 8KiB, 16KiB"}));
    std::uint64_t completed = 0;
    for (const char* const point : {"0001", "0002"}) {
        for (const auto& run : fs::directory_iterator(where / "out/points" / point)) {
            completed += json_in(run.path() / "summary.json")["flows"]["completed"].get<std::uint64_t>();
        }
    }
    std::string text = rows[4][1].get<std::string>();
    text.erase(std::remove(text.begin(), text.end(), ','), text.end());
    EXPECT_EQ(std::stoull(text), completed);
}

}  // namespace
