// Deadlocks: found, explained, gone when what causes them is mended, and never reported where there is none.
#include <gtest/gtest.h>

#include <iostream>
#include <optional>
#include <regex>

#include "program.h"
#include "support/fabric_rig.h"
#include "support/random_ring.h"
#include "weir/model/memory/shared_buffer.h"

using namespace weir;
using namespace weir::tb;
using namespace weir::test;

namespace {

std::string experiment(const std::string& name) {
    return WEIR_GOLDEN_DIR "/../../tb/experiments/deadlock/" + name + ".ini";
}

outcome run_experiment(const scratch_directory& where, const std::string& name, const arguments& more = {}) {
    return run_program(where, combined({"run", experiment(name), "--run.progress=off", "--out", "out"}, more));
}

void expect_in(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) {
        EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
    }
}

void expect_all_delivered(const scratch_directory& where, const outcome& run) {
    EXPECT_EQ(run.status, 0) << run.err;
    const nlohmann::json summary = summary_of(where / "out");
    EXPECT_EQ(summary["flows"]["started"], summary["flows"]["completed"]);
    EXPECT_GT(summary["pfc"]["xoff_sent"], 0) << "nothing was ever paused: the run shows nothing";
}

// --- the experiments --------------------------------------------------------------------------------------

TEST(deadlock, of_a_ring_of_three_is_found_and_explained) {
    const scratch_directory where;
    const outcome run = run_experiment(where, "ring");
    EXPECT_EQ(run.status, 1);
    // Ports of each switch: its two hosts, then the ring's links in the order of the file.
    expect_in(run.err,
              {"/weir/deadlock", "3 paused queues wait for each other in a cycle", "s0.tx2 class 0",
               "paused by s1.rx2", "s1.tx3 class 0", "paused by s2.rx2", "s2.tx3 class 0", "paused by s0.rx3",
               "of 131072 B are in use", "(h0 to h4, ", "(h2 to h0, ", "(h4 to h2, "});
    EXPECT_FALSE(fs::exists(where / "out" / "summary.json"));
    const nlohmann::json failure = nlohmann::json::parse(contents(where / "out" / "failure.json"));
    EXPECT_EQ(failure["status"], 1);
    EXPECT_EQ(failure["verdict"], "deadlock");
    EXPECT_NE(run.err.find(failure["error"].get<std::string>()), std::string::npos);
    EXPECT_EQ(failure["flows"], nlohmann::json::parse(R"({"started": 6, "completed": 0, "unfinished": 6})"));
}
TEST(deadlock, of_a_ring_is_gone_with_shortest_paths) {
    const scratch_directory where;
    expect_all_delivered(where, run_experiment(where, "ring_shortest"));
}
TEST(deadlock, of_a_ring_counts_a_queue_that_waits_for_it_from_outside) {
    const scratch_directory where;
    std::string ring = contents(WEIR_GOLDEN_DIR "/../../tb/experiments/deadlock/ring.topology");
    ring.erase(ring.rfind("end"));
    where.write("tail.topology", ring +
                                     "host h6\nswitch s3 tier=1\nlink h6 s3 rate=10Gbps latency=1us\n"
                                     "link s3 s0 rate=10Gbps latency=1us\nend\n");
    where.write("tail.csv",
                contents(WEIR_GOLDEN_DIR "/../../tb/experiments/deadlock/ring.csv") + "0,6,4,3000000,0\n");
    const outcome run =
        run_experiment(where, "ring", {"--fabric.file=tail.topology", "--traffic.file=tail.csv"});
    EXPECT_EQ(run.status, 1);
    expect_in(run.err,
              {"3 paused queues wait for each other in a cycle", "; 1 more waits for them\n", "6 (h6 to h4, "});
}
TEST(deadlock, of_a_ring_is_gone_with_memory_that_classes_do_not_share) {
    const scratch_directory where;
    expect_all_delivered(where, run_experiment(where, "ring_split"));
}
TEST(deadlock, of_a_ring_is_not_gone_with_classes_that_share_memory) {
    const scratch_directory where;
    const outcome run =
        run_experiment(where, "ring_split", {"--switch.share=whole", "--pfc.count=drain_bytes"});
    EXPECT_EQ(run.status, 1);
    expect_in(run.err, {"/weir/deadlock", "3 paused queues wait for each other in a cycle", "s1.tx3 class 1",
                        "class 2, wait for room in s0.tx2 class 0"});
}
TEST(deadlock, of_a_ring_of_shared_memories_is_found_and_explained) {
    for (const char* way : {"--shared.alpha=1", "--shared.alpha=0.25", "--shared.threshold=50KB",
                            "--shared.slices=2", "--shared.minimum=4KB", "--pfc.mode=pause"}) {
        const scratch_directory where;
        const outcome run = run_experiment(where, "ring_shared", {way});
        EXPECT_EQ(run.status, 1) << way;
        expect_in(run.err,
                  {"/weir/deadlock", "3 paused queues wait for each other in a cycle", "s0.tx2 class 0",
                   "paused by s1.rx2, whose class 0 has", "wait in s1.tx3 class 0", "wait in s2.tx3 class 0",
                   "wait in s0.tx2 class 0", "(h0 to h4, ", "(h2 to h0, ", "(h4 to h2, "});
        // The ports of the circle get nothing else, so nothing of what they have can leave.
        const std::regex kept("has ([0-9]+) B in slice.* ([0-9]+) B can never leave");
        std::smatch found;
        ASSERT_TRUE(std::regex_search(run.err, found, kept)) << run.err;
        EXPECT_EQ(found[1], found[2]) << run.err;
    }
}
TEST(deadlock, of_a_ring_of_memories_that_hold_frames_at_ingress_is_found_and_explained) {
    const scratch_directory where;
    const outcome run = run_experiment(where, "ring", {"--switch.buffer=input_buffered"});
    EXPECT_EQ(run.status, 1);
    expect_in(run.err, {"3 paused queues wait for each other in a cycle", "s0.tx2 class 0", "paused by s1.rx2",
                        "in class 0, wait in s1.tx3 class 0", "(h0 to h4, ", "(h2 to h0, ", "(h4 to h2, "});
}
TEST(deadlock, of_a_ring_of_shared_memories_is_gone_with_shortest_paths) {
    const scratch_directory where;
    expect_all_delivered(
        where, run_experiment(where, "ring_shortest",
                              {"--switch.buffer=shared", "--shared.memory=256KiB", "--shared.threshold=20KB"}));
}
TEST(deadlock, of_bounces_in_a_fat_tree_is_found_and_explained) {
    const scratch_directory where;
    const outcome run = run_experiment(where, "fat_tree_bounce");
    EXPECT_EQ(run.status, 1);
    expect_in(run.err,
              {"/weir/deadlock", "4 paused queues wait for each other in a cycle", "agg0.0.tx2 class 0",
               "agg0.1.tx3 class 0", "tor0.2.tx5 class 0", "tor0.3.tx4 class 0"});
}
TEST(deadlock, of_bounces_in_a_fat_tree_is_gone_with_shortest_paths) {
    const scratch_directory where;
    expect_all_delivered(where, run_experiment(where, "fat_tree_shortest"));
}

