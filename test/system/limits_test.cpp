// What binds: memory bandwidth, banks, the lookup pipeline; what the results say of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "golden/golden_rows.h"
#include "program.h"
#include "support/errors_said.h"

namespace weir::test {

using namespace tb;
namespace {

/// One switch with 8 hosts at 100 Gb/s, each of which sends full frames to one other. Links are 99 % busy.
arguments permutation(const arguments& more, const std::string& out) {
    const arguments usual{
        "--run.duration=200us",       "--fabric.topology=single", "--fabric.hosts=8",
        "--link.rate=100Gbps",        "--link.latency=1us",       "--switch.lookup_delay=500ns",
        "--switch.memory_cell=208B",  "--switch.max_frame=1530B", "--udp.payload=1472B",
        "--traffic.kind=permutation", "--traffic.transport=udp",  "--traffic.load=99%"};
    arguments all = combined({"run", "--out", out}, more);
    for (const std::string& option : usual) {
        const std::string key = option.substr(0, option.find('=') + 1);
        const bool given = std::any_of(more.begin(), more.end(),
                                       [&](const std::string& other) { return other.rfind(key, 0) == 0; });
        if (!given) {
            all.push_back(option);
        }
    }
    return all;
}
const arguments shared{"--switch.buffer=shared", "--shared.memory=4MB"};

nlohmann::json run(const scratch_directory& where, const arguments& more, const std::string& out = "out") {
    const outcome made = run_program(where, permutation(more, out));
    EXPECT_EQ(made.status, 0) << made.err;
    return summary_of(where / out);
}

/// limits.csv: by node, resource and part; columns by name.
std::map<std::string, std::map<std::string, std::string>> limits_of(const scratch_directory& where) {
    std::map<std::string, std::map<std::string, std::string>> limits;
    std::istringstream header(contents(where / "out/limits.csv"));
    std::vector<std::string> columns;
    std::string line;
    std::getline(header, line);
    std::istringstream names(line);
    while (std::getline(names, line, ',')) {
        columns.push_back(line);
    }
    for (const auto& fields : golden::lines_of_file(where / "out/limits.csv")) {
        auto& row = limits[fields[0] + ' ' + fields[1] + ' ' + fields[2]];
        for (std::size_t c = 3; c < columns.size(); ++c) {
            row[columns[c]] = fields[c];
        }
    }
    return limits;
}

TEST(limits, a_run_names_what_binds_and_a_light_one_nothing) {
    const scratch_directory where;
    const auto light = run(where, {"--traffic.load=30%"});
    EXPECT_EQ(light["limited_by"], nlohmann::json::array());
    EXPECT_NEAR(light["resources"]["link"]["busy_percent"].get<double>(), 30, 0.5);
    EXPECT_NEAR(light["resources"]["crossbar"]["busy_percent"].get<double>(), 7.5, 0.2);
    EXPECT_EQ(light["resources"]["link"]["of"], 8);
    EXPECT_EQ(light["resources"]["host_link"]["of"], 8);
    EXPECT_NEAR(light["resources"]["host_link"]["busy_percent"].get<double>(), 30, 0.5);

    const auto full = run(where, {});
    EXPECT_EQ(full["limited_by"], nlohmann::json::array({"link", "host_link"}));
    EXPECT_EQ(full["resources"]["link"]["binding"], 8);
    EXPECT_EQ(full["resources"]["host_link"]["binding"], 8);
    EXPECT_NEAR(std::stod(limits_of(where)["tor0 link tx3"]["busy_percent"]), 99, 1.2);
    // In slots of cells it is the crossbar as a whole: 1,518 B are 24 cells of 64 B, 1,536 B; 4 x as fast.
    run(where, {"--switch.crossbar=cell"});
    EXPECT_NEAR(std::stod(limits_of(where)["tor0 crossbar "]["busy_percent"]),
                99.0 / 4 * 24 * 64 / (1'518 + 20), 0.3);

    const outcome printed = run_program(where, permutation({}, "out"));
    EXPECT_NE(printed.out.find("limited by link "), std::string::npos) << printed.out;
    EXPECT_NE(printed.out.find("; 8 of 8 links were full at some time\n"), std::string::npos) << printed.out;
}

// Two accesses a cell, 8 cells a frame, 8 banks: a frame each 2 access times.
TEST(limits, a_shared_memory_that_is_too_slow_serves_what_its_banks_can) {
    const scratch_directory where;
    for (const int access_ns : {9, 12}) {
        const std::string time = "--sram.access_time=" + std::to_string(access_ns) + "ns";
        const auto made = run(where, combined(shared, {time, "--sram.banks=8"}));
        const auto memory = limits_of(where)["tor0 memory slice0"];
        EXPECT_GT(std::stod(memory.at("busy_percent")), 99);
        // Both the write and the read of a frame are counted; the first frame is whole after 1.6 us.
        EXPECT_NEAR(std::stod(memory.at("served")) / 2, 198'000.0 / (2 * access_ns), 150);
        EXPECT_EQ(made["limited_by"], nlohmann::json::array({"memory", "host_link"}));
    }
    // The same banks with a port for each: enough.
    const auto enough =
        run(where, combined(shared, {"--sram.access_time=12ns", "--sram.banks=8", "--sram.ports=1r1w"}));
    EXPECT_EQ(enough["limited_by"], nlohmann::json::array({"link", "host_link"}));
    EXPECT_EQ(enough["frames"]["dropped"], 0);
    EXPECT_NEAR(std::stod(limits_of(where)["tor0 memory_read slice0"]["busy_percent"]),
                99 * 12 * 8 / (8 * 15.55), 1);
}

// A port's ingress memory is written by the wire and read by the crossbar; four banks of 208 B.
TEST(limits, a_partitioned_switch_is_as_fast_as_its_slowest_memory) {
    const scratch_directory where;
    // 8 cells x 2 accesses / 4 banks: 4 access times a frame, which the wire brings each 124.3 ns.
    run(where, {"--sram.access_time=15ns", "--sram.banks=4"});
    EXPECT_NEAR(std::stod(limits_of(where)["tor0 memory rx3"]["busy_percent"]), 100 * 4 * 15 / 124.3, 0.8);
    EXPECT_NEAR(std::stod(limits_of(where)["tor0 link tx3"]["busy_percent"]), 99, 1.2);
    const auto slow = run(where, {"--sram.access_time=40ns", "--sram.banks=4"});
    EXPECT_NEAR(std::stod(limits_of(where)["tor0 link tx3"]["busy_percent"]), 100 * 123.04 / (4 * 40), 4);
    EXPECT_NE(std::find(slow["limited_by"].begin(), slow["limited_by"].end(), "memory"),
              slow["limited_by"].end());
    EXPECT_GT(slow["drops"]["ingress_full"], 0);
}

/// limit_intervals.csv: start and end (us), resource, busy share of the one that was nearest to its limit.
struct limit_interval {
    double start_us;
    double end_us;
    std::string resource;
    int binding;
    std::string nearest;
    double busy_percent;
};
std::vector<limit_interval> intervals_of(const scratch_directory& where, const std::string& resource) {
    std::vector<limit_interval> found;
    for (const auto& f : golden::lines_of_file(where / "out/limit_intervals.csv")) {
        if (f[2] == resource) {
            found.push_back(
                {std::stod(f[0]) / 1000, std::stod(f[1]) / 1000, f[2], std::stoi(f[4]), f[5], std::stod(f[6])});
        }
    }
    return found;
}

// However short it is beside the run, and however long the run goes on after it.
TEST(limits, a_saturation_that_is_short_beside_the_run_limits_it_then) {
    const scratch_directory where;
    const outcome o = run_program(
        where, {"run", "--fabric.topology=dumbbell", "--traffic.kind=permutation", "--traffic.transport=udp",
                "--traffic.load=30%", "--traffic.stop=500ms", "--fabric.link=tor0-tor1 rate=100Mbps at=30ms",
                "--fabric.link=tor0-tor1 rate=1Gbps at=32ms", "--run.progress=false", "--out", "out"});
    ASSERT_EQ(o.status, 0) << o.err;
    const nlohmann::json link =
        nlohmann::json::parse(contents(where / "out/summary.json"))["resources"]["link"];
    EXPECT_EQ(link["worst"], "tor0.tx4");
    // 2 ms at a tenth, then what has gathered: 2 ms of 0.5 Gb/s too much, at 0.4 Gb/s more than comes.
    EXPECT_NEAR(link["bound_from_ns"].get<double>(), 30e6, 1e6);
    EXPECT_GT(link["bound_percent"].get<double>(), 100 * 2.0 / 500);
    EXPECT_LT(link["bound_percent"].get<double>(), 100 * 8.0 / 500);

    where.write("tail.csv", "start_ns,src,dst,bytes\n0,0,1,2000000\n0,2,1,2000000\n3000000000,0,1,1460\n");
    const outcome tail = run_program(where, {"run", "--traffic.kind=trace", "--traffic.file=tail.csv",
                                             "--run.progress=false", "--out", "out"});
    ASSERT_EQ(tail.status, 0) << tail.err;
    const nlohmann::json made = nlohmann::json::parse(contents(where / "out/summary.json"));
    EXPECT_EQ(made["limited_by"][0], "link");
    EXPECT_EQ(made["resources"]["link"]["worst"], "tor0.tx1");
    // 4 MB and headers at 1 Gb/s.
    EXPECT_NEAR(made["resources"]["link"]["bound_percent"].get<double>(), 100 * 33.5e-3 / 3, 0.2);
}

// 30 Gb/s for each host; one link has 20 Gb/s for a third of the time and has no time left then, nor until what
// has gathered is sent: 10 Gb/s x 66 us at 70 Gb/s more than comes. In the mean it is 53 % busy.
TEST(limits, a_link_that_is_saturated_while_it_is_degraded_limits_the_run_then) {
    const scratch_directory where;
    const auto made = run(where, {"--traffic.load=30%", "--fabric.link=h3-tor0 rate=20Gbps at=60us",
                                  "--fabric.link=h3-tor0 rate=100Gbps at=126us"});
    // Its host has the same rate towards the switch.
    EXPECT_EQ(made["limited_by"], nlohmann::json::array({"link", "host_link"}));
    EXPECT_EQ(made["resources"]["host_link"]["worst"], "h3.tx0");
    const nlohmann::json link = made["resources"]["link"];
    EXPECT_EQ(link["worst"], "tor0.tx3");
    EXPECT_LT(link["busy_percent"].get<double>(), 70) << "in the mean it is far from its limit";
    const double interval = 64 * (1'530 + 20) * 8 / 100e9 * 1e9;
    EXPECT_NEAR(link["bound_from_ns"].get<double>(), 60'000, interval);
    EXPECT_NEAR(link["bound_to_ns"].get<double>(), 126'000 + 9'430, interval);
    EXPECT_NEAR(link["bound_percent"].get<double>(), 100 * 75.43 / 200, 100 * 2 * interval / 200'000);

    for (const limit_interval& i : intervals_of(where, "link")) {
        if (i.start_us > 60 && i.end_us < 126) {
            EXPECT_EQ(i.binding, 1) << i.start_us;
            EXPECT_EQ(i.nearest, "tor0.tx3") << i.start_us;
            EXPECT_NEAR(i.busy_percent, 100, 0.01) << i.start_us;
        } else if ((i.start_us > 1 && i.end_us < 60) || i.start_us > 145) {
            EXPECT_EQ(i.binding, 0) << i.start_us;
            EXPECT_NEAR(i.busy_percent, 30, 2) << i.start_us;
        }
    }
    const auto row = limits_of(where)["tor0 link tx3"];
    EXPECT_EQ(row.at("binds"), "yes");
    EXPECT_EQ(limits_of(where)["tor0 link tx2"].at("bound_percent"), "0.0000");

    const outcome printed = run_program(where, {"table", "out"});
    EXPECT_EQ(printed.status, 0);
    const outcome again =
        run_program(where, permutation({"--traffic.load=30%", "--fabric.link=h3-tor0 rate=20Gbps at=60us",
                                        "--fabric.link=h3-tor0 rate=100Gbps at=126us"},
                                       "out"));
    EXPECT_NE(again.out.find("limited by link tor0.tx3, "), std::string::npos) << again.out;
    EXPECT_NE(again.out.find(" busy on average, full for "), std::string::npos) << again.out;
    EXPECT_NE(again.out.find(" of the time, between "), std::string::npos) << again.out;
}

// A frame takes longer than an interval then, and no node has an event in between: no interval may be left out,
// and no time lost.
TEST(limits, a_link_that_becomes_a_thousand_times_slower_is_at_its_limit_without_a_gap) {
    const scratch_directory where;
    run(where, {"--traffic.load=5%", "--run.duration=2ms", "--fabric.link=h3-tor0 rate=100Mbps at=200us"});
    double busy = 0;
    for (const limit_interval& i : intervals_of(where, "link")) {
        busy += i.nearest == "tor0.tx3" ? i.busy_percent * (i.end_us - i.start_us) : 0;
        if (i.start_us > 220) {
            EXPECT_NEAR(i.busy_percent, 100, 0.01) << i.start_us;
        }
    }
    EXPECT_NEAR(busy / 2000, std::stod(limits_of(where)["tor0 link tx3"].at("busy_percent")), 0.7);
}

// Long enough for intervals to be joined, several times; the warm-up and the end lie within one.
// All that happens between two looks may happen in one quantum, which begins with the first of them.
TEST(limits, what_happens_within_one_quantum_is_in_its_interval_with_either_engine) {
    const scratch_directory where;
    for (const char* engine : {"fast", "literal"}) {
        const outcome made = run_program(where, {"run",
                                                 "--fabric.topology=single",
                                                 "--fabric.hosts=5",
                                                 "--link.rate=100Gbps",
                                                 "--link.latency=6.6us",
                                                 "--switch.scheme=priority_pfc",
                                                 "--pfc.xoff=6000B",
                                                 "--pfc.xon=3KB",
                                                 "--switch.lookup_delay=0ps",
                                                 "--switch.ingress_buffer=16MiB",
                                                 "--tcp.initial_window=1",
                                                 "--tcp.mss=1000B",
                                                 "--traffic.kind=incast",
                                                 "--traffic.incast_bytes=200KB",
                                                 "--traffic.incast_rounds=2",
                                                 "--run.duration=61520ns",
                                                 "--run.engine",
                                                 engine,
                                                 "--out",
                                                 engine});
        ASSERT_EQ(made.status, 0) << made.err;
    }
    EXPECT_EQ(contents(where / "fast" / "limit_intervals.csv"),
              contents(where / "literal" / "limit_intervals.csv"));
}

TEST(limits, intervals_follow_each_other_from_the_warm_up_to_the_end_and_add_up_to_the_whole) {
    const scratch_directory where;
    for (const int end_us : {37, 1'003, 4'321}) {
        run(where, {"--traffic.load=40%", "--run.warmup=13us",
                    "--run.duration=" + std::to_string(end_us) + "us", "--traffic.stop=3ms"});
        for (const std::string resource : {"link", "host_link", "crossbar"}) {
            const std::vector<limit_interval> all = intervals_of(where, resource);
            ASSERT_FALSE(all.empty());
            EXPECT_EQ(all.front().start_us, 13);
            EXPECT_EQ(all.back().end_us, end_us);
            double length = all.size() > 2 ? all[1].end_us - all[1].start_us : 0;
            for (std::size_t i = 1; i < all.size(); ++i) {
                EXPECT_EQ(all[i].start_us, all[i - 1].end_us);
                if (i + 1 < all.size()) {
                    EXPECT_NEAR(all[i].end_us - all[i].start_us, length, 1e-6);
                }
            }
            EXPECT_LT(all.size(), 128U);
            EXPECT_GT(all.size(), end_us > 1'100 ? 62U : end_us > 100 ? 60U : 2U);
        }
        // Of one port: what intervals say is what the whole run says.
        double busy = 0;
        for (const limit_interval& i : intervals_of(where, "host_link")) {
            busy += i.busy_percent * (i.end_us - i.start_us);
        }
        double most = 0;
        double least = 100;
        for (const auto& [name, row] : limits_of(where)) {
            if (name.find(" host_link ") != std::string::npos) {
                most = std::max(most, std::stod(row.at("busy_percent")));
                least = std::min(least, std::stod(row.at("busy_percent")));
            }
        }
        // The nearest of each interval need not be the same host; all have the same load.
        EXPECT_GE(busy / (end_us - 13) + 0.01, most);
        EXPECT_LT(busy / (end_us - 13), most + (end_us < 100 ? 8 : 3));
        EXPECT_GT(least, 0);
    }
}

TEST(limits, memories_that_are_fast_enough_change_nothing) {
    const scratch_directory where;
    for (const arguments& buffer : {shared, arguments{"--switch.ingress_buffer=256KiB"}}) {
        const arguments incast =
            combined(buffer, {"--traffic.load=60%", "--pfc.mode=pfc", "--switch.classes=1"});
        run(where, incast);
        const std::string ports = contents(where / "out/ports.csv");
        run(where, combined(incast, {"--sram.access_time=1ps", "--sram.banks=2"}));
        EXPECT_EQ(contents(where / "out/ports.csv"), ports);
    }
}

TEST(limits, flow_control_loses_nothing_where_memories_are_too_slow) {
    const scratch_directory where;
    const auto held = [&](const arguments& more) {
        const auto made =
            run(where, combined({"--pfc.mode=pfc", "--switch.classes=2", "--sram.banks=4"}, more));
        EXPECT_EQ(made["frames"]["dropped"], 0) << more.back();
        EXPECT_GT(made["frames"]["delivered"], 1'000) << more.back();
        EXPECT_GT(made["resources"]["memory"]["binding"], 0) << more.back();
    };
    for (const std::string time : {"30ns", "60ns", "100ns"}) {
        held({"--switch.ingress_buffer=1MiB", "--sram.access_time=" + time});
    }
    // Frames have to wait in front of a shared memory, where no pause can help: the FIFO is for all of them.
    held({"--switch.buffer=shared", "--shared.memory=12MB", "--switch.ingress_fifo=4MB",
          "--sram.access_time=10ns"});
}

TEST(limits, frames_wait_for_their_lookup_in_a_fifo_and_are_lost_when_it_is_full) {
    const scratch_directory where;
    const arguments small = combined(shared, {"--udp.payload=18B", "--switch.lookup_interval=2ns"});
    const auto lossy = run(where, small);
    // One frame each 2 ns, from the first arrival (1.007 us) on.
    EXPECT_NEAR(lossy["frames"]["delivered"].get<double>(), (200'000.0 - 1'007 - 1'507) / 2, 800);
    EXPECT_GT(lossy["drops"]["ingress_fifo_full"], 100'000);
    EXPECT_EQ(lossy["limited_by"], nlohmann::json::array({"lookup", "host_link"}));
    EXPECT_EQ(lossy["resources"]["lookup"]["lost_frames"], lossy["drops"]["ingress_fifo_full"]);
    // The longest wait is that of a full FIFO of every port.
    EXPECT_NEAR(std::stod(limits_of(where)["tor0 lookup "]["max_wait_ns"]), 8 * 16'384 / 64 * 2, 20);

    // Lossless classes cannot be lost there: the run ends, and says why.
    const outcome failed =
        run_program(where, permutation({"--switch.buffer=shared", "--shared.memory=64MB", "--pfc.mode=pfc",
                                        "--udp.payload=18B", "--switch.lookup_interval=2ns"},
                                       "held"));
    EXPECT_EQ(failed.status, 1);
    EXPECT_NE(failed.err.find("16384 of 16384 B of switch.ingress_fifo wait for the lookup "
                              "(switch.lookup_interval = 2ns)"),
              std::string::npos)
        << failed.err;
}

TEST(limits, headroom_counts_what_waits_for_its_lookup) {
    const scratch_directory where;
    const auto headroom = [&](const arguments& more) {
        const outcome made = run_program(
            where,
            combined({"run", "--dry-run", "--traffic.kind=none", "--fabric.topology=single", "--fabric.hosts=4",
                      "--switch.buffer=shared", "--shared.memory=12MB", "--pfc.mode=pfc"},
                     more));
        EXPECT_EQ(made.status, 0) << made.err;
        const std::size_t end = made.out.find('\n', made.out.find("  lossless  "));
        const std::size_t at = made.out.rfind(" B", end);
        return std::stol(made.out.substr(made.out.rfind(' ', at - 1) + 1));
    };
    const long without = headroom({});
    // 16,384 B of frames of 64 B are 256, each with 20 B on the wire.
    EXPECT_EQ(headroom({"--switch.lookup_interval=1ns"}), without + 16'384 + 256 * 20);
    EXPECT_EQ(headroom({"--switch.lookup_interval=1ns", "--switch.ingress_fifo=6400B"}),
              without + 6'400 + 100 * 20);
}

TEST(limits, what_memories_can_not_be_is_refused) {
    const scratch_directory where;
    const auto refused = [&](const arguments& more, const std::string& message) {
        const outcome made = run_program(
            where, combined({"run", "--dry-run", "--fabric.topology=single", "--traffic.kind=none"}, more));
        EXPECT_EQ(made.status, 2);
        EXPECT_TRUE(has_error(made.err, message));
    };
    refused({"--sram.access_time=1ns"}, "sram.access_time: switch.memory_cell, 0B, at least 1B");
    refused({"--sram.access_time=1ns", "--switch.memory_cell=64B", "--switch.crossbar=cell"},
            "switch.crossbar: cell");
    refused({"--sram.access_time=1ns", "--switch.memory_cell=64B", "--pfc.mode=pfc", "--pfc.charge=enqueue"},
            "pfc.charge: enqueue");
    refused({"--switch.buffer=shared", "--switch.lookup_interval=1ns", "--switch.ingress_fifo=1000B"},
            "switch.ingress_fifo: 1KB, switch.max_frame, at least 1530B");
    refused({"--sram.banks=0"}, "sram.banks: 0, 1 to 256");
    refused({"--sram.access_time=5"}, "sram.access_time: ");
    refused({"--sram.ports=2rw"}, "sram.ports: ");
}

// A run whose traffic has ended before it began takes no time: shares of it were not a number.
TEST(limits, a_run_of_no_time_used_nothing) {
    const scratch_directory where;
    const outcome made =
        run_program(where, {"run", "--traffic.kind=poisson", "--traffic.distribution=web_search",
                            "--traffic.load=80%", "--traffic.stop=1ns", "--out", "out"});
    ASSERT_EQ(made.status, 0) << made.err;
    EXPECT_NE(made.out.find(", 0.0 % busy"), std::string::npos) << made.out;
    const nlohmann::json summary = summary_of(where / "out");
    EXPECT_EQ(summary.at("simulated_ns"), 0);
    EXPECT_EQ(summary.at("resources").at("link").at("busy_percent"), 0);
    EXPECT_EQ(run_program(where, {"table", "out"}).status, 0);
}

}  // namespace
}  // namespace weir::test
