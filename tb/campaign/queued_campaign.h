// A campaign whose runs are all known beforehand: `weir sweep`, `weir reproduce`.
//
//   class sweep : public queued_campaign {
//       bool check() override {
//           want({0, 1, 2}, {1, 2});   // three points, each with two seeds
//           return true;
//       }
//       int report(int signal) override { return unfinished(signal).value_or(0); }
//   };
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tb/campaign/campaign.h"
#include "tb/campaign/run_queue.h"

namespace weir::tb {

class queued_campaign : public campaign {
 protected:
    /// `command`: its name for the user, such as `sweep`. With `retry_failed`, runs that failed are made again.
    queued_campaign(const directory_kind& kind, std::string command, bool retry_failed,
                    campaign_options options, const campaign_call& call, std::ostream& out, std::ostream& err);

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

}  // namespace weir::tb
