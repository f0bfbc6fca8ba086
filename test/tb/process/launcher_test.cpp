#include "tb/support/process/launcher.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "support/errors_said.h"
#include "tb/support/process/exit_status.h"

namespace weir::tb {
namespace {

TEST(launcher, a_process_that_nothing_has_launched_is_one) {
    ::unsetenv("OMPI_COMM_WORLD_SIZE");
    ::unsetenv("PMI_SIZE");
    EXPECT_EQ(launched_processes(), 1U);
}

TEST(launcher, says_how_many_processes_it_has_started) {
    ::setenv("PMI_SIZE", "3", 1);
    EXPECT_EQ(launched_processes(), 3U);
    ::setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
    EXPECT_EQ(launched_processes(), 4U);
    for (const char* const wrong : {"many", "", "0", "4x", "-1", "99999999999"}) {
        ::setenv("OMPI_COMM_WORLD_SIZE", wrong, 1);
        try {
            launched_processes();
            ADD_FAILURE() << "'" << wrong << "' is taken";
        } catch (const command_error& error) {
            EXPECT_EQ(error.status(), exit_status::bad_input);
            EXPECT_TRUE(errors_are(error.what(), {"OMPI_COMM_WORLD_SIZE, " + std::string(wrong)}));
        }
    }
}

TEST(launcher, slurm_with_pmix_says_it_to_its_own_processes_alone) {
    ::unsetenv("OMPI_COMM_WORLD_SIZE");
    ::unsetenv("PMI_SIZE");
    ::setenv("SLURM_STEP_NUM_TASKS", "6", 1);
    EXPECT_EQ(launched_processes(), 1U);
    ::setenv("PMIX_RANK", "0", 1);
    EXPECT_EQ(launched_processes(), 6U);
    ::unsetenv("PMIX_RANK");
    ::unsetenv("SLURM_STEP_NUM_TASKS");
}

TEST(launcher, has_variables_of_its_own_and_leaves_those_of_the_user) {
    for (const char* own : {"OMPI_COMM_WORLD_RANK", "OMPI_MCA_orte_hnp_uri", "OMPI_MCA_ess",
                            "OMPI_MCA_ess_base_vpid", "PMIX_RANK", "PMI_RANK", "PRTE_LAUNCHED"}) {
        EXPECT_TRUE(is_launcher_variable(own)) << own;
    }
    for (const char* of_user : {"PATH", "OMPI_MCA_btl", "OMPI_MCA_mpi_yield_when_idle", "OMP_NUM_THREADS",
                                "PMI", "MY_OMPI_", "PMIX_MCA_gds", "PRTE_MCA_plm"}) {
        EXPECT_FALSE(is_launcher_variable(of_user)) << of_user;
    }
}

}  // namespace
}  // namespace weir::tb
