// A shared memory in a switch against hardware: what SONiC's tests count (frames until the first PFC, the first
// drop, the end of the headroom pool; watermarks), counted in the same way in a simulation.
//
// The tests send frames of one cell to an egress port that does not send, and read the switch's counters after
// each step; their senders ignore PFC. Here the sink pauses its link, and the senders' links are so long that
// no PFC frame reaches them before the test is over.
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "golden/golden_rows.h"
#include "support/scripted_endpoint.h"
#include "weir/model/fabric/fabric.h"
#include "weir/model/memory/shared_buffer.h"

namespace weir::test {

using namespace tb;
namespace {

constexpr picoseconds way = 200ms;
constexpr picoseconds step = 2us;
constexpr unsigned senders = 10;

/// Tomahawk as far as SONiC's tables and tests tell; `headroom` by speed.
fabric_parameters tomahawk(bytes headroom, std::uint32_t slices = 4) {
    fabric_parameters p;
    p.device.classes = 8;
    p.device.memory_cell = 208_B;
    p.device.lookup_delay = 400ns;
    p.flow_control.mode = flow_control_mode::pfc;
    p.device.buffer = buffer_kind::shared;
    p.shared.memory = 32_MiB;
    p.shared.slices = slices;
    p.shared.lossless_classes = std::vector<std::uint32_t>{3, 4};
    p.shared.lossless_pool = 10'875'072_B;
    p.shared.minimum = 6 * 208_B;
    p.shared.headroom = headroom;
    p.shared.headroom_pool = 4'194'112_B;
    return p;
}

/// A switch with ten senders and a sink that has stopped its link. Frames of one cell.
class hardware_test {
 public:
    explicit hardware_test(const fabric_parameters& parameters) : m_parameters(parameters) {
        for (unsigned h = 0; h <= senders; ++h) {
            m_plan.add_host("h" + std::to_string(h));
        }
        const node_ref device = node_ref::of_switch(m_plan.add_switch("device", 1));
        for (unsigned h = 0; h <= senders; ++h) {
            m_plan.add_link(node_ref::of_host(h), device, {100_Gbps, h < senders ? way : 1us});
        }
        m_plan.finish();
        m_ends.resize(senders + 1);
    }

    /// `count` frames from that group, one each step.
    void send(unsigned sender, pfc_class c, unsigned count) {
        for (unsigned i = 0; i < count; ++i) {
            m_order.push_back({sender, c});
        }
    }
    struct counters {
        std::uint64_t pfc_of_group = 0;
        std::uint64_t ingress_drops = 0;
        std::uint64_t egress_drops = 0;
        std::uint64_t headroom_cells = 0;
        group_marks marks;
        std::uint32_t queue_mark = 0;
    };
    /// Runs all; `after(frames, counters of the last frame's group)` after each frame. False ends it.
    template <class After>
    void run(After&& after) {
        for (std::size_t i = 0; i < m_order.size(); ++i) {
            m_ends[m_order[i].first].at(step * static_cast<std::int64_t>(i),
                                        frame_between(m_plan.address_of(m_order[i].first),
                                                      m_plan.address_of(senders), 200, m_order[i].second));
        }
        const picoseconds end = way + step * static_cast<std::int64_t>(m_order.size() + 2);
        ethernet_frame stop;
        stop.kind = frame_kind::pfc;
        stop.priority = pfc_classes - 1;
        stop.pause = pause_fields{};
        stop.pause.class_enable = 0xFF;
        stop.pause.quanta.fill(0xFFFF);
        for (picoseconds at = way - 10us; at < end; at += 100us) {
            m_ends[senders].at(at, stop);
        }
        fabric made("fabric", m_parameters, m_plan);
        for (host_id h = 0; h <= senders; ++h) {
            made.host(h)->run(m_ends[h]);
        }
        made.configure_run(engine_kind::fast, made.lookahead(), never);
        const switch_node& device = made.device(0);
        std::size_t frame = 0;
        try {
            // The node is at most a lookahead, 1 us, ahead of the kernel: before the next frame's lookup is
            // done.
            sc_core::sc_start(to_sc_time(way - step / 2));
            bool go_on = true;
            for (; go_on && frame < m_order.size(); ++frame) {
                sc_core::sc_start(to_sc_time(step));
                go_on = after(frame + 1, read(device, m_order[frame]));
            }
        } catch (const sc_core::sc_report& report) {
            // A lost frame of a lossless class ends a run.
            m_loss = report.get_msg();
            counters last = read(device, m_order[frame]);
            after(frame + 1, last);
        }
    }
    const std::string& loss() const { return m_loss; }

