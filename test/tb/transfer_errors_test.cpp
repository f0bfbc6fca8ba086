// Errors of completion times, by hand.
#include "tb/accuracy/transfer_errors.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "tb/accuracy/accuracy_table.h"

using namespace weir;

namespace {

/// A file that goes away with the test.
class flows_file {
 public:
    explicit flows_file(const std::string& text) { std::ofstream(m_name) << text; }
    ~flows_file() { std::remove(m_name.c_str()); }
    const std::string& name() const { return m_name; }

 private:
    std::string m_name = testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST(transfer_errors, transfers_are_compared_with_themselves_in_the_other_run) {
    transfer_errors errors;
    errors.add({{1, 900}, {2, 2'000}, {4, 70}}, {{1, 1'000}, {2, 1'600}, {3, 50}, {5, 60}});
    EXPECT_EQ(errors.transfers(), 2U);
    EXPECT_EQ(errors.only_in_one(), 3U);
    EXPECT_DOUBLE_EQ(errors.mean(), 150);
    EXPECT_EQ(errors.absolute().mean(), 250);
    EXPECT_EQ(errors.absolute().max(), 400);
    EXPECT_EQ(errors.relative().max(), 250'000);
    EXPECT_EQ(errors.relative().min(), 100'000);
    EXPECT_EQ(errors.model().mean(), 1'450);
    EXPECT_EQ(errors.reference().mean(), 1'300);
    errors.add({{1, 10}}, {{1, 10}});
    EXPECT_EQ(errors.transfers(), 3U);
    EXPECT_EQ(errors.absolute().min(), 0);
}

TEST(transfer_errors, completions_are_read_in_whatever_order_they_stand) {
    const flows_file file("flow,job,fct_ns\n7,1,25000.125\n3,2,0.001\n");
    config_errors errors;
    const std::vector<transfer_time> times = read_completions(file.name(), errors);
    EXPECT_TRUE(errors.empty());
    ASSERT_EQ(times.size(), 2U);
    EXPECT_EQ(times[0].flow, 3U);
    EXPECT_EQ(times[0].fct, 1);
    EXPECT_EQ(times[1].fct, 25'000'125);
}

TEST(transfer_errors, a_table_that_is_missing_or_wrong_is_named) {
    config_errors errors;
    read_completions("no/such/flows.csv", errors);
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_NE(errors[0].message.find("--keep all"), std::string::npos);
    const flows_file file("flow,fct_ns\n7,soon\n");
    read_completions(file.name(), errors);
    ASSERT_EQ(errors.size(), 2U);
    EXPECT_EQ(errors[1].line, 2);
    EXPECT_EQ(errors[1].key, "fct_ns");
}

TEST(accuracy_table, rows_have_units_and_only_the_options_that_were_asked_for) {
    accuracy_row row;
    row.settings = {{"traffic.load", "90%"}, {"run.duration", "5ms"}};
    row.cycle = picoseconds{12'800};
    row.seeds = 5;
    row.transfers = 12'345;
    row.mean_error_ns = {5, -38.4, 0.52};
    row.cycles = {{5, 3, 0.041}, {5, 23.71, 0}, 1'710.2};
    row.percent = {{5, 0.666, 0.1}, {5, 5.68, 0.1}, 101};
    row.mean_percent = {5, -0.75, 0.1};
    row.p99_percent = {1, -4.63, -1};
    EXPECT_EQ(
        accuracy_markdown({row}, {"traffic.load"}),
        "| `traffic.load` | transfers | mean error, ns | \\|error\\|, cycles: mean, p99, max | of a "
        "transfer's time, %: mean, p99, max | mean time, % | p99 time, % |\n"
        "|---|---|---|---|---|---|---|\n"
        "| 90% | 12,345 | -38.4 ± 0.52 | 3.00 ± 0.04, 23.7 ± 0.00, 1,710 | 0.67, 5.68, 101 | -0.75 ± 0.10 | "
        "-4.63 |\n");
    const std::string csv = accuracy_csv({row}, 0.95);
    EXPECT_EQ(csv.substr(0, csv.find("only_in_one")), "traffic.load,run.duration,cycle_ns,seeds,transfers,");
    EXPECT_NE(csv.find("\n90%,5ms,12.8,5,12345,0,0.95,-38.400,0.520,"), std::string::npos) << csv;
    EXPECT_NE(csv.find(",-4.630,,0.000,1710.200,101.000\n"), std::string::npos) << csv;
}

}  // namespace
