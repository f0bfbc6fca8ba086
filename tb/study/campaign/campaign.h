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
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "tb/run/arguments/argument_list.h"
#include "tb/study/campaign/campaign_directory.h"
#include "tb/study/campaign/run_places.h"
#include "tb/study/campaign/run_pool.h"
#include "tb/study/campaign/run_queue.h"
#include "tb/support/files/directory_lock.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// What the command line of every campaign has.
struct campaign_arguments {
    std::string out;
    /// Of each rank, if there are several. 0: as many as there are processors, and one of each rank.
    unsigned jobs = 0;
    /// As `local_places` takes it.
    std::vector<std::string> launcher{};
    bool dry_run = false;
    /// Makes some of the runs, beside others that do so: leaves the tables to who has all.
    bool shares = false;
    /// Makes none, and takes what there is.
    bool collects = false;
    /// Go on although the runs there were made by another build.
    bool mixed_builds = false;

    void describe_places(argument_list& arguments, const char* help_of_out) {
        arguments("out", out, "DIR", help_of_out);
        arguments("jobs", jobs, "N",
                  "number of simultaneous runs (default: the number of processors); under mpirun,\nof each "
                  "rank (default: 1)")
            .range(1, 4096);
        arguments("launcher", launcher, "COMMAND",
                  "starts each run by this command, such as 'bsub -K -q short' or 'srun -n1': one that\nwaits "
                  "for the run, and ends with its exit status")
            .by(parse_launcher)
            .excludes("collect", "which makes no runs");
    }
    void describe_checks(argument_list& arguments, const char* help_of_dry_run) {
        arguments("mixed-builds", mixed_builds,
                  "continue although the runs in DIR were made by another build of weir");
        arguments("dry-run", dry_run, help_of_dry_run);
    }
    void check_out(config_errors& errors) const {
        if (out.empty() && !dry_run) {
            add_error(errors, "--out", "is missing; expected --out DIR, or --dry-run");
        }
    }
};

/// Arguments of a command that runs points of options.
struct point_arguments : campaign_arguments {
    /// INI files; of an option in several the last one counts.
    std::vector<std::string> config_files;
    /// Options for every point, each as one `--key=value`.
    std::vector<std::string> overrides;
    /// Mistakes in the arguments.
    config_errors errors;
};

/// What a command's campaign is called with.
struct campaign_call {
    /// As a shell takes it.
    std::string command_line;
    /// That make runs for it; null: there are none.
    serving_ranks* ranks = nullptr;
};

class campaign {
 public:
    virtual ~campaign() = default;
    /// Returns the exit status. Throws what run_campaign knows how to say.
    int run();

 protected:
    /// `kind` must outlive it, as the streams.
    campaign(const directory_kind& kind, campaign_arguments options, const campaign_call& call,
             std::ostream& out, std::ostream& err);

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
    /// Keeps commands that share the directory out for a moment, while plan.json and run.json are read and
    /// written. Waits up to a minute. Null if none shares it.
    std::unique_ptr<directory_lock> lock_if_shared() const;

    const directory_kind& m_kind;
    const campaign_arguments m_options;
    const campaign_call m_call;
    campaign_layout m_layout;
    /// The plan's file as it was found.
    std::string m_there;
};

/// A campaign whose runs are all known beforehand: `weir sweep`, `weir reproduce`.
///
///   class sweep : public queued_campaign {
///       bool check() override {
///           want({0, 1, 2}, {1, 2});   // three points, each with two seeds
///           return true;
///       }
///       int report(int signal) override { return unfinished(signal).value_or(0); }
///   };
class queued_campaign : public campaign {
 protected:
    /// `command`: its name for the user, such as `sweep`. With `retry_failed`, runs that failed are made again.
    queued_campaign(const directory_kind& kind, std::string command, bool retry_failed,
                    campaign_arguments options, const campaign_call& call, std::ostream& out,
                    std::ostream& err);

    /// Each point with each seed; to be called by `check`. Seed by seed: once the first seed is through, every
    /// point has a result.
    void want(const std::vector<std::size_t>& points, const std::vector<std::uint64_t>& seeds);
    const std::vector<pending_run>& wanted() const { return m_wanted; }
    /// What is left of them; known once the runs that are there have been looked at.
    const std::vector<pending_run>& pending() const { return m_found.pending; }
    const campaign_status& status() const { return m_queue->status(); }

    /// For `report`: says that runs are left, because of `signal` or of the environment, and returns the exit
    /// status that says so; nothing where none is left.
    std::optional<int> unfinished(int signal) const;

    config_errors foreign_runs() override;
    bool adds_runs() const override { return m_found.done + m_found.failed > 0 && has_runs_to_make(); }
    bool has_runs_to_make() const override { return !collects() && !m_found.pending.empty(); }
    run_demand& demand(const std::function<void(const std::string&)>& note) override;

 private:
    const std::string m_command;
    const bool m_retry_failed;
    std::vector<pending_run> m_wanted;
    inventory m_found;
    std::optional<run_queue> m_queue;
};

/// Calls `run`, under mpirun on rank 0 alone: the other ranks make runs for it. What it throws (a full disk, a
/// run that cannot be started) is said, with what the same command does then; the exit status is that of
/// `failure_of`.
int run_campaign(const std::string& command, const std::vector<std::string>& args, std::ostream& err,
                 const std::function<int(const campaign_call&)>& run);

}  // namespace weir::tb
