// Why classes were paused and frames lost, as a run writes it, against what the run counts by other means.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <tuple>

#include "table_rows.h"

using namespace weir::test;
using nlohmann::json;

namespace {

using row = table_row;

/// Eight hosts of two racks into one, PFC, two classes; a query workload's bursts make thousands of pauses.
const arguments pfc_run{"run",
                        "--run.duration=10ms",
                        "--fabric.topology=racks",
                        "--fabric.racks=2",
                        "--fabric.hosts_per_rack=5",
                        "--fabric.roots=1",
                        "--link.rate=1Gbps",
                        "--switch.scheme=detail",
                        "--switch.classes=2",
                        "--switch.ingress_buffer=32KiB",
                        "--traffic.rate=20000",
                        "--traffic.priorities=0,1",
                        "--run.progress=off",
                        "--out"};

TEST(causes, have_every_xoff_with_all_bytes_that_count_for_it) {
    const scratch_directory where;
    const outcome run =
        run_program(where, combined(pfc_run, {"out", "--trace.pause_causes=on", "--pfc.count=class_bytes",
                                              "--pfc.xoff=8000B", "--pfc.xon=4000B"}));
    ASSERT_EQ(run.status, 0) << run.err;
    std::map<std::tuple<std::string, std::string, std::string, std::string>, std::uint64_t> bytes_of;
    std::map<std::string, std::uint64_t> counted_of;
    for (const row& r : rows_of(where / "out" / "pause_causes.csv")) {
        const auto key = std::make_tuple(r.at("time_ns"), r.at("node"), r.at("port"), r.at("class"));
        bytes_of[key] += std::stoull(r.at("flow_bytes"));
        // XOFF is decided when a frame brings the class to the threshold, so less than a frame above it.
        const std::uint64_t counted = std::stoull(r.at("counted_bytes"));
        EXPECT_GE(counted, 8'000U);
        EXPECT_LT(counted, 8'000U + 1'530U);
        EXPECT_LE(counted, std::stoull(r.at("occupancy_bytes")));
        counted_of[r.at("time_ns") + r.at("node") + "," + r.at("port") + "," + r.at("class")] = counted;
    }
    for (const auto& [key, bytes] : bytes_of) {
        const auto& [time, node, port, c] = key;
        EXPECT_EQ(bytes, counted_of.at(time + node + "," + port + "," + c));
    }
    // Each decision is taken back by an XON, but for those that stand at the end, and is announced at least
    // once.
    const json pfc = summary_of(where / "out")["pfc"];
    EXPECT_GT(pfc["xon_sent"], 50);
    EXPECT_GE(bytes_of.size(), pfc["xon_sent"].get<std::uint64_t>());
    EXPECT_LE(bytes_of.size(), pfc["xoff_sent"].get<std::uint64_t>());
}
void expect_all_time_accounted_for(const arguments& memory) {
    const scratch_directory where;
    const outcome run =
        run_program(where, combined(combined(pfc_run, {"out", "--trace.pause_causes=on"}), memory));
    ASSERT_EQ(run.status, 0) << run.err;
    double paused = 0;
    const json summary = summary_of(where / "out");
    for (const auto& [tier, time] : summary["pfc"]["paused_ns"].items()) {
        paused += time.get<double>();
    }
    const json tree = json::parse(contents(where / "out" / "pause_tree.json"));
    EXPECT_GT(paused, 1'000'000);
    EXPECT_NEAR(tree["paused_ns"].get<double>(), paused, 1);
    EXPECT_LT(tree["unknown_ns"].get<double>(), 0.05 * paused);
    EXPECT_EQ(tree["events_left_out"], 0);
    double by_hop = 0;
    for (const json& hop : tree["hops"]) {
        by_hop += hop["paused_ns"].get<double>();
    }
    double below_roots = 0;
    for (const json& root : tree["roots"]) {
        below_roots += root["all_paused_ns"].get<double>();
    }
    EXPECT_NEAR(by_hop + tree["unknown_ns"].get<double>(), paused, 0.01 * paused);
    EXPECT_NEAR(below_roots, by_hop, 10);
    double all = 0;
    double unknown = 0;
    for (const row& r : rows_of(where / "out" / "pause_flows.csv")) {
        const double times = std::stod(r.at("others_paused_ns")) + std::stod(r.at("own_paused_ns")) +
                             std::stod(r.at("idle_paused_ns"));
        EXPECT_EQ(r.at("flow").empty(), r.at("kind") != "flow");
        EXPECT_NE(r.at("kind"), "adapter");
        all += times;
        unknown += r.at("kind") == "unknown" ? times : 0;
    }
    EXPECT_NEAR(all, paused, 10);
    // Flows beyond the 64 of an XOFF that have most, too, which whole links often have.
    EXPECT_GE(unknown, tree["unknown_ns"].get<double>() - 10);
    EXPECT_LT(unknown, 0.2 * paused);
}
/// Two runs with causes of drops, by both engines.
void expect_same_causes(const arguments& more) {
    const scratch_directory where;
    for (const char* engine : {"fast", "literal"}) {
        const outcome run = run_program(
            where,
            combined({"run", "--fabric.topology=racks", "--fabric.racks=3", "--fabric.hosts_per_rack=4",
                      "--fabric.roots=2", "--traffic.kind=poisson", "--traffic.load=80%", "--traffic.stop=3ms",
                      "--run.duration=5ms", "--pfc.mode=none", "--run.progress=off", "--trace.drop_causes=true",
                      "--run.engine", engine, "--out", engine},
                     more));
        ASSERT_EQ(run.status, 0) << run.err;
    }
    const std::string causes = contents(where / "fast" / "drop_causes.csv");
    EXPECT_GT(std::count(causes.begin(), causes.end(), '\n'), 20);
    EXPECT_EQ(causes, contents(where / "literal" / "drop_causes.csv"));
}
TEST(causes, of_drops_walk_queues_that_leave_by_rank) {
    expect_same_causes({"--switch.drop=ingress_tail", "--switch.queue_order=rank",
                        "--switch.ingress_buffer=10KB", "--switch.egress_buffer=20KB"});
}

TEST(causes, account_for_all_time_that_was_paused) {
    expect_all_time_accounted_for({});
}
TEST(causes, account_for_all_time_that_whole_links_were_paused) {
    expect_all_time_accounted_for({"--pfc.mode=pause"});
}
TEST(causes, account_for_all_time_that_shared_memories_paused) {
    expect_all_time_accounted_for({"--switch.buffer=shared", "--shared.memory=600KB", "--shared.alpha=0.0625"});
}
TEST(causes, account_for_all_time_that_shared_memories_paused_whole_links) {
    expect_all_time_accounted_for(
        {"--switch.buffer=shared", "--shared.memory=600KB", "--shared.threshold=8KB", "--pfc.mode=pause"});
}
// A group is paused when a frame brings it to the threshold, or, with headroom in use, with each frame more.
TEST(causes, have_every_xoff_of_shared_memories_with_all_bytes_of_its_group) {
    const scratch_directory where;
    const outcome run =
        run_program(where, combined(pfc_run, {"out", "--trace.pause_causes=on", "--switch.buffer=shared",
                                              "--shared.memory=600KB", "--shared.threshold=8000B"}));
    ASSERT_EQ(run.status, 0) << run.err;
    std::map<std::tuple<std::string, std::string, std::string, std::string>, std::uint64_t> bytes_of;
    std::map<std::tuple<std::string, std::string, std::string, std::string>, std::uint64_t> counted_of;
    for (const row& r : rows_of(where / "out" / "pause_causes.csv")) {
        const auto key = std::make_tuple(r.at("time_ns"), r.at("node"), r.at("port"), r.at("class"));
        bytes_of[key] += std::stoull(r.at("flow_bytes"));
        counted_of[key] = std::stoull(r.at("counted_bytes"));
        EXPECT_GE(counted_of[key], 8'000U);
        EXPECT_LT(counted_of[key], 8'000U + 1'530U);
        EXPECT_LE(counted_of[key], std::stoull(r.at("occupancy_bytes")));
        EXPECT_TRUE(r.at("flow").empty() || !r.at("egress_port").empty()) << "each is in an egress queue";
    }
    EXPECT_EQ(bytes_of, counted_of);
    const json pfc = summary_of(where / "out")["pfc"];
    EXPECT_GT(pfc["xon_sent"], 50);
    EXPECT_GE(bytes_of.size(), pfc["xon_sent"].get<std::uint64_t>());
    EXPECT_LE(bytes_of.size(), pfc["xoff_sent"].get<std::uint64_t>());
}
// A dynamic threshold: T = alpha x (pool - what all groups have in it), by hand from the lines, which have all
// bytes. Alone in the pool a group would be paused at alpha x (pool - its own).
std::map<std::string, int> expect_reasons_to_hold(const std::string& alpha_text, std::int64_t times,
                                                  std::int64_t parts) {
    const scratch_directory where;
    constexpr std::int64_t pool = 60'000;
    const auto threshold_with = [&](std::int64_t free) { return free * times / parts; };
    const outcome run = run_program(
        where, combined(pfc_run, {"out", "--trace.pause_causes=on", "--trace.cause_flows=1000",
                                  "--switch.buffer=shared", "--shared.memory=600KB",
                                  "--shared.lossless_pool=60000B", "--shared.alpha=" + alpha_text}));
    EXPECT_EQ(run.status, 0) << run.err;
    struct one {
        row first;
        std::int64_t all = 0;
        std::int64_t own = 0;
        std::set<std::string> ports;
    };
    std::map<std::tuple<std::string, std::string, std::string, std::string>, one> xoffs;
    for (const row& r : rows_of(where / "out" / "pause_causes.csv")) {
        one& x = xoffs[std::make_tuple(r.at("time_ns"), r.at("node"), r.at("port"), r.at("class"))];
        x.first = r;
        x.all += std::stoll(r.at("flow_bytes"));
        x.ports.insert(r.at("from_port"));
        if (r.at("from_port") == r.at("port") && r.at("from_class") == r.at("class")) {
            x.own += std::stoll(r.at("flow_bytes"));
        }
    }
    std::map<std::string, int> of_reason;
    for (const auto& [key, x] : xoffs) {
        const std::string& because = x.first.at("because");
        ++of_reason[because];
        EXPECT_EQ(x.all, std::stoll(x.first.at("counted_bytes")));
        const std::int64_t own = std::stoll(x.first.at("own_bytes"));
        const std::int64_t threshold = std::stoll(x.first.at("threshold_bytes"));
        if (because == "own_bytes") {
            EXPECT_EQ(x.all, own);
            EXPECT_EQ(x.own, own);
            EXPECT_EQ(x.ports.size(), 1U);
            EXPECT_TRUE(own > pool || own >= threshold_with(pool - own)) << own;
        } else {
            EXPECT_EQ(threshold, threshold_with(pool - x.all));
            EXPECT_LE(x.all, pool);
            EXPECT_LT(own, threshold_with(pool - own)) << "alone it would be paused, too";
            EXPECT_LE(x.own, own);  // what is in headroom is not in the pool
            if (because == "threshold_fell") {
                EXPECT_GE(own, threshold);
                EXPECT_GT(x.ports.size(), 1U) << "others have filled it";
            } else {
                EXPECT_EQ(because, "pool_full");
                EXPECT_GT(own, x.own) << "a frame has found no room";
            }
        }
    }
    return of_reason;
}
TEST(causes, of_a_threshold_that_fell_are_all_bytes_in_the_pool_by_group) {
    std::map<std::string, int> many = expect_reasons_to_hold("4", 4, 1);
    EXPECT_GT(many["threshold_fell"], 1'000);
    EXPECT_GT(many["pool_full"], 100);
    std::map<std::string, int> few = expect_reasons_to_hold("0.0625", 1, 16);
    EXPECT_GT(few["threshold_fell"], 100);
    EXPECT_GT(few["own_bytes"], 10);
    EXPECT_EQ(few["pool_full"], 0);
}
// h0 and h1 fill the pool with what waits for h3; h2 and h4 send a little to h5, and are paused for it.
TEST(causes, of_a_threshold_that_fell_lead_to_who_fills_the_pool) {
    const scratch_directory where;
    std::ofstream(where / "flows.csv") << "start_ns,src,dst,bytes\n0,0,3,2000000\n0,1,3,2000000\n"
                                          "200000,2,5,20000\n200000,4,5,20000\n";
    const outcome run = run_program(
        where, {"run", "--fabric.topology=single", "--fabric.hosts=6", "--link.rate=10Gbps",
                "--link.latency=1us", "--switch.classes=1", "--pfc.mode=pfc", "--switch.buffer=shared",
                "--shared.memory=1MB", "--shared.lossless_pool=100KB", "--shared.alpha=8",
                "--tcp.initial_window=1000", "--traffic.kind=trace", "--traffic.file=flows.csv",
                "--trace.pause_causes=on", "--run.progress=off", "--out", "out"});
    ASSERT_EQ(run.status, 0) << run.err;
    // By XOFF of h2's group: bytes of the pool that wait for h3, and in all.
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> of_h2;
    for (const row& r : rows_of(where / "out" / "pause_causes.csv")) {
        if (r.at("peer") == "h2") {
            EXPECT_TRUE(r.at("because") == "threshold_fell" || r.at("because") == "pool_full")
                << r.at("because");
            EXPECT_LT(std::stoll(r.at("own_bytes")), 20'000);
            auto& [elephants, all] = of_h2[r.at("time_ns")];
            elephants += r.at("egress_port") == "3" ? std::stoll(r.at("flow_bytes")) : 0;
            all += std::stoll(r.at("flow_bytes"));
        }
    }
    ASSERT_FALSE(of_h2.empty());
    double share = 0;
    for (const auto& [time, bytes] : of_h2) {
        EXPECT_GT(bytes.first, 8 * bytes.second / 10) << time;
        share = std::max(share, static_cast<double>(bytes.first) / static_cast<double>(bytes.second));
    }
    // In the tree h2's pause is that of the queue to h3, nearly all of it.
    const json tree = json::parse(contents(where / "out" / "pause_tree.json"));
    std::map<std::string, double> of_root;
    double paused = 0;
    for (const json& root : tree["roots"]) {
        for (const json& pause : root["pauses"]) {
            if (pause["queue"] == "h2.tx0 class 0") {
                of_root[root["queue"]] += pause["paused_ns"].get<double>();
                paused += pause["paused_ns"].get<double>();
            }
        }
    }
    EXPECT_GT(paused, 1'000);
    EXPECT_GT(of_root["tor0.tx3 class 0"], 0.8 * paused);
    EXPECT_LE(of_root["tor0.tx3 class 0"], share * paused + 10);
    const std::vector<row> faults = rows_of(where / "out" / "pause_flows.csv");
    ASSERT_GE(faults.size(), 2U);
    EXPECT_EQ(faults[0].at("dst") + faults[1].at("dst"), "33");
}
TEST(causes, are_there_when_a_loss_has_ended_the_run) {
    const scratch_directory where;
    const outcome made = run_program(where, {"run",
                                             "--fabric.topology=single",
                                             "--fabric.hosts=16",
                                             "--link.rate=10Gbps",
                                             "--link.latency=1us",
                                             "--switch.buffer=shared",
                                             "--switch.lookup_delay=400ns",
                                             "--switch.memory_cell=208B",
                                             "--switch.classes=2",
                                             "--traffic.kind=incast",
                                             "--traffic.incast_rounds=2",
                                             "--traffic.incast_bytes=2MB",
                                             "--tcp.initial_window=100",
                                             "--pfc.mode=pfc",
                                             "--shared.headroom=0B",
                                             "--shared.memory=400KB",
                                             "--trace.drop_causes=on",
                                             "--trace.pause_causes=on",
                                             "--out",
                                             "out"});
    EXPECT_EQ(made.status, 1) << made.err;
    EXPECT_NE(made.err.find("lost a frame of lossless class"), std::string::npos) << made.err;
    EXPECT_FALSE(fs::exists(where / "out/summary.json"));
    for (const char* name : {"ports.csv", "buffers.csv", "limits.csv", "pause_flows.csv", "pause_tree.json"}) {
        EXPECT_TRUE(fs::exists(where / "out" / name)) << name;
    }
    EXPECT_FALSE(rows_of(where / "out/pause_causes.csv").empty());
    const std::vector<row> drops = rows_of(where / "out/drop_causes.csv");
    ASSERT_FALSE(drops.empty());
    // The frame's own length, not its cells (8 x 208 B).
    EXPECT_EQ(drops[0].at("frame_bytes"), "1518");
    EXPECT_EQ(drops[0].at("node"), "tor0");
}

TEST(causes, of_a_window_after_the_end_are_refused) {
    const scratch_directory where;
    const outcome made = run_program(
        where, combined(pfc_run, {"--trace.pause_causes=on", "--trace.window_start=30ms", "--dry-run"}));
    EXPECT_EQ(made.status, 2);
    EXPECT_NE(made.err.find("trace.window_start: "), std::string::npos) << made.err;
}

TEST(causes, change_nothing_but_their_own_files) {
    const scratch_directory where;
    ASSERT_EQ(run_program(where, combined(pfc_run, {"plain"})).status, 0);
    ASSERT_EQ(
        run_program(where, combined(pfc_run, {"traced", "--trace.pause_causes=on", "--trace.drop_causes=on"}))
            .status,
        0);
    for (const char* name : {"pause_causes.csv", "pause_flows.csv", "pause_tree.json", "drop_causes.csv"}) {
        EXPECT_TRUE(fs::remove(where / "traced" / name)) << name;
    }
    fs::remove(where / "plain" / "effective.ini");
    fs::remove(where / "traced" / "effective.ini");
    expect_same_bytes(where / "plain", where / "traced");
}
TEST(causes, do_not_depend_on_how_the_run_is_made) {
    const scratch_directory where;
    const arguments both{"--trace.pause_causes=on", "--trace.drop_causes=on"};
    ASSERT_EQ(run_program(where, combined(pfc_run, combined({"first"}, both))).status, 0);
    EXPECT_GT(rows_of(where / "first" / "pause_causes.csv").size(), 100U);
    for (const arguments& way : std::vector<arguments>{
             {"--run.engine=literal"}, {"--run.threads=2"}, {"--run.quantum=1us", "--run.threads=2"}}) {
        ASSERT_EQ(run_program(where, combined(combined(pfc_run, combined({"other"}, both)), way)).status, 0);
        expect_same_bytes(where / "first", where / "other");
    }
}
TEST(causes, of_a_storm_lead_to_the_adapter) {
    const scratch_directory where;
    const outcome run = run_program(where, {"run", WEIR_GOLDEN_DIR "/../../tb/experiments/deadlock/storm.ini",
                                            "--trace.pause_causes=on", "--run.progress=off", "--out", "out"});
    ASSERT_EQ(run.status, 0) << run.err;
    const json tree = json::parse(contents(where / "out" / "pause_tree.json"));
    const json* adapter = nullptr;
    for (const json& root : tree["roots"]) {
        adapter = root["kind"] == "adapter" ? &root : adapter;
    }
    ASSERT_NE(adapter, nullptr);
    EXPECT_EQ((*adapter)["queue"], "h0.tx0 class 0");
    // h0 > tor0 > root0 > tor1 > the hosts there.
    const json& first = (*adapter)["pauses"][0];
    EXPECT_EQ(first["queue"], "tor0.tx0 class 0");
    EXPECT_NEAR(first["paused_ns"].get<double>(), 18e6, 1e5);
    const json& second = first["pauses"][0];
    EXPECT_EQ(second["queue"], "root0.tx0 class 0");
    const json& third = second["pauses"][0];
    EXPECT_EQ(third["queue"], "tor1.tx4 class 0");
    std::set<std::string> hosts;
    for (const json& host : third["pauses"]) {
        hosts.insert(host["queue"]);
    }
    EXPECT_EQ(hosts, (std::set<std::string>{"h4.tx0 class 0", "h5.tx0 class 0", "h6.tx0 class 0"}));
    // The adapter has a row, and all rows together have all time.
    double all = 0;
    double of_adapter = 0;
    for (const row& r : rows_of(where / "out" / "pause_flows.csv")) {
        const double times = std::stod(r.at("others_paused_ns")) + std::stod(r.at("own_paused_ns")) +
                             std::stod(r.at("idle_paused_ns"));
        all += times;
        if (r.at("kind") == "adapter") {
            EXPECT_EQ(r.at("src"), "0") << "a host's number, as in flows.csv";
            EXPECT_EQ(r.at("flow") + r.at("dst"), "");
            of_adapter += times;
        }
    }
    EXPECT_NEAR(all, tree["paused_ns"].get<double>(), 10);
    EXPECT_NEAR(of_adapter, (*adapter)["all_paused_ns"].get<double>(), 10);
}

// --- drops ------------------------------------------------------------------------------------------------

void expect_drops(const arguments& policy, const std::string& reason, std::uint64_t memory) {
    const scratch_directory where;
    const outcome run =
        run_program(where, combined({"run", "--run.duration=20ms", "--fabric.hosts=9", "--link.rate=1Gbps",
                                     "--switch.classes=1", "--traffic.kind=incast", "--trace.drop_causes=on",
                                     "--trace.cause_flows=3", "--run.progress=off", "--out", "out"},
                                    policy));
    ASSERT_EQ(run.status, 0) << run.err;
    std::map<std::pair<std::string, std::string>, std::uint64_t> filling;
    std::map<std::pair<std::string, std::string>, std::uint64_t> in_use;
    for (const row& r : rows_of(where / "out" / "drop_causes.csv")) {
        EXPECT_EQ(r.at("reason"), reason);
        EXPECT_EQ(std::stoull(r.at("limit_bytes")), memory);
        const std::uint64_t used = std::stoull(r.at("in_use_bytes"));
        EXPECT_GT(used + std::stoull(r.at("frame_bytes")), memory) << "it would have fitted";
        const auto key = std::make_pair(r.at("time_ns"), r.at("port"));
        filling[key] += std::stoull(r.at("filling_bytes"));
        in_use[key] = used;
    }
    EXPECT_EQ(filling.size(), summary_of(where / "out")["drops"][reason].get<std::uint64_t>());
    EXPECT_GT(filling.size(), 10U);
    for (const auto& [key, bytes] : filling) {
        // A frame whose first bit has left is in egress memory and in no queue.
        EXPECT_LE(bytes, in_use.at(key));
        EXPECT_GE(bytes + (reason == "egress_full" ? 1'530U : 0U), in_use.at(key));
    }
}
TEST(causes, of_drops_at_egress_are_the_frames_that_fill_it) {
    expect_drops({"--switch.drop=egress_tail", "--switch.egress_buffer=20000B"}, "egress_full", 20'000);
}
TEST(causes, of_drops_at_ingress_are_the_frames_that_fill_it) {
    expect_drops({"--switch.ingress_buffer=4000B", "--switch.egress_buffer=8000B"}, "ingress_full", 4'000);
}

// One queue of one switch overflows; what is elsewhere in the memory are requests and ACKs.
void expect_shared_drops(const arguments& limits, const std::string& reason, const std::string& full,
                         bool by_alpha, double alpha, double pool) {
    const scratch_directory where;
    const outcome run = run_program(
        where,
        combined({"run", "--run.duration=20ms", "--fabric.hosts=9", "--link.rate=1Gbps", "--switch.classes=1",
                  "--pfc.mode=none", "--switch.buffer=shared", "--shared.memory=200KB", "--traffic.kind=incast",
                  "--trace.drop_causes=on", "--trace.cause_flows=3", "--run.progress=off", "--out", "out"},
                 limits));
    ASSERT_EQ(run.status, 0) << run.err;
    std::map<std::tuple<std::string, std::string, std::string>, std::uint64_t> filling;
    std::map<std::tuple<std::string, std::string, std::string>, std::uint64_t> in_use;
    for (const row& r : rows_of(where / "out" / "drop_causes.csv")) {
        EXPECT_EQ(r.at("reason"), reason);
        EXPECT_EQ(r.at("full"), full);
        const double limit = std::stod(r.at("limit_bytes"));
        const double used = std::stod(r.at("in_use_bytes"));
        if (by_alpha) {
            EXPECT_GE(used, limit) << "it would have been let in";
            EXPECT_LE(limit, alpha * (pool - used));
        } else {
            EXPECT_EQ(limit, pool);
            EXPECT_GT(used + std::stod(r.at("frame_bytes")), limit) << "it would have fitted";
        }
        const auto key = std::make_tuple(r.at("time_ns"), r.at("port"), r.at("flow"));
        filling[key] += std::stoull(r.at("filling_bytes"));
        in_use[key] = std::stoull(r.at("in_use_bytes"));
    }
    EXPECT_GT(filling.size(), 10U);
    EXPECT_EQ(filling, in_use);
}
TEST(causes, of_drops_at_a_queues_threshold_are_its_frames_and_the_threshold_of_that_moment) {
    expect_shared_drops({"--shared.queue_alpha=1"}, "egress_full", "queue_threshold", true, 1, 200'000);
}
TEST(causes, of_drops_in_a_full_pool_of_queues_are_all_frames) {
    expect_shared_drops({"--shared.queue_alpha=1024", "--shared.lossy_alpha=1024", "--shared.queue_pool=100KB"},
                        "egress_full", "queue_pool", false, 0, 100'000);
}
TEST(causes, of_drops_at_a_groups_threshold_are_its_frames_and_the_threshold_of_that_moment) {
    expect_shared_drops({"--shared.queue_alpha=1024", "--shared.lossy_alpha=0.125"}, "ingress_full",
                        "group_threshold", true, 0.125, 200'000);
}
TEST(causes, of_drops_in_a_full_pool_of_groups_are_all_frames) {
    expect_shared_drops({"--shared.queue_alpha=1024", "--shared.lossy_alpha=1024", "--shared.lossy_pool=100KB"},
                        "ingress_full", "shared_pool", false, 0, 100'000);
}

}  // namespace
