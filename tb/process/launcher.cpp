#include "tb/process/launcher.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace weir::tb {

namespace {

template <std::size_t N>
bool begins_with_any(std::string_view name, const std::array<std::string_view, N>& prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](std::string_view prefix) { return name.substr(0, prefix.size()) == prefix; });
}

/// OpenMPI's parameters, which mpirun and its user set.
constexpr std::string_view parameters = "OMPI_MCA_";
constexpr std::array<std::string_view, 4> set_by_mpirun{"OMPI_MCA_orte_", "OMPI_MCA_ess", "OMPI_MCA_pmix",
                                                        "OMPI_MCA_initial_wdir"};
constexpr std::array<std::string_view, 5> launchers{"OMPI_", "PMIX_", "PMI_", "ORTE_", "PRTE_"};

}  // namespace

// OpenMPI's mpirun; launchers that pass on PMI's (MPICH, Slurm); Slurm with PMIx, which says the number in a
// variable of its own, one that stays in the environment of what its processes start.
unsigned launched_processes() {
    const char* const of_slurm = std::getenv("PMIX_RANK") != nullptr ? "SLURM_STEP_NUM_TASKS" : "PMI_SIZE";
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", of_slurm}) {
        if (const char* const text = std::getenv(name); text != nullptr) {
            unsigned count = 1;
            std::from_chars(text, text + std::strlen(text), count);
            return count;
        }
    }
    return 1;
}

bool is_launcher_variable(std::string_view name) {
    if (name.substr(0, parameters.size()) == parameters) {
        return begins_with_any(name, set_by_mpirun);
    }
    return begins_with_any(name, launchers);
}

std::vector<std::string> environment_without_launcher() {
    std::vector<std::string> kept;
    for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
        const std::string_view variable = *each;
        if (!is_launcher_variable(variable.substr(0, variable.find('=')))) {
            kept.emplace_back(variable);
        }
    }
    return kept;
}

}  // namespace weir::tb
