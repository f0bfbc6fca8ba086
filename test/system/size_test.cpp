// weir size through the program: its answers against runs of every value, its files, how it goes on.
#include <gtest/gtest.h>

#include <regex>

#include "support/errors_said.h"
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
                         "--goal",       "lossless proven in 70% of runs",
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
        EXPECT_TRUE(has_error(o.err, part));
    }
}

TEST(size, finds_what_single_runs_of_every_value_say) {
    const scratch_directory where;
    where.write("config.ini", config);
    const outcome o = run_program(where, combined(lossless, {"--out", "out"}));
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
    EXPECT_NE(curve.find("\n1,2KiB,2048,not possible,,0,0,0,"), std::string::npos) << curve;
    EXPECT_NE(curve.find("lost a frame of lossless class"), std::string::npos) << curve;
    const std::string made = contents(where / "out/runs.csv");
    EXPECT_EQ(made.substr(0, made.find('\n')),
              "point,switch.ingress_buffer,switch.ingress_buffer_bytes,seed,lossless_loss,deadlock,"
              "unfinished_transfers,goal_1,goal_1_bound,message");
    EXPECT_NE(o.out.find("smallest switch.ingress_buffer: " + place + ", met (15 runs)"), std::string::npos)
        << o.out;
    EXPECT_NE(o.out.find("not possible: "), std::string::npos) << o.out;
    EXPECT_EQ(contents(where / "out/plots/curve.png").substr(1, 3), "PNG");
    // A report has the same answer, the same table and the same picture.
    const json page = report_of(where, "out");
    EXPECT_NE(o.out.find("\n" + page["verdicts"][0]["text"].get<std::string>() + "\n"), std::string::npos)
        << page["verdicts"] << o.out;
    EXPECT_EQ(page["verdicts"][0]["is_fault"], false);
    EXPECT_EQ(table_in(page, "opening")["rows"][0], (json{"Verdict", "met"}));
    const json tested = table_in(page, "tested");
    const std::string printed = single_blanks(o.out);
    for (const json& row : tested["rows"]) {
        std::string line;
        for (const json& cell : row) {
            line += (line.empty() ? "" : " ") + cell.get<std::string>();
        }
        EXPECT_NE(printed.find(single_blanks(line)), std::string::npos) << line;
    }
    EXPECT_GE(tested["rows"].size(), 5U);
    EXPECT_EQ(page["pictures"][0]["svg"], contents(where / "out/plots/curve.svg"));
    json damaged = json_in(where / "out/answer.json");
    damaged["text"] = {7};
    where.write("out/answer.json", damaged.dump());
    expect_bad_input(where, {"report", "out", "--out", "r.html"},
                     {"out/answer.json: text[0]: is 7; expected text"});
    EXPECT_FALSE(fs::exists(where / "r.html"));
    // One that was stopped has no answer yet.
    fs::remove(where / "out/answer.json");
    const json stopped = report_of(where, "out");
    EXPECT_TRUE(stopped["verdicts"].empty());
    EXPECT_NE(table_in(stopped, "opening")["rows"][0][1].get<std::string>().find("not ended"),
              std::string::npos);
}

TEST(size, number_of_processes_and_kills_do_not_change_a_byte) {
    const scratch_directory where;
    where.write("config.ini", config);
    const outcome one = run_program(where, combined(lossless, {"--out", "one", "--jobs", "1"}));
    const outcome five = run_program(where, combined(lossless, {"--out", "five", "--jobs", "5"}));
    EXPECT_EQ(one.status, 0) << one.err;
    expect_same_sweeps(where / "one", where / "five");
    for (const std::size_t runs : {2, 9, 25}) {
        const process running(where, combined(lossless, {"--out", "killed"}));
        ASSERT_TRUE(wait_until([&] { return ended_runs(where / "killed").size() >= runs; }));
        running.send(SIGKILL);
        running.wait();
        ASSERT_TRUE(wait_until([&] { return is_free(where / "killed"); }));
    }
    const auto before = ended_runs(where / "killed");
    const outcome last = run_program(where, combined(lossless, {"--out", "killed"}));
    EXPECT_EQ(last.status, 0) << last.err;
    expect_same_sweeps(where / "one", where / "killed");
    const auto after = ended_runs(where / "killed");
    for (const auto& [name, facts] : after) {
        if (before.count(name) != 0) {
            EXPECT_EQ(before.at(name), facts) << name << " ran again";
        }
    }
    // Once more: nothing runs, and the same is said.
    const outcome again = run_program(where, combined(lossless, {"--out", "killed"}));
    EXPECT_EQ(ended_runs(where / "killed"), after);
    EXPECT_EQ(again.out, last.out);
}

