#include "tb/size/size_runner.h"

#include <filesystem>

#include "tb/files/run_directory.h"
#include "tb/process/exit_status.h"

namespace weir {

namespace fs = std::filesystem;

namespace {

/// What a switch says when a lossless class had no room for a frame; it ends the run.
constexpr const char* loss = " lost a frame of lossless class ";
/// What says that frames wait for good.
constexpr const char* deadlock = "/weir/deadlock: ";

run_end end_of(const run_record& record) {
    const auto says = [&](const char* what) { return record.error.find(what) != std::string::npos; };
    return record.state == run_record::states::done ? run_end::whole
           : says(loss)                             ? run_end::loss
           : says(deadlock)                         ? run_end::deadlock
                                                    : run_end::failure;
}

}  // namespace

int size_runner::run(size_search& search) {
    // Whatever throws: the runs under way end with the pool.
    run_pool pool(m_plan.runs, m_source, m_layout, m_options.lock);
    while (!search.finished()) {
        if (fill(search, pool)) {
            continue;  // what was there has changed what is wanted
        }
        if (pool.active() == 0 && !m_options.may_run) {
            return 0;
        }
        show(search, pool);
        const int signal = pool.wait();
        if (signal != 0) {
            pool.stop();
        }
        take(search, pool);
        if (signal != 0) {
            return signal;
        }
    }
    pool.stop();
    pool.take_ended();
    if (const auto failed = search.failure()) {
        throw command_error(failure_text(*failed, *search.judge(failed->point).failure()),
                            exit_status::verdict);
    }
    return 0;
}

bool size_runner::fill(size_search& search, run_pool& pool) {
    std::vector<wanted_run> unwanted;
    for (const run_pool::active_run& run : pool.running()) {
        const wanted_run what{run.what.point, static_cast<std::size_t>(run.what.seed - m_plan.seed(0))};
        if (!search.wants(what)) {
            unwanted.push_back(what);
        }
    }
    for (const wanted_run& run : unwanted) {
        pool.cancel({run.point, m_plan.seed(run.index)});
        m_begun.erase({run.point, run.index});
    }
    for (const wanted_run& run : search.wanted()) {
        if (m_begun.count({run.point, run.index}) != 0) {
            continue;
        }
        if (take_from_directory(search, run)) {
            return true;
        }
        if (m_options.may_run && pool.active() < m_options.jobs) {
            m_begun.insert({run.point, run.index});
            pool.start({run.point, m_plan.seed(run.index)});
        }
    }
    return false;
}

bool size_runner::take_from_directory(size_search& search, const wanted_run& run) {
    const std::uint64_t seed = m_plan.seed(run.index);
    const run_record record = m_layout.record(run.point, seed);
    if (record.state == run_record::states::missing || end_of(record) == run_end::failure) {
        return false;
    }
    const fs::path effective = m_layout.run(run.point, seed) / "effective.ini";
    if (!same_values(read_if_there(effective), m_source.effective_ini(m_plan.runs, run.point, seed))) {
        throw command_error(effective.string() + ": is not the configuration of this command's " +
                                m_plan.runs.describe(run.point) + "; expected another --out",
                            exit_status::bad_input);
    }
    give(search, run, record);
    return true;
}

void size_runner::give(size_search& search, const wanted_run& run, const run_record& record) {
    m_begun.insert({run.point, run.index});
    run_outcome outcome;
    outcome.values.resize(m_plan.goals.size());
    outcome.end = end_of(record);
    outcome.message = record.error;
    if (record.state == run_record::states::missing) {
        // It is about the machine, and would be so at every other place.
        throw command_error(failure_text(run, record.error), exit_status::environment);
    }
    if (outcome.end == run_end::whole) {
        const std::vector<metric_value> metrics =
            metrics_of(m_layout.summary(run.point, m_plan.seed(run.index)));
        // A limit of lossless queues does not end a run; the loss is one all the same.
        if (value_of("drops.lossless_egress_full", metrics).value_or(0) > 0) {
            outcome.end = run_end::loss;
            outcome.message = "frames of lossless classes were lost at egress (lossless_egress_full)";
        }
        for (std::size_t g = 0; g < m_plan.goals.size(); ++g) {
            if (!m_plan.goals[g].is_lossless() && outcome.end == run_end::whole) {
                outcome.values[g] = value_of(m_plan.goals[g].metric, metrics);
                if (is_of_few_values(m_plan.goals[g].metric, metrics)) {
                    outcome.of_few.insert(g);
                }
            }
        }
    }
    search.add(run.point, run.index, std::move(outcome));
}

std::string size_runner::failure_text(const wanted_run& run, const std::string& error) const {
    return m_plan.runs.describe(run.point) + ", seed " + std::to_string(m_plan.seed(run.index)) +
           ": failed: " + error;
}

void size_runner::take(size_search& search, run_pool& pool) {
    for (const ended_run& run : pool.take_ended()) {
        ++m_made;
        give(search, {run.what.point, static_cast<std::size_t>(run.what.seed - m_plan.seed(0))}, run.record);
    }
}

void size_runner::show(const size_search& search, const run_pool& pool) const {
    const std::vector<wanted_run> wanted = search.wanted();
    if (!m_options.progress || wanted.empty()) {
        return;
    }
    const std::size_t point = wanted.front().point;
    m_options.progress(std::to_string(m_made) + " runs done, " + std::to_string(pool.active()) + " running; " +
                       m_plan.runs.describe(point) + ": " + std::to_string(search.judge(point).runs()) +
                       " of at least " + std::to_string(search.judge(point).needed()));
}

void remove_uncounted_runs(const size_plan& plan, const size_search& search, const sweep_layout& layout) {
    std::set<fs::path> kept;
    for (std::size_t point = 0; point < plan.runs.points(); ++point) {
        for (std::size_t index = 0; index < search.judge(point).runs(); ++index) {
            kept.insert(layout.run(point, plan.seed(index)));
        }
    }
    std::vector<fs::path> removed;
    std::error_code error;
    for (const auto& point : fs::directory_iterator(layout.path() / "points", error)) {
        bool any = false;
        for (const auto& run : fs::directory_iterator(point.path(), error)) {
            const bool keep = kept.count(run.path()) != 0;
            any = any || keep;
            if (!keep) {
                removed.push_back(run.path());
            }
        }
        if (!any) {
            removed.push_back(point.path());
        }
    }
    for (const fs::path& path : removed) {
        remove_tree(path);
    }
}

}  // namespace weir
