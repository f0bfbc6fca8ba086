#include "tb/campaign/run_pool.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "tb/process/exit_status.h"
#include "tb/process/status_line.h"

namespace weir::tb {

namespace {

/// Unit: bytes, of what a run said.
constexpr std::size_t longest_cause = 64 << 10;

/// What a failed run said, less what depends on where the sweep is.
std::string cause_of(std::string errors, int status, const std::string& directory) {
    const std::string unfinished = "; " + directory + " holds the results so far, marked incomplete";
    const std::size_t at = errors.find(unfinished);
    if (at != std::string::npos) {
        errors.erase(at, unfinished.size());
    }
    std::istringstream lines(errors);
    std::string cause;
    for (std::string line; std::getline(lines, line);) {
        const auto begins = [&](const char* with) { return line.rfind(with, 0) == 0; };
        if (!begins("weir run: the run failed;") && !begins("warning: ") && !begins("hint: ") &&
            !begins(status_prefix)) {
            cause += (cause.empty() ? "" : "\n") + line;
        }
    }
    if (!cause.empty()) {
        return cause;
    }
    constexpr int most_signal = 64;
    return status > 128 && status <= 128 + most_signal ? "ended by signal " + std::to_string(status - 128)
                                                       : "ended with exit status " + std::to_string(status);
}

run_record not_finished(std::string why) {
    run_record record;
    record.status = exit_status::environment;
    record.error = std::move(why);
    return record;
}

}  // namespace

run_pool::run_pool(const run_list& runs, const campaign_layout& layout, run_places& places)
    : m_runs(runs), m_layout(layout), m_store(layout, runs), m_places(places) {}

void run_pool::start(const pending_run& what) {
    const auto ended_at_once = [&](run_record record) { m_ended.push_back({what, std::move(record), {}}); };
    if (m_store.is_being_made(what.point, what.seed)) {
        return ended_at_once(
            not_finished(m_layout.partial_run(what.point, what.seed).string() +
                         ": is in use: another command, or a run that one has left behind, is making it"));
    }
    if (m_store.is_whole(what.point, what.seed) &&
        same_values(read_if_there(m_layout.partial_run(what.point, what.seed) / "effective.ini"),
                    m_runs.effective_ini(what))) {
        m_store.accept(what.point, what.seed);
        run_record record;
        record.state = run_record::states::done;
        return ended_at_once(std::move(record));
    }
    m_store.prepare(what.point, what.seed);
    std::vector<std::string> arguments = m_runs.arguments(what);
    arguments.insert(arguments.end(), {"--out", m_layout.partial_run(what.point, what.seed).string()});
    m_active.push_back({what, m_places.start(arguments)});
}

int run_pool::wait() {
    const int signal = m_signals.wait(m_places.interval());
    return signal == SIGCHLD ? 0 : signal;
}

std::vector<ended_run> run_pool::take_ended() {
    for (auto run = m_active.begin(); run != m_active.end();) {
        if (run->process->ended()) {
            finish(*run);
            run = m_active.erase(run);
        } else {
            ++run;
        }
    }
    return std::exchange(m_ended, {});
}

void run_pool::cancel(const pending_run& what) {
    const auto run = std::find_if(m_active.begin(), m_active.end(), [&](const active_run& each) {
        return each.what.point == what.point && each.what.seed == what.seed;
    });
    if (run != m_active.end()) {
        take_end(*run);
        m_active.erase(run);
    }
}

void run_pool::stop() {
    for (active_run& run : m_active) {
        run.process->cancel();
    }
    for (active_run& run : m_active) {
        take_end(run);
    }
    m_active.clear();
}

void run_pool::take_end(active_run& run) {
    run.process->end();
    if (run.process->status() == 0) {
        finish(run);  // it had ended just before
    } else {
        m_store.discard(run.what.point, run.what.seed);
    }
}

void run_pool::finish(active_run& run) {
    const auto [point, seed] = run.what;
    const int status = run.process->status();
    if (status == exit_status::success && !m_store.is_whole(point, seed)) {
        // What is there stays: it may be of a run that goes on without its launcher.
        m_ended.push_back({run.what,
                           not_finished("it ended with exit status 0, and its directory holds no whole run; "
                                        "expected, with --launcher, a command that waits for the run, such as "
                                        "'bsub -K'"),
                           {}});
        return;
    }
    const std::string effective = read_if_there(m_layout.partial_run(point, seed) / "effective.ini");
    if (!effective.empty() && !same_values(effective, m_runs.effective_ini(run.what))) {
        throw command_error(
            m_runs.file(point) + " has changed since the sweep began; runs that had ended are kept",
            exit_status::environment);
    }
    ended_run ended{run.what, {}, std::nullopt};
    if (status == exit_status::success) {
        m_store.accept(point, seed);
        ended.record.state = run_record::states::done;
    } else {
        const std::string directory = m_layout.partial_run(point, seed).string();
        ended.record.status = status;
        ended.record.error = cause_of(run.process->errors().substr(0, longest_cause), status, directory);
        if (status == exit_status::verdict && !m_store.has_verdict(point, seed)) {
            // A launcher's own failure, for one.
            ended.record.status = exit_status::environment;
            ended.record.error += "; the run left no verdict";
            m_store.discard(point, seed);
        } else if (status == exit_status::verdict) {
            ended.record.state = run_record::states::failed;
            m_store.accept_failure(point, seed, ended.record);
        } else {
            m_store.discard(point, seed);
        }
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - run.started;
    ended.seconds = took.count();
    m_ended.push_back(std::move(ended));
}

}  // namespace weir::tb