class deadlock_however_it_runs : public testing::TestWithParam<const char*> {};
TEST_P(deadlock_however_it_runs, is_found_at_the_same_time_with_the_same_words) {
    const scratch_directory where;
    const std::string name = GetParam();
    const auto report = [&](const arguments& way) {
        const std::string text = run_experiment(where, name, way).err;
        const std::size_t begin = text.find("/weir/deadlock");
        return begin == std::string::npos ? std::string{} : text.substr(begin);
    };
    const std::string first = report({});
    ASSERT_FALSE(first.empty());
    for (const arguments& way : std::vector<arguments>{{"--run.engine=literal"},
                                                       {"--run.threads=3"},
                                                       {"--run.quantum=137ns"},
                                                       {"--run.quantum=777777ps", "--run.threads=2"}}) {
        EXPECT_EQ(report(way), first) << way[0];
    }
}
INSTANTIATE_TEST_SUITE_P(experiments, deadlock_however_it_runs,
                         testing::Values("ring", "ring_shared", "fat_tree_bounce"),
                         [](const auto& which) { return std::string(which.param); });

// --- a literal reference: let it go on, and see ------------------------------------------------------------

class random_ring_test : public testing::TestWithParam<unsigned> {};
TEST_P(random_ring_test, what_is_found_never_moves_again_and_what_is_not_found_arrives) {
    random_ring ring(GetParam(), static_cast<random_ring::kind>(GetParam() / 120));
    fabric_rig rig(ring.plan, ring.parameters);
    const unsigned sent = ring.send(rig);
    std::optional<deadlock_report> found;
    std::map<class_queue, std::uint64_t> sent_by_then;
    // In a shared memory, frames of others that have come into the circle's ports hold it, too.
    picoseconds last_came{0};
    rig.made.on_deadlock([&](const deadlock_report& report) {
        if (!found) {
            found = report;
            for (const deadlock_step& step : report.circle) {
                const class_queue& q = step.queue;
                const switch_node& device = rig.made.device(q.device);
                for (unsigned c = 0; device.shared_memory() != nullptr && c < device.classes(); ++c) {
                    for (frame_slot slot = device.own_egress()->head(q.egress_port, static_cast<pfc_class>(c));
                         slot != no_slot; slot = device.slab().route(slot).next) {
                        last_came = std::max(last_came, device.slab().route(slot).arrival);
                    }
                }
                sent_by_then[q] =
                    rig.made.device(q.device).mac(q.egress_port).stats.classes[q.frame_class].tx_frames;
            }
        }
    });
    const std::string message = fatal_message([&] { rig.run(ring.duration()); });
    unsigned arrived = 0;
    for (const scripted_endpoint& end : rig.ends) {
        arrived += static_cast<unsigned>(end.arrivals.size());
    }
    for (switch_id s = 0; s < rig.made.switches(); ++s) {
        for (const std::uint64_t lost : rig.made.device(s).stats().drops) {
            arrived += static_cast<unsigned>(lost);  // of lossy classes
        }
    }
    if (!found) {
        EXPECT_EQ(message, "");
        EXPECT_EQ(arrived, sent);
        return;
    }
    EXPECT_LT(arrived, sent);
    // With an offset the circle may close when a threshold comes down for a moment and nothing comes in.
    if (ring.parameters.shared.xon_offset == 0_B) {
        EXPECT_LE(found->found - std::max(found->since, last_came),
                  ring.with == random_ring::slow_links ? 1300us : 400us)
            << "found late";
    }
    for (const auto& [q, frames] : sent_by_then) {
        EXPECT_EQ(rig.made.device(q.device).mac(q.egress_port).stats.classes[q.frame_class].tx_frames, frames);
    }
    std::cout << "a circle of " << found->circle.size() << '\n';
}
INSTANTIATE_TEST_SUITE_P(system, random_ring_test, testing::Range(0U, 480U));

}  // namespace
