#include "tb/run/checks/run_checks.h"

#include <gtest/gtest.h>

#include "support/errors_said.h"
#include "tb/run/setup/prepare_run.h"

using namespace weir;
using namespace weir::tb;
using texts = std::vector<std::string>;

namespace {

const texts tcp_permutation{"--traffic.kind=permutation", "--traffic.flow_bytes=100KB"};
const texts udp_permutation{"--traffic.kind=permutation", "--traffic.transport=udp",
                            "--traffic.flow_bytes=100KB"};
const texts incast{"--traffic.kind=incast", "--traffic.incast_rounds=2"};
const texts queries{"--traffic.kind=query", "--traffic.stop=1ms"};

prepared_run prepared(texts options, const texts& more = {}) {
    options.insert(options.end(), more.begin(), more.end());
    return prepare_run(load_config(options));
}

/// What is wrong with `run.duration`; empty if nothing. Anything else that is wrong is a failure.
std::string refusal(const texts& options, const texts& more = {}) {
    std::string said;
    for (const config_error& error : prepared(options, more).errors) {
        const bool about_the_end = error.key == "run.duration" ||
                                   error.message.find("does not go with the default of run.duration") == 0;
        EXPECT_TRUE(about_the_end) << error.key << ": " << error.message;
        said += error.message;
    }
    return said;
}

/// The warnings that name run.duration.
std::string warning(const texts& options, const texts& more = {}) {
    std::string said;
    for (const std::string& each : prepared(options, more).warnings) {
        said += each.find("run.duration") != std::string::npos ? each : "";
    }
    return said;
}

void expect_refused(const texts& options, const texts& more, const std::string& part) {
    EXPECT_TRUE(has_error(refusal(options, more), part));
    texts ended = more;
    ended.push_back("--run.duration=5ms");
    EXPECT_EQ(refusal(options, ended), "");
    EXPECT_EQ(warning(options, ended), "");
}

TEST(check_end, a_tcp_flow_without_end_is_refused_also_with_a_stop) {
    const std::string said = "traffic.flow_bytes = 0B, traffic.stop, a duration, traffic.flow_bytes, above 0B";
    expect_refused({"--traffic.kind=permutation"}, {}, said);
    expect_refused({"--traffic.kind=permutation"}, {"--traffic.stop=1ms"}, said);
    // UDP's has what is sent until then.
    EXPECT_EQ(refusal({"--traffic.kind=permutation", "--traffic.transport=udp", "--traffic.stop=1ms"}), "");
    expect_refused({"--traffic.kind=permutation", "--traffic.transport=udp"}, {}, "traffic.stop");
}

TEST(check_end, flows_that_follow_one_another_without_end_are_refused_unless_they_stop) {
    for (const texts& more : {texts{"--traffic.flows_per_host=0"}, texts{"--traffic.background_flows=1"}}) {
        expect_refused(tcp_permutation, more, "a duration, traffic.stop");
        EXPECT_EQ(refusal(tcp_permutation, {more[0], "--traffic.stop=1ms"}), "");
    }
    expect_refused(incast, {"--traffic.background_flows=1"}, "traffic.background_flows");
    expect_refused({"--traffic.kind=query"}, {}, "a duration, traffic.stop");
    EXPECT_EQ(refusal(tcp_permutation) + refusal(udp_permutation) + refusal(incast) + refusal(queries), "");
    EXPECT_EQ(warning(tcp_permutation) + warning(udp_permutation) + warning(incast) + warning(queries), "");
}

TEST(check_end, transfers_that_take_longer_than_the_longest_run_are_refused) {
    // 8,000 s at 1 Gb/s, 800 s at 10.
    const texts terabyte{"--traffic.kind=permutation", "--traffic.flow_bytes=1000000000000B"};
    expect_refused(terabyte, {}, "8000 s at its link's rate, longer than the longest run (4500s)");
    EXPECT_EQ(refusal(terabyte, {"--link.rate=10Gbps"}), "");
    expect_refused(terabyte, {"--link.rate=10Gbps", "--traffic.flows_per_host=6"},
                   "or less of traffic.flow_bytes");
    EXPECT_EQ(refusal(terabyte, {"--link.rate=10Gbps", "--traffic.flows_per_host=6", "--traffic.stop=1ms"}),
              "");
    expect_refused({"--traffic.kind=incast"}, {"--traffic.incast_rounds=1000000"},
                   "or less of traffic.incast_bytes");
    expect_refused({"--traffic.kind=none", "--traffic.background_flows=1", "--traffic.stop=1ms"},
                   {"--traffic.background_bytes=1000000000000B"}, "or less of traffic.background_bytes");
}

TEST(check_end, a_host_that_is_cut_off_from_the_start_is_refused_where_every_host_takes_part) {
    for (const texts& traffic : {tcp_permutation, incast}) {
        expect_refused(traffic, {"--fabric.link=h1-tor0 down"}, "fabric.link cuts h1 off from the start");
        expect_refused(traffic, {"--fabric.link=h1-tor0 down at=0s"}, "fabric.link cuts h1 off from the start");
        // It may have been done by then, or be mended.
        EXPECT_EQ(refusal(traffic, {"--fabric.link=h1-tor0 down at=1s"}), "");
        EXPECT_EQ(refusal(traffic, {"--fabric.link=h1-tor0 down", "--fabric.link=h1-tor0 up at=1s"}), "");
    }
    // Datagrams are lost, and then it is over.
    EXPECT_EQ(refusal(udp_permutation, {"--fabric.link=h1-tor0 down"}), "");
    EXPECT_EQ(warning(udp_permutation, {"--fabric.link=h1-tor0 down"}), "");
    // Two parts of a fabric: partners may all be in one; the responses of an incast are not.
    const texts halves{"--fabric.topology=dumbbell", "--fabric.link=tor0-tor1 down"};
    EXPECT_EQ(refusal(tcp_permutation, halves), "");
    EXPECT_NE(warning(tcp_permutation, halves), "");
    expect_refused(incast, halves, "off from the start");
}

TEST(check_end, links_that_stay_down_or_lose_nearly_all_are_a_warning) {
    const std::string end = ": without run.duration the run may go on to 4500s";
    EXPECT_EQ(warning(queries, {"--fabric.link=h1-tor0 down at=1ms", "--fabric.link=h2-tor0 down at=2ms"}),
              "fabric.link: links that stay down cut off h1, h2: a transfer over them never completes" + end);
    EXPECT_EQ(warning(queries, {"--fabric.link=h1-tor0 down at=1ms", "--fabric.link=h1-tor0 up at=2ms"}), "");
    EXPECT_EQ(warning(queries, {"--fabric.link=h1-tor0 frame_error_rate=0.9999"}),
              "fabric.link: h1-tor0 loses 99.99 % of all full frames permanently: fewer than half of them are "
              "acknowledged at the first try, so a transfer over it takes long or never completes" +
                  end);
    EXPECT_NE(warning(queries, {"--fabric.link=h1-tor0 frame_error_rate=0.9"}), "");
    // A frame and its ACK: 0.7 * 0.7 is below one half, 0.71 * 0.71 above.
    EXPECT_NE(warning(queries, {"--fabric.link=h1-tor0 frame_error_rate=0.3"}), "");
    EXPECT_EQ(warning(queries, {"--fabric.link=h1-tor0 frame_error_rate=0.29"}), "");
    EXPECT_NE(warning(queries, {"--fabric.link=h1-tor0 bit_error_rate=0.001 at=1ms"}), "");
    EXPECT_EQ(warning(queries, {"--fabric.link=h1-tor0 bit_error_rate=0.00001"}), "");
    EXPECT_EQ(warning(queries, {"--fabric.link=h1-tor0 frame_error_rate=0.9999",
                                "--fabric.link=h1-tor0 frame_error_rate=0 at=5ms"}),
              "");
    // Another way is left, but for a route that was set by hand.
    const texts racks{"--fabric.topology=racks", "--fabric.link=tor0-root0 down"};
    EXPECT_EQ(warning(queries, racks), "");
    EXPECT_EQ(warning(queries, {racks[0], racks[1], "--fabric.route=tor0 to h12 via root0"}),
              "fabric.route: at tor0 to h12 all links of the route stay down: a transfer over them never "
              "completes" +
                  end);
}

TEST(check_end, an_adapter_that_pauses_without_end_is_a_warning_and_refused_where_something_surely_waits) {
    const texts lossless{"--switch.scheme=detail", "--host.broken=h1"};
    EXPECT_EQ(warning(queries, lossless),
              "host.broken: h1 pauses its link without end (no to=): frames that wait for it never arrive: "
              "without run.duration the run may go on to 4500s");
    for (const texts& traffic : {tcp_permutation, udp_permutation, incast}) {
        expect_refused(traffic, lossless, "host.broken pauses the link of h1 without end");
    }
    // All traffic is of class 7.
    expect_refused(tcp_permutation, {"--switch.scheme=detail", "--host.broken=h1 classes=7"},
                   "host.broken pauses the link of h1 without end");
    EXPECT_EQ(refusal(tcp_permutation, {"--switch.scheme=detail", "--host.broken=h1 from=1ms"}), "");
    EXPECT_NE(warning(tcp_permutation, {"--switch.scheme=detail", "--host.broken=h1 from=1ms"}), "");
    // Nothing waits for a class that has no traffic.
    EXPECT_EQ(refusal(tcp_permutation, {"--switch.scheme=detail", "--host.broken=h1 classes=2"}), "");
    EXPECT_EQ(warning(tcp_permutation, {"--switch.scheme=detail", "--host.broken=h1 classes=2"}), "");
    EXPECT_EQ(warning(queries, {"--switch.scheme=detail", "--host.broken=h1 to=1s"}), "");
    // A watchdog that forwards ends it; one that drops does for UDP.
    EXPECT_EQ(refusal(tcp_permutation, {lossless[0], lossless[1], "--pfc.watchdog=forward"}), "");
    EXPECT_EQ(warning(tcp_permutation, {lossless[0], lossless[1], "--pfc.watchdog=forward"}), "");
    EXPECT_NE(refusal(tcp_permutation, {lossless[0], lossless[1], "--pfc.watchdog=drop"}), "");
    EXPECT_EQ(refusal(udp_permutation, {lossless[0], lossless[1], "--pfc.watchdog=drop"}), "");
}

}  // namespace
