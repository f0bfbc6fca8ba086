#include "tb/run/checks/run_checks.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "tb/run/options/run_traits.h"
#include "weir/base/field_range.h"
#include "weir/base/share_text.h"
#include "weir/base/unit_text.h"
#include "weir/model/marking/marker.h"

namespace weir::tb {

namespace {

using texts = std::vector<std::string>;

void warn_of_timeout(const tcp_config& tcp, texts& warnings) {
    const picoseconds least = tcp.least_rto();
    if (least <= tcp.min_rto) {
        return;
    }
    std::string sum = "a round trip";
    if (tcp.rtt_clock > 0_ps) {
        sum += " of at least tcp.rtt_clock (" + to_text(tcp.rtt_clock) + ")";
    }
    if (tcp.rto_granularity > 0_ps) {
        sum += " + tcp.rto_granularity (" + to_text(tcp.rto_granularity) + ")";
    }
    if (tcp.rto_addition > 0_ps) {
        sum += " + tcp.rto_addition (" + to_text(tcp.rto_addition) + ")";
    }
    if (tcp.rto_granularity > 0_ps) {
        sum += ", rounded up to whole " + to_text(tcp.rto_granularity);
    }
    // Two ticks are the shortest timeout where the timer's clock is all that is added.
    const bool by_clock =
        tcp.rto_granularity > 0_ps && tcp.rto_addition == 0_ps && tcp.rtt_clock <= tcp.min_rto / 2;
    const picoseconds finer = by_clock ? tcp.min_rto / 2 : 0_ps;
    warnings.push_back(
        "tcp.min_rto = " + to_text(tcp.min_rto) +
        (tcp.initial_rto ? " is never in force: the shortest timeout is "
                         : " is in force only until a round trip has been measured; from then on "
                           "the shortest timeout is ") +
        to_text(least) + " (" + sum + (least == tcp.max_rto ? ", at most tcp.max_rto" : "") + "); choose " +
        (finer > 0_ps ? "a tcp.rto_granularity of at most " + to_text(finer) + " (0: exact), or " : "") +
        "a tcp.min_rto of at least " + to_text(least));
}

void warn_of_tcp(const tcp_config& tcp, texts& warnings) {
    warn_of_timeout(tcp, warnings);
    const bytes window = tcp.largest_window();
    const std::string limit =
        (tcp.receive_window_max ? "tcp.receive_window_max = " : "tcp.receive_window = ") + to_text(window);
    const bytes first = tcp.mss * std::int64_t{tcp.initial_window};
    if (first > tcp.receive_window) {
        warnings.push_back("tcp.initial_window = " + std::to_string(tcp.initial_window) + " (" +
                           to_text(first) + ") is above tcp.receive_window = " + to_text(tcp.receive_window) +
                           ", which limits the data in flight; choose at most " +
                           std::to_string(tcp.receive_window / tcp.mss) + " segments, or a larger window");
    }
    const std::int64_t segments = (window + tcp.mss - 1_B) / tcp.mss;
    if (std::int64_t{tcp.duplicate_acks} >= segments) {
        warnings.push_back("tcp.duplicate_acks = " + std::to_string(tcp.duplicate_acks) +
                           " are never counted: " + limit + " is " + std::to_string(segments) +
                           " segments of tcp.mss, so at most " + std::to_string(segments - 1) +
                           " follow a lost one, and losses wait for the timeout; choose a smaller number, or 0 "
                           "(fast retransmit off)");
    }
}

/// Rates of the slowest and of the fastest link of a host.
std::pair<bit_rate, bit_rate> host_rates(const topology& plan) {
    std::pair<bit_rate, bit_rate> found{plan.link(plan.ports(node_ref::of_host(0))[0]).rate, 0_bps};
    for (host_id h = 0; h < plan.hosts(); ++h) {
        const bit_rate rate = plan.link(plan.ports(node_ref::of_host(h))[0]).rate;
        found = {std::min(found.first, rate), std::max(found.second, rate)};
    }
    return found;
}

void warn_of_rates(const run_config& config, const topology& plan, texts& warnings) {
    const auto [slowest, fastest] = host_rates(plan);
    const auto warn_of_least = [&, slow = slowest](const char* key, std::optional<bit_rate> least) {
        if (least && *least > slow) {
            warnings.push_back(std::string(key) + " = " + to_text(*least) +
                               " is above the rate of some host's link (" + to_text(slow) +
                               "), so the rate of that host is never cut; choose a lower rate");
        }
    };
    const auto warn_of_step = [&, fast = fastest](const char* key, std::optional<bit_rate> step) {
        if (step && *step > fast) {
            warnings.push_back(std::string(key) + " = " + to_text(*step) +
                               " is above the rate of every host's link (" + to_text(fast) +
                               "), so one step raises the target to the link's rate; choose a lower "
                               "rate");
        }
    };
    const dcqcn_config& dcqcn = config.roce.dcqcn;
    if (uses_roce(config) && roce_heeds_marks(config)) {
        warn_of_least("roce.min_rate", dcqcn.min_rate);
        warn_of_step("roce.additive_increase", dcqcn.additive_increase);
        warn_of_step("roce.hyper_increase", dcqcn.hyper_increase);
    }
    if (marker_kinds()[config.marking.kind].notifies) {
        warn_of_least("qcn.min_rate", config.qcn.min_rate);
        warn_of_step("qcn.active_increase", config.qcn.active_increase);
        warn_of_step("qcn.hyper_increase", config.qcn.hyper_increase);
    }
}

/// A notification cuts by at most `gain` x the largest feedback.
void warn_of_least_share(const run_config& config, texts& warnings) {
    constexpr double largest_feedback = 63;
    const qcn_config& qcn = config.qcn;
    const double deepest = 1 - qcn.gain * largest_feedback;
    if (marker_kinds()[config.marking.kind].notifies && qcn.least_share != qcn_config{}.least_share &&
        qcn.least_share < deepest) {
        warnings.push_back(
            "qcn.least_share = " + share_text(qcn.least_share) +
            " is never reached: qcn.gain = " + field_text(qcn.gain) +
            " leaves at least 1 - 63 x qcn.gain = " + share_text(std::round(deepest * 1e4) / 1e4) +
            " of the rate; choose a larger share, or a larger gain");
    }
}

/// The run ends before these times. `run.duration` is above 0.
void warn_of_late_times(const run_config& config, const built_topology& built, texts& warnings) {
    const picoseconds end = config.run.duration;
    const std::string ends = " the run ends (run.duration = " + to_text(end) + "), so ";
    const pfc_config& pfc = config.flow_control;
    if (pfc.mode == flow_control_mode::pfc && pfc.watchdog != watchdog_action::off &&
        pfc.watchdog_detection >= end) {
        warnings.push_back("pfc.watchdog_detection = " + to_text(pfc.watchdog_detection) +
                           " is not over before" + ends +
                           "the watchdog never acts; choose a shorter detection, or a longer run");
    }
    if (config.traffic.stop > end) {
        warnings.push_back("traffic.stop = " + to_text(config.traffic.stop) + " is after" + ends +
                           "it stops nothing; choose an earlier time, or a longer run");
    }
    const auto change = std::find_if(built.changes.begin(), built.changes.end(),
                                     [end](const fabric_change& each) { return each.at >= end; });
    if (change != built.changes.end()) {
        warnings.push_back("fabric.link: a change at " + to_text(change->at) + " is not before" + ends +
                           "it never happens; choose an earlier time, or a longer run");
    }
    const auto broken = std::find_if(built.broken_adapters.begin(), built.broken_adapters.end(),
                                     [end](const broken_adapter& each) { return each.from >= end; });
    if (broken != built.broken_adapters.end()) {
        warnings.push_back("host.broken: the adapter of " + built.plan.name(node_ref::of_host(broken->host)) +
                           " breaks at " + to_text(broken->from) + ", which is not before" + ends +
                           "it never does; choose an earlier time, or a longer run");
    }
}

}  // namespace

texts dominated_options(const run_config& config, const built_topology& built) {
    texts warnings;
    if (uses_tcp(config)) {
        warn_of_tcp(config.tcp, warnings);
    }
    if (built.plan.hosts() > 0) {
        warn_of_rates(config, built.plan, warnings);
    }
    warn_of_least_share(config, warnings);
    const pfabric_config& pfabric = config.pfabric;
    if (uses_transport(config, "pfabric") && pfabric.window &&
        pfabric.payload * std::int64_t{*pfabric.window} > pfabric.receive_window) {
        warnings.push_back("pfabric.window = " + std::to_string(*pfabric.window) + " (" +
                           to_text(pfabric.payload * std::int64_t{*pfabric.window}) +
                           ") is above pfabric.receive_window = " + to_text(pfabric.receive_window) +
                           ", which limits the data in flight; choose at most " +
                           std::to_string(pfabric.receive_window / pfabric.payload) +
                           " frames, or a larger window");
    }
    if (config.run.duration > 0_ps) {
        warn_of_late_times(config, built, warnings);
    }
    return warnings;
}

}  // namespace weir::tb
