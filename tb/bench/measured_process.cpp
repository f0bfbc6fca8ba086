#include "tb/bench/measured_process.h"

#include <chrono>
#include <csignal>
#include <optional>

#include "tb/process/child_process.h"
#include "tb/process/ending_signals.h"
#include "tb/process/exit_status.h"

namespace weir::tb {

namespace {

void throw_if_interrupted() {
    if (signal_guard::received() != 0) {
        throw command_error("interrupted", exit_status::interrupted(signal_guard::received()));
    }
}

}  // namespace

process_result run_process(const std::vector<std::string>& arguments) {
    throw_if_interrupted();
    // From before the process is there: a signal must not get lost between a look and a wait.
    std::optional<waiting_signals> signals(std::in_place);
    child_process process(arguments);
    int ending = 0;
    while (!process.ended()) {
        const int signal = signals->wait(std::chrono::milliseconds{250});
        if (signal != 0 && signal != SIGCHLD) {
            ending = signal;
            process.kill();
        }
    }
    signals.reset();
    if (ending != 0) {
        std::raise(ending);  // the guard notes it
    }
    throw_if_interrupted();
    return {process.status(), process.output(), process.errors()};
}

}  // namespace weir::tb
