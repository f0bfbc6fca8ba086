// Shared memories set by SONiC's pg_profile_lookup.ini.
#include <gtest/gtest.h>

#include <array>
#include <iterator>
#include <sstream>

#include "golden/golden_rows.h"
#include "profiled_fabric.h"
#include "shared_incast.h"
#include "support/errors_said.h"
#include "support/scripted_endpoint.h"
#include "tb/run/options/load_config.h"
#include "tb/run/simulation/simulation.h"
#include "tb/run/topology/build_topology.h"
#include "weir/model/memory/shared_buffer.h"

namespace weir::test {

using namespace tb;
namespace {

// Trident2 as SONiC's tables have it, with a cable of 5 m and one of 300 m at 40 Gb/s: both groups have a
// minimum of 6 cells and alpha 1/2, and headroom of 45,136 B = 217 cells and of 62,816 B = 302 cells. Frames of
// a cell come to a queue that does not send, first from the one, then from the other. All obey PFC 60 ms later:
// the switch before the first frame, the senders after the last.
//
// 44,032 cells are shared. The first group is paused when s >= floor((44,032 - s) / 2): with s = 14,677, by
// frame 14,683. The second with s >= floor((29,355 - s) / 2): with 9,785, by frame 9,791. Between its first PFC
// and its first loss are 303 frames, which is also the difference that a hardware test counts
// (topo-t0-backend/40000_300m: 4,703 and 5,006). Its first PFC needs alpha 1/8, which is not in the table:
// hardware_thresholds_test.cpp.
TEST(sonic_profiles, two_cables_at_one_trident2_have_two_profiles_of_sonics_table) {
    const scratch_directory where;
    const std::string file = where.write("pg_profile_lookup.ini", sonic_table("Trident2"));
    const loaded_config loaded = load_config_files(
        {"--switch.buffer=shared", "--fabric.topology=single", "--fabric.hosts=3", "--link.rate=40Gbps",
         "--link.latency=25ns", "--fabric.link=h1-tor0 latency=1400ns", "--switch.classes=8",
         "--switch.memory_cell=208B", "--switch.lookup_delay=400ns", "--pfc.mode=pfc", "--pfc.response=60ms",
         "--shared.lossless_classes=3,4", "--shared.memory=12766208B", "--shared.lossless_pool=9158656B",
         "--shared.lossy_pool=2000B", "--shared.pg_profile_lookup=" + file, "--run.duration=1ms"},
        {where.write("empty.ini", "").string()});
    ASSERT_TRUE(loaded.errors.empty()) << format_error(loaded.errors[0]);
    const built_topology built = build_topology(loaded.config);
    ASSERT_TRUE(built.errors.empty()) << format_error(built.errors[0]);
    const topology& plan = built.plan;
    constexpr unsigned first_frames = 14'683 + 217;
    constexpr unsigned second_frames = 9'791 + 303;
    constexpr picoseconds step = 2us;
    std::vector<scripted_endpoint> ends(3);
    const auto time_of = [&](unsigned frame) { return 61ms + step * frame; };
    ethernet_frame stop;
    stop.kind = frame_kind::pfc;
    stop.priority = pfc_classes - 1;
    stop.pause = pause_fields{};
    stop.pause.class_enable = 0xFF;
    stop.pause.quanta.fill(0xFFFF);
    for (picoseconds at{0}; at < time_of(first_frames + second_frames); at += 100us) {
        ends[2].at(at, stop);
    }
    for (unsigned i = 0; i < first_frames + second_frames; ++i) {
        const unsigned h = i < first_frames ? 0 : 1;
        ends[h].at(time_of(i), frame_between(plan.address_of(h), plan.address_of(2), 200, 3));
    }
    fabric_parameters parameters = fabric_parameters_of(loaded.config, built);
    fabric made("fabric", parameters, plan);
    for (host_id h = 0; h < 3; ++h) {
        made.host(h)->run(ends[h]);
    }
    made.configure_run(engine_kind::fast, made.lookahead(), never);
    const switch_node& device = made.device(0);
    const shared_buffer& memory = *device.shared_memory();
    EXPECT_EQ(memory.limits(0, 3).headroom, 217U);
    EXPECT_EQ(memory.limits(1, 3).headroom, 302U);
    EXPECT_EQ(memory.limits(1, 3).minimum, 6U);
    // 18,432 B are 88.6 cells, 2,496 B are 12.
    for (const unsigned port : {0U, 1U}) {
        EXPECT_EQ(memory.limits(port, 3).xon, 88U);
        EXPECT_EQ(memory.limits(port, 3).xon_offset, 12U);
        EXPECT_EQ(memory.limits(port, 3).threshold.with(1'001), 500U);
    }
    EXPECT_EQ(memory.limits(1, 0).headroom, 0U);
    std::array<unsigned, 2> first_pfc{};
    std::string loss;
    unsigned frame = 0;
    try {
        sc_core::sc_start(to_sc_time(time_of(0)));
        for (; frame < first_frames + second_frames; ++frame) {
            sc_core::sc_start(to_sc_time(step));
            for (const unsigned port : {0U, 1U}) {
                if (first_pfc[port] == 0 && device.mac(port).requests.stats().xoff_sent[3] > 0) {
                    first_pfc[port] = frame + 1;
                }
            }
        }
    } catch (const sc_core::sc_report& report) {
        loss = report.get_msg();
    }
    EXPECT_EQ(first_pfc[0], 14'683U);
    EXPECT_EQ(first_pfc[1], first_frames + 9'791U);
    EXPECT_EQ(frame, first_frames + second_frames - 1);
    EXPECT_NE(loss.find("ingress port 1 lost a frame of lossless class 3"), std::string::npos) << loss;
    EXPECT_EQ(memory.group_usage(0, 0, 3).headroom, 217U);
    EXPECT_EQ(memory.group_usage(0, 1, 3).headroom, 302U);
}

// Frames of 64 B take 16.8 ns of the wire each and a cell of memory: 217 cells are full after 3.65 us, and to
// and fro 300 m are 3 us, to which XOFF's own time, the sender's response and the lookup come; 302 cells
// hold 5.07 us.
TEST(sonic_profiles, headroom_of_5_m_loses_a_frame_over_300_m_and_that_of_300_m_does_not) {
    const scratch_directory where;
    const std::string folder = WEIR_GOLDEN_DIR "/../../tb/experiments/shared/";
    const arguments run{"run", folder + "trident2_small_frames.ini"};
    const outcome right = run_program(where, combined(run, {"--out=right"}));
    ASSERT_EQ(right.status, 0) << right.err;
    EXPECT_EQ(summary_of(where / "right")["frames"]["dropped"], 0);
    for (const auto& row : golden::lines_of_file(where / "right/buffers.csv")) {
        if (row[1] == "group_headroom" && row[5] == "62816") {
            EXPECT_GT(std::stoul(row[6]), 45'136U) << row[3];
        }
    }
    const outcome wrong = run_program(
        where,
        combined(run, {"--out=wrong", "--shared.pg_profile_lookup=" + folder + "trident2_5m_for_all.ini"}));
    EXPECT_EQ(wrong.status, 1);
    EXPECT_NE(wrong.err.find("lost a frame of lossless class 3"), std::string::npos) << wrong.err;
    EXPECT_NE(wrong.err.find("cells (217 of 217 in use)"), std::string::npos) << wrong.err;
}

TEST(sonic_profiles, a_table_of_weir_headroom_goes_into_a_run) {
    const scratch_directory where;
    const outcome table =
        run_program(where, {"headroom", "--cell=208B", "--table", "--speeds=10Gbps", "--cables=5m,300m,1km",
                            "--format=sonic", "--threshold=-1", "--port_mtu=1530B"});
    ASSERT_EQ(table.status, 0) << table.err;
    where.write("pg.ini", table.out);
    const outcome made = run_program(
        where,
        incast(combined(lossless, {"--traffic.priorities=0", "--shared.pg_profile_lookup=pg.ini"}), "out"));
    ASSERT_EQ(made.status, 0) << made.err;
    // 1 us is 200 m: the row of 300 m.
    std::string headroom;
    std::istringstream lines(table.out);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        const std::vector<std::string> row{std::istream_iterator<std::string>(words), {}};
        headroom = row.size() == 6 && row[1] == "300m" ? row[4] : headroom;
    }
    ASSERT_NE(headroom, "");
    EXPECT_NE(contents(where / "out/buffers.csv").find("tor0,group_headroom,,1,0," + headroom + ","),
              std::string::npos)
        << headroom;
}

/// 5 m to h0, 300 m to h1.
arguments two_cables(const std::string& file, const arguments& more) {
    return combined(
        {"--switch.buffer=shared", "--fabric.topology=single", "--fabric.hosts=3", "--link.rate=40Gbps",
         "--link.latency=25ns", "--fabric.link=h1-tor0 latency=1500ns", "--switch.classes=8",
         "--switch.lookup_delay=300ns", "--pfc.mode=pfc", "--shared.lossless_classes=3,4",
         "--shared.memory=12MiB", "--shared.lossy_pool=500KB", "--shared.pg_profile_lookup=" + file},
        more);
}

TEST(sonic_profiles, sizes_contain_headroom_where_it_is_no_pool_and_do_not_where_it_is_one) {
    const scratch_directory where;
    // Tomahawk has a headroom pool: minima of 1,248 B, 6 cells, and XON 2,288 B, 11 cells.
    const std::string tomahawk = where.write("tomahawk.ini", sonic_table("Tomahawk"));
    const profiled_fabric pooled = build_profiled(
        where, two_cables(tomahawk, {"--switch.memory_cell=208B", "--shared.headroom_pool=1MB"}));
    ASSERT_TRUE(pooled.built.errors.empty()) << format_error(pooled.built.errors[0]);
    const shared_buffer memory = pooled.memory(0);
    EXPECT_EQ(memory.limits(0, 3).headroom, 320U);  // 66,560 B
    EXPECT_EQ(memory.limits(1, 4).headroom, 520U);  // 108,160 B
    for (const unsigned port : {0U, 1U}) {
        EXPECT_EQ(memory.limits(port, 3).minimum, 6U);
        EXPECT_EQ(memory.limits(port, 3).xon, 11U);
        EXPECT_EQ(memory.limits(port, 3).xon_offset, 11U);
        EXPECT_EQ(memory.limits(port, 3).threshold.with(1'000), 1'000U);
    }
    const profiled_fabric single = build_profiled(where, two_cables(tomahawk, {"--switch.memory_cell=208B"}));
    ASSERT_EQ(single.built.errors.size(), 1U);
    EXPECT_TRUE(errors_are(format_error(single.built.errors[0]),
                           {tomahawk + ":2: size: 1248, 35776, shared.headroom_pool, 15"}));
    // Spectrum with a pool: size is xon alone, whether xoff is above or below it. 203 cells of 96 B.
    const std::string spectrum =
        where.write("spectrum.ini", "40000 5m 19456 19456 14336 0\n40000 300m 19456 19456 44032 0\n");
    const arguments of_cells{"--switch.memory_cell=96B", "--shared.headroom_pool=1MB"};
    const profiled_fabric both = build_profiled(where, two_cables(spectrum, of_cells));
    ASSERT_TRUE(both.built.errors.empty()) << format_error(both.built.errors[0]);
    EXPECT_EQ(both.memory(0).limits(0, 3).minimum, 203U);
    EXPECT_EQ(both.memory(0).limits(1, 3).minimum, 203U);
    // And without one: size is xon + xoff.
    const std::string whole =
        where.write("whole.ini", "40000 5m 33792 19456 14336 0\n40000 300m 63488 19456 44032 0\n");
    const profiled_fabric own = build_profiled(where, two_cables(whole, {"--switch.memory_cell=96B"}));
    ASSERT_TRUE(own.built.errors.empty()) << format_error(own.built.errors[0]);
    EXPECT_EQ(own.memory(0).limits(0, 3).minimum, 203U);
    EXPECT_EQ(own.memory(0).limits(1, 3).minimum, 203U);
    const auto dry_run = [&](const std::string& file, const arguments& more) {
        arguments all = combined(two_cables(file, more), {"--traffic.kind=incast", "--dry-run"});
        all.insert(all.begin(), "run");
        return run_program(where, all).out;
    };
    const std::string with_pool = single_blanks(dry_run("spectrum.ini", of_cells));
    EXPECT_NE(
        with_pool.find("their minimum is the size there, because headroom is a pool (shared.headroom_pool)."),
        std::string::npos)
        << with_pool;
    EXPECT_NE(with_pool.find(" 19488 B alpha "), std::string::npos) << with_pool;
    EXPECT_NE(with_pool.find(" 44064 B shared.pg_profile_lookup, line 2\n"), std::string::npos) << with_pool;
    EXPECT_NE(dry_run("whole.ini", {"--switch.memory_cell=96B"}).find("their minimum is size less xoff"),
              std::string::npos);
}

TEST(sonic_profiles, a_row_of_a_table_stands_above_sonics) {
    const scratch_directory where;
    where.write("pg.ini", "10000 300m 31248 2000 30000 -2 1000\n");
    where.write("groups.csv", "port,class,headroom_bytes\n3,0,40000\n");
    const outcome made = run_program(
        where, incast(combined(lossless, {"--traffic.priorities=0", "--shared.pg_profile_lookup=pg.ini",
                                          "--shared.group_profiles=groups.csv"}),
                      "out"));
    ASSERT_EQ(made.status, 0) << made.err;
    std::map<std::string, std::string> headroom;
    for (const auto& row : golden::lines_of_file(where / "out/buffers.csv")) {
        if (row[1] == "group_headroom") {
            headroom[row[3]] = row[5];
        }
    }
    // Who is told of too little headroom is told whose it is.
    EXPECT_EQ(made.err.find("shared.group_profiles: "), std::string::npos) << made.err;
    where.write("short_pg.ini", "# SONiC's\n10000 300m 3248 2000 2000 -2 1000\n");
    const outcome told_of_sonic =
        run_program(where, incast(combined(lossless, {"--shared.pg_profile_lookup=short_pg.ini", "--dry-run",
                                                      "--shared.group_profiles=groups.csv"}),
                                  "out3"));
    EXPECT_NE(told_of_sonic.err.find("short_pg.ini:2: headroom of 2KB of tor0, ingress port 0"),
              std::string::npos)
        << told_of_sonic.err;
    where.write("short.csv", "port,class,headroom_bytes\n2,0,30000\n3,0,1000\n");
    const outcome told_of_group =
        run_program(where, incast(combined(lossless, {"--shared.pg_profile_lookup=short_pg.ini", "--dry-run",
                                                      "--shared.group_profiles=short.csv"}),
                                  "out4"));
    EXPECT_NE(told_of_group.err.find("short.csv:3: headroom of 1KB of tor0, ingress port 3"), std::string::npos)
        << told_of_group.err;
    EXPECT_EQ(headroom["2"], "30160");
    EXPECT_EQ(headroom["3"], "40144");
    // The options of lossless groups have no effect beside it.
    const outcome told = run_program(
        where,
        incast(combined(lossless, {"--shared.pg_profile_lookup=pg.ini", "--shared.alpha=0.5", "--dry-run"}),
               "out2"));
    EXPECT_NE(told.err.find("shared.alpha: has no effect; it needs"), std::string::npos) << told.err;
}

}  // namespace
}  // namespace weir::test