TEST(size, other_goals_use_the_runs_that_are_there_and_other_places_are_refused) {
    const scratch_directory where;
    where.write("config.ini", config);
    ASSERT_EQ(run_program(where, combined(lossless, {"--out", "out"})).status, 0);
    const auto before = ended_runs(where / "out");
    const outcome o =
        run_program(where, {"size", "config.ini", "--goal", "lossless proven in 50% of runs", "--curve-runs",
                            "3", "--smallest", "switch.ingress_buffer=2KiB..10KiB:1KiB", "--out", "out"});
    EXPECT_EQ(o.status, 0) << o.err;
    for (const auto& [name, facts] : ended_runs(where / "out")) {
        EXPECT_EQ(before.count(name) != 0 ? before.at(name) : "", facts) << name << " ran again";
    }
    expect_bad_input(where,
                     {"size", "config.ini", "--goal", "lossless", "--smallest",
                      "switch.ingress_buffer=4KiB..10KiB:1KiB", "--out", "out"},
                     {"out/search.json: --smallest: the search in this directory has"});
    expect_bad_input(
        where, combined(lossless, {"--link.rate=2Gbps", "--out", "out"}),
        {"out/search.json: link.rate: the search in this directory has '1Gbps', but this command has '2Gbps'"});
    expect_bad_input(where, {"sweep", "config.ini", "--seeds", "1", "--out", "out"}, {"answer.json"});
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
    EXPECT_NE(open.out.find("not decided after 5 runs"), std::string::npos) << open.out;
    EXPECT_EQ(open.out.find("has a value"), std::string::npos) << "lossless has none: " << open.out;
    where.write("short.ini",
                "[run]\nduration = 1us\n[fabric]\nhosts = 4\n[traffic]\nkind = query\nrate = 4000\n");
    const outcome nothing = run_program(
        where, {"size", "short.ini", "--goal", "mean jct <= 1ms", "--goal", "pfc.paused_percent.host <= 1",
                "--max-runs", "8", "--smallest", "switch.egress_buffer=16KiB,32KiB", "--out", "nothing"});
    EXPECT_EQ(nothing.status, 1) << nothing.err;
    for (const char* const goal : {"jct_ns.mean <= 1ms", "pfc.paused_percent.host <= 1"}) {
        EXPECT_NE(nothing.out.find("no run at any point has a value for '" + std::string(goal) + "'\n"),
                  std::string::npos)
            << nothing.out;
    }
}

