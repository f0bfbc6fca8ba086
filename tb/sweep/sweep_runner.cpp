#include "tb/sweep/sweep_runner.h"

#include <algorithm>
#include <csignal>
#include <ctime>
#include <sstream>
#include <stdexcept>

namespace weir {

namespace {

/// While it lives, signals wait to be asked for: no handlers, and none is lost between a look and a wait.
class waiting_signals {
 public:
    waiting_signals() {
        sigemptyset(&m_wanted);
        for (const int signal : {SIGCHLD, SIGINT, SIGTERM}) {
            sigaddset(&m_wanted, signal);
        }
        struct sigaction action {};
        sigaction(SIGHUP, nullptr, &action);
        if (action.sa_handler != SIG_IGN) {
            sigaddset(&m_wanted, SIGHUP);
        }
        // An ignored SIGCHLD would take the runs' statuses away.
        std::signal(SIGCHLD, SIG_DFL);
        sigprocmask(SIG_BLOCK, &m_wanted, &m_before);
    }
    waiting_signals(const waiting_signals&) = delete;
    waiting_signals& operator=(const waiting_signals&) = delete;
    ~waiting_signals() { sigprocmask(SIG_SETMASK, &m_before, nullptr); }

    /// The signal that came within a quarter of a second, or 0.
    int wait() const {
        const timespec longest{0, 250'000'000};
        return std::max(0, sigtimedwait(&m_wanted, nullptr, &longest));
    }

 private:
    sigset_t m_wanted{};
    sigset_t m_before{};
};

/// What a failed run said, less what depends on where the sweep is.
std::string cause_of(const std::string& errors, int status) {
    std::istringstream lines(errors);
    std::string cause;
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("weir run: the run failed;", 0) != 0 && line.rfind("warning: ", 0) != 0) {
            cause += (cause.empty() ? "" : "\n") + line;
        }
    }
    if (!cause.empty()) {
        return cause;
    }
    return status > 128 ? "ended by signal " + std::to_string(status - 128)
                        : "ended with exit status " + std::to_string(status);
}

}  // namespace

sweep_runner::sweep_runner(const sweep_plan& plan, const point_source& source, const sweep_layout& layout,
                           options o)
    : m_plan(plan),
      m_source(source),
      m_layout(layout),
      m_store(layout, plan.keep),
      m_options(std::move(o)),
      m_seconds(plan.points()),
      m_ended(plan.points()) {}

int sweep_runner::run(const std::vector<pending_run>& pending, std::size_t done, std::size_t failed) {
    m_pending = &pending;
    m_next = 0;
    m_status = {done + failed + pending.size(), done, failed, 0, -1};
    const waiting_signals signals;
    // Whatever throws: the runs under way end with m_active.
    struct cleaner {
        std::list<active_run>& active;
        ~cleaner() { active.clear(); }
    } const clean{m_active};
    while (m_next < pending.size() || !m_active.empty()) {
        while (m_next < pending.size() && m_active.size() < m_options.jobs) {
            start(pending[m_next++]);
        }
        show();
        if (m_active.empty()) {
            continue;
        }
        const int signal = signals.wait();
        if (signal != 0 && signal != SIGCHLD) {
            stop();
            return signal;
        }
        reap();
    }
    show();
    return 0;
}

void sweep_runner::start(const pending_run& what) {
    if (m_store.ended_unnamed(what.point, what.seed) &&
        same_values(read_whole(m_layout.partial_run(what.point, what.seed) / "effective.ini"),
                    m_source.effective_ini(m_plan, what.point, what.seed))) {
        m_store.accept(what.point, what.seed);
        ++m_status.done;
        return;
    }
    m_store.prepare(what.point, what.seed);
    std::vector<std::string> arguments = m_source.arguments(m_plan, what.point, what.seed);
    arguments.insert(arguments.end(), {"--out", m_layout.partial_run(what.point, what.seed).string()});
    m_active.push_back({what, child_run(arguments, m_options.lock)});
}

