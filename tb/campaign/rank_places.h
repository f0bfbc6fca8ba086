// Runs on the ranks of a campaign that mpirun has started: rank 0 is the campaign, and makes runs, too; the
// others make those that it sends them.
//
//   serve_runs(messages);                       // on the others
//   serving_ranks ranks(messages);              // on rank 0; ends the others when it ends
//   rank_places places(ranks.messages(), here);
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tb/campaign/run_places.h"
#include "tb/ranks/rank_messages.h"

namespace weir::tb {

/// Makes runs as rank 0 says, until it says that there are no more, or a signal comes. Returns the exit status.
int serve_runs(rank_messages& messages);

/// While it lives, the other ranks are in `serve_runs`; then they end.
class serving_ranks {
 public:
    explicit serving_ranks(rank_messages& messages) : m_messages(messages) {}
    serving_ranks(const serving_ranks&) = delete;
    serving_ranks& operator=(const serving_ranks&) = delete;
    ~serving_ranks();

    rank_messages& messages() { return m_messages; }

 private:
    rank_messages& m_messages;
};

class rank_places final : public run_places {
 public:
    /// `here`: of rank 0's own runs. Both outlive this.
    rank_places(rank_messages& messages, run_places& here)
        : m_messages(messages), m_here(here), m_active(messages.ranks()) {}

    /// On the rank that has the fewest.
    std::unique_ptr<started_run> start(const std::vector<std::string>& arguments) override;
    std::chrono::milliseconds interval() const override { return std::chrono::milliseconds{10}; }

 private:
    friend class rank_run;
    struct run_end {
        int status = 0;
        std::string errors;
    };
    void receive();
    /// Of a run that has ended.
    std::optional<run_end> take_end(std::uint64_t run);

    rank_messages& m_messages;
    run_places& m_here;
    /// Runs under way, by rank.
    std::vector<unsigned> m_active;
    std::uint64_t m_next = 0;
    std::map<std::uint64_t, run_end> m_ended;
};

}  // namespace weir::tb