TEST(size, two_options_have_a_front_and_each_value_an_answer) {
    const scratch_directory where;
    where.write("config.ini", config);
    const outcome front = run_program(where, {"size", "config.ini", "--goal", "lossless proven in 50% of runs",
                                              "--smallest", "switch.ingress_buffer=5KiB..10KiB:1KiB",
                                              "--largest", "pfc.xoff=3KB,4KB,5KB", "--out", "front"});
    EXPECT_EQ(front.status, 0) << front.err;
    const json answer = json_in(where / "front/answer.json");
    ASSERT_EQ(answer["answers"].size(), 3U);
    EXPECT_NE(front.out.find("Pareto front: pfc.xoff="), std::string::npos) << front.out;
    // On the front is what no other answer beats: less memory and no smaller threshold, or a larger threshold
    // and no more memory.
    const auto number = [](const json& line, const char* key) {
        return std::stoi(line["answer"]["options"][key].get<std::string>());
    };
    std::size_t best = 0;
    for (const json& line : answer["answers"]) {
        const int memory = number(line, "switch.ingress_buffer");
        const int xoff = number(line, "pfc.xoff");
        bool beaten = false;
        for (const json& other : answer["answers"]) {
            const int its_memory = number(other, "switch.ingress_buffer");
            const int its_xoff = number(other, "pfc.xoff");
            beaten = beaten ||
                     (its_memory <= memory && its_xoff >= xoff && (its_memory < memory || its_xoff > xoff));
        }
        EXPECT_EQ(line["best"], !beaten) << line;
        best += beaten ? 0 : 1;
    }
    // In the picture the front has steps: what lies between two of its places is promised by none.
    const std::string picture = contents(where / "front/plots/curve.dat");
    for (const char* block : {"\n6 3\n8 3\n8 5\n\n\n", "\n6 3\n8 5\n\n\n"}) {
        EXPECT_NE(picture.find(block), std::string::npos) << block << picture;
    }
    EXPECT_NE(contents(where / "front/plots/curve.gp").find("title 'Pareto front'"), std::string::npos);
    EXPECT_EQ(best, 2U) << "one of three is to be beaten, or the test shows nothing";
    const outcome each =
        run_program(where, {"size", "config.ini", "--goal", "lossless proven in 50% of runs", "--each",
                            "switch.balance=flow_hash,adaptive", "--smallest",
                            "switch.ingress_buffer=3KiB..10KiB:1KiB", "--curve", "0", "--out", "each"});
    EXPECT_EQ(each.status, 0) << each.err;
    // The picture has the places that were looked at, and those that are not possible.
    const std::string places = contents(where / "each/plots/curve.dat");
    for (const char* place : {"4 0", "7 0", "8 0", "10 0", "4 1", "7 1", "8 1", "10 1"}) {
        EXPECT_NE(places.find("\n" + std::string(place) + "\n"), std::string::npos) << place << places;
    }
    EXPECT_NE(places.find("# switch.balance: not possible\n# x_KiB y\n3 0\n3 1\n\n\n"), std::string::npos)
        << places;
    EXPECT_NE(each.out.find("best: switch.balance=flow_hash with switch.ingress_buffer="), std::string::npos)
        << each.out;
}

TEST(size, each_value_has_to_meet_the_goals) {
    const scratch_directory where;
    where.write("config.ini", config);
    const outcome o = run_program(
        where, {"size", "config.ini", "--goal", "flows.started >= 40", "--goal", "lossless in 30% of runs",
                "--each", "traffic.rate=1000,12000,15000", "--out", "out"});
    EXPECT_EQ(o.status, 1) << o.err;
    const json answer = json_in(where / "out/answer.json");
    EXPECT_EQ(answer["verdict"], "not met");
    EXPECT_EQ(answer["answers_met"], 2);
    EXPECT_NE(o.out.find("traffic.rate=1000: not met\n"), std::string::npos) << o.out;
    const std::regex verdicts(
        "flows.started >= 40 in 50% of runs +misses +value .*lossless in 30% of runs +misses "
        "[^$]*\n1000 +not met +[0-9]+ .* not met +[1-9][0-9]* ");
    EXPECT_TRUE(std::regex_search(o.out, verdicts)) << o.out;
    EXPECT_NE(o.out.find("traffic.rate=12000: met ("), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("2 of 3 met\n"), std::string::npos) << o.out;
    EXPECT_NE(contents(where / "out/plots/curve.gp").find("2 of 3 met"), std::string::npos);
    // Nobody chooses the traffic: what counts is what all of it needs.
    const outcome need = run_program(
        where, {"size", "config.ini", "--goal", "lossless proven in 50% of runs", "--each",
                "traffic.rate=1000,12000", "--smallest", "switch.ingress_buffer=5KiB,10KiB", "--out", "need"});
    EXPECT_EQ(need.status, 0) << need.err;
    EXPECT_NE(need.out.find(
                  "for all of them: switch.ingress_buffer=10KiB (needed by traffic.rate=12000)\n2 of 2 met\n"),
              std::string::npos)
        << need.out;
    EXPECT_EQ(need.out.find("best: "), std::string::npos) << need.out;
    const std::string curve = contents(where / "need/curve.csv");
    EXPECT_NE(curve.find(",met,smallest,"), std::string::npos) << curve;
    // A value that is refused has no answer either.
    const outcome refused = run_program(where, {"size", "config.ini", "--goal", "lossless in 10% of runs",
                                                "--each", "pfc.mode=none,pfc", "--out", "refused"});
    EXPECT_EQ(refused.status, 1) << refused.err;
    EXPECT_NE(refused.out.find("pfc.mode=none: not possible\n"), std::string::npos) << refused.out;
    EXPECT_NE(refused.out.find("1 of 2 met\n"), std::string::npos) << refused.out;
}

