// The files that a configuration names, and those that belong to one of them.
#include "tb/run/options/input_paths.h"

#include <gtest/gtest.h>

#include "support/scratch_directory.h"
#include "tb/run/options/run_options.h"
#include "weir/traffic/goal/programs.h"

namespace weir::tb {
namespace {

using names = std::vector<std::string>;

names paths_of(run_config config) {
    const option_table table = make_option_table(config);
    return input_paths(config, table);
}

TEST(input_paths, are_none_without_a_file_and_each_file_once) {
    run_config config;
    EXPECT_EQ(paths_of(config), names{});
    config.files.file = "/flows.csv";
    config.files.distribution_file = "/sizes.txt";
    config.files.schedule = "/flows.csv";
    EXPECT_EQ(paths_of(config), (names{"/flows.csv", "/sizes.txt"}));
}

TEST(input_paths, of_a_programs_traces_are_those_of_all_ranks) {
    const test::scratch_directory where;
    for (const char* const name : {"rank-00.txt", "rank-01.txt", "rank-02.txt", "rank-04.txt"}) {
        where.write(name, "");
    }
    run_config config;
    config.files.schedule = where / "rank-00.txt";
    EXPECT_EQ(paths_of(config), names{where / "rank-00.txt"});
    config.traffic.program.kind = named<traffic::program_kind>("traces");
    EXPECT_EQ(paths_of(config), (names{where / "rank-00.txt", where / "rank-01.txt", where / "rank-02.txt"}));
    config.files.schedule = where / "schedule.goal";
    EXPECT_EQ(paths_of(config), names{where / "schedule.goal"});
}

}  // namespace
}  // namespace weir::tb
