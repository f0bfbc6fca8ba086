#include "tb/run/ranks/rank_session.h"

#include <chrono>
#include <ostream>
#include <thread>

#include "tb/support/process/exit_status.h"
#include "tb/support/process/launcher.h"

#ifdef WEIR_WITH_MPI
#include "tb/run/ranks/mpi_team.h"
#endif

namespace weir::tb {

void rank_session::wait_for_end() const {
    constexpr std::chrono::seconds enough{30};
    std::this_thread::sleep_for(enough);
}

#ifdef WEIR_WITH_MPI

rank_session::rank_session() {
    if (launched_processes() == 1) {
        m_team = std::make_unique<model::lone_rank>();
    } else {
        m_team = std::make_unique<mpi_team>();
        if (m_team->size() != launched_processes()) {
            throw command_error("the launcher started " + std::to_string(launched_processes()) +
                                    " ranks, but MPI knows of " + std::to_string(m_team->size()) +
                                    "; expected the mpirun of the MPI that this program was built with",
                                exit_status::bad_input);
        }
    }
}

void rank_session::end_all(int status) {
    if (!m_team->is_alone()) {
        mpi_team::end_all(status);
    }
}

#else

rank_session::rank_session() : m_team(std::make_unique<model::lone_rank>()) {
    if (launched_processes() > 1) {
        throw command_error("this program was built without MPI (libopenmpi-dev), and was started as " +
                                std::to_string(launched_processes()) + " ranks; expected one process",
                            exit_status::bad_input);
    }
}

void rank_session::end_all(int) {}

#endif

rank_session::~rank_session() = default;

rank_messages* rank_session::messages() const {
    return dynamic_cast<rank_messages*>(m_team.get());
}

int refused_session(const std::string& command, const std::exception& why, std::ostream& err) {
    failure what = failure_of(why);
    if (dynamic_cast<const command_error*>(&why) != nullptr) {  // all ranks throw it
        std::ostream nowhere(nullptr);
        return print_failure("weir " + command, what, speaks_for_launched() ? err : nowhere);
    }
    if (const char* const rank = launched_rank(); rank != nullptr) {
        what.message = "rank " + std::string(rank) + ": " + what.message;
    }
    return print_failure("weir " + command, what, err);
}

}  // namespace weir::tb
