#include "tb/run/check_run.h"

#include <algorithm>
#include <map>

#include "weir/base/unit_text.h"
#include "weir/model/pfc_thresholds.h"

namespace weir {

// Each kind of switch port once, or a fabric of thousands of ports would say the same thousands of times.
static void check_flow_control(const run_config& config, const topology& plan, config_errors& errors) {
    std::map<std::pair<std::int64_t, std::int64_t>, bool> seen;
    for (const topology_link& link : plan.links()) {
        if (!seen.emplace(std::make_pair(link.rate.count(), link.latency.count()), true).second) {
            continue;
        }
        const port_flow_control control = resolve_flow_control(
            config.device, config.pfc, {link.rate, link.latency, config.link.wire_overhead, 0, 0});
        errors.insert(errors.end(), control.errors.begin(), control.errors.end());
    }
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

config_errors check_run(const run_config& config, const topology& plan) {
    config_errors errors = config.traffic.validate(plan.hosts());
    check_flow_control(config, plan, errors);
    const picoseconds lookahead = plan.smallest_latency();
    if (config.run.quantum > lookahead) {
        errors.push_back({{},
                          0,
                          "run.quantum",
                          to_text(config.run.quantum) +
                              " is longer than the smallest link latency; allowed: up to " +
                              to_text(lookahead)});
    }
    if (config.files.trigger_delay > picoseconds{0} && config.files.trigger_delay < lookahead) {
        errors.push_back({{},
                          0,
                          "traffic.trigger_delay",
                          to_text(config.files.trigger_delay) +
                              " is shorter than the smallest link latency; allowed: 0, or at least " +
                              to_text(lookahead)});
    }
    if (config.run.duration == picoseconds{0} && !ends_by_itself(config.traffic)) {
        errors.push_back({{},
                          0,
                          "run.duration",
                          "0 means until the traffic has ended, and this traffic never does; allowed: a "
                          "duration, or traffic.stop"});
    }
    const bytes full_tcp = config.tcp.mss + config.tcp.header;
    const bytes full_udp = config.udp.payload + config.udp.header;
    if (full_tcp > config.device.max_frame) {
        errors.push_back({{},
                          0,
                          "switch.max_frame",
                          to_text(config.device.max_frame) +
                              " is shorter than a full TCP segment (tcp.mss + "
                              "tcp.header = " +
                              to_text(full_tcp) + "); allowed: at least that"});
    }
    const bool sends_udp =
        config.traffic.kind == workload_kind::bernoulli || config.traffic.transport == transport_kind::udp;
    if (sends_udp && full_udp > config.device.max_frame) {
        errors.push_back({{},
                          0,
                          "switch.max_frame",
                          to_text(config.device.max_frame) +
                              " is shorter than a full datagram (udp.payload + "
                              "udp.header = " +
                              to_text(full_udp) + "); allowed: at least that"});
    }
    return errors;
}

}  // namespace weir
