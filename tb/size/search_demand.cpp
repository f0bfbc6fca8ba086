#include "tb/size/search_demand.h"

#include <filesystem>

#include "tb/files/run_directory.h"
#include "tb/process/exit_status.h"

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

run_end end_of(const run_record& record) {
    return record.state == run_record::states::done       ? run_end::whole
           : record.verdict == run_verdict::lossless_loss ? run_end::loss
           : record.verdict == run_verdict::deadlock      ? run_end::deadlock
                                                          : run_end::failure;
}

}  // namespace

void search_demand::look() {
    // What is taken changes what is wanted.
    for (bool taken = true; taken && !m_search.finished();) {
        taken = false;
        for (const wanted_run& run : m_search.wanted()) {
            if (m_begun.count({run.point, run.index}) == 0 && take_from_directory(run)) {
                taken = true;
                break;
            }
        }
    }
}

std::optional<pending_run> search_demand::next() {
    for (const wanted_run& run : m_search.wanted()) {
        if (m_begun.insert({run.point, run.index}).second) {
            return pending(run);
        }
    }
    return std::nullopt;
}

void search_demand::take(const ended_run& run) {
    ++m_made;
    give(wanted(run.what), run.record);
}

void search_demand::end() {
    if (const auto failed = m_search.failure()) {
        throw command_error(failure_text(*failed, *m_search.judge(failed->point).failure()),
                            exit_status::verdict);
    }
}

bool search_demand::take_from_directory(const wanted_run& run) {
    const pending_run what = pending(run);
    const run_record record = m_layout.record(what.point, what.seed);
    if (record.state == run_record::states::missing || end_of(record) == run_end::failure) {
        return false;
    }
    const fs::path effective = m_layout.run(what.point, what.seed) / "effective.ini";
    if (!same_values(read_if_there(effective), m_runs.effective_ini(what))) {
        throw command_error(effective.string() + ": differs from this command's configuration of " +
                                m_runs.describe(run.point) + "; expected another --out",
                            exit_status::bad_input);
    }
    give(run, record);
    return true;
}

void search_demand::give(const wanted_run& run, const run_record& record) {
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
        const metric_value* const lost = judged_metric("drops.lossless_egress_full", metrics);
        if (lost != nullptr && lost->value > 0) {
            outcome.end = run_end::loss;
            outcome.message = "frames of lossless classes were lost at egress (lossless_egress_full)";
        }
        outcome.has_unfinished = find_metric("flows.unfinished", metrics) != nullptr;
        for (std::size_t g = 0; g < m_plan.goals.size(); ++g) {
            if (!m_plan.goals[g].is_lossless() && outcome.end == run_end::whole) {
                if (const metric_value* const judged = judged_metric(m_plan.goals[g].metric, metrics)) {
                    outcome.values[g] = judged->value.get<double>();
                    if (judged->is_lower_bound) {
                        outcome.lower_bounds.insert(g);
                    }
                }
                if (outcome.lower_bounds.count(g) == 0 && is_of_few_values(m_plan.goals[g].metric, metrics)) {
                    outcome.of_few.insert(g);
                }
            }
        }
    }
    m_search.add(run.point, run.index, std::move(outcome));
}

std::string search_demand::failure_text(const wanted_run& run, const std::string& error) const {
    return m_runs.describe(run.point) + ", seed " + std::to_string(m_plan.seed(run.index)) +
           ": failed: " + error;
}

std::string search_demand::progress(const run_pool& pool) {
    const std::vector<wanted_run> wanted = m_search.wanted();
    if (wanted.empty()) {
        return {};
    }
    const std::size_t point = wanted.front().point;
    const place_judge& judge = m_search.judge(point);
    return std::to_string(m_made) + " runs done, " + std::to_string(pool.active()) + " running; " +
           m_runs.describe(point) + ": " + std::to_string(judge.runs()) + " of at least " +
           std::to_string(judge.needed());
}

void remove_uncounted_runs(const size_plan& plan, const size_search& search, const campaign_layout& layout) {
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

}  // namespace weir::tb