TEST(size, a_goal_about_a_member_that_no_run_has_is_not_decided) {
    const scratch_directory where;
    where.write("config.ini", config);
    for (const auto& [goal, said] :
         {std::pair("p99 fct of query.8192.7 <= 1ms", "did you mean groups.query.8000.7.fct_ns.p99?"),
          std::pair("tags.qurey.fct_ns.p99 <= 1ms", "did you mean tags.query.fct_ns.p99?"),
          std::pair("x_ns <= 1ms", "'sizes.7.fct_ns.p99'; the sizes are ")}) {
        const outcome o = run_program(
            where, {"size", "config.ini", "--goal", goal, "--metric", "x_ns = sizes.7.fct_ns.p99 - 1ns",
                    "--smallest", "switch.ingress_buffer=16KiB,32KiB", "--max-runs", "8", "--out", "out"});
        EXPECT_EQ(o.status, 1) << "runs were made and written: " << o.out;
        EXPECT_NE(o.err.find("no run has "), std::string::npos) << o.err;
        EXPECT_NE(o.err.find(said), std::string::npos) << o.err;
        EXPECT_EQ(o.out.find("not met"), std::string::npos) << o.out;
    }
    const outcome there = run_program(where, {"size", "config.ini", "--run.duration=0ps", "--traffic.stop=1ms",
                                              "--goal", "p99 fct of query.8000.7 <= 100ms", "--smallest",
                                              "switch.ingress_buffer=16KiB,32KiB", "--out", "there"});
    EXPECT_EQ(there.status, 0) << there.err;
    EXPECT_EQ(there.out.find("no run at any point"), std::string::npos) << there.out;
    const std::regex note(
        "note: (\\d+) of \\1 runs have fewer than 100 values of groups.query.8000.7.fct_ns, so their "
        "groups.query.8000.7.fct_ns.p99 is the maximum, an upper bound of the percentile, and "
        "'groups.query.8000.7.fct_ns.p99 <= 100ms' was judged by it\n");
    EXPECT_TRUE(std::regex_search(there.out, note)) << there.out;
}

TEST(size, a_goal_that_unfinished_transfers_hide_is_never_met_and_a_warning_says_so) {
    const scratch_directory where;
    where.write("config.ini", config);
    const auto sized = [&](const char* goal) {
        return run_program(where, {"size", "config.ini", "--goal", goal, "--smallest",
                                   "switch.ingress_buffer=32KiB,64KiB", "--max-runs", "8", "--out", "out"});
    };
    const outcome hidden = sized("p99.9 jct <= 100ms");
    EXPECT_EQ(hidden.status, 1) << hidden.out;
    const json answer = json_in(where / "out/answer.json");
    EXPECT_EQ(answer["verdict"], "not decided");
    EXPECT_TRUE(std::regex_search(hidden.out, std::regex(" 6 +[0-9.]+ us +at least"))) << hidden.out;
    std::smatch said;
    const std::regex all_points("16 runs ended with ([0-9,]+) unfinished transfers, summed over all points");
    ASSERT_TRUE(std::regex_search(hidden.out, said, all_points)) << hidden.out;
    std::smatch rows;
    const std::regex of_points("32KiB +not decided +8 +([0-9,]+) [^$]*64KiB +not decided +8 +([0-9,]+) ");
    ASSERT_TRUE(std::regex_search(hidden.out, rows, of_points)) << hidden.out;
    const auto number = [](std::string text) {
        text.erase(std::remove(text.begin(), text.end(), ','), text.end());
        return std::stoull(text);
    };
    EXPECT_EQ(number(said[1]), number(rows[1]) + number(rows[2])) << hidden.out;
    EXPECT_NE(contents(where / "out/runs.csv").find(",at least,"), std::string::npos);
    EXPECT_NE(contents(where / "out/plots/curve.gp").find("title 'at least'"), std::string::npos);
    EXPECT_NE(hidden.out.find("jct_ns.p99_9 is only a lower bound there"), std::string::npos) << hidden.out;
    fs::remove_all(where / "out");
    const outcome mean = sized("mean jct <= 100ms");
    EXPECT_NE(mean.out.find("jct_ns.mean is the mean of completed ones"), std::string::npos) << mean.out;
    EXPECT_NE(hidden.out.find("or a longer run.duration"), std::string::npos) << hidden.out;
    // A run in which all transfers complete has no such number, which stands for 0.
    const outcome none =
        run_program(where, {"size", "config.ini", "--run.duration=0s", "--traffic.stop=2ms", "--goal",
                            "flows.unfinished = 0 proven in 50% of runs", "--smallest",
                            "switch.ingress_buffer=32KiB,64KiB", "--out", "none"});
    EXPECT_EQ(none.status, 0) << none.err;
}

