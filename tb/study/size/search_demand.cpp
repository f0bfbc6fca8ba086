#include "tb/study/size/search_demand.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "tb/support/files/run_directory.h"
#include "tb/support/process/exit_status.h"

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

std::vector<wanted_run> search_demand::needed() const {
    std::vector<wanted_run> runs;
    for (const wanted_run& run : m_search.wanted()) {
        for (std::size_t g = 0; g < m_plan.goals.size(); ++g) {
            if (const auto reference = m_plan.reference(g, run.point)) {
                runs.push_back({*reference, run.index});
            }
        }
        runs.push_back(run);
    }
    return runs;
}

bool search_demand::wants(const pending_run& run) const {
    const std::vector<wanted_run> runs = needed();
    return std::find(runs.begin(), runs.end(), wanted(run)) != runs.end();
}

void search_demand::look() {
    // What is taken changes what is wanted.
    for (bool taken = true; taken && !m_search.finished();) {
        const std::vector<wanted_run> wanted = m_search.wanted();
        const std::vector<wanted_run> runs = needed();
        taken = std::any_of(wanted.begin(), wanted.end(), [&](const wanted_run& run) { return give(run); }) ||
                std::any_of(runs.begin(), runs.end(), [&](const wanted_run& run) {
                    return m_begun.count(run) == 0 && take_from_directory(run);
                });
    }
}

std::optional<pending_run> search_demand::next() {
    for (const wanted_run& run : needed()) {
        if (m_begun.try_emplace(run).second) {
            return pending(run);
        }
    }
    return std::nullopt;
}

void search_demand::take(const ended_run& run) {
    ++m_made;
    keep(wanted(run.what), run.record);
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
        // The reference points of other goals had these numbers; their runs are replaced.
        if (run.point >= m_plan.runs.points()) {
            return false;
        }
        throw command_error(effective.string() + ": differs from this command's configuration of " +
                                m_runs.describe(run.point) + "; expected another --out",
                            exit_status::bad_input);
    }
    keep(run, record);
    return true;
}

void search_demand::keep(const wanted_run& run, const run_record& record) {
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
            metrics_of(m_layout.summary(run.point, m_plan.seed(run.index)), m_plan.runs.metrics);
        // A limit of lossless queues does not end a run; the loss is one all the same.
        const metric_value* const lost = judged_metric("drops.lossless_egress_full", metrics);
        if (lost != nullptr && lost->value > 0) {
            outcome.end = run_end::loss;
            outcome.message = "frames of lossless classes were lost at egress (lossless_egress_full)";
        }
        outcome.unfinished = judged_metric("flows.unfinished", metrics)->value.get<std::uint64_t>();
        for (std::size_t g = 0; g < m_plan.goals.size() && outcome.end == run_end::whole; ++g) {
            const size_goal& goal = m_plan.goals[g];
            const metric_value* const judged =
                goal.is_lossless() ? nullptr : judged_metric(goal.metric, metrics);
            if (judged == nullptr) {
                continue;
            }
            outcome.values[g] = judged->values();
            if (judged->is_of_few && !judged->is_lower_bound) {
                outcome.of_few.insert(g);
            }
        }
    }
    m_begun[run] = std::move(outcome);
}

bool search_demand::give(const wanted_run& run) {
    const auto outcome_of = [&](std::size_t point) {
        const auto found = m_begun.find({point, run.index});
        return found == m_begun.end() ? std::nullopt : found->second;
    };
    const bool is_next = run.index == m_search.judge(run.point).runs();
    std::optional<run_outcome> outcome = is_next ? outcome_of(run.point) : std::nullopt;
    for (std::size_t g = 0; g < m_plan.goals.size() && outcome; ++g) {
        if (const auto reference = m_plan.reference(g, run.point)) {
            const std::optional<run_outcome> there = outcome_of(*reference);
            there ? relate(g, *there, m_plan.settings_text(*reference), *outcome) : outcome.reset();
        }
    }
    if (outcome) {
        m_search.add(run.point, run.index, std::move(*outcome));
    }
    return outcome.has_value();
}

void search_demand::relate(std::size_t g, const run_outcome& there, const std::string& where,
                           run_outcome& outcome) const {
    outcome.measured.resize(m_plan.goals.size());
    outcome.references.resize(m_plan.goals.size());
    outcome.measured[g] = outcome.values[g];
    outcome.references[g] = there.values[g];
    if (there.of_few.count(g) != 0) {
        outcome.of_few.insert(g);
    }
    const bool both = outcome.values[g] && there.values[g];
    if (there.end != run_end::whole || (both && there.values[g]->high <= 0)) {
        outcome.end = run_end::failure;
        outcome.message = "--goal: '" + m_plan.goals[g].claim() + "' has no ratio to the run of " + where +
                          ", " + (both ? "where the metric is not above 0" : "which ended: " + there.message) +
                          "; expected another reference point, or a bound without one";
    } else {
        outcome.values[g] = both ? std::optional(outcome.values[g]->ratio_to(*there.values[g])) : std::nullopt;
    }
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
            for (std::size_t g = 0; g < plan.goals.size(); ++g) {
                if (const auto reference = plan.reference(g, point)) {
                    kept.insert(layout.run(*reference, plan.seed(index)));
                }
            }
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
