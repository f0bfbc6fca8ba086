#include "tb/results/table_command.h"

#include <filesystem>

#include "tb/options/load_config.h"
#include "tb/process/exit_status.h"
#include "tb/results/result_table.h"

namespace weir::tb {

int table_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    std::vector<std::filesystem::path> runs;
    for (const std::string& arg : args) {
        if (arg == "--help" || arg == "-h") {
            out << "weir table DIR [DIR ...]\n\nPrints the summaries of runs side by side; the first run is "
                   "the baseline. A run that was stopped before its end is marked (incomplete).\n";
            return 0;
        }
        if (arg.rfind("--", 0) == 0) {
            err << "command line: " << arg << ": is unknown; expected directories of runs\n";
            return exit_status::bad_input;
        }
        runs.emplace_back(arg);
    }
    if (runs.empty()) {
        err << "command line: DIR: is missing; expected one or more directories of runs\n";
        return exit_status::bad_input;
    }
    config_errors errors;
    const std::vector<std::string> stopped = comparison_table(out, runs, errors);
    print_errors(errors, err);
    for (const std::string& run : stopped) {
        err << "warning: " << run << ": the run was stopped before its end\n";
    }
    return errors.empty() ? exit_status::success : exit_status::bad_input;
}

}  // namespace weir::tb