TEST(size, a_deadlock_is_a_miss_with_its_own_word) {
    const scratch_directory where;
    const std::string ring = WEIR_GOLDEN_DIR "/../../tb/experiments/deadlock/ring.ini";
    const outcome o = run_program(where, {"size", ring, "--goal", "lossless proven in 50% of runs",
                                          "--smallest", "switch.ingress_buffer=128KiB,16MiB", "--out", "out"});
    EXPECT_EQ(o.status, 0) << o.err;
    const json found = json_in(where / "out/answer.json")["answers"][0];
    EXPECT_EQ(found["answer"]["options"]["switch.ingress_buffer"], "16MiB");
    EXPECT_EQ(found["next_not_met"]["runs_with_deadlock"], 1);
    EXPECT_TRUE(std::regex_search(o.out, std::regex("128KiB +not met +1 +1 +1 "))) << o.out;
    EXPECT_NE(contents(where / "out/curve.csv").find("paused queues wait for each other in a cycle"),
              std::string::npos);
    // What is there is used again.
    const auto before = ended_runs(where / "out");
    const outcome again =
        run_program(where, {"size", ring, "--goal", "lossless proven in 50% of runs", "--smallest",
                            "switch.ingress_buffer=128KiB,16MiB", "--out", "out"});
    EXPECT_EQ(again.out, o.out);
    EXPECT_EQ(ended_runs(where / "out"), before);
}

TEST(size, another_failure_ends_the_search_and_is_that_of_the_first_place) {
    const scratch_directory where;
    where.write("config.ini", config);
    // Traffic that never ends, since a link stays cut.
    for (const std::string jobs : {"1", "3"}) {
        const outcome o = run_program(
            where, {"size", "config.ini", "--run.duration=0s", "--traffic.stop=1ms",
                    "--fabric.link=h1-tor0 down", "--goal", "lossless", "--smallest",
                    "switch.ingress_buffer=16KiB,32KiB,64KiB", "--out", "out" + jobs, "--jobs", jobs});
        EXPECT_EQ(o.status, 1);
        EXPECT_NE(
            o.err.find("point 0001: switch.ingress_buffer=16KiB, seed 1: failed: weir run: the traffic does "
                       "not end"),
            std::string::npos)
            << o.err;
        EXPECT_FALSE(std::filesystem::exists(where / ("out" + jobs) / "answer.json"));
    }
}

TEST(size, says_which_goals_can_not_be_met_with_so_many_runs) {
    const scratch_directory where;
    where.write("config.ini", config);
    // 0.9^n <= 0.05 / 3: 39 runs; one refutes.
    const outcome o = run_program(where, {"size", "config.ini", "--goal", "lossless", "--max-runs", "38",
                                          "--smallest", "switch.ingress_buffer=8KiB,16KiB,32KiB", "--dry-run"});
    EXPECT_EQ(o.status, 0);
    EXPECT_NE(o.out.find("is met after 39 runs at the earliest, and not met after 1 run; at most 38 runs"),
              std::string::npos)
        << o.out;
    EXPECT_NE(o.err.find("warning: --goal: 'lossless proven in 90% of runs' needs at least 39 runs, but "
                         "--max-runs is 38: no point can meet it"),
              std::string::npos)
        << o.err;
    const outcome enough =
        run_program(where, {"size", "config.ini", "--goal", "lossless", "--max-runs", "39", "--smallest",
                            "switch.ingress_buffer=8KiB,16KiB,32KiB", "--dry-run"});
    EXPECT_EQ(enough.err.find("no point can meet it"), std::string::npos) << enough.err;
}

