#include "tb/results/collector_options.h"

#include "tb/options/run_config.h"
#include "tb/shared/read_profiles.h"

namespace weir::tb {

namespace {

class_mask pausable_classes(const run_config& config) {
    if (config.flow_control.mode == flow_control_mode::none) {
        return 0;
    }
    class_mask classes = 0;
    for (unsigned c = 0; c < pfc_classes; ++c) {
        const bool is_lossless =
            c < config.device.classes &&
            (config.shared.kind != buffer_kind::shared || config.shared.is_lossless(static_cast<pfc_class>(c)));
        const bool can_pause = config.flow_control.mode == flow_control_mode::pause || is_lossless;
        classes = static_cast<class_mask>(classes | (can_pause ? 1U << c : 0U));
    }
    return classes;
}

}  // namespace

collector_options collector_options_of(const run_config& config, const built_topology& topology) {
    collector_options o;
    o.version = WEIR_VERSION;
    o.seed = config.run.seed;
    o.warmup = config.run.warmup;
    o.until = parse_precision_goals(config.run.until).value;
    o.flows = config.output.flows;
    o.jobs = config.output.jobs;
    o.size_bins = config.output.size_bins.value_or(std::vector<bytes>{});
    o.occupancy_interval = config.output.occupancy_interval;
    o.window = {config.output.window_start, config.output.window_end.value_or(never)};
    o.occupancy_nodes = config.output.occupancy_nodes;
    o.ideal_jobs = config.output.ideal_jobs;
    o.segments = config.output.segments;
    o.fairness_window = config.output.fairness_window;
    o.busy_links = config.output.busy_links;
    o.full_queues = config.output.full_queues && has_egress_memories(config.shared.kind) &&
                    config.output.occupancy_interval > picoseconds{0};
    o.pausable_classes = pausable_classes(config);
    o.causes.pauses = config.trace.pause_causes;
    o.causes.drops = config.trace.drop_causes;
    o.causes.begin = config.trace.window_start;
    o.causes.end = config.trace.window_end.value_or(never);
    o.cause_flows = config.trace.cause_flows;
    o.watchdog = config.flow_control.mode == flow_control_mode::pfc &&
                 config.flow_control.watchdog != watchdog_action::off;
    o.links_change = !topology.changes.empty();
    o.switches = config;
    o.marks = marks_frames(config, topology);
    o.probes = config.traffic.uses_pfabric();
    return o;
}

}  // namespace weir::tb
