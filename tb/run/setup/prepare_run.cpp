#include "tb/run/setup/prepare_run.h"

#include <algorithm>
#include <set>
#include <utility>

#include "tb/run/checks/queue_reach.h"
#include "tb/run/checks/run_checks.h"
#include "tb/run/checks/traffic_classes.h"
#include "tb/run/options/requested_metrics.h"
#include "tb/run/results/derived_metric.h"
#include "tb/run/results/metric_catalogue.h"
#include "tb/run/setup/parallel_program.h"
#include "tb/run/topology/host_places.h"
#include "tb/support/files/input_file.h"
#include "tb/support/text/name_pattern.h"
#include "tb/verify/wave/wave_trace.h"
#include "weir/base/field_range.h"
#include "weir/traffic/apps/workloads.h"
#include "weir/traffic/sizes/size_distribution_file.h"

namespace weir::tb {

namespace {

template <class List>
void append(List& to, const List& from) {
    to.insert(to.end(), from.begin(), from.end());
}

// A trace of which nothing would happen.
void check_starts(prepared_run& run, const trace_scan& scan) {
    const run_config& config = run.loaded.config;
    if (scan.errors.empty() && scan.count == 0) {
        run.warnings.push_back(config.files.file + ": has no flows");
    } else if (scan.errors.empty() && scan.count > scan.triggered && config.run.duration > picoseconds{0} &&
               scan.first_start >= config.run.duration && !config.traffic.background.is_on() &&
               !config.traffic.stream.is_on()) {
        run.errors.push_back({{},
                              0,
                              "run.duration",
                              out_of_range(to_text(config.run.duration),
                                           "a time after the start of the first flow of " + config.files.file +
                                               " (" + to_text(scan.first_start) + ")")});
    }
}

/// Racks that `output.metrics` names.
void check_racks(prepared_run& run) {
    const topology& plan = run.topology.plan;
    const std::vector<std::string>& texts = run.loaded.config.output.metrics;
    for (std::size_t n = 0; n < texts.size(); ++n) {
        for (const std::string& wanted : with_operands({texts[n]})) {
            if (family_of(wanted) != "racks") {
                continue;
            }
            std::set<std::string> racks;
            for (host_id h = 0; h < plan.hosts(); ++h) {
                racks.insert(quoted_member(plan.name(node_ref::of_switch(plan.edge_switch(h)))));
            }
            const auto& all = metric_catalogue();
            const auto has_it = [&](const std::string& rack) {
                return std::any_of(all.begin(), all.end(), [&](const metric_entry& each) {
                    return is_named(with_part(each.key, rack), wanted);
                });
            };
            if (std::none_of(racks.begin(), racks.end(), has_it)) {
                run.errors.push_back(
                    {"", 0, "output.metrics[" + std::to_string(n) + "]",
                     "'" + wanted + "' names no switch with hosts; expected a rack such as " + *racks.begin()});
            }
        }
    }
}

/// Names that `run.until` has for tags.
void check_tags_of_goals(prepared_run& run) {
    for (const precision_goal& goal : parse_precision_goals(run.loaded.config.run.until).value) {
        if (goal.tag.empty() || std::find(run.tags.begin(), run.tags.end(), goal.tag) != run.tags.end()) {
            continue;
        }
        std::string known;
        for (const std::string& tag : run.tags) {
            known += tag.empty() ? "" : (known.empty() ? "" : ", ") + tag;
        }
        run.errors.push_back({"", 0, "run.until",
                              "'" + goal.tag + "' is no tag of this traffic; expected " +
                                  (known.empty() ? "no tag, as it has none" : "one of " + known)});
    }
}

void read_traffic_files(prepared_run& run) {
    const run_config& config = run.loaded.config;
    std::vector<std::string> trace_names;
    if (workloads()[config.traffic.kind].reads_trace) {
        run.trace = std::make_unique<trace_feed>(config, run.topology.plan);
        const trace_scan& scan = run.trace->scan();
        append(run.errors, scan.errors);
        for (const config_error& warning : scan.warnings) {
            run.warnings.push_back(format_error(warning));
        }
        run.priorities = scan.priorities;
        check_starts(run, scan);
        trace_names = run.trace->tags().names();
        run.inputs.trace_tags = trace_names.size();
        run.inputs.triggers = scan.triggers;
        run.inputs.triggers_across_hosts = config.files.trigger_delay > picoseconds{0};
    }
    if (workloads()[config.traffic.kind].runs_program && run.errors.empty()) {
        parallel_program program = prepare_program(config, run.topology.plan);
        append(run.errors, program.errors);
        append(run.warnings, program.warnings);
        run.inputs.schedule = std::move(program.schedule);
        run.ideal_ranks = std::move(program.ideal_ends);
    }
    if (config.traffic.reads_sizes()) {
        input_file opened = open_input(config.files.distribution_file);
        if (!opened.why_not.empty()) {
            run.errors.push_back(unreadable("traffic.distribution_file", config.files.distribution_file,
                                            opened.why_not, "a size distribution"));
            return;
        }
        const size_distribution_result read = read_size_distribution(
            opened.text, config.files.distribution_file, config.files.distribution_units);
        append(run.errors, read.errors);
        if (read.errors.empty()) {
            run.inputs.sizes = std::make_shared<const size_distribution>(*read.value);
            run.inputs.background_sizes = run.inputs.sizes;
        }
    }
    if (run.errors.empty()) {
        append(run.errors, check_inputs(config.traffic, run.inputs));
    }
    run.tags = workload_tags(config.traffic, trace_names);
    check_tags_of_goals(run);
}

}  // namespace

prepared_run prepare_run(loaded_config loaded, std::optional<trace_priorities> known_priorities) {
    prepared_run run;
    run.loaded = std::move(loaded);
    run.errors = run.loaded.errors;
    for (const config_error& warning : run.loaded.warnings) {
        run.warnings.push_back(format_error(warning));
    }
    if (!run.errors.empty()) {
        return run;
    }
    run.loaded.config.extensions.use();
    run.topology = build_topology(run.loaded.config);
    run.errors = run.topology.errors;
    run.warnings.insert(run.warnings.end(), run.topology.warnings.begin(), run.topology.warnings.end());
    // Who has set the delay has done what the warning asks for.
    if (!run.topology.latency_warning.empty() && !run.loaded.is_set("switch.lookup_delay")) {
        run.warnings.push_back(run.topology.latency_warning);
    }
    if (run.errors.empty()) {
        append(run.errors, check_run(run.loaded.config, run.topology));
        check_racks(run);
        run.captured = chosen_directions(run.loaded.config.trace.pcap, run.topology.plan, run.errors);
        run.waved = switches_in_wave(run.loaded.config.trace.wave, run.topology.plan, run.errors);
        const journey_options& journeys = run.loaded.config.trace.journeys;
        if (journeys.perfetto) {
            run.journeyed =
                nodes_of_names(journeys.nodes, "trace.perfetto_nodes", run.topology.plan, run.errors);
        }
        if (const output_options& output = run.loaded.config.output; output.occupancy_interval > 0_ps) {
            nodes_of_names(output.occupancy_nodes, "output.occupancy_nodes", run.topology.plan, run.errors);
            if (!output.series.empty()) {
                run.series_nodes =
                    nodes_of_names(output.series, "output.series", run.topology.plan, run.errors);
            }
            run.window_hosts = hosts_of_names(output.windows, "output.windows", run.topology.plan, run.errors);
            run.rate_hosts = hosts_of_names(output.rates, "output.rates", run.topology.plan, run.errors);
        }
        const workload_config& traffic = run.loaded.config.traffic;
        if (traffic.has_places()) {
            run.inputs.sources =
                hosts_of_names(traffic.sources, "traffic.sources", run.topology.plan, run.errors);
            run.inputs.destinations =
                hosts_of_names(traffic.destinations, "traffic.destinations", run.topology.plan, run.errors);
        }
        if (traffic.background.is_on()) {
            const background_config& background = traffic.background;
            run.inputs.background_sources =
                hosts_of_names(background.sources, "traffic.background_sources", run.topology.plan, run.errors);
            run.inputs.background_destinations = hosts_of_names(
                background.destinations, "traffic.background_destinations", run.topology.plan, run.errors);
        }
        run.inputs.parts = parts_of(run.topology.plan);
        for (host_id h = 0; h < run.topology.plan.hosts(); ++h) {
            run.inputs.racks.push_back(run.topology.plan.edge_switch(h));
        }
        if (known_priorities) {
            run.priorities = *known_priorities;
        } else {
            read_traffic_files(run);
        }
    }
    if (run.errors.empty()) {
        for (const config_error& idle : idle_in_fabric(run.loaded, run.topology)) {
            run.loaded.idle.push_back(idle);
            run.warnings.push_back(format_error(idle));
        }
        append(run.warnings, dominated_options(run.loaded.config, run.topology));
        append(run.warnings, threshold_warnings(run.loaded.config, run.topology));
        append(run.warnings, unreached_thresholds(run.loaded.config, run.topology,
                                                  data_classes(run.loaded.config, run.priorities)));
        append(run.warnings, engine_warnings(run.loaded.config, run.topology));
        for (const auto& warning : {lossy_traffic_warning(run.loaded.config, run.priorities),
                                    merged_classes_warning(run.loaded, run.priorities)}) {
            if (warning) {
                run.warnings.push_back(*warning);
            }
        }
        append(run.warnings, scheme_warnings(run.loaded.config));
        append(run.warnings, window_warnings(run.loaded.config));
        append(run.warnings, end_warnings(run.loaded.config, run.topology));
    }
    run.loaded.locate(run.errors);
    return run;
}

}  // namespace weir::tb