TEST(size, goals_that_mean_nothing_at_any_place_are_refused) {
    const scratch_directory where;
    where.write("config.ini", config);
    expect_bad_input(where,
                     {"size", "config.ini", "--pfc.mode=none", "--goal", "lossless", "--smallest",
                      "switch.egress_buffer=16KiB,32KiB", "--out", "out"},
                     {"--goal: lossless, pfc.mode = none, pfc.mode = pause, pfc, drops = 0"});
    // Class 7 is used, 3 is lossless.
    expect_bad_input(where,
                     {"size", "config.ini", "--switch.buffer=shared", "--shared.lossless_classes=3", "--goal",
                      "lossless", "--smallest", "shared.memory=4MiB,8MiB", "--out", "out"},
                     {"no class in use is lossless (shared.lossless_classes, traffic.priorities)"});
    const outcome used =
        run_program(where, {"size", "config.ini", "--switch.buffer=shared", "--shared.lossless_classes=7",
                            "--goal", "lossless", "--smallest", "shared.memory=4MiB,8MiB", "--dry-run"});
    EXPECT_EQ(used.status, 0) << used.err;
    expect_bad_input(where,
                     {"size", "config.ini", "--goal", "paused tier7 <= 1ms", "--smallest",
                      "switch.ingress_buffer=16KiB,32KiB", "--out", "out"},
                     {"--goal: pfc.paused_ns.tier7 <= 1ms, tier7, host, tier1, total"});
    expect_bad_input(where,
                     {"size", "config.ini", "--goal", "buffers.headroom.watermark_percent <= 50", "--smallest",
                      "switch.ingress_buffer=16KiB,32KiB", "--out", "out"},
                     {"headroom, switch.buffer = partitioned, ingress, egress"});
    EXPECT_FALSE(std::filesystem::exists(where / "out"));
}

TEST(size, bad_input_is_named_and_nothing_is_written) {
    const scratch_directory where;
    where.write("config.ini", config);
    const arguments place{"--smallest", "switch.ingress_buffer=8KiB,16KiB", "--out", "out"};
    const auto with = [&](const arguments& more) {
        return combined(combined({"size", "config.ini"}, place), more);
    };
    expect_bad_input(where, with({}), {"--goal: missing"});
    expect_bad_input(where, with({"--goal", "p98 fct <= 1ms"}), {"--goal: p98 fct <= 1ms"});
    expect_bad_input(where, with({"--goal", "p99 fct <= 1"}), {"--goal: ", "1, unit"});
    expect_bad_input(where, with({"--goal", "lossless", "--max-runs", "0"}), {"--max-runs: '0'"});
    expect_bad_input(where, with({"--goal", "lossless", "--confidence", "100%"}), {"--confidence: '100%'"});
    expect_bad_input(where, with({"--goal", "lossless", "--switch.ingress_buffer=8KiB"}),
                     {"--switch.ingress_buffer: is also searched"});
    expect_bad_input(where, {"size", "config.ini", "--goal", "lossless", "--out", "out"},
                     {"--smallest: missing"});
    expect_bad_input(where,
                     {"size", "config.ini", "--goal", "lossless", "--smallest",
                      "switch.balance=flow_hash,adaptive", "--out", "out"},
                     {"--smallest switch.balance: flow_hash, quantities, --each"});
    expect_bad_input(where,
                     {"size", "config.ini", "--goal", "lossless", "--smallest",
                      "switch.ingress_buffer=16KiB,8KiB", "--out", "out"},
                     {"--smallest switch.ingress_buffer: 8KiB"});
    expect_bad_input(where,
                     {"size", "config.ini", "--goal", "lossless", "--smallest",
                      "switch.ingress_buffer=1KiB,2KiB", "--out", "out"},
                     {"pfc.xoff: "});
    // Each run has a seed of its own, so no check of a place sees that of the base.
    expect_bad_input(where, with({"--goal", "lossless", "--run.seed=x"}), {"run.seed: x, whole number"});
    expect_bad_input(where, with({"--goal", "lossless", "--each", "traffic.rate=1..5001:1"}),
                     {"points, at most 10000"});
    EXPECT_FALSE(std::filesystem::exists(where / "out"));
}

}  // namespace
