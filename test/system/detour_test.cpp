// Detours (DIBS) in whole fabrics: an incast that tail drop loses and detours carry, TTL, hosts that are left
// alone, circles of pauses that only detours close, and the path of one frame.
#include <gtest/gtest.h>

#include <algorithm>

#include "program.h"
#include "support/errors_said.h"
#include "support/fabric_rig.h"
#include "table_rows.h"
#include "weir/model/overflow/overflow_action.h"

using namespace weir;
using namespace weir::model;
using namespace weir::test;
using nlohmann::json;

namespace {

/// Fifteen hosts of a fat-tree answer the sixteenth at once, again and again, over DCTCP, without fast
/// retransmit.
const arguments fat_tree_incast{"run",
                                "--fabric.topology=fat_tree",
                                "--fabric.k=4",
                                "--link.rate=1Gbps",
                                "--switch.classes=1",
                                "--switch.drop=egress_tail",
                                "--switch.egress_buffer=40KB",
                                "--marking.kind=step",
                                "--marking.threshold_frames=10",
                                "--tcp.congestion=dctcp",
                                "--tcp.duplicate_acks=0",
                                "--tcp.initial_window=10",
                                "--traffic.kind=incast",
                                "--traffic.incast_bytes=600KB",
                                "--traffic.incast_rounds=3",
                                "--run.progress=off",
                                "--out",
                                "out"};
/// A memory for all ports that holds no more.
const arguments one_memory{"--switch.buffer=shared", "--shared.memory=160KB",
                           "--shared.queue_alpha=1", "--shared.lossy_alpha=1024",
                           "--shared.minimum=3036B", "--shared.queue_minimum=3036B"};

const arguments output_queues{"--switch.buffer=output_queued"};

json run_fat_tree_incast(const scratch_directory& where, const arguments& more) {
    arguments all = fat_tree_incast;
    const auto has = [&](const char* option) {
        return std::find(more.begin(), more.end(), option) != more.end();
    };
    const auto leave_out = [&](const std::string& key) {
        all.erase(std::remove_if(all.begin(), all.end(),
                                 [&](const std::string& option) { return option.rfind(key, 0) == 0; }),
                  all.end());
    };
    const bool shared = has("--switch.buffer=shared");
    // A memory for all ports has no egress memory, and neither it nor output queues a frame that waits at
    // ingress.
    if (shared || has("--switch.buffer=output_queued")) {
        leave_out("--switch.drop");
    }
    if (shared) {
        leave_out("--switch.egress_buffer");
    }
    // What is given again has its last value.
    for (const std::string& option : more) {
        const std::string key = option.substr(0, option.find('='));
        all.erase(std::remove_if(all.begin(), all.end(),
                                 [&](const std::string& old) { return old.rfind(key + "=", 0) == 0; }),
                  all.end());
    }
    const outcome run = run_program(where, combined(all, more));
    EXPECT_EQ(run.status, 0) << run.err;
    return summary_of(where / "out");
}

struct memory_case {
    const char* name;
    arguments options;
};
class incast_of_a_fat_tree : public testing::TestWithParam<memory_case> {};

TEST_P(incast_of_a_fat_tree, loses_frames_by_tail_drop_and_none_with_any_policy_of_detours) {
    const scratch_directory where;
    const json dropped = run_fat_tree_incast(where, GetParam().options);
    EXPECT_GT(dropped["frames"]["dropped"], 20);
    EXPECT_FALSE(dropped.contains("detours"));
    EXPECT_FALSE(dropped["drops"].contains("ttl_expired"));
    for (const char* policy : {"random", "load_aware", "flow_based", "probabilistic"}) {
        SCOPED_TRACE(policy);
        const json run = run_fat_tree_incast(
            where, combined(GetParam().options,
                            {"--switch.overflow=detour", std::string("--detour.policy=") + policy}));
        EXPECT_EQ(run["frames"]["dropped"], 0) << run["drops"];
        EXPECT_EQ(run["flows"]["completed"], run["flows"]["started"]);
        EXPECT_GT(run["detours"]["detoured"], 50);
        EXPECT_LT(run["detours"]["detoured_percent"], 60);
        EXPECT_EQ(run["detours"]["frames"], run["frames"]["delivered"]);
        // The histogram is the same frames.
        std::uint64_t frames = 0;
        std::uint64_t most = 0;
        for (const table_row& row : rows_of(where / "out" / "detours.csv")) {
            EXPECT_EQ(row.at("tag"), "incast");
            frames += std::stoull(row.at("frames"));
            most = std::max<std::uint64_t>(most, std::stoull(row.at("detours")));
        }
        EXPECT_EQ(frames, run["frames"]["delivered"]);
        EXPECT_EQ(most, run["detours"]["max"]);
    }
}

INSTANTIATE_TEST_SUITE_P(memories, incast_of_a_fat_tree,
                         testing::Values(memory_case{"crossbar", {}}, memory_case{"shared", one_memory},
                                         memory_case{"output_queued", output_queues}),
                         [](const auto& info) { return info.param.name; });

TEST(detours, of_few_links_expire_and_their_count_says_so) {
    const scratch_directory where;
    // Pods are six links apart: every detour there is one too many.
    const json run = run_fat_tree_incast(where, {"--switch.overflow=detour", "--detour.ttl=6"});
    EXPECT_GT(run["drops"]["ttl_expired"], 20);
    EXPECT_EQ(run["drops"]["misdelivered"], 0);
    EXPECT_EQ(run["flows"]["completed"], run["flows"]["started"]);
    // Two links more for each detour to a neighbour and back.
    const json longer = run_fat_tree_incast(where, {"--switch.overflow=detour", "--detour.ttl=12"});
    EXPECT_LT(longer["drops"]["ttl_expired"], run["drops"]["ttl_expired"]);
    EXPECT_LE(longer["detours"]["max"], 10);
}

TEST(detours, write_the_same_bytes_however_they_run) {
    for (const arguments& memory : std::vector<arguments>{{}, one_memory, output_queues}) {
        const scratch_directory where;
        const arguments options = combined(memory, {"--switch.overflow=detour", "--detour.policy=probabilistic",
                                                    "--detour.ttl=40", "--trace.frame_path=most_detours"});
        run_fat_tree_incast(where, options);
        fs::rename(where / "out", where / "first");
        for (const arguments& way : std::vector<arguments>{{"--run.engine=literal"},
                                                           {"--run.threads=3", "--run.thread_grain=0"},
                                                           {"--run.quantum=137ns"}}) {
            SCOPED_TRACE(way[0]);
            run_fat_tree_incast(where, combined(options, way));
            expect_same_bytes(where / "first", where / "out");
        }
    }
}

TEST(detours, of_a_warm_up_are_not_counted) {
    const scratch_directory where;
    const json all = run_fat_tree_incast(where, {"--switch.overflow=detour"});
    const json later = run_fat_tree_incast(where, {"--switch.overflow=detour", "--run.warmup=8ms"});
    EXPECT_EQ(later["frames"], all["frames"]);
    EXPECT_LT(later["detours"]["frames"], all["detours"]["frames"]);
    EXPECT_GT(later["detours"]["frames"], 0);
}

// --- one switch in the middle ------------------------------------------------------------------------------

/// Hosts of a fat-tree send to host 0 as fast as they can.
struct incast_rig {
    fabric_rig rig;

