// One process at a time in a directory. The lock goes with the open file, so two in one process keep each other
// out, too.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "tb/support/files/directory_lock.h"
#include "tb/support/files/run_directory.h"

using namespace weir;
using namespace weir::tb;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

struct scratch {
    scratch() : path(fs::temp_directory_path() / ("weir_directory_lock_" + std::to_string(::getpid()))) {
        fs::create_directories(path);
    }
    ~scratch() { fs::remove_all(path); }
    fs::path path;
};

TEST(directory_lock, is_held_by_one_at_a_time_and_leaves_no_file) {
    const scratch where;
    {
        const directory_lock first(where.path);
        EXPECT_TRUE(first.held());
        EXPECT_FALSE(first.in_use());
        EXPECT_FALSE(first.impossible());
        const directory_lock second(where.path);
        EXPECT_FALSE(second.held());
        EXPECT_TRUE(second.in_use());
        EXPECT_FALSE(second.impossible());
    }
    EXPECT_TRUE(directory_lock(where.path).held());
    EXPECT_TRUE(fs::is_empty(where.path));
}

TEST(directory_lock, waits_as_long_as_it_is_told_and_takes_what_a_process_that_ends_leaves) {
    const scratch where;
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const directory_lock held(where.path);
        const char byte = held.held() ? 1 : 0;
        ::_exit(::write(ready[1], &byte, 1) == 1 && ::usleep(200'000) == 0 ? 0 : 1);
    }
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    ASSERT_EQ(byte, 1);
    EXPECT_TRUE(directory_lock(where.path).in_use()) << "without patience";
    EXPECT_TRUE(directory_lock(where.path, 10s).held()) << "when the other has ended";
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    ::close(ready[0]);
    ::close(ready[1]);
}

TEST(directory_lock, of_what_is_no_directory_can_not_be_had) {
    const scratch where;
    EXPECT_THROW(directory_lock(where.path / "missing"), output_error);
}

}  // namespace
