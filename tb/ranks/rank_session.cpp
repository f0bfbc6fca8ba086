#include "tb/ranks/rank_session.h"

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#ifdef WEIR_WITH_MPI
#include "tb/ranks/mpi_team.h"
#endif

namespace weir::tb {

// OpenMPI's, and of launchers that pass on PMI's (MPICH, Slurm).
unsigned launched_processes() {
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
        if (const char* const text = std::getenv(name); text != nullptr) {
            unsigned count = 1;
            std::from_chars(text, text + std::strlen(text), count);
            return count;
        }
    }
    return 1;
}

bool is_launcher_variable(std::string_view name) {
    for (const std::string_view prefix : {"OMPI_", "PMIX_", "PMI_", "ORTE_", "PRTE_"}) {
        if (name.substr(0, prefix.size()) == prefix) {
            // Settings of MPI, by its user.
            return name.substr(0, 9) != "OMPI_MCA_" || name.substr(0, 14) == "OMPI_MCA_orte_" ||
                   name.substr(0, 13) == "OMPI_MCA_ess_";
        }
    }
    return false;
}

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
        throw std::runtime_error("this program was built without MPI (libopenmpi-dev), and was started as " +
                                 std::to_string(launched_processes()) + " ranks; expected one process");
    }
}

void rank_session::end_all(int) {}

#endif

rank_session::~rank_session() = default;

}  // namespace weir::tb
