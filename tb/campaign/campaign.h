// A command that makes many runs into one directory, and that can be called again to go on: `weir sweep`,
// `weir size`.
//
// A class derived from `campaign` says which runs there are and what is made of their results:
//
//   return run_campaign("sweep", args, err, [&](const campaign_call& call) {
//       const std::unique_ptr<campaign> sweep = make_sweep(call);
//       return sweep->run();
//   });
//
// The plan is written before the first run, each run gets its name when it is whole, and what the environment
// ended (no memory, a full disk, a signal) is run again by the next call; verdicts of the model stay.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "tb/arguments/argument_reader.h"
#include "tb/campaign/campaign_directory.h"
#include "tb/campaign/rank_places.h"
#include "tb/campaign/run_demand.h"
#include "tb/campaign/run_list.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// What the command line of every campaign has.
struct campaign_options {
    std::string out;
    /// Of each rank, if there are several. 0: as many as there are processors, and one of each rank.
    unsigned jobs = 0;
    /// As local_places.h has it.
    std::vector<std::string> launcher{};
    bool dry_run = false;
    /// Makes some of the runs, beside others that do so: leaves the tables to who has all.
    bool shares = false;
    /// Makes none, and takes what there is.
    bool collects = false;
    /// Go on although the runs there were made by another build.
    bool mixed_builds = false;
};

/// What a command's campaign is called with.
struct campaign_call {
    /// As a shell takes it.
    std::string command_line;
    /// That make runs for it; null: there are none.
    serving_ranks* ranks = nullptr;
};

/// Reads --out, --jobs and --launcher; `dry_run` has been read.
void read_out(argument_reader& given, campaign_options& options);

class campaign {
 public:
    virtual ~campaign() = default;
    /// Returns the exit status. Throws what run_campaign knows how to say.
    int run();

 protected:
    /// `kind` must outlive it, as the streams.
    campaign(const directory_kind& kind, campaign_options options, const campaign_call& call, std::ostream& out,
             std::ostream& err);

    // --- what a command brings, in the order in which it is asked for

    /// Makes the plan, and sets `m_threads` and `m_progress`. Prints what is wrong; returns whether nothing is.
    virtual bool plan() = 0;
    /// Checks every point; prints, and returns the same.
    virtual bool check() = 0;
    /// For --dry-run.
    virtual void print_plan() = 0;
    virtual std::size_t points() const = 0;
    virtual nlohmann::ordered_json plan_json() const = 0;
    /// Why this plan does not go on with the one that is there.
    virtual config_errors differences(const std::string& there, const std::string& file) const = 0;
    /// Runs that are there and are not of this plan.
    virtual config_errors foreign_runs() { return {}; }
    /// Whether runs will stand beside those that are there already.
    virtual bool adds_runs() const { return true; }
    virtual bool has_runs_to_make() const { return true; }
    virtual const run_list& runs() const = 0;
    /// `note`: a message for the user while runs are made.
    virtual run_demand& demand(const std::function<void(const std::string&)>& note) = 0;
    /// Prints the results. `signal`: that ended the runs, or 0. Returns the exit status.
    virtual int report(int signal) = 0;

    // --- what it may use

    /// Prints; returns whether there was anything.
    bool print(const config_errors& errors);
    /// Runs at a time.
    unsigned jobs() const;
    bool collects() const { return m_options.collects; }
    bool shares() const { return m_options.shares; }
    std::filesystem::path directory() const { return m_options.out; }
    /// Once the plan is made.
    const campaign_layout& layout() const { return m_layout; }

    std::ostream& m_out;
    std::ostream& m_err;
    /// Of each run.
    unsigned m_threads = 1;
    /// Progress is shown on a terminal, and of a long campaign anywhere.
    bool m_progress = true;

 private:
    bool goes_on();
    void write_plan() const;
    int make(int lock);
    std::unique_ptr<directory_lock> lock_if_shared() const;

    const directory_kind& m_kind;
    const campaign_options m_options;
    const campaign_call m_call;
    campaign_layout m_layout;
    /// The plan's file as it was found.
    std::string m_there;
};

/// Calls `run`, under mpirun on rank 0 alone: the other ranks make runs for it. What it throws (a full disk, a
/// run that cannot be started) is said, with what the same command does then; the exit status is that of
/// `failure_of`.
int run_campaign(const std::string& command, const std::vector<std::string>& args, std::ostream& err,
                 const std::function<int(const campaign_call&)>& run);

}  // namespace weir::tb
