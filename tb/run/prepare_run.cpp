#include "tb/run/prepare_run.h"

#include <utility>

#include "tb/options/input_file.h"
#include "tb/run/check_run.h"
#include "tb/run/engine_warnings.h"

namespace weir {

namespace {

template <class List>
void append(List& to, const List& from) {
    to.insert(to.end(), from.begin(), from.end());
}

void read_traffic_files(prepared_run& run) {
    const run_config& config = run.loaded.config;
    std::vector<std::string> trace_names;
    if (config.traffic.kind == workload_kind::trace) {
        run.trace = std::make_unique<trace_feed>(config, run.topology.plan.hosts());
        const trace_scan& scan = run.trace->scan();
        append(run.errors, scan.errors);
        for (const config_error& warning : scan.warnings) {
            run.warnings.push_back(format_error(warning));
        }
        trace_names = run.trace->tags().names();
        run.inputs.trace_tags = trace_names.size();
        run.inputs.triggers = scan.triggers;
        run.inputs.triggers_across_hosts = config.files.trigger_delay > picoseconds{0};
    }
    if (config.traffic.distribution == "file") {
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
        }
    }
    if (run.errors.empty()) {
        append(run.errors, check_inputs(config.traffic, run.inputs));
    }
    run.tags = workload_tags(config.traffic, trace_names);
}

}  // namespace

prepared_run prepare_run(loaded_config loaded, bool read_traffic) {
    prepared_run run;
    run.loaded = std::move(loaded);
    run.errors = run.loaded.errors;
    if (!run.errors.empty()) {
        return run;
    }
    run.topology = build_topology(run.loaded.config);
    run.errors = run.topology.errors;
    run.warnings = run.topology.warnings;
    if (run.errors.empty()) {
        append(run.errors, check_run(run.loaded.config, run.topology));
        if (read_traffic) {
            read_traffic_files(run);
        }
    }
    if (run.errors.empty()) {
        append(run.warnings, threshold_warnings(run.loaded.config, run.topology));
        append(run.warnings, engine_warnings(run.loaded.config, run.topology));
    }
    run.loaded.locate(run.errors);
    return run;
}

}  // namespace weir
