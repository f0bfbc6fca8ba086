#include "tb/plot/check_samples.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include "tb/options/load_config.h"

namespace weir::tb {

namespace {

namespace fs = std::filesystem;

/// The times of one table, of whose series each has the same.
struct sampled_table {
    std::string file;
    std::vector<double> times;
    bool even = true;

    void add(const std::vector<double>& series) {
        if (times.empty()) {
            times = series;
        }
        even = even && series == times;
    }
    double last() const { return times.back(); }
    double next() const { return 2 * times.back() - times[times.size() - 2]; }
};

/// Unit: ns. Samples are taken up to here; 0 where it is not known.
double end_of_samples(const run_data& run) {
    const std::string file = (fs::path(run.directory) / "effective.ini").string();
    std::error_code ignored;
    if (!fs::exists(file, ignored)) {
        return 0;
    }
    const loaded_config loaded = load_config_files({}, {file});
    if (!loaded.errors.empty()) {
        return 0;
    }
    const picoseconds window = loaded.config.output.window_end.value_or(never);
    return std::min(run.simulated_ns, static_cast<double>(window.count()) / 1000);
}

}  // namespace

void check_samples(run_data& run) {
    sampled_table occupancy{"occupancy.csv", {}, true};
    sampled_table pauses{"pauses.csv", {}, true};
    for (const std::vector<fill_series>* side : {&run.ingress, &run.egress}) {
        for (const fill_series& series : *side) {
            occupancy.add(series.time_ns);
        }
    }
    for (const pause_series& series : run.pauses) {
        pauses.add(series.time_ns);
    }
    const double end = end_of_samples(run);
    const bool both = !occupancy.times.empty() && !pauses.times.empty();
    const double last = both ? std::max(occupancy.last(), pauses.last()) : 0;
    for (const sampled_table* table : {&occupancy, &pauses}) {
        if (table->times.empty()) {
            continue;
        }
        // The next sample would lie well within; half an interval is no rounding.
        const bool ends_early = table->times.size() > 1 && table->next() < end;
        if (!table->even || (both && table->last() < last) || ends_early) {
            run.errors.push_back({(fs::path(run.directory) / table->file).string(), 0, "",
                                  "ends before the last sample: lines are missing; expected a complete table"});
        }
    }
}

}  // namespace weir::tb
