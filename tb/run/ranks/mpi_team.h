// Ranks over MPI: the processes of MPI_COMM_WORLD.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "tb/run/ranks/rank_messages.h"
#include "weir/model/ranks/rank_team.h"

namespace weir::tb {

class mpi_team final : public model::rank_team, public rank_messages {
 public:
    /// Once in a process. Throws command_error where MPI allows no threads, rank_lost where it fails.
    mpi_team();
    /// Waits until all messages are on their way.
    ~mpi_team() override;

    unsigned rank() const override { return m_rank; }
    unsigned size() const override { return m_size; }
    void agree(std::int64_t* values, std::size_t count) override;
    /// Throws command_error where the frames of one quantum for one rank take more than 2 GiB.
    void exchange(std::vector<model::rank_mail>& mail) override;
    std::vector<std::string> gather(std::string own) override;
    std::vector<std::string> share(std::string own) override;

    unsigned ranks() const override { return m_size; }
    void send(unsigned to, std::string octets) override;
    std::optional<rank_message> receive() override;

    /// Ends all ranks, this one, too.
    static void end_all(int status);

 private:
    struct process {
        std::int64_t id;
        /// Lowest rank on it.
        std::int32_t machine;
        char machine_name[60];
    };
    void wait(MPI_Request& request) const;
    /// Passes octets of any number on, their number first, in pieces: start(data, count, type, request) is one
    /// of MPI's calls.
    template <class Start>
    void pass_octets(std::string& octets, const Start& start) const;
    /// Calls `done` until it says yes. A launcher tells the ranks that are left of a lost one by a signal: on
    /// rank 0, after one, it throws rank_lost where a rank has ended or does not come.
    template <class Done>
    void wait_until(Done&& done) const;
    /// Names it; empty where it is not known.
    std::string lost_rank() const;
    bool has_other_machines() const;

    unsigned m_rank = 0;
    unsigned m_size = 1;
    /// By rank.
    std::vector<process> m_processes;
    std::vector<MPI_Request> m_sending;
    struct sent_message {
        std::string octets;
        MPI_Request request;
    };
    /// Not yet received.
    std::list<sent_message> m_sent;
    using clock = std::chrono::steady_clock;
    /// Until then, a rank that waits does not yield.
    mutable clock::time_point m_yields_from;
};

}  // namespace weir::tb
