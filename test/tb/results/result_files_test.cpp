// Numbers as text, and the files of a run's directory.
#include "tb/support/files/run_directory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "support/scratch_directory.h"
#include "tb/support/text/text_format.h"

using namespace weir;
using namespace weir::tb;
using weir::test::contents;
using weir::test::scratch_directory;
namespace fs = std::filesystem;

namespace {

void put(const fs::path& name, const std::string& text) {
    std::ofstream(name) << text;
}

// --- text ------------------------------------------------------------------------------------------------

TEST(text_format, nanoseconds_are_exact_and_end_without_zeros) {
    EXPECT_EQ(ns_text(0_ps), "0");
    EXPECT_EQ(ns_text(1_ps), "0.001");
    EXPECT_EQ(ns_text(1'500_ps), "1.5");
    EXPECT_EQ(ns_text(25us), "25000");
    EXPECT_EQ(ns_text(picoseconds{4'503'599'627'370'494}), "4503599627370.494");
    EXPECT_EQ(ns_text(1'020_ps), "1.02");
    EXPECT_EQ(ns_text(picoseconds{-1'001}), "-1.001");
}

TEST(text_format, durations_have_three_decimals_in_the_unit_that_fits) {
    EXPECT_EQ(duration_text(0_ps), "0.000 ns");
    EXPECT_EQ(duration_text(1_ps), "0.001 ns");
    EXPECT_EQ(duration_text(25us), "25.000 us");
    EXPECT_EQ(duration_text(picoseconds{999'999'400}), "999.999 us");
    EXPECT_EQ(duration_text(picoseconds{999'999'500}), "1.000 ms");
    EXPECT_EQ(duration_text(1500ms), "1.500 s");
    EXPECT_EQ(duration_text(4'503s), "4,503.000 s");
    EXPECT_EQ(count_text(0), "0");
    EXPECT_EQ(count_text(999), "999");
    EXPECT_EQ(count_text(1'234'567), "1,234,567");
}

TEST(text_format, csv_fields_are_quoted_where_rfc_4180_asks_for_it) {
    EXPECT_EQ(csv_line({"7", "plain", ns_text(1'500_ps)}), "7,plain,1.5\n");
    EXPECT_EQ(csv_line({"a,b", "say \"x\""}), "\"a,b\",\"say \"\"x\"\"\"\n");
    EXPECT_EQ(csv_line({"", "", decimal_text(1.0 / 3, 4)}), ",,0.3333\n");
    EXPECT_EQ(csv_line({"", "1"}), ",1\n");
    EXPECT_EQ(csv_line({}), "\n");
}

// --- files -----------------------------------------------------------------------------------------------

TEST(run_directory, a_file_has_its_name_only_once_it_is_whole) {
    scratch_directory dir;
    run_directory directory(dir / "a" / "b");
    {
        output_file file = directory.create("flows.csv");
        file.write("flow,job\n");
        EXPECT_TRUE(fs::exists(directory.path() / "flows.csv.partial"));
        file.finish();
        output_file dies = directory.create("jobs.csv");
        dies.write("job\n");
    }
    EXPECT_EQ(contents(directory.path() / "flows.csv"), "flow,job\n");
    EXPECT_FALSE(fs::exists(directory.path() / "flows.csv.partial"));
    EXPECT_EQ(contents(directory.path() / "jobs.csv.partial"), "job\n");
    EXPECT_FALSE(fs::exists(directory.path() / "jobs.csv"));
}

TEST(run_directory, large_files_are_written_in_full) {
    scratch_directory dir;
    run_directory directory(dir.path());
    std::string all;
    output_file file = directory.create("flows.csv");
    for (int i = 0; i < 50'000; ++i) {
        const std::string line = std::to_string(i) + "\n";
        all += line;
        file.write(line);
    }
    file.finish();
    EXPECT_EQ(contents(dir / "flows.csv"), all);
}

TEST(run_directory, a_full_disk_is_an_error_that_names_the_file_and_the_reason) {
    scratch_directory dir;
    run_directory directory(dir.path());
    fs::create_symlink("/dev/full", dir / "flows.csv.partial");
    output_file file = directory.create("flows.csv");
    file.write("flow\n");
    try {
        file.finish();
        FAIL() << "no error";
    } catch (const output_error& e) {
        EXPECT_EQ(e.what(),
                  (dir / "flows.csv.partial").string() + ": cannot be written: No space left on device");
    }
    EXPECT_FALSE(fs::exists(dir / "flows.csv"));
}

TEST(run_directory, a_directory_that_can_not_be_made_is_an_error_that_names_it) {
    scratch_directory dir;
    fs::create_directories(dir.path());
    put(dir / "file", "");
    try {
        run_directory directory(dir / "file" / "x");
        FAIL() << "no error";
    } catch (const output_error& e) {
        EXPECT_NE(std::string(e.what()).find("Not a directory"), std::string::npos) << e.what();
    }
}

TEST(run_directory, an_earlier_run_is_replaced_whole_or_not) {
    scratch_directory dir;
    fs::create_directories(dir.path());
    EXPECT_TRUE(check_run_directory(dir.path()).empty());
    for (const char* name : {"summary.json", "flows.csv", "pauses.csv.partial", "run.json", "effective.ini"}) {
        put(dir / name, "old");
    }
    ASSERT_TRUE(check_run_directory(dir.path()).empty());
    EXPECT_EQ(contents(dir / "flows.csv"), "old");  // checking changes nothing
    run_directory directory(dir.path());
    EXPECT_TRUE(fs::is_empty(dir.path()));
}

TEST(run_directory, a_directory_in_use_is_refused_untouched_and_free_again_afterwards) {
    scratch_directory dir;
    {
        run_directory first(dir.path());
        first.write("flows.csv", "first");
        try {
            run_directory second(dir.path());
            FAIL() << "no error";
        } catch (const output_error& e) {
            EXPECT_EQ(e.what(), dir.path().string() + ": is in use: another run is writing into it");
        }
        EXPECT_EQ(contents(dir / "flows.csv"), "first");
        run_directory elsewhere(dir / "elsewhere");
    }
    run_directory third(dir.path());
    EXPECT_FALSE(fs::exists(dir / "flows.csv"));
}

TEST(run_directory, a_directory_with_anything_else_in_it_is_refused_and_left_alone) {
    scratch_directory dir;
    fs::create_directories(dir / "flows.csv");
    put(dir / "summary.json", "mine");
    EXPECT_EQ(check_run_directory(dir.path()).size(), 1U);
    fs::remove(dir / "flows.csv");
    put(dir / "thesis.tex", "mine");
    const config_errors errors = check_run_directory(dir.path());
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].key, "--out");
    EXPECT_NE(errors[0].message.find("'thesis.tex'"), std::string::npos) << errors[0].message;
    EXPECT_EQ(contents(dir / "summary.json"), "mine");
    EXPECT_EQ(check_run_directory(dir / "thesis.tex").size(), 1U);
    EXPECT_EQ(check_run_directory(dir / "thesis.tex" / "x").size(), 1U);
    EXPECT_EQ(check_run_directory("").size(), 1U);
    EXPECT_TRUE(check_run_directory(dir / "new").empty());
    EXPECT_FALSE(fs::exists(dir / "new"));
}

}  // namespace
