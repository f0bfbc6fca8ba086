#include "tb/setup/window_warnings.h"

#include "tb/text/joined.h"
#include "tb/text/window_text.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

std::vector<std::string> window_warnings(const run_config& config) {
    std::vector<std::string> all;
    const output_options& output = config.output;
    const picoseconds interval = output.occupancy_interval;
    if (const picoseconds end = config.run.duration;
        end > picoseconds{0} && interval > end && interval != output_options{}.occupancy_interval) {
        all.push_back("occupancy.csv and pauses.csv will hold no sample: output.occupancy_interval = " +
                      to_text(interval) + " is longer than run.duration = " + to_text(end));
    } else if (interval > picoseconds{0} && output.window_end) {
        const picoseconds first = (output.window_start + interval - picoseconds{1}) / interval * interval;
        if (first > *output.window_end) {
            all.push_back("occupancy.csv and pauses.csv will hold no sample: " +
                          window_text("output", output.window_start, *output.window_end) +
                          ", and the first sample after the start is at " + to_text(first) +
                          " (output.occupancy_interval = " + to_text(interval) + ")");
        }
    }
    const auto warn_of_empty_table = [&](const std::vector<std::string>& hosts, bool has_lines, const char* key,
                                         const char* file, const char* why) {
        if (interval > picoseconds{0} && !hosts.empty() && !has_lines) {
            all.push_back(std::string(key) + " = " + joined(hosts, ", ") + ": " + file +
                          " will hold no line, because " + why);
        }
    };
    warn_of_empty_table(output.windows, config.traffic.uses_tcp(), "output.windows", "windows.csv",
                        "no traffic is over TCP (traffic.transport)");
    warn_of_empty_table(output.rates, config.traffic.uses_roce() || config.marking.kind == marker_kind::qcn,
                        "output.rates", "rates.csv",
                        "hosts have neither QCN's rate limiters (marking.kind = qcn) nor queue pairs "
                        "(traffic.transport = roce)");
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
