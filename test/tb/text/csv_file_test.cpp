#include "tb/support/text/csv_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/errors_said.h"

namespace weir::tb {
namespace {

namespace fs = std::filesystem;

class csv_files : public testing::Test {
 protected:
    void TearDown() override { fs::remove(m_path); }
    csv_file read(const std::string& text) {
        std::ofstream(m_path) << text;
        return csv_file(m_path, m_errors);
    }
    std::string first_error() const {
        return m_errors.empty() ? "" : m_errors[0].key + ": " + m_errors[0].message;
    }

    const std::string m_path = fs::temp_directory_path() / ("weir_csv_file_" + std::to_string(::getpid()));
    config_errors m_errors;
};

TEST_F(csv_files, columns_stand_in_any_order_and_lines_end_in_either_way) {
    csv_file file = read("b,a\r\n1,2.5\r\n\r\n3,4\r\n");
    const std::vector<std::size_t> at = file.columns({"a", "b"});
    std::uint64_t b = 0;
    double a = 0;
    ASSERT_TRUE(file.next() && file.number(at[0], a) && file.number(at[1], b));
    EXPECT_EQ(a, 2.5);
    EXPECT_EQ(b, 1U);
    ASSERT_TRUE(file.next());
    EXPECT_EQ(file.line(), 4);
    EXPECT_FALSE(file.next());
    file.expect_rows(2, "runs");
    EXPECT_EQ(first_error(), "");
    file.expect_rows(3, "runs");
    EXPECT_TRUE(errors_are(first_error(), {"2 lines, summary.json, 3 runs"}));
}

TEST_F(csv_files, a_comma_or_a_quote_within_quotes_is_part_of_the_field) {
    csv_file file = read("a,b,c\n\"x,y\",\"say \"\"no\"\"\",\"\"\n");
    ASSERT_TRUE(file.next());
    EXPECT_EQ(file.text(0), "x,y");
    EXPECT_EQ(file.text(1), "say \"no\"");
    EXPECT_EQ(file.text(2), "");
}

TEST_F(csv_files, a_shorter_line_after_a_longer_one_is_an_error) {
    csv_file file = read("a,b\n1,2\n3\n4,5\n");
    EXPECT_TRUE(file.next());
    EXPECT_TRUE(file.next());
    EXPECT_EQ(file.text(0), "4");
    EXPECT_TRUE(errors_are(first_error(), {"line: 1 fields, 2"}));
}

TEST_F(csv_files, every_column_that_is_missing_is_named) {
    csv_file file = read("a\n1\n");
    file.columns({"b", "a", "c"});
    EXPECT_FALSE(file.next());
    ASSERT_EQ(m_errors.size(), 2U);
    EXPECT_EQ(m_errors[1].key, "c");
}

TEST_F(csv_files, a_number_without_bounds_is_not_negative) {
    csv_file file = read("a\n-1\n");
    double real = 0;
    std::uint64_t whole = 0;
    ASSERT_TRUE(file.next());
    EXPECT_FALSE(file.number(0, real));
    EXPECT_FALSE(file.number(0, whole));
    EXPECT_TRUE(errors_are(m_errors[0].message, {"-1, 0 and above"}));
    EXPECT_TRUE(errors_are(m_errors[1].message, {"-1, whole number, 0 and above"}));
}

}  // namespace
}  // namespace weir::tb