    explicit incast_rig(const fabric_parameters& p) : rig(plan(), p) {
        for (host_id src = 1; src < 16; ++src) {
            ethernet_frame frame = rig.frame(src, 0, 1000);
            frame.kind = frame_kind::udp;
            frame.flags = src % 2 == 0 ? ecn_capable : 0;
            rig.stream(0us, 40, frame, src);
        }
    }
    static topology plan() {
        fat_tree_config config;
        config.k = 4;
        return make_topology(config);
    }
    static fabric_parameters parameters() {
        fabric_parameters p;
        p.device.overflow = named<overflow_kind>("detour");
        p.device.egress_buffer = 20'000_B;
        p.device.max_frame = 1000_B;
        p.device.classes = 1;
        p.device.lookup_delay = 1us;
        return p;
    }
    std::uint64_t lost(drop_reason reason) const {
        std::uint64_t sum = 0;
        for (switch_id s = 0; s < rig.plan.switches(); ++s) {
            sum += rig.made.device(s).stats().drops[static_cast<unsigned>(reason)];
        }
        return sum;
    }
};

class detours_to_a_host : public testing::TestWithParam<unsigned> {};

TEST_P(detours_to_a_host, never_lead_to_another_host_and_cross_no_more_links_than_their_ttl) {
    fabric_parameters p = incast_rig::parameters();
    p.detour.ttl = GetParam();
    incast_rig r(p);
    r.rig.run(20ms);
    std::uint64_t detoured_frames = 0;
    for (host_id h = 1; h < 16; ++h) {
        EXPECT_TRUE(r.rig.ends[h].arrivals.empty()) << h;
        EXPECT_EQ(r.rig.made.host(h)->stats().drops[static_cast<unsigned>(drop_reason::misdelivered)], 0U);
    }
    unsigned longest = 0;
    for (const auto& a : r.rig.ends[0].arrivals) {
        // One link from each switch that it came to.
        EXPECT_LT(a.frame.hops(), p.detour.ttl);
        longest = std::max<unsigned>(longest, a.frame.hops());
        EXPECT_EQ((a.frame.flags & detoured) != 0, a.frame.detours > 0);
        EXPECT_EQ((a.frame.flags & ecn_marked) != 0, a.frame.detours > 0 && (a.frame.flags & ecn_capable) != 0);
        detoured_frames += a.frame.detours > 0 ? 1 : 0;
    }
    EXPECT_GT(detoured_frames, 20U);
    const std::uint64_t expired = r.lost(drop_reason::ttl_expired);
    if (p.detour.ttl < 255) {
        EXPECT_GT(expired, 0U);
        // Between hosts lies an odd number of switches, whatever the detours.
        EXPECT_EQ(longest, p.detour.ttl - 1);
    }
    const std::uint64_t lost = expired + r.lost(drop_reason::no_detour) + r.lost(drop_reason::egress_full) +
                               r.lost(drop_reason::ingress_full);
    EXPECT_EQ(r.rig.ends[0].arrivals.size() + lost, 15U * 40);
    // Room was seen for each of them, and the memory has kept it.
    EXPECT_EQ(r.lost(drop_reason::egress_full), 0U);
}

INSTANTIATE_TEST_SUITE_P(ttl, detours_to_a_host, testing::Values(8U, 16U, 255U));

class detours_back : public testing::TestWithParam<bool> {};

// Two switches in a row, the second with the slow host: the only other switch is where frames come from.
TEST_P(detours_back, by_the_port_that_a_frame_came_by_are_taken_only_where_that_is_allowed) {
    dumbbell_config config;
    config.left = 2;
    config.right = 1;
    config.bottleneck.rate = 10_Gbps;
    fabric_parameters p = incast_rig::parameters();
    p.detour.back = GetParam();
    fabric_rig rig(make_topology(config), p);
    for (host_id src = 0; src < 2; ++src) {
        rig.stream(0us, 60, rig.frame(src, 2, 1000), src);
    }
    rig.run(5ms);
    // The link back is fast enough for nearly all that the host's is too slow for.
    std::uint64_t lost = 0;
    for (switch_id s = 0; s < 2; ++s) {
        for (const drop_reason reason : {drop_reason::no_detour, drop_reason::ttl_expired}) {
            lost += rig.made.device(s).stats().drops[static_cast<unsigned>(reason)];
        }
    }
    EXPECT_EQ(rig.ends[2].arrivals.size() + lost, 120U);
    const auto detoured_frames = std::count_if(rig.ends[2].arrivals.begin(), rig.ends[2].arrivals.end(),
                                               [](const auto& a) { return a.frame.detours > 0; });
    if (GetParam()) {
        EXPECT_LT(lost, 10U);
        EXPECT_GT(detoured_frames, 10);
    } else {
        EXPECT_GT(lost, 10U);
        EXPECT_EQ(detoured_frames, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(both, detours_back, testing::Bool());

// --- lossless classes --------------------------------------------------------------------------------------

TEST(detours, of_a_lossless_class_lose_nothing) {
    const scratch_directory where;
    const json run =
        run_fat_tree_incast(where, {"--switch.drop=ingress_tail", "--pfc.mode=pfc", "--switch.overflow=detour",
                                    "--detour.lossless=on", "--detour.ttl=255"});
    EXPECT_EQ(run["drops"]["no_detour"], 0);
    EXPECT_EQ(run["drops"]["ingress_full"], 0);
    EXPECT_GT(run["detours"]["detoured"], 0);
}

/// Three switches in a ring of slow links, two hosts at each, and each host sends to all hosts of other
/// switches: every shortest path has one link of the ring.
outcome run_ring(const scratch_directory& where, const arguments& more) {
    std::string ring;
    std::string flows = "start_ns,src,dst,bytes,priority\n";
    for (int h = 0; h < 6; ++h) {
        ring += "host h" + std::to_string(h) + "\n";
        for (int dst = 0; dst < 6; ++dst) {
            flows +=
                h / 2 == dst / 2 ? "" : "0," + std::to_string(h) + "," + std::to_string(dst) + ",1000000,0\n";
        }
    }
    ring += "switch s0 tier=1\nswitch s1 tier=1\nswitch s2 tier=1\n";
    for (int h = 0; h < 6; ++h) {
        ring += "link h" + std::to_string(h) + " s" + std::to_string(h / 2) + " rate=10Gbps latency=1us\n";
    }
    for (const char* ends : {"s0 s1", "s1 s2", "s2 s0"}) {
        ring += std::string("link ") + ends + " rate=2Gbps latency=1us\n";
    }
    where.write("ring.topology", ring + "end\n");
    where.write("ring.csv", flows);
    return run_program(
        where, combined({"run", "--fabric.topology=file", "--fabric.file=ring.topology", "--switch.classes=1",
                         "--pfc.mode=pfc", "--pfc.xoff=6KB", "--pfc.xon=2KB", "--traffic.kind=trace",
                         "--traffic.file=ring.csv", "--traffic.transport=udp", "--run.duration=80ms",
                         "--run.progress=off", "--out", "out"},
                        more));
}

const arguments ring_detours{"--switch.overflow=detour", "--detour.lossless=on",
                             "--detour.policy=probabilistic", "--detour.start=5%"};

TEST(detours, close_a_circle_of_pauses_that_shortest_paths_do_not_have) {
    const scratch_directory where;
    const outcome held = run_ring(where, {});
    EXPECT_EQ(held.status, 0) << held.err;
    const json summary = summary_of(where / "out");
    EXPECT_EQ(summary["flows"]["completed"], summary["flows"]["started"]);
    EXPECT_GT(summary["pfc"]["xoff_sent"], 0);
    const outcome detours = run_ring(where, ring_detours);
    EXPECT_EQ(detours.status, 1);
    for (const char* part : {"/weir/deadlock", "3 paused queues wait for each other in a cycle", "s0.tx",
                             "paused by s1.rx", "wait for room in s1.tx"}) {
        EXPECT_NE(detours.err.find(part), std::string::npos) << part << " is not in " << detours.err;
    }
}

TEST(detours, close_the_circle_at_the_same_time_however_they_run) {
    const scratch_directory where;
    const auto report = [&](const arguments& way) {
        const std::string text = run_ring(where, combined(ring_detours, way)).err;
        return text.substr(std::min(text.find("/weir/deadlock"), text.size()));
    };
    const std::string first = report({});
    ASSERT_FALSE(first.empty());
    for (const arguments& way : std::vector<arguments>{
             {"--run.engine=literal"}, {"--run.threads=3", "--run.thread_grain=0"}, {"--run.quantum=137ns"}}) {
        EXPECT_EQ(report(way), first) << way[0];
    }
}

// --- the path of one frame ---------------------------------------------------------------------------------

using path_rows = std::vector<table_row>;

path_rows path_in(const fs::path& directory) {
    return rows_of(directory / "frame_path.csv");
}

/// Each step leaves where the last one came to, in order of time.
void expect_connected(const path_rows& path) {
    ASSERT_GT(path.size(), 2U);
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        if (path[i].at("copy") != path[i + 1].at("copy")) {
            continue;
        }
        EXPECT_EQ(path[i].at("peer"), path[i + 1].at("node")) << i;
        EXPECT_LT(std::stod(path[i].at("sent_ns")), std::stod(path[i + 1].at("arrived_ns"))) << i;
        if (!path[i].at("placed_ns").empty()) {
            EXPECT_LE(std::stod(path[i].at("arrived_ns")), std::stod(path[i].at("placed_ns"))) << i;
            EXPECT_LE(std::stod(path[i].at("placed_ns")), std::stod(path[i].at("sent_ns"))) << i;
            EXPECT_EQ(path[i].at("event") == "forwarded", path[i].at("port") == path[i].at("wanted_port")) << i;
        }
    }
}

TEST(frame_path, of_most_detours_is_connected_and_has_as_many_as_the_frame_counts) {
    const scratch_directory where;
    const json run =
        run_fat_tree_incast(where, {"--switch.overflow=detour", "--trace.frame_path=most_detours"});
    const path_rows path = path_in(where / "out");
    expect_connected(path);
    EXPECT_EQ(path.front().at("event"), "sent");
    EXPECT_EQ(path.back().at("event"), "delivered");
    const auto count =
        std::count_if(path.begin(), path.end(), [](const table_row& r) { return r.at("event") == "detoured"; });
    EXPECT_EQ(count, run["detours"]["max"]);
    EXPECT_GT(count, 3);
    std::map<std::string, int> visits;
    for (const table_row& r : path) {
        EXPECT_EQ(std::stoi(r.at("visit")), ++visits[r.at("node")]) << r.at("node");
    }
    EXPECT_GT(visits.at(path[path.size() - 2].at("node")), 1) << "the last switch was full";
    for (const table_row& r : path) {
        if (r.at("event") == "detoured") {
            EXPECT_GT(std::stoi(r.at("held_bytes")), 40'000 - 1'518)
                << r.at("node");  // no room for one frame more
            EXPECT_NE(r.at("peer")[0], 'h') << r.at("node");
        }
    }
    const outcome drawn = run_program(where, {"plot", "out", "--out", "plots"});
    EXPECT_EQ(drawn.status, 0) << drawn.err;
    EXPECT_TRUE(fs::exists(where / "plots" / "frame_path.gp")) << drawn.err;
    const std::string data = contents(where / "plots" / "frame_path.dat");
    EXPECT_NE(data.find("# detoured\n"), std::string::npos);
}

TEST(frame_path, of_a_flow_and_an_offset_has_each_copy_that_was_sent) {
    const scratch_directory where;
    const json run =
        run_fat_tree_incast(where, {"--switch.overflow=detour", "--trace.frame_path=most_detours"});
    const table_row first = path_in(where / "out").front();
    const std::string name = first.at("flow") + ":" + first.at("offset");
    run_fat_tree_incast(where, {"--switch.overflow=detour", "--trace.frame_path=" + name});
    const path_rows same = path_in(where / "out");
    expect_connected(same);
    EXPECT_EQ(same.front().at("flow"), first.at("flow"));
    EXPECT_EQ(same.front().at("sent_ns"), first.at("sent_ns"));
    // Without detours that frame, or one of its neighbours, is dropped and sent again; switches without rules
    // of queues say nothing of what they wanted.
    const json dropped = run_fat_tree_incast(
        where, {"--trace.frame_path=" + name, "--marking.kind=none", "--tcp.congestion=newreno"});
    EXPECT_GT(dropped["frames"]["dropped"], 0);
    const path_rows plain = path_in(where / "out");
    expect_connected(plain);
    for (const table_row& r : plain) {
        EXPECT_TRUE(r.at("placed_ns").empty());
    }
}

TEST(frame_path, of_a_frame_that_is_lost_ends_with_the_reason) {
    const scratch_directory where;
    const json run =
        run_fat_tree_incast(where, {"--switch.overflow=detour", "--detour.ttl=6", "--traffic.incast_rounds=1",
                                    "--trace.frame_path=most_detours"});
    ASSERT_GT(run["drops"]["ttl_expired"], 0);
    // The one with most detours, two of them within a pod; those between pods are lost at their first.
    const path_rows path = path_in(where / "out");
    expect_connected(path);
    EXPECT_TRUE(path.back().at("event") == "delivered" || path.back().at("event") == "ttl_expired")
        << path.back().at("event");
}

TEST(frame_path, that_names_no_frame_is_refused) {
    const scratch_directory where;
    for (const auto& [text, what] : std::map<std::string, std::string>{
             {"17", "17, most_detours, 17:2920"},
             {"17:x", "17:x, most_detours, 17:2920"},
             {"most_detours", "names no frame without switch.overflow = detour"}}) {
        const outcome run = run_program(where, {"run", "--trace.frame_path=" + text, "--dry-run"});
        EXPECT_EQ(run.status, 2) << text;
        EXPECT_TRUE(has_error(run.err, what));
    }
}

TEST(detours, with_a_ttl_below_the_longest_path_are_refused) {
    const scratch_directory where;
    const outcome run = run_program(where, {"run", "--fabric.topology=fat_tree", "--switch.overflow=detour",
                                            "--detour.ttl=5", "--dry-run"});
    EXPECT_EQ(run.status, 2);
    EXPECT_TRUE(has_error(run.err, "detour.ttl: 5, 6 links, at least 6"));
}

}  // namespace
