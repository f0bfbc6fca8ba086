// Where a campaign's runs are made: by child processes of this machine, each started by another program if
// need be (`bsub -K`, `srun -n1`, `ssh`), and by the ranks of a campaign that mpirun has started. Rank 0 is the
// campaign, and makes runs, too; the others make those that it sends them.
//
//   const auto run = places.start({"c.ini", "--out", "points/0001/seed_1.partial"});
//   while (!run->ended()) { ... }
//   run->status();
//
//   serve_runs(messages);                       // on the other ranks
//   serving_ranks ranks(messages);              // on rank 0; ends the others when it ends
//   rank_places places(ranks.messages(), here);
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tb/run/ranks/rank_messages.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

class started_run {
 public:
    /// Ends it.
    virtual ~started_run() = default;
    /// Whether it has; does not wait.
    virtual bool ended() = 0;
    /// Asks it to end; does not wait.
    virtual void cancel() = 0;
    /// Waits for that, and ends it by force where it takes too long.
    virtual void end() = 0;

    /// Exit status, or 128 + n where signal n ended it. Once it has ended, as the text.
    virtual int status() const = 0;
    /// What it wrote to standard error.
    virtual std::string errors() const = 0;
};

class run_places {
 public:
    virtual ~run_places() = default;
    /// `weir run` with these arguments. Throws std::system_error where it cannot be started.
    virtual std::unique_ptr<started_run> start(const std::vector<std::string>& arguments) = 0;
    /// From the end of a run until that shows, where no signal says it.
    virtual std::chrono::milliseconds interval() const = 0;
};

/// `bsub -K -q normal`: words as a shell divides them, with quotes.
parse_result<std::vector<std::string>> parse_launcher(const std::string& text);

class local_places final : public run_places {
 public:
    /// `launcher`: words before `weir run ...`; it stays until the run has ended, and has its exit status. On
    /// SIGTERM it has to end the run. `lock`: descriptor that the runs inherit.
    explicit local_places(int lock, std::vector<std::string> launcher = {})
        : m_lock(lock), m_launcher(std::move(launcher)) {}

    std::unique_ptr<started_run> start(const std::vector<std::string>& arguments) override;
    /// SIGCHLD says it.
    std::chrono::milliseconds interval() const override { return std::chrono::milliseconds{250}; }

 private:
    const int m_lock;
    const std::vector<std::string> m_launcher;
};

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
