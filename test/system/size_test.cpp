// weir size through the program: its answers against runs of every value, its files, how it goes on.
#include <gtest/gtest.h>

#include "sweep_rig.h"

using namespace weir::test;
using nlohmann::json;

namespace {

// Below 6 KiB some seed loses a frame of a lossless class; below 4 KB the configuration is refused.
const std::string config =
    "[run]\nduration = 1ms\n[fabric]\nhosts = 4\n[switch]\nscheme = detail\negress_buffer = 16KiB\n"
    "balance_thresholds = 4KiB\n[pfc]\nxoff = 4KB\nxon = 2KB\nreserve = 0B\n"
    "[traffic]\nkind = query\nrate = 12000\nsizes = 8KB\n";
const arguments lossless{"size",         "config.ini",
                         "--goal",       "lossless in 70% of runs",
                         "--smallest",   "switch.ingress_buffer=2KiB..10KiB:1KiB",
                         "--curve-runs", "3"};

/// Whether `weir run` loses a frame of a lossless class; -1: it refuses the configuration.
int loses(const scratch_directory& where, const std::string& buffer, std::size_t seed) {
    const outcome o = run_program(where, {"run", "config.ini", "--switch.ingress_buffer=" + buffer,
                                          "--run.seed=" + std::to_string(seed), "--out", "single"});
    return o.status == 2 ? -1 : o.status == 0 ? 0 : 1;
}

void expect_bad_input(const scratch_directory& where, const arguments& command,
                      const std::vector<std::string>& said) {
    const outcome o = run_program(where, command);
    EXPECT_EQ(o.status, 2) << o.err;
    for (const std::string& part : said) {
        EXPECT_NE(o.err.find(part), std::string::npos) << part << "\n" << o.err;
    }
}

TEST(size, finds_what_single_runs_of_every_value_say) {
    const scratch_directory where;
    where.write("config.ini", config);
    const outcome o = run_program(where, joined(lossless, {"--out", "out"}));
    ASSERT_EQ(o.status, 0) << o.err;
    const json answer = json_in(where / "out/answer.json");
    const json& found = answer["answers"][0];
    EXPECT_EQ(answer["verdict"], "met");
    EXPECT_EQ(found["monotone"], true);
    EXPECT_EQ(found["sharp"], true);
    const auto place = found["answer"]["options"]["switch.ingress_buffer"].get<std::string>();
    // 9 values, 95 %: 0.7^n <= 0.05 / 9 takes 15 runs.
    EXPECT_EQ(found["answer"]["runs"], 15);
    for (std::size_t seed = 1; seed <= 15; ++seed) {
        EXPECT_EQ(loses(where, place, seed), 0);
    }
    const json& before = found["next_not_met"];
    const auto runs = before["runs"].get<std::size_t>();
    const auto refuted = before["options"]["switch.ingress_buffer"].get<std::string>();
    for (std::size_t seed = 1; seed <= runs; ++seed) {
        EXPECT_EQ(loses(where, refuted, seed), seed == runs ? 1 : 0) << refuted << ", seed " << seed;
    }
    EXPECT_EQ(loses(where, "2KiB", 1), -1);
    const std::string curve = contents(where / "out/curve.csv");
    EXPECT_NE(curve.find("\n1,2KiB,2048,not possible,0,0,"), std::string::npos) << curve;
    EXPECT_NE(curve.find("lost a frame of lossless class"), std::string::npos) << curve;
    EXPECT_NE(o.out.find("smallest switch.ingress_buffer: " + place + ", met (15 runs)"), std::string::npos)
        << o.out;
    EXPECT_NE(o.out.find("not possible: "), std::string::npos) << o.out;
    EXPECT_EQ(contents(where / "out/plots/curve.png").substr(1, 3), "PNG");
}

TEST(size, number_of_processes_and_kills_do_not_change_a_byte) {
    const scratch_directory where;
    where.write("config.ini", config);
    const outcome one = run_program(where, joined(lossless, {"--out", "one", "--jobs", "1"}));
    const outcome five = run_program(where, joined(lossless, {"--out", "five", "--jobs", "5"}));
    EXPECT_EQ(one.status, 0) << one.err;
    expect_same_sweeps(where / "one", where / "five");
    for (const std::size_t runs : {2, 9, 25}) {
        const process running(where, joined(lossless, {"--out", "killed"}));
        ASSERT_TRUE(wait_until([&] { return ended_runs(where / "killed").size() >= runs; }));
        running.send(SIGKILL);
        running.wait();
        ASSERT_TRUE(wait_until([&] { return is_free(where / "killed"); }));
    }
    const auto before = ended_runs(where / "killed");
    const outcome last = run_program(where, joined(lossless, {"--out", "killed"}));
    EXPECT_EQ(last.status, 0) << last.err;
    expect_same_sweeps(where / "one", where / "killed");
    const auto after = ended_runs(where / "killed");
    for (const auto& [name, facts] : after) {
        if (before.count(name) != 0) {
            EXPECT_EQ(before.at(name), facts) << name << " ran again";
        }
    }
    // Once more: nothing runs, and the same is said.
    const outcome again = run_program(where, joined(lossless, {"--out", "killed"}));
    EXPECT_EQ(ended_runs(where / "killed"), after);
    EXPECT_EQ(again.out, last.out);
}

TEST(size, other_goals_use_the_runs_that_are_there_and_other_places_are_refused) {
    const scratch_directory where;
    where.write("config.ini", config);
    ASSERT_EQ(run_program(where, joined(lossless, {"--out", "out"})).status, 0);
    const auto before = ended_runs(where / "out");
    const outcome o =
        run_program(where, {"size", "config.ini", "--goal", "lossless in 50% of runs", "--curve-runs", "3",
                            "--smallest", "switch.ingress_buffer=2KiB..10KiB:1KiB", "--out", "out"});
    EXPECT_EQ(o.status, 0) << o.err;
    for (const auto& [name, facts] : ended_runs(where / "out")) {
        EXPECT_EQ(before.count(name) != 0 ? before.at(name) : "", facts) << name << " ran again";
    }
    expect_bad_input(where,
                     {"size", "config.ini", "--goal", "lossless", "--smallest",
                      "switch.ingress_buffer=4KiB..10KiB:1KiB", "--out", "out"},
                     {"out/search.json: --smallest: the search there has"});
    expect_bad_input(where, joined(lossless, {"--link.rate=2Gbps", "--out", "out"}),
                     {"out/search.json: link.rate: the search there has '1Gbps', this command '2Gbps'"});
    expect_bad_input(where, {"sweep", "config.ini", "--seeds", "1", "--out", "out"}, {"holds 'answer.json'"});
}

TEST(size, says_not_met_and_not_decided_with_status_1) {
    const scratch_directory where;
    where.write("config.ini", config);
    const outcome never = run_program(where, {"size", "config.ini", "--goal", "p50 fct <= 1us", "--largest",
                                              "switch.ingress_buffer=8KiB,16KiB,32KiB", "--out", "never"});
    EXPECT_EQ(never.status, 1);
    EXPECT_EQ(json_in(where / "never/answer.json")["verdict"], "not met");
    EXPECT_NE(never.out.find("largest switch.ingress_buffer: not met"), std::string::npos) << never.out;
    const outcome open =
        run_program(where, {"size", "config.ini", "--goal", "lossless", "--max-runs", "5", "--curve-runs", "5",
                            "--smallest", "switch.ingress_buffer=8KiB,16KiB,32KiB", "--out", "open"});
    EXPECT_EQ(open.status, 1);
    EXPECT_EQ(json_in(where / "open/answer.json")["verdict"], "not decided");
    EXPECT_NE(open.out.find("not decided with 5 runs"), std::string::npos) << open.out;
}

TEST(size, two_options_have_a_front_and_each_value_an_answer) {
    const scratch_directory where;
    where.write("config.ini", config);
    const outcome front = run_program(where, {"size", "config.ini", "--goal", "lossless in 50% of runs",
                                              "--smallest", "switch.ingress_buffer=5KiB..10KiB:1KiB",
                                              "--largest", "pfc.xoff=3KB,4KB,5KB", "--out", "front"});
    EXPECT_EQ(front.status, 0) << front.err;
    const json answer = json_in(where / "front/answer.json");
    ASSERT_EQ(answer["answers"].size(), 3U);
    EXPECT_NE(front.out.find("Pareto front: pfc.xoff="), std::string::npos) << front.out;
    // A larger threshold needs a larger memory: no answer makes another one worse than it in both.
    std::size_t best = 0;
    for (const json& line : answer["answers"]) {
        best += line["best"] == true ? 1 : 0;
    }
    EXPECT_GE(best, 1U);
    const outcome each = run_program(where, {"size", "config.ini", "--goal", "lossless in 50% of runs",
                                             "--each", "switch.balance=flow_hash,adaptive", "--smallest",
                                             "switch.ingress_buffer=5KiB..10KiB:1KiB", "--out", "each"});
    EXPECT_EQ(each.status, 0) << each.err;
    EXPECT_NE(each.out.find("best: switch.balance=flow_hash with switch.ingress_buffer="), std::string::npos)
        << each.out;
}

TEST(size, a_failure_that_is_no_loss_ends_the_search) {
    const scratch_directory where;
    where.write("config.ini", config);
    // Traffic that never ends, since a link stays cut.
    const outcome o = run_program(
        where, {"size", "config.ini", "--run.duration=0s", "--traffic.stop=1ms", "--fabric.link=h1-tor0 down",
                "--goal", "lossless", "--smallest", "switch.ingress_buffer=16KiB,32KiB", "--out", "out"});
    EXPECT_EQ(o.status, 1);
    EXPECT_NE(o.err.find("failed: weir run: the traffic does not end"), std::string::npos) << o.err;
    EXPECT_FALSE(std::filesystem::exists(where / "out/answer.json"));
}

TEST(size, bad_input_is_named_and_nothing_is_written) {
    const scratch_directory where;
    where.write("config.ini", config);
    const arguments place{"--smallest", "switch.ingress_buffer=8KiB,16KiB", "--out", "out"};
    const auto with = [&](const arguments& more) {
        return joined(joined({"size", "config.ini"}, place), more);
    };
    expect_bad_input(where, with({}), {"--goal: is missing"});
    expect_bad_input(where, with({"--goal", "p98 fct <= 1ms"}),
                     {"--goal: 'p98 fct <= 1ms' is no goal; allowed:"});
    expect_bad_input(where, with({"--goal", "p99 fct <= 1"}), {"--goal: ", "'1' has no unit"});
    expect_bad_input(where, with({"--goal", "lossless", "--max-runs", "0"}), {"--max-runs: '0'"});
    expect_bad_input(where, with({"--goal", "lossless", "--confidence", "100%"}), {"--confidence: '100%'"});
    expect_bad_input(where, with({"--goal", "lossless", "--switch.ingress_buffer=8KiB"}),
                     {"--switch.ingress_buffer: is searched for, too"});
    expect_bad_input(where, {"size", "config.ini", "--goal", "lossless", "--out", "out"},
                     {"--smallest: is missing"});
    expect_bad_input(where,
                     {"size", "config.ini", "--goal", "lossless", "--smallest",
                      "switch.balance=flow_hash,adaptive", "--out", "out"},
                     {"--smallest switch.balance: 'flow_hash' is no quantity; allowed: quantities, or --each"});
    expect_bad_input(where,
                     {"size", "config.ini", "--goal", "lossless", "--smallest",
                      "switch.ingress_buffer=16KiB,8KiB", "--out", "out"},
                     {"--smallest switch.ingress_buffer: '8KiB' is not above the value before it"});
    expect_bad_input(where,
                     {"size", "config.ini", "--goal", "lossless", "--smallest",
                      "switch.ingress_buffer=1KiB,2KiB", "--out", "out"},
                     {"pfc.xoff: "});
    EXPECT_FALSE(std::filesystem::exists(where / "out"));
}

}  // namespace
