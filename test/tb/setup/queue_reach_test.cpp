// How long egress queues become in each organisation of memory, and thresholds that they never reach.
#include "tb/run/checks/queue_reach.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tb/run/options/load_config.h"

namespace weir::tb {
namespace {

using texts = std::vector<std::string>;

texts with(texts all, const texts& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

texts said(const texts& options) {
    const loaded_config loaded = load_config(options);
    EXPECT_TRUE(loaded.errors.empty()) << loaded.errors.front().message;
    return unreached_thresholds(loaded.config, build_topology(loaded.config), {0});
}

std::string only(const texts& options) {
    const texts all = said(options);
    EXPECT_EQ(all.size(), 1U);
    return all.empty() ? "" : all.front();
}

bytes longest(const texts& options, marking_count counts = marking_count::egress) {
    const loaded_config loaded = load_config(options);
    EXPECT_TRUE(loaded.errors.empty()) << loaded.errors.front().message;
    bytes most{0};
    for (const queue_reach& queue : longest_queues(loaded.config, build_topology(loaded.config), {0}, counts)) {
        most = std::max(most, queue.fill.most);
    }
    return most;
}

// 4 hosts at one switch, frames of up to 1,530 B.
const texts four{"--fabric.hosts=4", "--switch.classes=1"};

TEST(queue_reach, is_that_of_the_memory_that_queues_have) {
    EXPECT_EQ(longest({}), 117'868_B);  // (8 x 131,072 - 1,530) / 9 + 1,530: egress_share_test.cpp
    EXPECT_EQ(longest(four), 128_KiB);
    EXPECT_EQ(longest(with(four, {"--switch.buffer=output_queued"})), 128_KiB);
    // The ingress memories of the three other ports can all hold frames for one port.
    EXPECT_EQ(longest(with(four, {"--switch.buffer=input_buffered"})), 3 * 128_KiB);
    EXPECT_EQ(longest(four, marking_count::bound), 4 * 128_KiB);
}

TEST(queue_reach, of_a_shared_memory_is_limited_by_queues_and_groups) {
    const texts shared = with(four, {"--switch.buffer=shared", "--shared.memory=1000000B"});
    // x < 1 (1,000,000 - x), and one frame more.
    EXPECT_EQ(longest(with(shared, {"--shared.queue_alpha=1"})), 499'999_B + 1'530_B);
    // Three groups one after another: x < (1,000,000 - x) / 8, 111,110 B and a frame; then of the 887,360 B
    // that are left 98,595 B, then of 787,235 B 87,469 B. x + 1 <= (free - x) / 8.
    EXPECT_EQ(longest(with(shared, {"--shared.lossy_alpha=0.125"})),
              111'110_B + 98'594_B + 87'469_B + 3 * 1'530_B);
    // All memory is free for a lossless class but for its headroom, which comes back to it: three of four
    // groups.
    EXPECT_GT(longest(with(shared, {"--pfc.mode=pfc", "--shared.alpha=1024"})), 900'000_B);
    EXPECT_EQ(
        longest(with(shared, {"--pfc.mode=pfc", "--shared.threshold=10000B", "--shared.headroom=20000B"})),
        3 * (9'999_B + 1'530_B + 20'000_B));
}

TEST(queue_reach, a_threshold_beyond_it_is_told) {
    const texts step{"--marking.kind=step"};
    EXPECT_EQ(said(with(step, {"--marking.threshold=116350B"})), texts{});
    // A full frame of 1,518 B finds at most 116,350 B.
    EXPECT_NE(only(with(step, {"--marking.threshold=116351B"})).find("116351B is hardly ever reached"),
              std::string::npos);
    EXPECT_EQ(
        only(with(step, {"--marking.threshold=300KB"})),
        "marking.threshold = 300KB is never reached: a queue of class 0 holds at most 117868 B "
        "(switch.egress_buffer = 128KiB, switch.share = dynamic and switch.share_alpha = 8), so no frame is "
        "marked; choose a lower threshold, or more memory for a queue");
    EXPECT_EQ(said(with(step, {"--marking.threshold=300KB", "--marking.classes=1"})), texts{});
    // 77 x 1,518 B = 116,886 B; 76 find room for one more.
    EXPECT_EQ(said(with(step, {"--marking.threshold_frames=76"})), texts{});
    EXPECT_NE(only(with(step, {"--marking.threshold_frames=78"}))
                  .find("marking.threshold_frames = 78 (118404 B in full frames) is never reached"),
              std::string::npos);
}

TEST(queue_reach, every_kind_of_marker_is_looked_at) {
    for (const char* kind : {"ramp", "red"}) {
        const texts marks{std::string("--marking.kind=") + kind, "--marking.k_max=400KB"};
        EXPECT_NE(only(with(marks, {"--marking.k_min=300KB"})).find("marking.k_min = 300KB is never reached"),
                  std::string::npos);
        EXPECT_EQ(said(marks), texts{});
    }
    EXPECT_NE(only({"--marking.kind=red", "--marking.k_min_frames=100", "--marking.k_max_frames=200"})
                  .find("marking.k_min_frames = 100 (151800 B in full frames) is never reached"),
              std::string::npos);
    EXPECT_NE(only({"--marking.kind=qcn", "--qcn.set_point=300KB"})
                  .find("qcn.set_point = 300KB is never reached: a queue of class 0 holds at most 117868 B"),
              std::string::npos);
    EXPECT_NE(only(with(four, {"--switch.buffer=shared", "--shared.memory=1000000B", "--shared.queue_alpha=1",
                               "--shared.ecn_threshold=600KB"}))
                  .find("shared.ecn_threshold = 600KB is never reached: "),
              std::string::npos);
    EXPECT_EQ(said(with(four, {"--switch.buffer=shared", "--shared.memory=1000000B", "--shared.queue_alpha=1",
                               "--shared.ecn_threshold=490KB"})),
              texts{});
}

TEST(queue_reach, queues_of_a_profile_have_thresholds_of_their_own) {
    const std::string path = testing::TempDir() + "queue_reach_profiles.csv";
    std::ofstream(path) << "port,class,ecn_threshold_bytes\n0,0,600000\n1,0,100000\n";
    const std::string text = only(with(four, {"--switch.buffer=shared", "--shared.memory=1000000B",
                                              "--shared.queue_alpha=1", "--shared.queue_profiles=" + path}));
    EXPECT_NE(text.find("shared.queue_profiles: ECN threshold = 600KB is never reached: "), std::string::npos)
        << text;
    EXPECT_NE(text.find("egress port 0: a queue of class 0 holds at most 501529 B"), std::string::npos) << text;
}

// 1,000,000 B less 20,000 B of headroom for each of four groups.
TEST(queue_reach, thresholds_of_groups_that_do_not_pause_them_are_told) {
    const texts lossless = with(four, {"--switch.buffer=shared", "--shared.memory=1000000B", "--pfc.mode=pfc",
                                       "--shared.headroom=20000B"});
    EXPECT_EQ(said(with(lossless, {"--shared.threshold=920000B"})), texts{});
    EXPECT_NE(
        only(with(lossless, {"--shared.threshold=920001B"}))
            .find("shared.threshold = 920001B is never reached: the lossless groups share 920000 B in a slice"),
        std::string::npos);
    // x < 920,000 - x, and a frame more.
    EXPECT_EQ(said(with(lossless, {"--shared.xon=461528B"})), texts{});
    EXPECT_NE(only(with(lossless, {"--shared.xon=461529B"}))
                  .find("shared.xon = 461529B: a lossless group holds at most 461529 B"),
              std::string::npos);
    EXPECT_EQ(said(with(four, {"--switch.buffer=shared", "--shared.memory=1000000B", "--shared.xon=900KB"})),
              texts{});
}

TEST(queue_reach, thresholds_of_port_selection_are_told_for_every_memory) {
    const texts adaptive{"--switch.balance=adaptive", "--switch.balance_thresholds=700KB"};
    EXPECT_NE(only(adaptive).find(
                  "700KB is never reached by a single class, which fills an egress port up to 117868 B"),
              std::string::npos);
    EXPECT_NE(only(with(adaptive, with(four, {"--switch.buffer=shared", "--shared.memory=1000000B",
                                              "--shared.queue_alpha=1"})))
                  .find("fills an egress port up to 501529 B"),
              std::string::npos);
    EXPECT_EQ(said(with(adaptive, with(four, {"--switch.buffer=shared", "--shared.memory=2MB"}))), texts{});
}

}  // namespace
}  // namespace weir::tb
