#include "tb/plot/check_samples.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include "tb/files/input_file.h"
#include "tb/options/load_config.h"

namespace weir::tb {

namespace {

namespace fs = std::filesystem;

/// The times of one table.
struct sampled_table {
    std::string file;
    std::vector<double> times;
    bool even = true;

    /// Each of its series has all times.
    template <class Series>
    void add(const std::vector<Series>& all) {
        for (const Series& series : all) {
            times = times.empty() ? series.time_ns : times;
            even = even && series.time_ns == times;
        }
    }
    /// Each has them from some time on.
    void add_started(const std::vector<limited_series>& all) {
        for (const limited_series& series : all) {
            times = series.time_ns.size() > times.size() ? series.time_ns : times;
        }
        for (const limited_series& series : all) {
            even = even && std::equal(series.time_ns.rbegin(), series.time_ns.rend(), times.rbegin());
        }
    }
    double last() const { return times.empty() ? 0 : times.back(); }
    double next() const { return 2 * times.back() - times[times.size() - 2]; }
};

/// Unit: ns. Samples are taken up to here; 0 where it is not known.
double end_of_samples(const run_data& run) {
    const std::string file = (fs::path(run.directory) / "effective.ini").string();
    if (!path_exists(file)) {
        return 0;
    }
    const loaded_config loaded = load_config_files({}, {file});
    if (!loaded.errors.empty()) {
        return 0;
    }
    const picoseconds window = loaded.config.output.window_end.value_or(never);
    return std::min(run.simulated_ns, static_cast<double>(window.count()) / 1000);
}

/// The tables have the same last time.
void check_tables(run_data& run, double end, const std::vector<sampled_table>& tables) {
    double last = 0;
    for (const sampled_table& table : tables) {
        last = std::max(last, table.last());
    }
    for (const sampled_table& table : tables) {
        if (table.times.empty()) {
            continue;
        }
        // The next sample would lie well within; half an interval is no rounding.
        const bool ends_early = table.times.size() > 1 && table.next() < end;
        if (!table.even || table.last() < last || ends_early) {
            run.errors.push_back({(fs::path(run.directory) / table.file).string(), 0, "",
                                  "ends before the last sample: lines are missing; expected a complete table"});
        }
    }
}

}  // namespace

void check_samples(run_data& run) {
    sampled_table occupancy{"occupancy.csv", {}};
    sampled_table pauses{"pauses.csv", {}};
    sampled_table ports{"port_series.csv", {}};
    sampled_table pools{"pool_series.csv", {}};
    occupancy.add(run.ingress);
    occupancy.add(run.egress);
    pauses.add(run.pauses);
    ports.add_started(run.ports.sent);
    pools.add_started(run.pools);
    if (occupancy.times.empty() && pauses.times.empty() && ports.times.empty() && pools.times.empty()) {
        return;  // reading effective.ini takes longest
    }
    const double end = end_of_samples(run);
    check_tables(run, end, {occupancy, pauses});
    check_tables(run, end, {ports, pools});
}

}  // namespace weir::tb
