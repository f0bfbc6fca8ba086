// Messages over MPI_COMM_WORLD, beside those of mpi_team.h, which has started MPI.
#pragma once

#include <mpi.h>

#include <list>
#include <optional>
#include <string>

#include "tb/ranks/rank_messages.h"

namespace weir::tb {

class mpi_messages final : public rank_messages {
 public:
    mpi_messages();
    ~mpi_messages() override;

    unsigned rank() const override { return m_rank; }
    unsigned ranks() const override { return m_ranks; }
    void send(unsigned to, std::string octets) override;
    std::optional<rank_message> receive() override;

 private:
    struct sent_message {
        std::string octets;
        MPI_Request request;
    };

    unsigned m_rank = 0;
    unsigned m_ranks = 1;
    /// Not yet received.
    std::list<sent_message> m_sent;
};

}  // namespace weir::tb
