// Where a campaign's runs are made: on processors of this machine, by a batch system, by other ranks.
//
//   const auto run = places.start({"c.ini", "--out", "points/0001/seed_1.partial"});
//   while (!run->ended()) { ... }
//   run->status();
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

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

}  // namespace weir::tb
