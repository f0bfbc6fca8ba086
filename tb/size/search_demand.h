// Gives a search its runs: from the directory where they are there, else from the campaign that makes them.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "tb/campaign/run_pool.h"
#include "tb/size/size_plan.h"
#include "tb/size/size_search.h"

namespace weir::tb {

class search_demand : public run_demand {
 public:
    /// All must outlive it.
    search_demand(const size_plan& plan, const run_list& runs, const campaign_layout& layout,
                  size_search& search)
        : m_plan(plan), m_runs(runs), m_layout(layout), m_search(search) {}

    bool finished(const run_pool&) const override { return m_search.finished(); }
    void look() override;
    bool wants(const pending_run& run) const override { return m_search.wants(wanted(run)); }
    void cancelled(const pending_run& run) override { m_begun.erase({run.point, wanted(run).index}); }
    std::optional<pending_run> next() override;
    /// A run that lost a frame of a lossless class, or ended in a deadlock, is an outcome. One that the
    /// environment ended (a full disk) ends the search at once: a `command_error` that names its place.
    void take(const ended_run& run) override;
    /// Throws `command_error` where another failure keeps the search from its end: the first one, whatever the
    /// number of jobs.
    void end() override;
    std::string progress(const run_pool& pool) override;

 private:
    using run_key = std::pair<std::size_t, std::size_t>;

    pending_run pending(const wanted_run& run) const { return {run.point, m_plan.seed(run.index)}; }
    wanted_run wanted(const pending_run& run) const {
        return {run.point, static_cast<std::size_t>(run.seed - m_plan.seed(0))};
    }
    bool take_from_directory(const wanted_run& run);
    void give(const wanted_run& run, const run_record& record);
    std::string failure_text(const wanted_run& run, const std::string& error) const;

    const size_plan& m_plan;
    const run_list& m_runs;
    const campaign_layout& m_layout;
    size_search& m_search;
    /// Known to the search, or under way.
    std::set<run_key> m_begun;
    std::size_t m_made = 0;
};

/// Removes the runs that the answer does not rest on: begun because several went on at a time, or for other
/// goals. Throws output_error.
void remove_uncounted_runs(const size_plan& plan, const size_search& search, const campaign_layout& layout);

}  // namespace weir::tb
