// Which exit status an exception ends a command with.
#include "tb/support/process/exit_status.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <new>
#include <sstream>
#include <system_error>
#include <systemc>

#include "tb/support/files/run_directory.h"
#include "weir/traffic/traces/sorted_flow_stream.h"

namespace weir::tb {
namespace {

/// As it arrives where it is caught: as a std::exception.
template <class Error>
failure caught(const Error& error) {
    try {
        throw error;
    } catch (const std::exception& e) {
        return failure_of(e);
    }
}

failure reported(const char* type) {
    sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
    try {
        SC_REPORT_FATAL(type, "at 5 us");
    } catch (const std::exception& e) {
        return failure_of(e);
    }
    return {};
}

TEST(exit_status, only_what_a_block_reports_is_a_verdict) {
    const failure deadlock = reported("/weir/deadlock");
    EXPECT_EQ(deadlock.status, exit_status::verdict);
    EXPECT_EQ(deadlock.message, "/weir/deadlock: at 5 us");
    EXPECT_EQ(reported("insert module failed").status, exit_status::environment);
}

TEST(exit_status, a_disk_memory_and_the_system_are_the_environment) {
    EXPECT_EQ(caught(output_error("out/flows.csv.partial: cannot be written: No space left on device")).status,
              3);
    EXPECT_EQ(caught(flow_stream_error("the temporary file cannot be written")).status, 3);
    EXPECT_EQ(caught(std::system_error(ENFILE, std::generic_category(), "no pipe")).status, 3);
    EXPECT_EQ(caught(std::filesystem::filesystem_error("out", std::error_code())).status, 3);
    EXPECT_EQ(caught(std::bad_alloc()).status, 3);
    EXPECT_EQ(caught(std::bad_alloc()).message, "out of memory");
}

TEST(exit_status, what_the_program_did_not_foresee_is_called_its_own_error) {
    const failure internal = caught(std::length_error("basic_string::_M_replace_aux"));
    EXPECT_EQ(internal.status, 3);
    EXPECT_EQ(internal.message, "internal error: basic_string::_M_replace_aux");
}

TEST(exit_status, bad_input_is_said_without_the_command_and_all_else_with_it) {
    std::ostringstream err;
    EXPECT_EQ(
        print_failure("weir table", caught(command_error("r/summary.json: x", exit_status::bad_input)), err),
        2);
    EXPECT_EQ(print_failure("weir run", {exit_status::environment, "out of memory"}, err), 3);
    EXPECT_EQ(err.str(), "r/summary.json: x\nweir run: out of memory\n");
}

TEST(exit_status, a_child_that_was_killed_has_come_to_no_verdict) {
    EXPECT_EQ(exit_status::of_child(1), exit_status::verdict);
    EXPECT_EQ(exit_status::of_child(2), exit_status::bad_input);
    EXPECT_EQ(exit_status::of_child(128 + 9), exit_status::environment);
    EXPECT_EQ(exit_status::of_child(127), exit_status::environment);
    EXPECT_EQ(exit_status::of_child(-1), exit_status::environment);
    EXPECT_EQ(exit_status::interrupted(2), 130);
}

}  // namespace
}  // namespace weir::tb
