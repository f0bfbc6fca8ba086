// Shared memories set by SONiC's pg_profile_lookup.ini.
#include <gtest/gtest.h>

#include <array>
#include <iterator>
#include <sstream>

#include "golden/golden_rows.h"
#include "shared_incast.h"
#include "support/scripted_endpoint.h"
#include "tb/options/load_config.h"
#include "tb/run/build_topology.h"
#include "tb/run/simulation.h"

namespace weir::test {
namespace {

// Trident2 as SONiC's tables have it, with a cable of 5 m and one of 300 m at 40 Gb/s: both groups have a
// minimum of 6 cells and alpha 1/2, and headroom of 45,136 B = 217 cells and of 62,816 B = 302 cells. Frames of
// a cell come to a queue that does not send, first from the one, then from the other. All obey PFC 60 ms later:
// the switch before the first frame, the senders after the last.
//
// 44,032 cells are shared. The first group is paused when s >= floor((44,032 - s) / 2): with s = 14,677, by
// frame 14,683. The second with s >= floor((29,355 - s) / 2): with 9,785, by frame 9,791. Between its first PFC
// and its first loss are 303 frames, as hardware tests count them (topo-t0-backend/40000_300m: 4,703 and
// 5,006).
TEST(sonic_profiles, two_cables_at_one_trident2_have_two_profiles_of_sonics_table) {
    const scratch_directory where;
    std::string table = "# speed cable size xon xoff threshold xon_offset\n";
    for (const auto& row : golden::rows("sonic/headroom_tables.csv")) {
        if (row.at("asic") == "Trident2") {
            table += row.at("speed_mbps") + " " + row.at("cable_m") + "m " + row.at("size_bytes") + " " +
                     row.at("xon_bytes") + " " + row.at("xoff_headroom_bytes") + " " +
                     row.at("threshold_log2_alpha") + " " + row.at("xon_offset_bytes") + "\n";
        }
    }
    const std::string file = where.write("pg_profile_lookup.ini", table);
    const loaded_config loaded = load_config_file(
        {"--switch.buffer=shared", "--fabric.topology=single", "--fabric.hosts=3", "--link.rate=40Gbps",
         "--link.latency=25ns", "--fabric.link=h1-tor0 latency=1400ns", "--switch.classes=8",
         "--switch.memory_cell=208B", "--switch.lookup_delay=400ns", "--pfc.mode=pfc", "--pfc.response=60ms",
         "--shared.lossless_classes=3,4", "--shared.memory=12766208B", "--shared.lossless_pool=9158656B",
         "--shared.lossy_pool=2000B", "--shared.pg_profile_lookup=" + file, "--run.duration=1ms"},
        where.write("empty.ini", "").string());
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

TEST(sonic_profiles, a_table_of_weir_headroom_goes_into_a_run) {
    const scratch_directory where;
    const outcome table =
        run_program(where, {"headroom", "--cell=208B", "--table", "--speeds=10Gbps", "--cables=5m,300m,1km",
                            "--format=sonic", "--threshold=-1", "--port_mtu=1530B"});
    ASSERT_EQ(table.status, 0) << table.err;
    where.write("pg.ini", table.out);
    const outcome made = run_program(
        where,
        incast(joined(lossless, {"--traffic.priorities=0", "--shared.pg_profile_lookup=pg.ini"}), "out"));
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

TEST(sonic_profiles, a_row_of_a_table_stands_above_sonics) {
    const scratch_directory where;
    where.write("pg.ini", "10000 300m 1248 2000 30000 -2 1000\n");
    where.write("groups.csv", "port,class,headroom_bytes\n3,0,40000\n");
    const outcome made = run_program(
        where, incast(joined(lossless, {"--traffic.priorities=0", "--shared.pg_profile_lookup=pg.ini",
                                        "--shared.group_profiles=groups.csv"}),
                      "out"));
    ASSERT_EQ(made.status, 0) << made.err;
    std::map<std::string, std::string> headroom;
    for (const auto& row : golden::lines_of_file(where / "out/buffers.csv")) {
        if (row[1] == "group_headroom") {
            headroom[row[3]] = row[5];
        }
    }
    EXPECT_EQ(headroom["2"], "30160");
    EXPECT_EQ(headroom["3"], "40144");
    // The options of lossless groups have no effect beside it.
    const outcome told = run_program(
        where,
        incast(joined(lossless, {"--shared.pg_profile_lookup=pg.ini", "--shared.alpha=0.5", "--dry-run"}),
               "out2"));
    EXPECT_NE(told.err.find("shared.alpha: has no effect; it needs"), std::string::npos) << told.err;
}

}  // namespace
}  // namespace weir::test
