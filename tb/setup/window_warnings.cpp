#include "tb/setup/window_warnings.h"

#include "tb/text/window_text.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

std::vector<std::string> window_warnings(const run_config& config) {
    std::vector<std::string> all;
    const output_options& output = config.output;
    const picoseconds interval = output.occupancy_interval;
    if (interval > picoseconds{0} && output.window_end) {
        const picoseconds first = (output.window_start + interval - picoseconds{1}) / interval * interval;
        if (first > *output.window_end) {
            all.push_back("occupancy.csv and pauses.csv will hold no sample: " +
                          window_text("output", output.window_start, *output.window_end) +
                          ", and the first sample after the start is at " + to_text(first) +
                          " (output.occupancy_interval = " + to_text(interval) + ")");
        }
    }
    const capture_options& trace = config.trace;
    const bool any = !trace.pcap.empty() || trace.wave.format != wave_format::none || trace.journeys.perfetto ||
                     !trace.frame_path.empty() || trace.pause_causes || trace.drop_causes;
    if (any && trace.window_end && *trace.window_end <= config.traffic.start) {
        all.push_back(
            "traces will hold no traffic: " + window_text("trace", trace.window_start, *trace.window_end) +
            ", and traffic.start = " + to_text(config.traffic.start));
    }
    return all;
}

}  // namespace weir::tb
