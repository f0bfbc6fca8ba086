// Options [output].
#include "tb/options/option_table.h"
#include "tb/options/run_config.h"

namespace weir {

void add_output_options(option_table& table, run_config& config) {
    output_options& output = config.output;
    auto block = table.block("output", "What a run writes besides its summary.");
    const relevance sampled{"output.occupancy_interval above 0",
                            [&output] { return output.occupancy_interval > picoseconds{0}; }};
    block.add("flows", output.flows).doc("Write flows.csv: one line per completed transfer.").source("project");
    block.add("jobs", output.jobs).doc("Write jobs.csv: one line per completed job.").source("project");
    block.add("occupancy_interval", output.occupancy_interval)
        .range(picoseconds{0}, longest_time)
        .doc(
            "Interval at which buffer occupancy and pauses are sampled. It doubles whenever the memory for "
            "samples is full. 0: no samples.")
        .source("project");
    block.add("window_start", output.window_start)
        .range(picoseconds{0}, longest_time)
        .matters(sampled)
        .doc("Start of the time window in which samples are taken.")
        .source("project");
    block.add("window_end", output.window_end)
        .range(picoseconds{0}, longest_time)
        .matters(sampled)
        .doc("End of the window. auto: the end of the run.")
        .source("project");
    table.check([&output]() -> config_errors {
        if (output.window_end && *output.window_end <= output.window_start) {
            return {{"", 0, "output.window_end",
                     "'" + to_text(*output.window_end) +
                         "' is out of range; expected above output.window_start (" +
                         to_text(output.window_start) + ")"}};
        }
        return {};
    });
}

}  // namespace weir
