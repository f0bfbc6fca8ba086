#include "tb/study/campaign/run_queue.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <numeric>

#include "tb/support/files/input_file.h"
#include "tb/support/process/status_line.h"

namespace weir::tb {

std::string progress_text(const campaign_status& status) {
    std::string text = std::to_string(status.done) + " of " + std::to_string(status.total) + " runs done";
    if (status.failed > 0) {
        text += ", " + std::to_string(status.failed) + " failed";
    }
    if (status.not_finished > 0) {
        text += ", " + std::to_string(status.not_finished) + " not finished";
    }
    text += ", " + std::to_string(status.running) + " running";
    if (status.seconds_left >= 0) {
        text += ", " + waiting_text(status.seconds_left) + " left";
    }
    return text;
}

inventory take_inventory(const std::vector<pending_run>& wanted, const run_list& runs,
                         const campaign_layout& layout, bool retry_failed) {
    inventory found;
    for (const pending_run& run : wanted) {
        const run_record record = layout.record(run.point, run.seed);
        const kept_files kept = runs.kept(run.point);
        const char* const sign = kept == kept_files::all ? "nodes.csv" : "jobs.csv";
        const bool is_whole =
            kept == kept_files::summary || path_exists(layout.run(run.point, run.seed) / sign);
        const bool done = record.state == run_record::states::done && is_whole;
        const bool failed = record.state == run_record::states::failed && !retry_failed;
        const auto file = layout.run(run.point, run.seed) / "effective.ini";
        const std::string effective = done || failed ? read_if_there(file) : std::string{};
        if (effective.empty()) {
            found.pending.push_back(run);
            continue;
        }
        ++(done ? found.done : found.failed);
        if (!same_values(effective, runs.effective_ini(run))) {
            found.foreign.push_back({file.string(), 0, "",
                                     "differs from this command's configuration of " +
                                         runs.describe(run.point) +
                                         "; expected the same command, or another --out"});
        }
    }
    return found;
}

run_queue::run_queue(const run_list& runs, const inventory& found, std::size_t points, unsigned jobs)
    : m_runs(runs),
      m_pending(found.pending),
      m_jobs(jobs),
      m_status{found.done + found.failed + found.pending.size(), found.done, found.failed, 0, -1},
      m_seconds(points),
      m_ended(points) {}

bool run_queue::finished(const run_pool& pool) const {
    return m_next == m_pending.size() && pool.active() == 0;
}

std::optional<pending_run> run_queue::next() {
    return m_next < m_pending.size() ? std::optional(m_pending[m_next++]) : std::nullopt;
}

void run_queue::take(const ended_run& run) {
    const auto [point, seed] = run.what;
    if (run.record.state == run_record::states::done) {
        ++m_status.done;
    } else {
        const bool failed = run.record.state == run_record::states::failed;
        ++(failed ? m_status.failed : m_status.not_finished);
        note(m_runs.describe(point) + ", seed " + std::to_string(seed) +
             (failed ? ": failed: " : ": not finished: ") + run.record.error);
    }
    if (run.seconds) {
        m_seconds[point] += *run.seconds;
        ++m_ended[point];
    }
}

std::string run_queue::progress(const run_pool& pool) {
    m_status.running = pool.active();
    m_status.seconds_left = seconds_left(pool);
    return progress_text(m_status);
}

// A run takes as long as those of the same point, and where there are none, as all on average.
double run_queue::seconds_left(const run_pool& pool) const {
    const double seconds = std::accumulate(m_seconds.begin(), m_seconds.end(), 0.0);
    const std::size_t ended = std::accumulate(m_ended.begin(), m_ended.end(), std::size_t{0});
    if (ended == 0) {
        return -1;
    }
    const double mean = seconds / static_cast<double>(ended);
    const auto expected = [&](const pending_run& run) {
        return m_ended[run.point] > 0 ? m_seconds[run.point] / static_cast<double>(m_ended[run.point]) : mean;
    };
    double left = 0;
    for (std::size_t i = m_next; i < m_pending.size(); ++i) {
        left += expected(m_pending[i]);
    }
    double longest = 0;
    const auto now = std::chrono::steady_clock::now();
    for (const run_pool::active_run& run : pool.running()) {
        const std::chrono::duration<double> took = now - run.started;
        const double rest = std::max(0.0, expected(run.what) - took.count());
        left += rest;
        longest = std::max(longest, rest);
    }
    return std::max(longest, left / m_jobs);
}

}  // namespace weir::tb