void sweep_runner::reap() {
    for (auto run = m_active.begin(); run != m_active.end();) {
        if (run->process.ended()) {
            finish(*run);
            run = m_active.erase(run);
        } else {
            ++run;
        }
    }
}

void sweep_runner::stop() {
    for (active_run& run : m_active) {
        run.process.kill();
        if (run.process.status() == 0) {
            finish(run);  // it had ended just before
        } else {
            m_store.discard(run.what.point, run.what.seed);
        }
    }
    m_active.clear();
}

void sweep_runner::finish(active_run& run) {
    const auto [point, seed] = run.what;
    const int status = run.process.status();
    const std::string effective = read_whole(m_layout.partial_run(point, seed) / "effective.ini");
    if (!effective.empty() && !same_values(effective, m_source.effective_ini(m_plan, point, seed))) {
        throw std::runtime_error(m_source.file() +
                                 " has changed since the sweep began; what has ended before is kept");
    }
    if (status == 0) {
        m_store.accept(point, seed);
        ++m_status.done;
    } else {
        const std::string cause = cause_of(run.process.errors(), status);
        // What a run says of its own directory is about the disk, not about the model.
        const bool final =
            status == 1 && cause.find(m_layout.partial_run(point, seed).string()) == std::string::npos;
        m_store.accept_failure(point, seed, {run_record::states::failed, status, cause, final});
        ++m_status.failed;
        m_options.note(m_plan.describe(point) + ", seed " + std::to_string(seed) + ": failed: " + cause);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - run.process.started();
    m_seconds[point] += took.count();
    ++m_ended[point];
}

// A run takes as long as those of the same point, and where there are none, as all on average.
void sweep_runner::show() {
    if (!m_options.progress) {
        return;
    }
    double seconds = 0;
    std::size_t ended = 0;
    for (std::size_t p = 0; p < m_ended.size(); ++p) {
        seconds += m_seconds[p];
        ended += m_ended[p];
    }
    m_status.running = m_active.size();
    m_status.seconds_left = -1;
    if (ended > 0) {
        const double mean = seconds / static_cast<double>(ended);
        const auto expected = [&](const pending_run& run) {
            return m_ended[run.point] > 0 ? m_seconds[run.point] / static_cast<double>(m_ended[run.point])
                                          : mean;
        };
        double left = 0;
        for (std::size_t i = m_next; i < m_pending->size(); ++i) {
            left += expected((*m_pending)[i]);
        }
        double longest = 0;
        const auto now = std::chrono::steady_clock::now();
        for (const active_run& run : m_active) {
            const std::chrono::duration<double> took = now - run.process.started();
            const double rest = std::max(0.0, expected(run.what) - took.count());
            left += rest;
            longest = std::max(longest, rest);
        }
        m_status.seconds_left = std::max(longest, left / m_options.jobs);
    }
    m_options.progress(m_status);
}

sweep_inventory take_inventory(const sweep_plan& plan, const point_source& source, const sweep_layout& layout,
                               bool retry_failed) {
    sweep_inventory found;
    for (const std::uint64_t seed : plan.seeds) {
        for (std::size_t point = 0; point < plan.points(); ++point) {
            const run_record record = layout.record(point, seed);
            const bool done = record.state == run_record::states::done;
            const bool failed = record.state == run_record::states::failed && record.final && !retry_failed;
            const auto file = layout.run(point, seed) / "effective.ini";
            const std::string effective = done || failed ? read_whole(file) : std::string{};
            if (effective.empty()) {
                found.pending.push_back({point, seed});
                continue;
            }
            ++(done ? found.done : found.failed);
            if (!same_values(effective, source.effective_ini(plan, point, seed))) {
                found.foreign.push_back({file.string(), 0, "",
                                         "is not the configuration of this command's " + plan.describe(point) +
                                             "; allowed: the same command, or another --out"});
            }
        }
    }
    return found;
}

}  // namespace weir
