// Who says which runs of a campaign are wanted next, and the loop that makes them, several at a time.
//
// All of them may be known beforehand (run_queue), or each may follow from the results of those before it, as
// in a search.
//
//   run_pool pool(runs, layout, places);
//   const made_runs made = make_runs(demand, pool, 8, [&](const std::string& text) { line.show(text); });
//   if (made.signal != 0) { ... }
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "tb/campaign/run_pool.h"

namespace weir::tb {

class run_demand {
 public:
    virtual ~run_demand() = default;

    /// Nothing more is wanted; what is still under way then is ended.
    virtual bool finished(const run_pool& pool) const = 0;
    /// Takes in what needs no run, and asks `wants` anew.
    virtual void look() {}
    /// A run that is under way is still wanted. One that is not may be asked for again.
    virtual bool wants(const pending_run&) const { return true; }
    virtual void cancelled(const pending_run&) {}
    /// The next run to begin; nothing as long as none is wanted beside those under way. Each is named once.
    virtual std::optional<pending_run> next() = 0;
    /// A run has ended.
    virtual void take(const ended_run& run) = 0;
    /// Nothing is under way any more. What it throws ends the command.
    virtual void end() {}
    /// How far it is, for the user; empty where there is nothing to say.
    virtual std::string progress(const run_pool& pool) = 0;
};

struct made_runs {
    /// That ended it, or 0.
    int signal = 0;
    /// Those that came to an end of their own: done, or failed by the model's verdict.
    std::size_t count = 0;
};

/// Until the demand is finished. Throws output_error where a file cannot be written, std::runtime_error where
/// the configuration is no longer what it was, and what `take` and `look` throw; the runs under way end with
/// the pool.
made_runs make_runs(run_demand& demand, run_pool& pool, unsigned jobs,
                    const std::function<void(const std::string&)>& show);

}  // namespace weir::tb
