// Gives a search its runs: from the directory where they are there, else from the campaign that makes them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tb/study/campaign/run_pool.h"
#include "tb/study/size/size_plan.h"
#include "tb/study/size/size_search.h"

namespace weir::tb {

class search_demand : public run_demand {
 public:
    /// All must outlive it.
    search_demand(const size_plan& plan, const run_list& runs, const campaign_layout& layout,
                  size_search& search)
        : m_plan(plan), m_runs(runs), m_layout(layout), m_search(search) {}

    bool finished(const run_pool&) const override { return m_search.finished(); }
    void look() override;
    bool wants(const pending_run& run) const override;
    void cancelled(const pending_run& run) override { m_begun.erase(wanted(run)); }
    std::optional<pending_run> next() override;
    /// A run that lost a frame of a lossless class, or ended in a deadlock, is an outcome. One that the
    /// environment ended (a full disk) ends the search at once: a `command_error` that names its place.
    void take(const ended_run& run) override;
    /// Throws `command_error` where another failure keeps the search from its end: the first one, whatever the
    /// number of jobs.
    void end() override;
    std::string progress(const run_pool& pool) override;

 private:
    pending_run pending(const wanted_run& run) const { return {run.point, m_plan.seed(run.index)}; }
    wanted_run wanted(const pending_run& run) const {
        return {run.point, static_cast<std::size_t>(run.seed - m_plan.seed(0))};
    }
    /// Runs that verdicts need, each after the runs of its reference points with the same seed.
    std::vector<wanted_run> needed() const;
    bool take_from_directory(const wanted_run& run);
    void keep(const wanted_run& run, const run_record& record);
    /// Gives the run to the search. Returns false if it is not the next run of its point, or if its outcome or
    /// that of a reference point is not known yet.
    bool give(const wanted_run& run);
    /// Replaces the value of a goal by its ratio to the value of `there`, the run of the reference point
    /// `where`.
    void relate(std::size_t goal, const run_outcome& there, const std::string& where,
                run_outcome& outcome) const;
    std::string failure_text(const wanted_run& run, const std::string& error) const;

    const size_plan& m_plan;
    const run_list& m_runs;
    const campaign_layout& m_layout;
    size_search& m_search;
    /// Outcomes, with the values of metrics (not ratios). None as long as the run is under way.
    std::map<wanted_run, std::optional<run_outcome>> m_begun;
    std::size_t m_made = 0;
};

/// Removes the runs that do not count: they were begun because several went on at a time, or for other goals.
/// Throws output_error.
void remove_uncounted_runs(const size_plan& plan, const size_search& search, const campaign_layout& layout);

}  // namespace weir::tb
