#include "tb/sweep/resumable_command.h"

#include <exception>

#include "tb/process/exit_status.h"
#include "tb/results/summary_writer.h"

namespace weir {

int run_resumable(const std::string& command, const std::vector<std::string>& args, std::ostream& err,
                  const std::function<int(const std::string& command_line)>& run) {
    std::vector<const char*> words{"weir", command.c_str()};
    for (const std::string& arg : args) {
        words.push_back(arg.c_str());
    }
    const run_stopwatch stopwatch(static_cast<int>(words.size()), words.data());
    try {
        return run(stopwatch.facts().command_line);
    } catch (const std::exception& error) {
        failure what = failure_of(error);
        if (what.status != exit_status::bad_input) {
            what.message += "; the same command goes on with the runs that have not ended";
        }
        return print_failure("weir " + command, what, err);
    }
}

}  // namespace weir
