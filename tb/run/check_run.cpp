#include "tb/run/check_run.h"

#include <algorithm>

#include "tb/run/check_links.h"
#include "weir/base/unit_text.h"
#include "weir/model/pfc_thresholds.h"
#include "weir/model/routing.h"

namespace weir {

// Flow control of each kind of link once, or a fabric of thousands of ports would say the same as often.
static std::vector<port_flow_control> kinds_of_ports(const run_config& config, const built_topology& built) {
    std::vector<port_flow_control> kinds;
    for (const port_config& port : kinds_of_links(built, config.link.wire_overhead)) {
        kinds.push_back(resolve_flow_control(config.device, config.pfc, port));
    }
    return kinds;
}

std::vector<std::string> threshold_warnings(const run_config& config, const built_topology& built) {
    std::vector<std::string> warnings = link_change_warnings(config, built);
    for (const port_flow_control& port : kinds_of_ports(config, built)) {
        if (port.can_lose) {
            warnings.push_back(
                "pfc.xoff = " + std::to_string(port.limits.xoff) + " B with a reserve of " +
                std::to_string(port.reserve.count()) +
                " B a class exceeds switch.ingress_buffer in the worst case: a frame of a lossless "
                "class can be lost, which would end the run");
        }
    }
    return warnings;
}

static bool ends_by_itself(const workload_config& traffic) {
    switch (traffic.kind) {
        case workload_kind::none:
        case workload_kind::trace:
        case workload_kind::incast:
            return traffic.background_flows == 0 || traffic.stop > picoseconds{0};
        case workload_kind::permutation:
            return traffic.flow_bytes > bytes{0} || traffic.stop > picoseconds{0};
        default:
            return traffic.stop > picoseconds{0};
    }
}

// Options that are fine by themselves and not together.
static void check_combinations(const run_config& config, config_errors& errors) {
    const auto fail = [&](const char* key, const std::string& message) {
        errors.push_back({{}, 0, key, message});
    };
    if (config.pfc.mode != flow_control_mode::none && config.device.drop == drop_policy::egress_tail) {
        fail("switch.drop", "'egress_tail' drops frames that pfc.mode makes lossless; allowed: ingress_tail");
    }
    if (config.pfc.charge == charge_time::enqueue && config.device.lookup_interval > picoseconds{0}) {
        fail("pfc.charge",
             "'enqueue' leaves frames that wait for a lookup (switch.lookup_interval) without memory; allowed: "
             "arrival");
    }
    const double left =
        static_cast<double>(config.device.egress_buffer.count()) / (1 + config.device.share_alpha);
    if (config.device.classes > 1 && config.device.share == egress_share::dynamic &&
        left < static_cast<double>(config.device.max_frame.count())) {
        fail("switch.share_alpha",
             "one class that fills its share leaves less than a frame of switch.max_frame to "
             "the others; allowed: a smaller factor, or a larger switch.egress_buffer");
    }
    if (config.traffic.kind == workload_kind::trace && config.traffic.start > picoseconds{0}) {
        fail("traffic.start", "has no effect on a trace, whose flows have starts of their own; allowed: 0s");
    }
    if (config.traffic.kind == workload_kind::trace && config.traffic.background_flows == 0 &&
        config.traffic.stop > picoseconds{0}) {
        fail("traffic.stop", "has no effect on a trace; allowed: 0s, or run.duration");
    }
}

static void check_routes(const run_config& config, const topology& plan, config_errors& errors) {
    std::size_t most = 0;
    for_each_route_table(plan, all_links_up(plan),
                         [&](switch_id, const route_table& table) { most = std::max(most, table.size()); });
    if (most > config.device.tcam_entries) {
        errors.push_back({{},
                          0,
                          "switch.tcam_entries",
                          std::to_string(config.device.tcam_entries) +
                              " entries do not hold the fabric's routes; "
                              "allowed: at least " +
                              std::to_string(most)});
    }
}

config_errors check_run(const run_config& config, const built_topology& built) {
    const topology& plan = built.plan;
    config_errors errors = config.traffic.validate(plan.hosts());
    for (const port_flow_control& port : kinds_of_ports(config, built)) {
        errors.insert(errors.end(), port.errors.begin(), port.errors.end());
    }
    const picoseconds lookahead = smallest_latency(plan, built.changes);
    const std::string smallest = lookahead < plan.smallest_latency()
                                     ? "the smallest link latency, scheduled changes included"
                                     : "the smallest link latency";
    if (config.run.quantum > lookahead) {
        errors.push_back({{},
                          0,
                          "run.quantum",
                          to_text(config.run.quantum) + " is longer than " + smallest + "; allowed: up to " +
                              to_text(lookahead)});
    }
    if (config.files.trigger_delay > picoseconds{0} && config.files.trigger_delay < lookahead) {
        errors.push_back({{},
                          0,
                          "traffic.trigger_delay",
                          to_text(config.files.trigger_delay) + " is shorter than " + smallest +
                              "; allowed: 0, or at least " + to_text(lookahead)});
    }
    if (config.run.duration == picoseconds{0} && !ends_by_itself(config.traffic)) {
        errors.push_back({{},
                          0,
                          "run.duration",
                          "0 means until the traffic has ended, and this traffic never does; allowed: a "
                          "duration, or traffic.stop"});
    }
    check_combinations(config, errors);
    check_routes(config, plan, errors);
    return errors;
}

}  // namespace weir
