#include "tb/run/options/input_paths.h"

#include <algorithm>

#include "tb/support/files/schedule_file.h"

namespace weir::tb {

std::vector<std::string> input_paths(const run_config& config, const option_table& table) {
    std::vector<std::string> paths;
    const auto add = [&](std::string path) {
        if (!path.empty() && std::find(paths.begin(), paths.end(), path) == paths.end()) {
            paths.push_back(std::move(path));
        }
    };
    for (const auto& each : table.options()) {
        if (each->is_path) {
            add(each->value->text());
        }
    }
    if (traffic::programs()[config.traffic.program.kind].reads_traces) {
        const std::vector<std::string> traces = trace_files(config.files.schedule);
        for (std::size_t r = 1; r < traces.size(); ++r) {
            paths.push_back(traces[r]);
        }
    }
    return paths;
}

}  // namespace weir::tb