 private:
    static counters read(const switch_node& device, const std::pair<unsigned, pfc_class>& group) {
        const shared_buffer& memory = *device.shared_memory();
        const auto drops = [&](drop_reason reason) {
            return device.stats().drops[static_cast<unsigned>(reason)];
        };
        return {device.mac(group.first).requests.stats().xoff_sent[group.second],
                drops(drop_reason::ingress_full),
                drops(drop_reason::egress_full),
                memory.headroom_used(memory.slice_of({0, 0, senders})),
                memory.marks(group.first, group.second),
                memory.queue_mark(senders, group.second)};
    }

    fabric_parameters m_parameters;
    topology m_plan;
    std::vector<scripted_endpoint> m_ends;
    std::vector<std::pair<unsigned, pfc_class>> m_order;
    std::string m_loss;
};

struct first_counts {
    std::size_t pfc = 0;
    std::size_t drop = 0;
};

/// SONiC's PFCtest: one group until its first PFC, and on to its first drop.
first_counts pfc_test(const fabric_parameters& p, unsigned frames) {
    hardware_test test(p);
    test.send(0, 3, frames);
    first_counts first;
    test.run([&](std::size_t frame, const hardware_test::counters& seen) {
        first.pfc = first.pfc == 0 && seen.pfc_of_group > 0 ? frame : first.pfc;
        first.drop = first.drop == 0 && seen.ingress_drops > 0 ? frame : first.drop;
        return first.drop == 0;
    });
    EXPECT_TRUE(first.drop == 0 || test.loss().find("lost a frame of lossless class 3") != std::string::npos)
        << test.loss();
    return first;
}

bytes headroom_of_speed(const std::string& testcase) {
    // SONiC's table of Tomahawk over 300 m.
    for (const auto& row : golden::rows("sonic/headroom_tables.csv")) {
        const std::string speed = row.at("speed_mbps");
        if (row.at("asic") == "Tomahawk" && row.at("cable_m") == "300" &&
            testcase.find("/" + speed + "_300m") != std::string::npos) {
            return bytes{std::stoll(row.at("xoff_headroom_bytes"))};
        }
    }
    ADD_FAILURE() << testcase;
    return 0_B;
}

/// The rows of Tomahawk that differ: by speed.
std::map<std::string, golden::row> rows_of_tomahawk() {
    std::map<std::string, golden::row> found;
    for (const auto& row : golden::rows("sonic/dynamic_threshold_tests.csv")) {
        if (row.at("asic") == "th") {
            const std::string name = row.at("testcase");
            found.emplace(name.substr(name.find('/') + 1), row);
        }
    }
    return found;
}

void expect_first_counts(const std::string& speed) {
    for (const auto& row : golden::rows("sonic/dynamic_threshold_tests.csv")) {
        const std::string& name = row.at("testcase");
        if (row.at("asic") != "th" || name.find("/" + speed + "_") == std::string::npos) {
            continue;
        }
        const first_counts first = pfc_test(tomahawk(headroom_of_speed(name)), 8'000);
        EXPECT_EQ(first.pfc, std::stoul(row.at("cells_to_first_pfc"))) << name;
        EXPECT_EQ(first.drop, std::stoul(row.at("cells_to_first_ingress_drop"))) << name;
        return;  // all topologies have the same counts, and SystemC elaborates once a process
    }
    FAIL() << "no row of " << speed;
}

TEST(hardware_thresholds_golden, every_topology_of_tomahawk_has_the_counts_of_its_speed) {
    const auto by_speed = rows_of_tomahawk();
    EXPECT_EQ(by_speed.size(), 3U);
    std::size_t rows = 0;
    for (const auto& row : golden::rows("sonic/dynamic_threshold_tests.csv")) {
        if (row.at("asic") != "th") {
            continue;
        }
        const std::string name = row.at("testcase");
        const golden::row& first = by_speed.at(name.substr(name.find('/') + 1));
        for (const char* column :
             {"cells_to_first_pfc", "cells_to_first_ingress_drop", "hdrm_pool_pgs",
              "hdrm_pool_cells_to_pfc_per_pg", "hdrm_pool_full_cells", "hdrm_pool_partial_cells"}) {
            EXPECT_EQ(row.at(column), first.at(column)) << name;
        }
        ++rows;
    }
    EXPECT_EQ(rows, 9U);
}

TEST(hardware_thresholds_golden, first_pfc_and_first_drop_of_tomahawk_at_40_gbps) {
    expect_first_counts("40000");
}
TEST(hardware_thresholds_golden, first_pfc_and_first_drop_of_tomahawk_at_50_gbps) {
    expect_first_counts("50000");
}
TEST(hardware_thresholds_golden, first_pfc_and_first_drop_of_tomahawk_at_100_gbps) {
    expect_first_counts("100000");
}

TEST(hardware_thresholds_golden, first_pfc_and_first_drop_of_trident2) {
    // Pool 12,766,208 B - 64 x 56,368 B, one slice, alpha 1/8; the headroom that goes with the test's 266
    // cells.
    fabric_parameters p = tomahawk(55'120_B, 1);
    p.shared.lossless_pool = 44'032 * 208_B;
    p.shared.alpha = 0.125;
    const first_counts first = pfc_test(p, 6'000);
    EXPECT_EQ(first.pfc, 4'898U);
    EXPECT_EQ(first.drop, 5'164U);
}

/// As above, with a pool of 12,766,208 B less `reserved`. A group's `size` in SONiC's table is headroom and a
/// minimum of 6 cells: 64,064 B for 300 m at 40 Gb/s, 41,808 B for 10 Gb/s.
first_counts trident2_with(bytes headroom, bytes reserved) {
    fabric_parameters p = tomahawk(headroom, 1);
    p.shared.lossless_pool = 12'766'208_B - reserved;
    p.shared.alpha = 0.125;
    return pfc_test(p, 6'400);
}

TEST(hardware_thresholds_golden, trident2_with_62_groups_of_sonics_size_for_300_m) {
    const first_counts first = trident2_with(62'816_B, 62 * 64'064_B);  // topo-t0-backend
    EXPECT_EQ(first.pfc, 4'703U);
    EXPECT_EQ(first.drop, 5'006U);
}
TEST(hardware_thresholds_golden, trident2_with_24_groups_of_sonics_size_for_300_m) {
    const first_counts first = trident2_with(62'816_B, 24 * 64'064_B);  // topo-t1-backend
    EXPECT_EQ(first.pfc, 6'004U);
    EXPECT_EQ(first.drop, 6'307U);
}
TEST(hardware_thresholds_golden, trident2_with_one_port_of_32_broken_out_into_four) {
    const first_counts first = trident2_with(55'120_B, 62 * 56'368_B + 8 * 41'808_B);  // topo-any/.../breakout
    EXPECT_EQ(first.pfc, 4'780U);
    EXPECT_EQ(first.drop, 5'046U);
}

/// Trident3, cells of 256 B, one slice. The shared pool is what its first PFC needs: SONiC's pools are others.
fabric_parameters trident3() {
    fabric_parameters p = tomahawk(160'000_B, 1);
    p.device.memory_cell = 256_B;
    p.shared.memory = 64_MiB;
    p.shared.minimum = 18 * 256_B;
    p.shared.lossless_pool = 119'532 * 256_B;
    p.shared.headroom_pool = 1'622'016_B;
    return p;
}

TEST(hardware_thresholds_golden, first_drop_of_trident3_follows_its_first_pfc_as_the_headroom_table_says) {
    const first_counts first = pfc_test(trident3(), 61'000);
    EXPECT_EQ(first.pfc, 59'784U);
    EXPECT_EQ(first.drop, 60'410U);
}

TEST(hardware_thresholds, trident3s_headroom_pool_does_not_come_out_with_that_pool) {
    // Hardware: 18 groups have 6,301 cells each, and with at most 9 more frames the first one is paused.
    hardware_test test(trident3());
    const auto group = [](unsigned g) { return std::pair<unsigned, pfc_class>(g / 2, g % 2 == 0 ? 3 : 4); };
    for (unsigned g = 0; g < 18; ++g) {
        test.send(group(g).first, group(g).second, 6'301);
    }
    test.send(0, 3, 100);
    std::size_t paused = 0;
    test.run([&](std::size_t frame, const hardware_test::counters& seen) {
        paused = seen.pfc_of_group > 0 ? frame : 0;
        return paused == 0;
    });
    EXPECT_EQ(paused, 18U * 6'301 + 78);
}

TEST(hardware_thresholds, a_flat_memory_fails_the_test_of_tomahawk) {
    const first_counts first = pfc_test(tomahawk(268'736_B, 1), 26'200);
    EXPECT_EQ(first.pfc, 26'148U);  // hardware: 6,542
    EXPECT_EQ(first.drop, 0U);
}

TEST(hardware_thresholds_golden, watermarks_of_tomahawk_count_as_sonics_tests_do) {
    // PGSharedWatermarkTest: nothing while the minimum fills, then a cell a frame up to the first PFC's frame.
    // PGHeadroomWatermarkTest: from the frame after it to the one before the first drop. QSharedWatermarkTest:
    // every frame; a lossless queue has no minimum.
    hardware_test test(tomahawk(268'736_B));
    test.send(0, 3, 7'835);
    test.run([&](std::size_t frame, const hardware_test::counters& seen) {
        EXPECT_EQ(seen.marks.shared, frame <= 6 ? 0 : std::min<std::size_t>(frame, 6'542) - 6) << frame;
        EXPECT_EQ(seen.marks.headroom, frame <= 6'542 ? 0 : std::min<std::size_t>(frame, 7'834) - 6'542)
            << frame;
        EXPECT_EQ(seen.queue_mark, std::min<std::size_t>(frame, 7'834)) << frame;
        return !testing::Test::HasFailure();
    });
    EXPECT_NE(test.loss(), "");
}

/// SONiC's LossyQueueTest: frames until one is lost at egress.
double lossy_test(bytes pool, bytes cell, bytes queue_minimum, unsigned frames) {
    fabric_parameters p = tomahawk(0_B, 1);
    p.device.memory_cell = cell;
    p.shared.memory = 128_MiB;
    p.shared.lossless_pool = 0_B;
    p.shared.lossy_pool = 64_MiB;
    p.shared.headroom_pool = 0_B;
    p.shared.minimum = 0_B;
    p.shared.lossy_alpha = 1024;  // SONiC: the whole pool
    p.shared.queue_pool = pool;
    p.shared.queue_minimum = queue_minimum;
    p.shared.queue_alpha = 8;
    hardware_test test(p);
    test.send(0, 0, frames);
    std::size_t first = 0;
    test.run([&](std::size_t frame, const hardware_test::counters& seen) {
        EXPECT_EQ(seen.ingress_drops, 0U);
        first = seen.egress_drops > 0 ? frame : 0;
        return first == 0;
    });
    return static_cast<double>(first);
}

// Pools by sonic-buildimage: egress_lossy_pool of Trident2, egress_lossless_pool of Trident3 (which its lossy
// queues share, as the counts say). The tests themselves leave a margin of frames.
constexpr double margin_of_lossy_tests = 2;

TEST(hardware_thresholds_golden, first_drop_of_a_lossy_queue_of_trident2) {
    EXPECT_NEAR(lossy_test(7'326'924_B, 208_B, 1'518_B, 32'000), 31'322, margin_of_lossy_tests);
}
TEST(hardware_thresholds_golden, first_drop_of_a_lossy_queue_of_trident3_at_100_gbps) {
    EXPECT_NEAR(lossy_test(32'599'040_B, 256_B, 1'792_B, 114'000), 113'198, margin_of_lossy_tests);
}
TEST(hardware_thresholds_golden, first_drop_of_a_lossy_queue_of_trident3_at_50_gbps) {
    EXPECT_NEAR(lossy_test(32'340'992_B, 256_B, 1'792_B, 113'000), 112'302, margin_of_lossy_tests);
}

TEST(hardware_thresholds, frames_are_marked_from_the_one_on_that_finds_the_threshold) {
    // As SONiC's EcnTest: a queue fills, its port is released, and what comes out is looked at.
    fabric_parameters p = tomahawk(268'736_B);
    p.shared.ecn_threshold = 100 * 208_B;
    topology plan;
    for (unsigned h = 0; h < 3; ++h) {
        plan.add_host("h" + std::to_string(h));
    }
    const node_ref device = node_ref::of_switch(plan.add_switch("device", 1));
    for (unsigned h = 0; h < 3; ++h) {
        plan.add_link(node_ref::of_host(h), device, {100_Gbps, 1us});
    }
    plan.finish();
    std::vector<scripted_endpoint> ends(3);
    ethernet_frame stop;
    stop.kind = frame_kind::pfc;
    stop.priority = pfc_classes - 1;
    stop.pause = pause_fields{};
    stop.pause.class_enable = 0xFF;
    stop.pause.quanta.fill(0xFFFF);  // 336 us at 100 Gb/s
    ends[2].at(0us, stop);
    for (unsigned i = 0; i < 150; ++i) {
        // Class 3 may be marked, class 4 may not.
        for (unsigned h = 0; h < 2; ++h) {
            ethernet_frame frame =
                frame_between(plan.address_of(h), plan.address_of(2), 200, static_cast<pfc_class>(3 + h));
            frame.flags = static_cast<std::uint8_t>(h == 0 ? ecn_capable : 0);
            ends[h].at(5us + 1us * i, frame);
        }
    }
    fabric made("fabric", p, plan);
    for (host_id h = 0; h < 3; ++h) {
        made.host(h)->run(ends[h]);
    }
    made.configure_run(engine_kind::fast, made.lookahead(), 1ms);
    sc_core::sc_start();
    unsigned of_class[2] = {0, 0};
    for (const scripted_endpoint::arrival& each : ends[2].arrivals) {
        const unsigned h = each.frame.priority - 3;
        // The first 100 find fewer than 100 cells; all came while the port was stopped.
        const bool marked = h == 0 && of_class[h] >= 100;
        EXPECT_GT(each.time, 300us);
        EXPECT_EQ((each.frame.flags & ecn_marked) != 0, marked) << h << ' ' << of_class[h];
        ++of_class[h];
    }
    EXPECT_EQ(of_class[0], 150U);
    EXPECT_EQ(of_class[1], 150U);
}

/// SONiC's HdrmPoolSizeTest: fills every group to just below its threshold, brings each one above it with at
/// most nine more frames, fills all headroom but the last group's and that up to `partial`, without a drop; the
/// next frame is lost.
void expect_headroom_pool(const std::string& speed) {
    const golden::row row = rows_of_tomahawk().at(speed + "_300m");
    const unsigned groups = static_cast<unsigned>(std::stoul(row.at("hdrm_pool_pgs")));
    const auto fill = static_cast<unsigned>(std::stoul(row.at("hdrm_pool_cells_to_pfc_per_pg")));
    const auto full = static_cast<unsigned>(std::stoul(row.at("hdrm_pool_full_cells")));
    const auto partial = static_cast<unsigned>(std::stoul(row.at("hdrm_pool_partial_cells")));
    const auto group = [](unsigned g) { return std::pair<unsigned, pfc_class>(g / 2, g % 2 == 0 ? 3 : 4); };
    // How many frames each group still needs: T = free cells, taken by one group after another.
    std::vector<unsigned> more(groups, 0);
    std::vector<long> shared(groups, static_cast<long>(fill) - 6);
    long free = 13'071 - static_cast<long>(groups) * shared[0];
    for (unsigned g = 0; g < groups; ++g) {
        for (; shared[g] < free; ++more[g], ++shared[g], --free) {
        }
        EXPECT_LE(more[g], 9U);
    }
    hardware_test test(tomahawk(headroom_of_speed("th/" + speed + "_300m")));
    for (unsigned g = 0; g < groups; ++g) {
        test.send(group(g).first, group(g).second, fill);
    }
    for (unsigned g = 0; g < groups; ++g) {
        test.send(group(g).first, group(g).second, more[g]);
    }
    const std::size_t paused_by = std::size_t{groups} * fill + std::accumulate(more.begin(), more.end(), 0U);
    for (unsigned g = 0; g < groups; ++g) {
        test.send(group(g).first, group(g).second, g + 1 < groups ? full : partial);
    }
    test.send(group(groups - 1).first, group(groups - 1).second, 1);
    const std::size_t all = paused_by + std::size_t{groups - 1} * full + partial + 1;
    std::size_t frames = 0;
    test.run([&](std::size_t frame, const hardware_test::counters& seen) {
        frames = frame;
        if (frame <= std::size_t{groups} * fill) {
            EXPECT_EQ(seen.pfc_of_group, 0U) << "paused too early, by frame " << frame;
        }
        if (frame <= paused_by) {
            EXPECT_EQ(seen.headroom_cells, 0U) << "frame " << frame;
        } else {
            EXPECT_EQ(seen.headroom_cells, std::min<std::size_t>(frame - paused_by, 5'041))
                << "frame " << frame;
            EXPECT_GE(seen.pfc_of_group, 1U) << "frame " << frame;
        }
        EXPECT_EQ(seen.ingress_drops, frame < all ? 0U : 1U) << "frame " << frame;
        return !testing::Test::HasFailure();
    });
    EXPECT_EQ(frames, all);
    EXPECT_NE(test.loss().find("lost a frame of lossless class"), std::string::npos) << test.loss();
}

TEST(hardware_thresholds_golden, headroom_pool_of_tomahawk_with_4_groups_at_100_gbps) {
    expect_headroom_pool("100000");
}
TEST(hardware_thresholds_golden, headroom_pool_of_tomahawk_with_8_groups_at_50_gbps) {
    expect_headroom_pool("50000");
}
TEST(hardware_thresholds_golden, headroom_pool_of_tomahawk_with_10_groups_at_40_gbps) {
    expect_headroom_pool("40000");
}

}  // namespace
}  // namespace weir::test
