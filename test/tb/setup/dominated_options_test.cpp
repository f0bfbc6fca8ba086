// Options whose value another option replaces are told, with what is in force.
#include "tb/run/checks/run_checks.h"

#include <gtest/gtest.h>

#include "tb/run/options/load_config.h"

namespace weir::tb {
namespace {

using texts = std::vector<std::string>;

texts all_of(const texts& options) {
    const loaded_config loaded = load_config(options);
    EXPECT_TRUE(loaded.errors.empty()) << loaded.errors.front().message;
    return dominated_options(loaded.config, build_topology(loaded.config));
}

std::string only(const texts& options) {
    const texts all = all_of(options);
    EXPECT_EQ(all.size(), 1U);
    return all.empty() ? "" : all.front();
}

TEST(dominated_options, none_are_told_as_the_defaults_are) {
    EXPECT_EQ(all_of({}), texts{});
    for (const char* transport : {"roce", "pfabric"}) {
        EXPECT_EQ(all_of({std::string("--traffic.transport=") + transport}), texts{});
    }
    EXPECT_EQ(all_of({"--marking.kind=qcn"}), texts{});
}

// RFC 6298 2.2 to 2.4 with a round trip of at most G, and no variance: SRTT + G, rounded up to whole G.
TEST(dominated_options, a_minimum_timeout_below_twice_the_granularity_is_told) {
    EXPECT_EQ(only({"--tcp.min_rto=200us"}),
              "tcp.min_rto = 200us is never in force: the shortest timeout is 2ms (a round trip + "
              "tcp.rto_granularity (1ms), rounded up to whole 1ms); choose a tcp.rto_granularity of at most "
              "100us (0: "
              "exact), or a tcp.min_rto of at least 2ms");
    EXPECT_EQ(all_of({"--tcp.min_rto=2ms"}), texts{});
    EXPECT_EQ(all_of({"--tcp.min_rto=200us", "--tcp.rto_granularity=100us"}), texts{});
    EXPECT_EQ(all_of({"--tcp.min_rto=200us", "--tcp.rto_granularity=0us"}), texts{});
    EXPECT_EQ(all_of({"--tcp.min_rto=200us", "--traffic.transport=roce"}), texts{});
    EXPECT_NE(only({"--tcp.rto_granularity=10ms"}).find("the shortest timeout is 20ms"), std::string::npos);
    EXPECT_NE(only({"--tcp.min_rto=200us", "--tcp.initial_rto=auto"})
                  .find("is in force only until a round trip has been measured"),
              std::string::npos);
    // A finer clock would not help here.
    EXPECT_EQ(only({"--tcp.rto_addition=20ms"}).find("choose a tcp.rto_granularity"), std::string::npos);
    EXPECT_NE(only({"--tcp.rto_addition=20ms"}).find("shortest timeout is 22ms"), std::string::npos);
}

TEST(dominated_options, least_timeout_is_that_of_the_sum) {
    traffic::tcp_config tcp;
    EXPECT_EQ(tcp.least_rto(), 10ms);
    tcp.min_rto = 200us;
    EXPECT_EQ(tcp.least_rto(), 2ms);
    tcp.rto_granularity = 0_ps;
    EXPECT_EQ(tcp.least_rto(), 200us);
    tcp.rtt_clock = 300us;
    EXPECT_EQ(tcp.least_rto(), 300us);
    tcp.rto_addition = 1ms;
    EXPECT_EQ(tcp.least_rto(), 1300us);
    tcp.max_rto = 1ms;
    EXPECT_EQ(tcp.least_rto(), 1ms);
}

TEST(dominated_options, windows_beyond_the_receivers_are_told) {
    // 1 MiB / 1,460 B = 718.2
    EXPECT_EQ(
        only({"--tcp.initial_window=719"}),
        "tcp.initial_window = 719 (1049740B) is above tcp.receive_window = 1MiB, which limits the data in "
        "flight; choose at most 718 segments, or a larger window");
    EXPECT_EQ(all_of({"--tcp.initial_window=718"}), texts{});
    EXPECT_NE(only({"--traffic.transport=pfabric", "--pfabric.window=719"}).find("at most 718 frames"),
              std::string::npos);
    // Four segments are in flight: three follow the first.
    EXPECT_EQ(all_of({"--tcp.receive_window=5840B"}), texts{});
    EXPECT_NE(only({"--tcp.receive_window=4380B"}).find("tcp.duplicate_acks = 3 are never counted"),
              std::string::npos);
}

TEST(dominated_options, rates_beyond_hosts_links_are_told) {
    const texts roce{"--traffic.transport=roce", "--fabric.topology=racks", "--link.rate=10Gbps",
                     "--fabric.host_rate=1Gbps"};
    const auto with = [&](const char* option) {
        texts all = roce;
        all.emplace_back(option);
        return all;
    };
    EXPECT_EQ(all_of(roce), texts{});
    EXPECT_EQ(only(with("--roce.min_rate=2Gbps")),
              "roce.min_rate = 2Gbps is above the rate of some host's link (1Gbps), so the rate of that host "
              "is never "
              "cut; choose a lower rate");
    EXPECT_NE(only(with("--roce.hyper_increase=2Gbps")).find("roce.hyper_increase = 2Gbps is above"),
              std::string::npos);
    EXPECT_EQ(all_of(with("--roce.min_rate=1Gbps")), texts{});
    EXPECT_NE(only({"--marking.kind=qcn", "--qcn.hyper_increase=2Gbps"}).find("qcn.hyper_increase"),
              std::string::npos);
}

// The largest feedback is 63: 1 - 63/128 = 50.78 %.
TEST(dominated_options, a_share_that_no_notification_reaches_is_told) {
    EXPECT_EQ(
        only({"--marking.kind=qcn", "--qcn.least_share=20%"}),
        "qcn.least_share = 20% is never reached: qcn.gain = 0.0078125 leaves at least 1 - 63 x qcn.gain = "
        "50.78% of the rate; choose a larger share, or a larger gain");
    EXPECT_EQ(all_of({"--marking.kind=qcn", "--qcn.least_share=60%"}), texts{});
    EXPECT_EQ(all_of({"--marking.kind=qcn", "--qcn.least_share=20%", "--qcn.gain=0.02"}), texts{});
}

TEST(dominated_options, a_watchdog_that_has_no_time_is_told) {
    const texts watched{"--pfc.mode=pfc", "--pfc.watchdog=drop", "--run.duration=100ms"};
    EXPECT_NE(only(watched).find("pfc.watchdog_detection = 400ms is not over before the run ends"),
              std::string::npos);
    texts quick = watched;
    quick.emplace_back("--pfc.watchdog_detection=10ms");
    EXPECT_EQ(all_of(quick), texts{});
}

TEST(dominated_options, times_after_the_end_of_the_run_are_told) {
    const auto told = [](const char* option, const char* text) {
        const std::string said = only({"--run.duration=5ms", "--pfc.mode=pfc", option});
        EXPECT_NE(said.find(text), std::string::npos) << said;
    };
    told("--traffic.stop=6ms", "traffic.stop = 6ms is after the run ends (run.duration = 5ms)");
    told("--fabric.link=h1-tor0 at=5ms down", "fabric.link: a change at 5ms is not before the run ends");
    told("--host.broken=h1 from=5ms", "the adapter of h1 breaks at 5ms, which is not before the run ends");
    EXPECT_EQ(all_of({"--run.duration=5ms", "--pfc.mode=pfc", "--traffic.stop=5ms",
                      "--fabric.link=h1-tor0 at=4ms down", "--host.broken=h2 from=4ms"}),
              texts{});
}

}  // namespace
}  // namespace weir::tb
