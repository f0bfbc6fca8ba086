#include "tb/results/table_command.h"

#include <cstdint>
#include <filesystem>

#include "tb/arguments/argument_reader.h"
#include "tb/process/error_text.h"
#include "tb/process/exit_status.h"
#include "tb/results/result_table.h"

namespace weir::tb {

static const command_declaration declared{
    "weir table DIR [DIR ...]\n\nPrints the summaries of runs side by side; the first run is the baseline. A "
    "run "
    "that was stopped before its end is marked (incomplete).\n",
    0,
    {},
    1,
    SIZE_MAX,
    "directory of a run",
    "directories of runs",
};

int table_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    const argument_reader given(declared, args);
    if (given.wants_help()) {
        out << help_of(declared);
        return 0;
    }
    if (!given.errors.empty()) {
        return print_errors(given.errors, err);
    }
    config_errors errors;
    const std::vector<std::string> stopped =
        comparison_table(out, {given.files().begin(), given.files().end()}, errors);
    print_errors(errors, err);
    for (const std::string& run : stopped) {
        err << "warning: " << run << ": the run was stopped before its end\n";
    }
    return errors.empty() ? exit_status::success : exit_status::bad_input;
}

}  // namespace weir::tb
