#include "tb/study/campaign/run_pool.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

#include "tb/run/samples/json_values.h"
#include "tb/support/files/directory_lock.h"
#include "tb/support/files/input_file.h"
#include "tb/support/files/json_file.h"
#include "tb/support/files/output_file.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/process/status_line.h"

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view summary_files[] = {"summary.json", "effective.ini", "run.json", "failure.json"};

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

bool run_pool::is_whole(const pending_run& what) const {
    const fs::path path = m_layout.partial_run(what);
    // run.json is a run's last file.
    return !campaign_layout::summary_in(path).is_null() &&
           json_or_discarded(read_if_there(path / "run.json")).is_object();
}

void run_pool::keep_and_name(const pending_run& what) const {
    const fs::path partial = m_layout.partial_run(what);
    const fs::path name = m_layout.run(what.point, what.seed);
    const kept_files keep = m_runs.kept(what.point);
    for (const fs::path& entry : entries_of(partial)) {
        const std::string file = entry.filename().string();
        const bool stays =
            keep == kept_files::all || (keep == kept_files::jobs && file == "jobs.csv") ||
            std::find(std::begin(summary_files), std::end(summary_files), file) != std::end(summary_files);
        stays ? synchronise(entry) : remove_tree(entry);
    }
    synchronise(partial);
    name_whole(partial, name);
    synchronise(name.parent_path());
    synchronise(name.parent_path().parent_path());
}

void run_pool::start(const pending_run& what) {
    const fs::path partial = m_layout.partial_run(what);
    std::error_code ignored;
    if (fs::is_directory(partial, ignored) && directory_lock(partial).in_use()) {
        m_ended.push_back(
            {what,
             not_finished(partial.string() +
                          ": is in use: another command, or a run that one has left behind, is making it"),
             {}});
        return;
    }
    if (is_whole(what) && same_values(read_if_there(partial / "effective.ini"), m_runs.effective_ini(what))) {
        keep_and_name(what);
        m_ended.push_back({what, {{}, run_record::states::done}, {}});
        return;
    }
    const fs::path name = m_layout.run(what.point, what.seed);
    remove_tree(name);
    remove_tree(partial);
    make_directory(name.parent_path());
    std::vector<std::string> arguments = m_runs.arguments(what);
    arguments.insert(arguments.end(), {"--out", partial.string()});
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

void run_pool::cancel_unwanted(run_demand& demand) {
    for (auto run = m_active.begin(); run != m_active.end();) {
        const pending_run what = run->what;
        if (demand.wants(what)) {
            ++run;
            continue;
        }
        take_end(*run);
        run = m_active.erase(run);
        demand.cancelled(what);
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
        remove_tree(m_layout.partial_run(run.what));
    }
}

void run_pool::finish(active_run& run) {
    const fs::path partial = m_layout.partial_run(run.what);
    const int status = run.process->status();
    if (status == exit_status::success && !is_whole(run.what)) {
        // What is there stays: it may be of a run that goes on without its launcher.
        m_ended.push_back({run.what,
                           not_finished("it ended with exit status 0, and its directory holds no whole run; "
                                        "expected, with --launcher, a command that waits for the run, such as "
                                        "'bsub -K'"),
                           {}});
        return;
    }
    const std::string effective = read_if_there(partial / "effective.ini");
    if (!effective.empty() && !same_values(effective, m_runs.effective_ini(run.what))) {
        throw command_error(
            m_runs.file(run.what.point) + " has changed since the sweep began; runs that had ended are kept",
            exit_status::environment);
    }
    ended_run ended{run.what, {}, std::nullopt};
    run_record& record = ended.record;
    if (status == exit_status::success) {
        keep_and_name(run.what);
        record.state = run_record::states::done;
    } else {
        record.status = status;
        record.error = cause_of(run.process->errors().substr(0, longest_cause), status, partial.string());
        const std::optional<run_failure> left = parse_failure(read_if_there(partial / "failure.json"));
        if (status == exit_status::verdict && left) {
            record.state = run_record::states::failed;
            record.verdict = left->verdict;
            record.flows = left->flows;
            // A launcher may keep what the run has printed to itself.
            record.error = "weir run: " + left->error;
            write_file(partial / "failure.json", to_text(record));
            keep_and_name(run.what);
        } else {
            if (status == exit_status::verdict) {
                // A launcher's own failure, for one.
                record.status = exit_status::environment;
                record.error += "; the run left no verdict";
            }
            remove_tree(partial);
        }
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - run.started;
    ended.seconds = took.count();
    m_ended.push_back(std::move(ended));
}

made_runs make_runs(run_demand& demand, run_pool& pool, unsigned jobs,
                    const std::function<void(const std::string&)>& show) {
    made_runs made;
    const auto tell = [&] {
        if (const std::string text = demand.progress(pool); !text.empty()) {
            show(text);
        }
    };
    for (demand.look(); !demand.finished(pool); demand.look()) {
        pool.cancel_unwanted(demand);
        for (bool more = true; more && pool.active() < jobs;) {
            const std::optional<pending_run> run = demand.next();
            more = run.has_value();
            if (run) {
                pool.start(*run);
            }
        }
        tell();
        made.signal = pool.active() > 0 ? pool.wait() : 0;
        if (made.signal != 0) {
            pool.stop();
        }
        for (const ended_run& run : pool.take_ended()) {
            made.count += run.record.state == run_record::states::missing ? 0 : 1;
            demand.take(run);
        }
        if (made.signal != 0) {
            return made;
        }
    }
    tell();
    pool.stop();
    pool.take_ended();
    demand.end();
    return made;
}

}  // namespace weir::tb
