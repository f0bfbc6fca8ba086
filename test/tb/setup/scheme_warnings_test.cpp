#include "tb/run/checks/run_checks.h"
#include "weir/model/marking/marker.h"
#include "weir/model/memory/queue_order.h"
#include "weir/model/switch/block_kinds.h"
#include "weir/traffic/congestion/congestion_kinds.h"
#include "weir/traffic/congestion/path_choices.h"
#include "weir/traffic/roce/rate_controls.h"

#include <gtest/gtest.h>

#include <functional>

namespace weir::tb {
namespace {

using texts = std::vector<std::string>;

std::string warning_of(const std::function<void(run_config&)>& change) {
    run_config config;
    change(config);
    const texts all = scheme_warnings(config);
    EXPECT_LE(all.size(), 1U);
    return all.empty() ? "" : all.front();
}

TEST(scheme_warnings, an_algorithm_that_waits_for_marks_is_told_where_nothing_marks) {
    EXPECT_EQ(warning_of([](run_config&) {}), "");
    EXPECT_EQ(warning_of([](run_config& c) { c.tcp.congestion = named<traffic::congestion_kind>("dctcp"); }),
              "no switch marks frames (marking.kind = none), so tcp.congestion = dctcp cuts windows "
              "after losses only");
    EXPECT_EQ(
        warning_of([](run_config& c) { c.tcp.path_choice = named<traffic::path_kind>("flowbender"); }),
        "no switch marks frames (marking.kind = none), so tcp.path_choice = flowbender changes paths after "
        "timeouts only");
    const auto over_roce = [](run_config& c) { c.traffic.transport = named<traffic::transport_kind>("roce"); };
    EXPECT_EQ(warning_of(over_roce),
              "no switch marks frames (marking.kind = none), so roce.rate_control = dcqcn never cuts a rate");
    EXPECT_EQ(warning_of([&](run_config& c) {
                  over_roce(c);
                  c.marking.kind = named<model::marker_kind>("ramp");
              }),
              "");
    EXPECT_EQ(warning_of([&](run_config& c) {
                  over_roce(c);
                  c.roce.rate_control = named<traffic::rate_control_kind>("none");
              }),
              "");
    // Marks of shared memories have options of their own.
    EXPECT_EQ(warning_of([&](run_config& c) {
                  c.tcp.congestion = named<traffic::congestion_kind>("dctcp");
                  c.device.buffer = model::buffer_kind::shared;
                  c.shared.ecn_threshold = 100_KB;
              }),
              "");
}

TEST(scheme_warnings, a_scheme_whose_marks_nobody_heeds_is_told) {
    const auto dcqcn = [](run_config& c) {
        c.scheme = named<scheme_kind>("dcqcn");
        c.marking.kind = named<model::marker_kind>("ramp");
        c.traffic.transport = named<traffic::transport_kind>("roce");
    };
    EXPECT_EQ(warning_of(dcqcn), "");
    EXPECT_EQ(warning_of([&](run_config& c) {
                  dcqcn(c);
                  c.roce.rate_control = named<traffic::rate_control_kind>("none");
              }),
              "switch.scheme = dcqcn: marking.kind = ramp marks no frame, because no traffic heeds marks "
              "(tcp.congestion, roce.rate_control)");
    // Without a scheme, marking.kind is an idle option, which has a warning of its own.
    EXPECT_EQ(warning_of([&](run_config& c) {
                  dcqcn(c);
                  c.scheme = scheme_kind{};
                  c.roce.rate_control = named<traffic::rate_control_kind>("none");
              }),
              "");
}

TEST(scheme_warnings, frames_that_overtake_are_sent_again_by_go_back_n) {
    const auto over_roce = [](run_config& c) {
        c.traffic.transport = named<traffic::transport_kind>("roce");
        c.marking.kind = named<model::marker_kind>("ramp");
        c.device.balance = named<model::balance_policy>("packet_scatter");
    };
    EXPECT_NE(warning_of(over_roce).find("roce.recovery = go_back_n drops and repeats those that overtake"),
              std::string::npos);
    EXPECT_EQ(warning_of([&](run_config& c) {
                  over_roce(c);
                  c.roce.recovery = traffic::loss_recovery::selective;
              }),
              "");
}

TEST(scheme_warnings, ranks_have_no_say_where_frames_wait_at_ingress) {
    const auto ranked = [](run_config& c) {
        c.device.queue_order = named<model::queue_order_kind>("rank");
        c.device.drop = model::drop_policy::ingress_tail;
    };
    EXPECT_NE(warning_of(ranked).find("switch.drop = egress_tail does that"), std::string::npos);
    EXPECT_EQ(warning_of([&](run_config& c) {
                  ranked(c);
                  c.device.buffer = model::buffer_kind::output_queued;
              }),
              "");
}

}  // namespace
}  // namespace weir::tb
