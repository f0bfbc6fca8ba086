#include "tb/support/process/child_process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace weir::tb {
namespace {

using streams = child_process::streams;

child_process shell(const std::string& script, const child_process::settings& how = {}) {
    child_process child({"sh", "-c", script}, how);
    child.wait();
    return child;
}

TEST(child_process, what_a_program_writes_and_its_exit_status_are_kept) {
    const child_process child = shell("echo out; echo wrong >&2; exit 7");
    EXPECT_EQ(child.status(), 7);
    EXPECT_EQ(child.output(), "out\n");
    EXPECT_EQ(child.errors(), "wrong\n");
    EXPECT_FALSE(child.why_not());
}

TEST(child_process, both_streams_make_one_text_in_the_order_of_writing) {
    child_process::settings how;
    how.captured = streams::together;
    const child_process child = shell("echo 1; echo 2 >&2; echo 3", how);
    EXPECT_EQ(child.output(), "1\n2\n3\n");
    EXPECT_EQ(child.errors(), "");
}

TEST(child_process, standard_output_is_dropped_where_only_errors_are_kept) {
    child_process::settings how;
    how.captured = streams::errors_only;
    const child_process child = shell("echo 1; echo 2 >&2", how);
    EXPECT_EQ(child.output(), "");
    EXPECT_EQ(child.errors(), "2\n");
}

TEST(child_process, a_text_longer_than_any_buffer_is_kept_whole) {
    const child_process child = shell("head -c 1000000 /dev/zero | tr '\\0' x");
    EXPECT_EQ(child.output(), std::string(1'000'000, 'x'));
}

TEST(child_process, a_program_that_is_not_there_has_ended_with_127_and_says_why) {
    child_process child({"no_such_program_anywhere"});
    child.wait();
    EXPECT_EQ(child.status(), 127);
    EXPECT_EQ(child.why_not(), std::errc::no_such_file_or_directory);
}

TEST(child_process, a_program_that_may_not_be_started_has_ended_with_126) {
    child_process child({"/dev/null"});
    child.wait();
    EXPECT_EQ(child.status(), 126);
    EXPECT_EQ(child.why_not(), std::errc::permission_denied);
}

TEST(child_process, a_program_starts_in_the_directory_that_is_named_and_reads_nothing) {
    child_process::settings how;
    how.directory = "/usr/bin";
    EXPECT_EQ(shell("pwd; cat", how).output(), "/usr/bin\n");
}

TEST(child_process, the_file_that_runs_may_be_another_than_the_first_word) {
    child_process::settings how;
    how.program = "/bin/sh";
    child_process child({"weir", "-c", "echo $0"}, how);
    child.wait();
    EXPECT_EQ(child.output(), "weir\n");
}

TEST(child_process, one_that_is_killed_has_ended_by_that_signal) {
    child_process child({"sleep", "1000"});
    EXPECT_FALSE(child.ended());
    child.kill();
    EXPECT_TRUE(child.ended());
    EXPECT_EQ(child.status(), 128 + SIGKILL);
}

TEST(child_process, only_the_descriptor_that_is_named_is_inherited) {
    const captured_text shared = captured_text::make();
    const std::string write = "echo here >&" + std::to_string(shared.descriptor());
    EXPECT_NE(shell(write).status(), 0);
    child_process::settings how;
    how.descriptor = shared.descriptor();
    EXPECT_EQ(shell(write, how).status(), 0);
    EXPECT_EQ(shared.text(), "here\n");
}

TEST(child_process, a_program_starts_without_the_environment_of_a_launcher) {
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "OMPI_MCA_ess"}) {
        ::setenv(name, "2", 1);
    }
    ::setenv("OMPI_MCA_btl", "self", 1);
    ::setenv("WEIR_TEST_VARIABLE", "kept = 1", 1);
    EXPECT_EQ(
        shell("echo \"${OMPI_COMM_WORLD_SIZE-no} ${PMI_SIZE-no} ${PMIX_RANK-no} ${OMPI_MCA_ess-no}\"").output(),
        "no no no no\n");
    EXPECT_EQ(shell("echo \"$OMPI_MCA_btl, $WEIR_TEST_VARIABLE\"").output(), "self, kept = 1\n");
}

TEST(child_process, a_part_of_the_program_returns_its_bytes) {
    const std::string bytes(100'000, '\0');
    child_process child("weir test", [&] { return bytes; });
    child.wait();
    EXPECT_EQ(child.status(), 0);
    EXPECT_EQ(child.output(), bytes);
}

TEST(child_process, a_part_of_the_program_that_throws_fails_as_the_command_would) {
    child_process child("weir test",
                        []() -> std::string { throw std::system_error(ENOSPC, std::generic_category(), "x"); });
    child.wait();
    EXPECT_EQ(child.status(), 3);
    EXPECT_EQ(child.output(), "");
}

}  // namespace
}  // namespace weir::tb
