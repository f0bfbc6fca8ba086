// Detours (DIBS) in whole fabrics: an incast that tail drop loses and detours carry, TTL, hosts that are left
// alone, circles of pauses that only detours close, and the path of one frame.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "program.h"
#include "support/fabric_rig.h"

using namespace weir;
using namespace weir::model;
using namespace weir::test;
using nlohmann::json;

namespace {

/// Fifteen hosts of a fat-tree answer the sixteenth at once, again and again, over DCTCP, without fast
/// retransmit.
const arguments incast{"run",
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
const arguments shared{"--switch.buffer=shared",    "--shared.memory=160KB",   "--shared.queue_alpha=1",
                       "--shared.lossy_alpha=1024", "--shared.minimum=3036B",  "--shared.queue_minimum=3036B",
                       "--shared.lossy_pool=80KB",  "--shared.queue_pool=80KB"};

json run_incast(const scratch_directory& where, const arguments& more) {
    const outcome run = run_program(where, combined(incast, more));
    EXPECT_EQ(run.status, 0) << run.err;
    return summary_of(where / "out");
}

std::vector<std::vector<std::string>> rows_of(const fs::path& file) {
    std::istringstream in(contents(file));
    std::vector<std::vector<std::string>> rows;
    for (std::string text; std::getline(in, text);) {
        std::vector<std::string> row(1);
        for (const char c : text) {
            c == ',' ? row.emplace_back() : row.back().push_back(c), row;
        }
        rows.push_back(row);
    }
    return rows;
}

struct memory_case {
    const char* name;
    arguments options;
};
class incast_of_a_fat_tree : public testing::TestWithParam<memory_case> {};

TEST_P(incast_of_a_fat_tree, loses_frames_by_tail_drop_and_none_with_any_policy_of_detours) {
    const scratch_directory where;
    const json dropped = run_incast(where, GetParam().options);
    EXPECT_GT(dropped["frames"]["dropped"], 20);
    EXPECT_FALSE(dropped.contains("detours"));
    EXPECT_FALSE(dropped["drops"].contains("ttl_expired"));
    for (const char* policy : {"random", "load_aware", "flow_based", "probabilistic"}) {
        SCOPED_TRACE(policy);
        const json run =
            run_incast(where, combined(GetParam().options,
                                       {"--switch.overflow=detour", std::string("--detour.policy=") + policy}));
        EXPECT_EQ(run["frames"]["dropped"], 0) << run["drops"];
        EXPECT_EQ(run["flows"]["completed"], run["flows"]["started"]);
        EXPECT_GT(run["detours"]["detoured"], 50);
        EXPECT_LT(run["detours"]["detoured_percent"], 60);
        EXPECT_EQ(run["detours"]["frames"], run["frames"]["delivered"]);
        // The histogram is the same frames.
        std::uint64_t frames = 0;
        std::uint64_t most = 0;
        for (const auto& row : rows_of(where / "out" / "detours.csv")) {
            if (row[0] != "tag") {
                frames += std::stoull(row[2]);
                most = std::max<std::uint64_t>(most, std::stoull(row[1]));
            }
        }
        EXPECT_EQ(frames, run["frames"]["delivered"]);
        EXPECT_EQ(most, run["detours"]["max"]);
    }
}

INSTANTIATE_TEST_SUITE_P(memories, incast_of_a_fat_tree,
                         testing::Values(memory_case{"crossbar", {}}, memory_case{"shared", shared}),
                         [](const auto& info) { return info.param.name; });

TEST(detours, of_few_links_expire_and_their_count_says_so) {
    const scratch_directory where;
    // Pods are six links apart: every detour there is one too many.
    const json run = run_incast(where, {"--switch.overflow=detour", "--detour.ttl=6"});
    EXPECT_GT(run["drops"]["ttl_expired"], 20);
    EXPECT_EQ(run["drops"]["misdelivered"], 0);
    EXPECT_EQ(run["flows"]["completed"], run["flows"]["started"]);
    // Two links more for each detour to a neighbour and back.
    const json longer = run_incast(where, {"--switch.overflow=detour", "--detour.ttl=12"});
    EXPECT_LT(longer["drops"]["ttl_expired"], run["drops"]["ttl_expired"]);
    EXPECT_LE(longer["detours"]["max"], 10);
}

TEST(detours, write_the_same_bytes_however_they_run) {
    for (const arguments& memory : std::vector<arguments>{{}, shared}) {
        const scratch_directory where;
        const arguments options = combined(memory, {"--switch.overflow=detour", "--detour.policy=probabilistic",
                                                    "--trace.frame_path", "most_detours", "--detour.ttl=40"});
        run_incast(where, options);
        fs::rename(where / "out", where / "first");
        for (const arguments& way : std::vector<arguments>{{"--run.engine=literal"},
                                                           {"--run.threads=3", "--run.thread_grain=0"},
                                                           {"--run.quantum=137ns"}}) {
            SCOPED_TRACE(way[0]);
            run_incast(where, combined(options, way));
            expect_same_bytes(where / "first", where / "out");
        }
    }
}

TEST(detours, of_a_warm_up_are_not_counted) {
    const scratch_directory where;
    const json all = run_incast(where, {"--switch.overflow=detour"});
    const json later = run_incast(where, {"--switch.overflow=detour", "--run.warmup=8ms"});
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
        p.device.overflow = overflow_kind::detour;
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
        EXPECT_EQ(longest, p.detour.ttl - 1);
    }
    const std::uint64_t lost = expired + r.lost(drop_reason::no_detour) + r.lost(drop_reason::egress_full) +
                               r.lost(drop_reason::ingress_full);
    EXPECT_EQ(r.rig.ends[0].arrivals.size() + lost, 15U * 40);
    // Room was seen for each of them, and the memory has kept it.
    EXPECT_EQ(r.lost(drop_reason::egress_full), 0U);
}

INSTANTIATE_TEST_SUITE_P(ttl, detours_to_a_host, testing::Values(9U, 16U, 255U));

TEST(detours, that_may_not_go_back_never_leave_by_the_port_that_they_came_by) {
    // Two switches in a row: the only other switch is where the frame came from.
    for (const bool back : {true, false}) {
        const pid_t child = ::fork();
        if (child != 0) {
            int status = 0;
            ASSERT_EQ(::waitpid(child, &status, 0), child);
            EXPECT_EQ(status, 0) << back;
            continue;
        }
        dumbbell_config config;
        config.left = 2;
        config.right = 1;
        fabric_parameters p = incast_rig::parameters();
        p.detour.back = back;
        fabric_rig rig(make_topology(config), p);
        for (host_id src = 0; src < 2; ++src) {
            rig.stream(0us, 60, rig.frame(src, 2, 1000), src);
        }
        rig.run(5ms);
        const auto none = rig.made.device(0).stats().drops[static_cast<unsigned>(drop_reason::no_detour)] +
                          rig.made.device(1).stats().drops[static_cast<unsigned>(drop_reason::no_detour)];
        const bool any = std::any_of(rig.ends[2].arrivals.begin(), rig.ends[2].arrivals.end(),
                                     [](const auto& a) { return a.frame.detours > 0; });
        ::_exit(any == back && none + rig.ends[2].arrivals.size() == 120 && none > 0 ? 0 : 1);
    }
}

// --- lossless classes --------------------------------------------------------------------------------------

TEST(detours, of_a_lossless_class_lose_nothing) {
    const scratch_directory where;
    const json run =
        run_incast(where, {"--switch.drop=ingress_tail", "--pfc.mode=pfc", "--switch.overflow=detour",
                           "--detour.lossless=on", "--detour.ttl=255"});
    EXPECT_EQ(run["drops"]["no_detour"], 0);
    EXPECT_EQ(run["drops"]["ingress_full"], 0);
    EXPECT_GT(run["detours"]["detoured"], 0);
}

}  // namespace
