#include "tb/sweep/sweep_runner.h"

#include <algorithm>
#include <chrono>

#include "tb/process/status_line.h"

namespace weir {

std::string progress_text(const sweep_status& status) {
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

sweep_runner::sweep_runner(const sweep_plan& plan, const point_source& source, const sweep_layout& layout,
                           options o)
    : m_plan(plan),
      m_source(source),
      m_layout(layout),
      m_options(std::move(o)),
      m_seconds(plan.points()),
      m_ended(plan.points()) {}

int sweep_runner::run(const std::vector<pending_run>& pending, std::size_t done, std::size_t failed) {
    m_pending = &pending;
    m_next = 0;
    m_status = {done + failed + pending.size(), done, failed, 0, -1};
    // Whatever throws: the runs under way end with the pool.
    run_pool pool(m_plan, m_source, m_layout, m_options.lock);
    while (m_next < pending.size() || pool.active() > 0) {
        while (m_next < pending.size() && pool.active() < m_options.jobs) {
            pool.start(pending[m_next++]);
        }
        show(pool);
        const int signal = pool.active() > 0 ? pool.wait() : 0;
        if (signal != 0) {
            pool.stop();
        }
        take(pool);
        if (signal != 0) {
            return signal;
        }
    }
    show(pool);
    return 0;
}

void sweep_runner::take(run_pool& pool) {
    for (const ended_run& run : pool.take_ended()) {
        const auto [point, seed] = run.what;
        if (run.record.state == run_record::states::done) {
            ++m_status.done;
        } else {
            const bool failed = run.record.state == run_record::states::failed;
            ++(failed ? m_status.failed : m_status.not_finished);
            m_options.note(m_plan.describe(point) + ", seed " + std::to_string(seed) +
                           (failed ? ": failed: " : ": not finished: ") + run.record.error);
        }
        if (run.seconds) {
            m_seconds[point] += *run.seconds;
            ++m_ended[point];
        }
    }
}

// A run takes as long as those of the same point, and where there are none, as all on average.
void sweep_runner::show(const run_pool& pool) {
    if (!m_options.progress) {
        return;
    }
    double seconds = 0;
    std::size_t ended = 0;
    for (std::size_t p = 0; p < m_ended.size(); ++p) {
        seconds += m_seconds[p];
        ended += m_ended[p];
    }
    m_status.running = pool.active();
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
        for (const run_pool::active_run& run : pool.running()) {
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
            const bool failed = record.state == run_record::states::failed && !retry_failed;
            const auto file = layout.run(point, seed) / "effective.ini";
            const std::string effective = done || failed ? read_if_there(file) : std::string{};
            if (effective.empty()) {
                found.pending.push_back({point, seed});
                continue;
            }
            ++(done ? found.done : found.failed);
            if (!same_values(effective, source.effective_ini(plan, point, seed))) {
                found.foreign.push_back({file.string(), 0, "",
                                         "is not the configuration of this command's " + plan.describe(point) +
                                             "; expected the same command, or another --out"});
            }
        }
    }
    return found;
}

}  // namespace weir
