// Whole runs on switches with a shared memory: nothing lost under flow control, the same bytes however they
// run, ideal times, what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "golden/golden_rows.h"
#include "program.h"
#include "support/errors_said.h"

namespace weir::test {

using namespace tb;
namespace {

/// One switch, 16 hosts at 10 Gb/s, two incasts of 2 MB with windows that need all of it at once.
arguments run_of_incast(const arguments& more, const std::string& out) {
    return combined(
        {"run", "--switch.buffer=shared", "--fabric.topology=single", "--fabric.hosts=16", "--link.rate=10Gbps",
         "--link.latency=1us", "--switch.lookup_delay=400ns", "--switch.memory_cell=208B", "--switch.classes=2",
         "--traffic.kind=incast", "--traffic.incast_rounds=2", "--traffic.incast_bytes=2MB",
         "--tcp.initial_window=100", "--out", out},
        more);
}

/// Runs it; returns its summary.
nlohmann::json run_incast(const scratch_directory& where, const arguments& more, const std::string& out) {
    const outcome made = run_program(where, run_of_incast(more, out));
    EXPECT_EQ(made.status, 0) << made.err;
    return summary_of(where / out);
}

TEST(shared_memory, an_incast_under_flow_control_loses_nothing_and_without_it_loses_frames) {
    const scratch_directory where;
    for (const std::string mode : {"pfc", "pause"}) {
        const auto held = run_incast(where, {"--pfc.mode=" + mode, "--shared.memory=1500KB"}, mode);
        EXPECT_EQ(held["frames"]["dropped"], 0);
        EXPECT_EQ(held["frames"]["inside"], 0);
        EXPECT_EQ(held["flows"]["started"], held["flows"]["completed"]);
        EXPECT_GT(held["pfc"]["xoff_sent"], 100);
        EXPECT_NE(contents(where / (mode + "/buffers.csv")).find("tor0,lossless_pool,0,,,"), std::string::npos);
    }
    const auto lost = run_incast(where, {"--shared.memory=200KB"}, "lost");
    EXPECT_GT(lost["drops"]["egress_full"], 100);
    EXPECT_EQ(lost["drops"]["ingress_full"], 0);
}

TEST(shared_memory, every_threshold_keeps_lossless_classes_whole_in_slices_pools_and_at_any_alpha) {
    const scratch_directory where;
    const std::string memory = "--shared.memory=1200KB";
    const arguments all[] = {
        {"--shared.alpha=0.0625", memory},
        {"--shared.alpha=64", memory},
        {"--shared.alpha=1024", "--shared.slices=3", "--shared.memory=3MB"},
        {"--shared.slices=4", "--shared.slice_map=ingress", "--shared.memory=4MB"},
        {"--shared.threshold=20KB", "--shared.xon_offset=4KB", memory},
        {"--shared.minimum=3000B", "--shared.xon=6KB", memory},
        {"--shared.lossless_classes=1", "--shared.lossy_pool=100KB", "--shared.queue_minimum=2KB", memory},
        {"--shared.headroom=40KB", "--shared.headroom_pool=700KB", "--shared.memory=900KB"},
    };
    for (const arguments& each : all) {
        SCOPED_TRACE(each[0]);
        const auto run = run_incast(where, combined({"--pfc.mode=pfc"}, each), "out");
        EXPECT_EQ(run["frames"]["dropped"], 0);
        EXPECT_EQ(run["frames"]["inside"], 0);
        EXPECT_EQ(run["flows"]["started"], run["flows"]["completed"]);
        EXPECT_GT(run["pfc"]["xoff_sent"], 10);
    }
}

// Hosts send to each other in both directions, so that XOFF waits for a full frame; alpha is so large that the
// pool fills up to its last cell. The frame that is being stored then takes headroom, which `weir headroom`
// counts with
// --full_pool=on only (headroom_verify_test.cpp has the same link: 96,738 B and 87,522 B).
TEST(shared_memory, a_pool_that_fills_up_needs_headroom_for_the_frame_that_fills_it) {
    const scratch_directory where;
    std::uint32_t state = 20;
    const auto start = [&state](unsigned base) {
        state = state * 1'664'525 + 1'013'904'223;
        return std::to_string(base + (state >> 8) % 800);
    };
    unsigned lost = 0;
    for (int attack = 0; attack < 6; ++attack) {
        std::string flows = "start_ns,src,dst,bytes\n";
        for (const char* pair : {"4,0", "5,1", "6,2", "7,3"}) {
            flows += start(0) + ',' + pair + ",4000000\n";
        }
        for (const char* pair : {"0,7", "1,7", "2,7", "3,7"}) {
            flows += start(2'000) + ',' + pair + ",1000000\n";
        }
        const std::string trace = where.write("attack.csv", flows);
        const auto status_with = [&](const std::string& headroom) {
            const outcome made = run_program(where, {"run",
                                                     "--run.duration=300us",
                                                     "--fabric.topology=single",
                                                     "--fabric.hosts=8",
                                                     "--link.rate=100Gbps",
                                                     "--link.latency=1500ns",
                                                     "--switch.buffer=shared",
                                                     "--switch.classes=1",
                                                     "--switch.max_frame=9216B",
                                                     "--switch.lookup_delay=500ns",
                                                     "--pfc.mode=pfc",
                                                     "--pfc.response=2017280ps",
                                                     "--shared.memory=4MB",
                                                     "--shared.alpha=1024",
                                                     "--shared.lossless_pool=600000B",
                                                     "--shared.headroom=" + headroom,
                                                     "--traffic.kind=trace",
                                                     "--traffic.transport=udp",
                                                     "--udp.payload=9158B",
                                                     "--udp.header=58B",
                                                     "--traffic.file=" + trace,
                                                     "--out",
                                                     "out"});
            return made.status;
        };
        EXPECT_EQ(status_with("auto"), 0);
        EXPECT_EQ(status_with("96738B"), 0);
        lost += status_with("87522B") == 1 ? 1 : 0;
    }
    EXPECT_GT(lost, 0U);
}

TEST(shared_memory, a_lone_transfer_takes_its_ideal_time) {
    const scratch_directory where;
    const std::string trace = where.write("one.csv", "start_ns,src,dst,bytes\n0,0,7,30000\n");
    // By flow hash one path, by DeTail's rule several.
    for (const std::string scheme : {"baseline", "detail"}) {
        const outcome made =
            run_program(where, {"run", "--switch.buffer=shared", "--switch.scheme=" + scheme,
                                "--fabric.topology=racks", "--fabric.racks=2", "--fabric.hosts_per_rack=4",
                                "--fabric.roots=2", "--traffic.kind=trace", "--traffic.file=" + trace,
                                "--tcp.initial_window=60000", "--shared.memory=12MB", "--out", scheme});
        ASSERT_EQ(made.status, 0) << made.err;
        const auto rows = golden::lines_of_file(where / (scheme + "/flows.csv"));
        ASSERT_EQ(rows.size(), 1U);
        const double time = std::stod(rows[0][8]);
        const double ideal = std::stod(rows[0][9]);
        if (scheme == "baseline") {
            EXPECT_EQ(time, ideal);
        } else {
            EXPECT_GE(time, ideal);
            EXPECT_LT(time, 1.2 * ideal);
        }
    }
}

TEST(shared_memory, queues_beyond_the_threshold_are_marked_and_tcp_halves_its_windows) {
    const scratch_directory where;
    // Fifteen long transfers to one host: NewReno without marks fills the queue until it loses, with marks it
    // stays near the threshold and loses nothing.
    const arguments memory{"--shared.memory=1MB", "--traffic.incast_bytes=12MB", "--tcp.min_rto=1ms",
                           "--traffic.incast_rounds=1"};
    const auto base = [&](const arguments& more, const std::string& out) {
        arguments all{"run",
                      "--switch.buffer=shared",
                      "--fabric.topology=single",
                      "--fabric.hosts=16",
                      "--link.rate=10Gbps",
                      "--link.latency=1us",
                      "--switch.lookup_delay=400ns",
                      "--switch.classes=1",
                      "--traffic.kind=incast",
                      "--tcp.initial_window=4",
                      "--out",
                      out};
        const outcome made = run_program(where, combined(combined(all, memory), more));
        EXPECT_EQ(made.status, 0) << made.err;
        return summary_of(where / out);
    };
    const auto plain = base({}, "plain");
    const auto marked = base({"--shared.ecn_threshold=100KB"}, "marked");
    EXPECT_GT(plain["frames"]["dropped"], 0);
    EXPECT_FALSE(plain.contains("ecn"));
    EXPECT_EQ(marked["frames"]["dropped"], 0);
    EXPECT_GT(marked["ecn"]["seen"], 100);
    // Only the one queue that is long ever held as much, and it stayed near the threshold.
    for (const auto& row : golden::lines_of_file(where / "marked/buffers.csv")) {
        if (row[1] == "queue") {
            EXPECT_EQ(row[3] == "0", std::stoull(row[6]) > 100'000) << row[3];
            EXPECT_LT(std::stoull(row[6]), 700'000U) << row[3];
        }
    }
}

TEST(shared_memory, cut_links_give_their_memory_back) {
    const scratch_directory where;
    const auto run = run_incast(where,
                                {"--pfc.mode=pfc", "--shared.memory=1500KB", "--tcp.min_rto=1ms",
                                 "--fabric.link=h0-tor0 down at=300us", "--fabric.link=h0-tor0 up at=2ms",
                                 "--fabric.link=h3-tor0 down at=400us", "--fabric.link=h3-tor0 up at=3ms"},
                                "out");
    EXPECT_GT(run["drops"]["link_down"], 50);
    EXPECT_EQ(run["frames"]["inside"], 0);
    EXPECT_EQ(run["flows"]["started"], run["flows"]["completed"]);
}

TEST(shared_memory, a_lossless_frame_without_memory_ends_the_run_and_is_named) {
    const scratch_directory where;
    const outcome made = run_program(
        where, run_of_incast({"--pfc.mode=pfc", "--shared.headroom=0B", "--shared.memory=400KB"}, "out"));
    EXPECT_EQ(made.status, 1);
    for (const char* text :
         {"lost a frame of lossless class", "in slice 0 its group is at or above its threshold (",
          "and the group's headroom has no room for its ", "shared cells are free",
          "hint: --trace.drop_causes=on writes", "shared.headroom = 0B is less than the"}) {
        EXPECT_NE(made.err.find(text), std::string::npos) << text << " is not in " << made.err;
    }
}

TEST(shared_memory, a_headroom_pool_that_is_full_is_named_and_one_that_holds_no_group_is_warned_of) {
    const scratch_directory where;
    const outcome made = run_program(
        where,
        run_of_incast({"--pfc.mode=pfc", "--shared.headroom_pool=2080B", "--shared.memory=400KB"}, "out"));
    EXPECT_EQ(made.status, 1);
    for (const char* text : {"lost a frame of lossless class", "and the headroom pool has no room for its ",
                             " of 10 in use)", "shared.headroom_pool = 2080B is less than the "}) {
        EXPECT_NE(made.err.find(text), std::string::npos) << text << " is not in " << made.err;
    }
    // What one group needs is enough, though not for all at once.
    const outcome enough = run_program(
        where, run_of_incast({"--pfc.mode=pfc", "--shared.headroom_pool=40KB", "--dry-run"}, "out"));
    EXPECT_EQ(enough.err.find("shared.headroom_pool"), std::string::npos) << enough.err;
    // A slice has its part only.
    const outcome sliced = run_program(where, run_of_incast({"--pfc.mode=pfc", "--shared.headroom_pool=40KB",
                                                             "--shared.slices=16", "--dry-run"},
                                                            "out"));
    EXPECT_NE(sliced.err.find("shared.headroom_pool = 40KB, 2500B in a slice, is less than the "),
              std::string::npos)
        << sliced.err;
}

TEST(shared_memory, slices_that_never_hold_a_frame_are_warned_of) {
    const scratch_directory where;
    const outcome most = run_program(where, run_of_incast({"--shared.slices=16", "--dry-run"}, "out"));
    EXPECT_EQ(most.err.find("shared.slices"), std::string::npos) << most.err;
    const outcome more = run_program(where, run_of_incast({"--shared.slices=20", "--dry-run"}, "out"));
    EXPECT_NE(more.err.find("shared.slices = 20: tor0 has 16 ports, so 4 of its slices, each with its part of "
                            "every pool, stay empty"),
              std::string::npos)
        << more.err;
}

TEST(shared_memory, the_summary_has_the_fullest_memory_of_each_kind) {
    const scratch_directory where;
    const auto run = run_incast(where,
                                {"--pfc.mode=pfc", "--shared.slices=2", "--shared.lossless_classes=1",
                                 "--shared.lossy_pool=100KB", "--shared.memory=1500KB"},
                                "out");
    // Largest share of the size among the lines of buffers.csv, by kind; those of all slices have no slice.
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> fullest;
    std::map<std::string, std::uint64_t> sums;
    std::map<std::string, std::uint64_t> together;
    for (const auto& row : golden::lines_of_file(where / "out/buffers.csv")) {
        const std::uint64_t mark = std::stoull(row[6]);
        if (!row[3].empty()) {
            fullest[row[1]].second = std::max(fullest[row[1]].second, mark);
        } else if (row[2].empty()) {
            together[row[1]] = mark;
        } else {
            sums[row[1]] += mark;
            fullest[row[1]].first = std::stoull(row[5]);
            fullest[row[1]].second = std::max(fullest[row[1]].second, mark);
        }
    }
    EXPECT_GT(fullest["lossless_pool"].second, 0U);
    EXPECT_GT(fullest["group_headroom"].second, 0U);
    for (const char* kind : {"lossless_pool", "lossy_pool", "headroom", "queue_pool"}) {
        const auto& seen = run["buffers"][kind];
        EXPECT_EQ(seen["size_bytes"], fullest[kind].first) << kind;
        EXPECT_EQ(seen["watermark_bytes"], fullest[kind].second) << kind;
        EXPECT_NEAR(
            seen["watermark_percent"].get<double>(),
            100.0 * static_cast<double>(fullest[kind].second) / static_cast<double>(fullest[kind].first),
            0.001);
        EXPECT_LE(together[kind], sums[kind]) << kind;
        EXPECT_GE(together[kind], fullest[kind].second) << kind;
    }
    for (const char* kind : {"group_shared", "group_headroom", "queue"}) {
        EXPECT_EQ(run["buffers"][kind]["watermark_bytes"], fullest[kind].second) << kind;
    }
    EXPECT_EQ(run["buffers"].count("ingress"), 0U);
    // Without lossless classes there is no headroom to be full.
    const auto lossy = run_incast(where, {"--shared.memory=1500KB"}, "lossy");
    EXPECT_EQ(lossy["buffers"]["headroom"]["size_bytes"], 0);
    EXPECT_TRUE(lossy["buffers"]["headroom"]["watermark_percent"].is_null());
    EXPECT_GT(lossy["buffers"]["queue_pool"]["watermark_percent"], 0);
    // Memories of ports: the fullest class of ports.csv.
    const outcome made =
        run_program(where, {"run", "--fabric.topology=single", "--fabric.hosts=16", "--traffic.kind=incast",
                            "--traffic.incast_rounds=2", "--traffic.incast_bytes=500KB", "--pfc.mode=pfc",
                            "--out", "ports"});
    ASSERT_EQ(made.status, 0) << made.err;
    const auto ports = summary_of(where / "ports");
    std::map<std::string, std::uint64_t> most;
    const std::string head =
        contents(where / "ports/ports.csv").substr(0, contents(where / "ports/ports.csv").find('\n'));
    const auto column = [&](const std::string& name) {
        return static_cast<std::size_t>(
            std::count(head.begin(), head.begin() + static_cast<std::ptrdiff_t>(head.find(name)), ','));
    };
    for (const auto& row : golden::lines_of_file(where / "ports/ports.csv")) {
        if (row[0] != "tor0") {
            continue;
        }
        for (const std::string side : {"ingress", "egress"}) {
            most[side] = std::max<std::uint64_t>(most[side], std::stoull(row[column(side + "_max_bytes")]));
        }
    }
    EXPECT_GT(most["ingress"], 0U);
    EXPECT_EQ(ports["buffers"]["ingress"]["watermark_bytes"], most["ingress"]);
    EXPECT_EQ(ports["buffers"]["egress"]["watermark_bytes"], most["egress"]);
    EXPECT_EQ(ports["buffers"]["egress"]["size_bytes"], 131'072);
}

struct refusal {
    arguments options;
    std::vector<std::string> message;
};

TEST(shared_memory, options_that_make_no_sense_are_refused_with_status_2) {
    const refusal all[] = {
        {{"--pfc.mode=pfc", "--shared.lossless_classes=3"}, {"shared.lossless_classes: 3, switch.classes, 2"}},
        {{"--pfc.mode=pfc", "--shared.memory=100KB"}, {"shared.memory", "too small", "at least"}},
        {{"--shared.queue_pool=30MB"}, {"shared.queue_pool", "shared.memory"}},
        {{"--shared.lossy_pool=1KB"}, {"shared.lossy_pool", "one frame of switch.max_frame", "at least"}},
        {{"--shared.alpha=0"}, {"shared.alpha", "out of range"}},
        {{"--shared.queue_alpha=0.12345678"}, {"shared.queue_alpha: 0.12345678, 1/1024"}},
        {{"--pfc.mode=pfc", "--pfc.quanta=20"}, {"pfc.quanta", "leaves no time"}},
    };
    const scratch_directory where;
    for (const refusal& each : all) {
        const outcome made = run_program(where, run_of_incast(each.options, "out"));
        EXPECT_EQ(made.status, 2) << each.options.back() << made.err;
        EXPECT_FALSE(fs::exists(where / "out")) << each.options.back();
        for (const std::string& text : each.message) {
            EXPECT_TRUE(has_error(made.err, text)) << each.options.back();
        }
    }
}

TEST(shared_memory, options_of_the_other_kind_of_memory_have_no_effect_and_that_is_said) {
    const scratch_directory where;
    const outcome off = run_program(where, {"run", "--shared.memory=2MB", "--run.duration=1ms", "--dry-run"});
    EXPECT_NE(off.err.find("shared.memory: has no effect; it needs switch.buffer = shared"), std::string::npos)
        << off.err;
    const outcome on = run_program(where, run_of_incast({"--switch.speedup=2", "--dry-run"}, "out"));
    EXPECT_NE(on.err.find("switch.speedup: has no effect; it needs switch.buffer = partitioned"),
              std::string::npos)
        << on.err;
}

TEST(shared_memory, the_dry_run_says_what_each_slice_has) {
    const scratch_directory where;
    const outcome made = run_program(
        where, run_of_incast({"--pfc.mode=pfc", "--shared.slices=2", "--shared.minimum=1KB",
                              "--shared.headroom=20KB", "--shared.headroom_pool=200KB",
                              "--shared.lossless_classes=1", "--shared.queue_minimum=500B", "--dry-run"},
                             "out"));
    EXPECT_EQ(made.status, 0) << made.err;
    // 20 KB are 97 cells, 1 KB are 5, 200 KB in two slices 480.
    for (const char* text :
         {"one memory of 12MiB for all ports in 2 slices",
          "tor0, 16 ports, each slice:", "headroom pool 99840 B", "1040 B alpha 1 0 B 0 B 20176 B\n",
          // 2 slices of 12 MiB are 30,247 cells each; the queues have all of it, but for 3 each.
          "lossy queues: pool 6281392 B", "624 B alpha 8 ",
          "Frames take whole cells of 208B. Lossless groups are paused at 1 (alpha) times the free memory, and "
          "resume as soon as they are below this threshold (no hysteresis: shared.xon_offset = 0B). Lossy "
          "groups have alpha 8, lossy queues 8.\n"}) {
        EXPECT_NE(single_blanks(made.out).find(text), std::string::npos) << text << " is not in " << made.out;
    }
}

}  // namespace
}  // namespace weir::test
