#include "tb/ranks/mpi_messages.h"

#include <limits>
#include <stdexcept>
#include <utility>

#include "tb/ranks/mpi_error.h"
#include "tb/ranks/mpi_tags.h"

namespace weir::tb {

mpi_messages::mpi_messages() {
    int rank = 0;
    int ranks = 1;
    expect_success(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    expect_success(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    m_rank = static_cast<unsigned>(rank);
    m_ranks = static_cast<unsigned>(ranks);
}

mpi_messages::~mpi_messages() {
    for (sent_message& each : m_sent) {
        MPI_Wait(&each.request, MPI_STATUS_IGNORE);
    }
}

void mpi_messages::send(unsigned to, std::string octets) {
    if (octets.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        throw std::length_error("a message between ranks takes more than 2 GiB");
    }
    for (auto each = m_sent.begin(); each != m_sent.end();) {
        int done = 0;
        expect_success(MPI_Test(&each->request, &done, MPI_STATUS_IGNORE));
        each = done != 0 ? m_sent.erase(each) : std::next(each);
    }
    sent_message& sent = m_sent.emplace_back(sent_message{std::move(octets), MPI_REQUEST_NULL});
    expect_success(MPI_Isend(sent.octets.data(), static_cast<int>(sent.octets.size()), MPI_CHAR,
                             static_cast<int>(to), order_tag, MPI_COMM_WORLD, &sent.request));
}

std::optional<rank_message> mpi_messages::receive() {
    int found = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    expect_success(MPI_Improbe(MPI_ANY_SOURCE, order_tag, MPI_COMM_WORLD, &found, &message, &status));
    if (found == 0) {
        return std::nullopt;
    }
    int size = 0;
    expect_success(MPI_Get_count(&status, MPI_CHAR, &size));
    rank_message received{static_cast<unsigned>(status.MPI_SOURCE),
                          std::string(static_cast<std::size_t>(size), '\0')};
    expect_success(MPI_Mrecv(received.octets.data(), size, MPI_CHAR, &message, MPI_STATUS_IGNORE));
    return received;
}

}  // namespace weir::tb
