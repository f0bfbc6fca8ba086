#include "tb/support/process/launcher.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <system_error>

#include "tb/support/process/exit_status.h"

namespace weir::tb {

namespace {

template <std::size_t N>
bool begins_with_any(std::string_view name, const std::array<std::string_view, N>& prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](std::string_view prefix) { return name.substr(0, prefix.size()) == prefix; });
}

/// Parameters of OpenMPI and of what it stands on, which mpirun and its user set.
constexpr std::array<std::string_view, 3> parameters{"OMPI_MCA_", "PMIX_MCA_", "PRTE_MCA_"};
constexpr std::array<std::string_view, 4> set_by_mpirun{"OMPI_MCA_orte_", "OMPI_MCA_ess", "OMPI_MCA_pmix",
                                                        "OMPI_MCA_initial_wdir"};
constexpr std::array<std::string_view, 5> launchers{"OMPI_", "PMIX_", "PMI_", "ORTE_", "PRTE_"};

}  // namespace

// OpenMPI's mpirun; launchers that pass on PMI's (MPICH, Slurm); Slurm with PMIx, which says the number in a
// variable of its own, one that stays in the environment of what its processes start.
unsigned launched_processes() {
    std::vector<const char*> names{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    if (std::getenv("PMIX_RANK") != nullptr) {
        names.push_back("SLURM_STEP_NUM_TASKS");
    }
    for (const char* name : names) {
        const char* const text = std::getenv(name);
        if (text == nullptr) {
            continue;
        }
        const std::string_view digits = text;
        unsigned count = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
        if (error != std::errc{} || end != digits.data() + digits.size() || count == 0) {
            throw command_error("the launcher's " + std::string(name) + " is '" + text +
                                    "'; expected the number of processes that it has started",
                                exit_status::bad_input);
        }
        return count;
    }
    return 1;
}

const char* launched_rank() {
    for (const char* const name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
        if (const char* const rank = std::getenv(name); rank != nullptr) {
            return rank;
        }
    }
    return nullptr;
}

bool speaks_for_launched() {
    const char* const rank = launched_rank();
    return rank == nullptr || std::string_view(rank) == "0";
}

bool is_launcher_variable(std::string_view name) {
    return begins_with_any(name, parameters) ? begins_with_any(name, set_by_mpirun)
                                             : begins_with_any(name, launchers);
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
