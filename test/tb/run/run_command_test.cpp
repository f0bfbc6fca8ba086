// The command as a whole; each test is a process of its own.
#include "tb/run/arguments/commands.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/errors_said.h"

namespace weir::tb {
namespace {

namespace fs = std::filesystem;

struct run_outcome {
    int status;
    std::string out;
    std::string err;
};

run_outcome run(const std::vector<std::string>& args) {
    std::ostringstream out;
    std::ostringstream err;
    const int status = run_command(args, out, err);
    return {status, out.str(), err.str()};
}

fs::path fresh(const std::string& name) {
    const fs::path path = fs::path(testing::TempDir()) / ("weir_run_command_" + name);
    fs::remove_all(path);
    return path;
}

std::string contents(const fs::path& path) {
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

void expect_refused(const run_outcome& result, const std::string& text) {
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(has_error(result.err, text));
}

TEST(run_command_golden, triggers_of_a_connection_matrix_chain_flows_at_their_source) {
    // foo2.cm: four hosts send to each other one after another, by send-done triggers.
    const fs::path out = fresh("triggers");
    const run_outcome result = run({"--fabric.topology=fat_tree", "--fabric.k=8", "--link.rate=100Gbps",
                                    "--link.latency=1us", "--traffic.kind=trace", "--traffic.format=htsim",
                                    "--traffic.file=" WEIR_GOLDEN_DIR "/traces/foo2.cm",
                                    "--traffic.start_unit=us", "--out", out.string()});
    ASSERT_EQ(result.status, 0) << result.err;
    // flow 1 waits for flow 0 to be confirmed, flow 2 for flow 1.
    std::istringstream flows(contents(out / "flows.csv"));
    std::string line;
    std::getline(flows, line);
    double start[12] = {};
    double fct[12] = {};
    int count = 0;
    for (; std::getline(flows, line); ++count) {
        std::vector<std::string> fields;
        std::istringstream cells(line);
        for (std::string cell; std::getline(cells, cell, ',');) {
            fields.push_back(cell);
        }
        const auto flow = std::stoul(fields[0]);
        start[flow] = std::stod(fields[7]);
        fct[flow] = std::stod(fields[8]);
    }
    ASSERT_EQ(count, 12);
    for (int first : {0, 3, 6, 9}) {
        EXPECT_EQ(start[first], 0);
        EXPECT_GT(start[first + 1], start[first] + fct[first]) << "after the last ACK has come back";
        EXPECT_GT(start[first + 2], start[first + 1] + fct[first + 1]);
    }
}

TEST(run_command, a_size_in_a_path_stays_where_others_are_printed_as_they_were_given) {
    const fs::path out = fresh("sizes");
    for (const char* const directory : {"250KiB", "my 250KiB traces"}) {
        const fs::path file = out / directory / "flows.csv";
        fs::create_directories(file.parent_path());
        std::ofstream(file) << "start_ns,src,dst,bytes\n";
        const run_outcome result = run({"--traffic.kind=trace", "--traffic.file=" + file.string(),
                                        "--switch.egress_buffer=256KB", "--dry-run"});
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_NE(result.err.find("warning: " + file.string() + ": has no flows\n"), std::string::npos)
            << result.err;
        const bool is_word = directory != std::string("250KiB");
        EXPECT_NE(result.out.find(is_word ? "250KiB egress memory" : "256KB egress memory"), std::string::npos)
            << result.out;
    }
}

TEST(run_command, a_transfer_without_a_tag_has_an_empty_one_and_is_no_part_of_a_users_tag_0) {
    const fs::path out = fresh("tags");
    const fs::path trace = fs::path(testing::TempDir()) / "weir_run_command_tags.csv";
    std::ofstream(trace) << "start_ns,src,dst,bytes,tag\n0,0,1,1000,\n5,1,2,1000,0\n";
    const run_outcome result =
        run({"--traffic.kind=trace", "--traffic.file=" + trace.string(), "--out", out.string()});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    const std::string flows = contents(out / "flows.csv");
    EXPECT_NE(flows.find("\n0,0,0,1,1000,0,,0,"), std::string::npos) << flows;
    EXPECT_NE(flows.find("\n1,1,1,2,1000,0,0,5,"), std::string::npos) << flows;
    const std::string jobs = contents(out / "jobs.csv");
    EXPECT_NE(jobs.find("\n0,flow,0,1000,1,0,,0,"), std::string::npos) << jobs;
    EXPECT_NE(jobs.find("\n1,flow,1,1000,1,0,0,5,"), std::string::npos) << jobs;
    const std::string summary = contents(out / "summary.json");
    EXPECT_NE(summary.find("\"tag\": \"\""), std::string::npos) << summary;
    EXPECT_NE(summary.find("\"tag\": \"0\""), std::string::npos) << summary;
}

TEST(run_command, a_transports_frames_are_checked_only_where_it_is_used) {
    const std::vector<std::string> datagrams{"--traffic.kind=bernoulli", "--run.duration=1ms",
                                             "--udp.payload=18B", "--switch.max_frame=64B", "--dry-run"};
    EXPECT_EQ(run(datagrams).status, 0) << run(datagrams).err;
    const std::vector<std::string> queries{"--run.duration=1ms", "--tcp.mss=942B", "--switch.max_frame=1000B",
                                           "--dry-run"};
    EXPECT_EQ(run(queries).status, 0) << run(queries).err;
    expect_refused(run({"--traffic.kind=bernoulli", "--run.duration=1ms", "--switch.max_frame=64B", "--dry-run",
                        "--traffic.background_flows=1", "--udp.payload=18B"}),
                   "switch.max_frame: tcp.mss, 1460B, tcp.header");
}

TEST(run_command, a_dry_run_times_the_frames_that_the_traffic_has) {
    const run_outcome shortest = run({"--traffic.kind=bernoulli", "--run.duration=1ms", "--udp.payload=18B",
                                      "--switch.max_frame=64B", "--dry-run"});
    EXPECT_NE(shortest.out.find("frame of 64B: "), std::string::npos) << shortest.out;
    EXPECT_EQ(shortest.out.find("frame of 64B: "), shortest.out.rfind("frame of 64B: "));
    EXPECT_EQ(shortest.out.find("frame of 1518B"), std::string::npos);
    EXPECT_EQ(shortest.out.find("TCP: "), std::string::npos);
    const run_outcome roce = run({"--traffic.transport=roce", "--run.duration=1ms", "--dry-run"});
    EXPECT_NE(roce.out.find("frame of 1086B: "), std::string::npos) << roce.out;
    const run_outcome tcp = run({"--run.duration=1ms", "--tcp.min_rto=200us", "--dry-run"});
    EXPECT_NE(tcp.out.find("frame of 1518B: "), std::string::npos) << tcp.out;
    EXPECT_NE(
        tcp.out.find("TCP: minimum RTO 2ms (tcp.min_rto = 200us is below the terms added to a round trip), "),
        std::string::npos)
        << tcp.out;
}

TEST(run_command, a_dry_run_says_who_is_sent_first) {
    const auto scheduler = [](std::vector<std::string> options) {
        options.insert(options.end(), {"--run.duration=1ms", "--dry-run"});
        const std::string out = run(options).out;
        const std::size_t at = out.find("  Scheduler: ");
        return at == std::string::npos ? "" : out.substr(at + 2, out.find('\n', at) - at - 2);
    };
    EXPECT_EQ(scheduler({}), "Scheduler: strict, class 7 first");
    EXPECT_EQ(scheduler({"--switch.classes=1"}), "");
    EXPECT_EQ(scheduler({"--switch.scheduler=deficit_round_robin", "--switch.classes=3",
                         "--switch.weights=1,3,0,9,9,9,9,9"}),
              "Scheduler: deficit_round_robin; strictly before the others, in this order: class 2; weights: "
              "class 0 1 "
              "(25%), class 1 3 (75%)");
    EXPECT_EQ(scheduler({"--switch.buffer=shared", "--switch.classes=2"}), "Scheduler: strict, class 1 first");
}

// 4,902 B reserve and 1,529 B of the frame that crosses XOFF, for 8 classes of 4 ports with 128 KiB each.
TEST(run_command, a_dry_run_adds_headroom_up_over_ports_and_classes) {
    const std::vector<std::string> four{"--fabric.hosts=4", "--pfc.mode=pfc", "--run.duration=1ms",
                                        "--dry-run"};
    const std::string out = run(four).out;
    EXPECT_NE(out.find("  Headroom in all: "), std::string::npos) << out;
    EXPECT_NE(out.find(", 4 ports x 8 classes: "), std::string::npos) << out;
    const std::vector<std::string> shared{"--fabric.hosts=4",
                                          "--pfc.mode=pfc",
                                          "--switch.buffer=shared",
                                          "--shared.headroom=20000B",
                                          "--shared.lossless_classes=3,4",
                                          "--run.duration=1ms",
                                          "--dry-run"};
    const auto with_pool = [&](const char* pool) {
        std::vector<std::string> options = shared;
        options.push_back(std::string("--shared.headroom_pool=") + pool);
        return run(options).out;
    };
    EXPECT_NE(run(shared).out.find("    headroom of all 8 groups: 160000 B, which the memory keeps for them\n"),
              std::string::npos)
        << run(shared).out;
    EXPECT_NE(with_pool("160000B").find("of all 8 groups: 160000 B, which the pool holds"), std::string::npos);
    EXPECT_NE(
        with_pool("100000B").find("of all 8 groups: 160000 B, of which the pool holds 100000 B at a time"),
        std::string::npos);
}

TEST(run_command, all_of_the_range_of_the_wire_overhead_is_taken) {
    for (const char* overhead : {"256B", "1000B"}) {
        const run_outcome result = run({std::string("--link.wire_overhead=") + overhead,
                                        "--traffic.kind=bernoulli", "--run.duration=1ms", "--dry-run"});
        EXPECT_EQ(result.status, 0) << result.err;
    }
}

TEST(run_command, a_trace_without_a_flow_is_warned_of_and_has_no_warm_up_to_outlast) {
    const fs::path out = fresh("no_flow");
    const fs::path trace = fs::path(testing::TempDir()) / "weir_run_command_no_flow.csv";
    std::ofstream(trace) << "start_ns,src,dst,bytes\n";
    const run_outcome result =
        run({"--traffic.kind=trace", "--traffic.file=" + trace.string(), "--out", out.string()});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.err, "warning: " + trace.string() + ": has no flows\n");
}

TEST(run_command, a_latency_of_switches_in_a_file_is_warned_of_once_and_not_where_it_was_followed) {
    std::string text = contents(WEIR_GOLDEN_DIR "/topology/htsim/fat_tree_128_4os.topo");
    const std::string none = "Switch_Latency_ns 0";
    for (std::size_t at = text.find(none); at != std::string::npos; at = text.find(none)) {
        text.replace(at, none.size(), "Switch_Latency_ns 500");
    }
    const fs::path file = fs::path(testing::TempDir()) / "weir_run_command_latency.topo";
    std::ofstream(file) << text;
    const std::vector<std::string> args{"--fabric.topology=file", "--fabric.file=" + file.string(),
                                        "--fabric.format=htsim", "--traffic.stop=1ms", "--dry-run"};
    const run_outcome result = run(args);
    ASSERT_EQ(result.status, 0) << result.err;
    const std::string warning = "Switch_Latency_ns of 500ns is ignored; set switch.lookup_delay instead\n";
    const std::size_t first = result.err.find(warning);
    ASSERT_NE(first, std::string::npos) << result.err;
    EXPECT_EQ(result.err.find("Switch_Latency_ns", first + 1), std::string::npos) << result.err;
    std::vector<std::string> followed = args;
    followed.emplace_back("--switch.lookup_delay=3us");
    EXPECT_EQ(run(followed).err.find("Switch_Latency_ns"), std::string::npos) << run(followed).err;
}

TEST(run_command, h_is_help_and_says_nothing_else) {
    const run_outcome result = run({"-h"});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(result.out, run({"--help"}).out);
}

TEST(run_command, a_dry_run_counts_one_in_the_singular) {
    const run_outcome result = run({"--traffic.kind=none", "--switch.classes=1", "--dry-run"});
    EXPECT_EQ(result.out.rfind("Fabric: 4 hosts, 1 switch (1 in tier 1), 4 links\n", 0), 0U) << result.out;
    EXPECT_NE(result.out.find(", 1 class\n"), std::string::npos) << result.out;
}

TEST(run_command, a_dry_run_prints_fabric_paths_and_delays_and_writes_nothing) {
    const run_outcome result = run({"--fabric.topology=racks", "--switch.scheme=detail", "--traffic.stop=1ms",
                                    "--link.wire_overhead=0B", "--tcp.header=70B", "--dry-run"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.out.find("96 hosts, 12 switches"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("4 shortest paths"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("\nNames:\n  hosts: h0 to h95\n  switches: tor0 to tor7, root0 to root3\n"
                              "  links: h0-tor0 to h11-tor0, "),
              std::string::npos)
        << result.out;
    // Two links in a rack: 2 x (12.24 + 6.6) + 3.1 + 3.06 us.
    EXPECT_NE(result.out.find("43.84us"), std::string::npos) << result.out;
}

const std::vector<std::string> changing_links{"--fabric.topology=racks",
                                              "--traffic.stop=1ms",
                                              "--fabric.link=h1-tor0 rate=1Gbps latency=20us at=200us up "
                                              "frame_error_rate=0.001 bit_error_rate=1e-9",
                                              "--fabric.link=h1-tor0 down rate=100Mbps at=20us",
                                              "--fabric.link=tor0-root0 latency=3us at=100us",
                                              "--dry-run"};

TEST(run_command, a_dry_run_prints_the_changes_of_links_in_the_order_of_their_times) {
    std::vector<std::string> args = changing_links;
    args.emplace_back("--switch.scheme=detail");
    const run_outcome result = run(args);
    ASSERT_EQ(result.status, 0) << result.err;
    const char* const changes =
        "  At 20us: h1-tor0 down, 100Mbps\n"
        "  At 100us: tor0-root0 3us one way\n"
        "  At 200us: h1-tor0 up, 1Gbps, 20us one way, frame error rate 0.001, bit error rate 1e-09\n"
        "  Lookahead (longest quantum): 3us\n";
    EXPECT_NE(result.out.find(changes), std::string::npos) << result.out;
    // 2 x (1,550 B) + 84 B + 2 quanta, and 2 x 6.6 us or 2 x 20 us.
    EXPECT_NE(result.out.find("Flow control at 1Gbps, 6.6us: XOFF at 9893 B, XON below 4962 B, reserve 4962B"),
              std::string::npos)
        << result.out;
    EXPECT_NE(
        result.out.find("Flow control at 1Gbps, up to 20us: XOFF at 6543 B, XON below 6543 B, reserve 8312B"),
        std::string::npos)
        << result.out;
    // A frame of 1,550 B at 100 Mb/s takes 111.6 us longer than at 1 Gb/s: 13,950 B more.
    EXPECT_NE(
        result.err.find(
            "h1-tor0 at 200us: a frame that a switch has begun to send at 100Mbps delays XOFF, so that up to "
            "22262 B per class can arrive at 1Gbps after the XOFF decision, but there is room for only 8312 B"),
        std::string::npos)
        << result.err;
    EXPECT_EQ(result.err.find("the latency grows"), std::string::npos) << result.err;
}

TEST(run_command, a_latency_that_grows_by_more_than_a_pause_outlasts_its_refresh_is_warned_of) {
    // 200 quanta are 102.4 us; refreshed after half of them, and a frame of 12.4 us: 38.8 us are left.
    const std::vector<std::string> args{"--switch.scheme=detail", "--traffic.stop=1ms", "--pfc.quanta=200",
                                        "--pfc.xoff=4KB",         "--pfc.xon=3KB",      "--dry-run"};
    for (const std::string grown : {"45400001ps", "45400000ps"}) {
        std::vector<std::string> more = args;
        more.push_back("--fabric.link=h1-tor0 at=1ms latency=" + grown);
        const run_outcome result = run(more);
        ASSERT_EQ(result.status, 0) << result.err;
        EXPECT_EQ(result.err.find("h1-tor0 at 1ms: the latency grows by 38800.001ns, but a pause outlasts its "
                                  "refresh by only 38.8us") != std::string::npos,
                  grown == "45400001ps")
            << result.err;
    }
}

TEST(run_command, changes_of_links_are_not_warned_of_without_flow_control) {
    std::vector<std::string> args = changing_links;
    args.emplace_back("--switch.scheme=priority");
    const run_outcome result = run(args);
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
}

TEST(run_command, a_quantum_beyond_a_latency_that_is_to_come_is_refused) {
    expect_refused(run({"--run.quantum=4us", "--traffic.stop=1ms", "--fabric.link=h0-tor0 latency=3us at=2ms",
                        "--out", fresh("quantum").string()}),
                   "run.quantum: 4us, at most 3us");
}

TEST(run_command, a_quantum_beyond_the_lookahead_is_refused) {
    expect_refused(run({"--run.quantum=7us", "--traffic.stop=1ms", "--out", fresh("quantum").string()}),
                   "run.quantum: 7us, at most 6.6us");
}

TEST(run_command, memory_that_can_not_hold_the_reserves_is_refused_and_says_how_much_it_takes) {
    const fs::path out = fresh("memory");
    expect_refused(
        run({"--switch.scheme=detail", "--link.rate=100Gbps", "--traffic.stop=1ms", "--out", out.string()}),
        "link.rate: switch.ingress_buffer, 128KiB, 8 lossless");
    EXPECT_FALSE(fs::exists(out));
}

TEST(run_command, egress_memory_in_which_one_class_leaves_the_others_no_frame_is_refused_with_what_it_takes) {
    const std::vector<std::string> options{"--switch.scheme=priority", "--traffic.stop=1ms", "--dry-run"};
    const auto with_memory = [&](const std::string& memory) {
        std::vector<std::string> all = options;
        all.push_back("--switch.egress_buffer=" + memory);
        return run(all);
    };
    expect_refused(with_memory("12KB"),
                   "switch.egress_buffer: switch.share_alpha, 8, switch.egress_buffer, 1333 B, 12KB, "
                   "switch.max_frame, 1530B, at least 13770");
    expect_refused(with_memory("13769B"), "at least 13770 B");
    EXPECT_EQ(with_memory("13770B").status, 0);
}

TEST(run_command, traffic_without_an_end_needs_a_duration) {
    expect_refused(run({"--out", fresh("endless").string()}), "run.duration: 0");
}

TEST(run_command, threads_that_the_literal_engine_does_not_use_are_not_silently_ignored) {
    const run_outcome result = run(
        {"--run.threads=2", "--run.engine=literal", "--traffic.stop=1ms", "--out", fresh("threads").string()});
    EXPECT_EQ(result.status, 0);
    EXPECT_NE(result.err.find("warning: run.threads = 2: run.engine = literal uses one thread only"),
              std::string::npos)
        << result.err;
}

TEST(run_command, a_cut_link_is_routed_around_after_the_delay_and_its_losses_are_named) {
    const fs::path out = fresh("cut");
    const run_outcome result =
        run({"--fabric.topology=racks", "--fabric.racks=2", "--fabric.hosts_per_rack=4", "--fabric.roots=2",
             "--traffic.rate=2000", "--traffic.stop=20ms", "--fabric.link=tor0-root0 down at=5ms",
             "--fabric.reroute_delay=1ms", "--tcp.initial_rto=10ms", "--out", out.string()});
    ASSERT_EQ(result.status, 0) << result.err;
    const std::string summary = contents(out / "summary.json");
    EXPECT_EQ(summary.find("\"link_down\": 0,"), std::string::npos) << "frames were lost before the reroute";
    EXPECT_NE(summary.find("\"complete\": true"), std::string::npos);
    EXPECT_EQ(summary.find("\"no_route\": 0,") == std::string::npos, false);
}

}  // namespace
}  // namespace weir::tb
