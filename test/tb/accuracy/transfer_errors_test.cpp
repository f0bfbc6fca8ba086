// Errors of completion times, by hand.
#include "tb/study/accuracy/transfer_errors.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "support/errors_said.h"
#include "tb/study/accuracy/accuracy_plot.h"
#include "tb/study/accuracy/accuracy_table.h"

using namespace weir;
using namespace weir::tb;

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

/// A transfer that is a job by itself, of the same number.
transfer_time lone(std::uint64_t flow, std::int64_t fct) {
    transfer_time t;
    t.flow = t.job = flow;
    t.fct = fct;
    return t;
}

TEST(transfer_errors, transfers_are_compared_with_themselves_in_the_other_run) {
    transfer_errors errors;
    errors.add({lone(1, 900), lone(2, 2'000), lone(4, 70)},
               {lone(1, 1'000), lone(2, 1'600), lone(3, 50), lone(5, 60)});
    EXPECT_EQ(errors.transfers(), 2U);
    EXPECT_EQ(errors.only_in_one(), 3U);
    EXPECT_DOUBLE_EQ(errors.mean(), 150);
    EXPECT_EQ(errors.absolute().mean(), 250);
    EXPECT_EQ(errors.absolute().max(), 400);
    EXPECT_EQ(errors.relative().max(), 250'000);
    EXPECT_EQ(errors.relative().min(), 100'000);
    EXPECT_EQ(errors.model().mean(), 1'450);
    EXPECT_EQ(errors.reference().mean(), 1'300);
    errors.add({lone(1, 10)}, {lone(1, 10)});
    EXPECT_EQ(errors.transfers(), 3U);
    EXPECT_EQ(errors.absolute().min(), 0);
}

TEST(transfer_errors, completions_are_read_in_whatever_order_they_stand) {
    const flows_file file(
        "flow,job,src,dst,bytes,priority,start_ns,fct_ns\n"
        "7,2,1,4,8000,5,12.5,25000.125\n3,1,1,2,64,0,0,0.001\n");
    config_errors errors;
    const std::vector<transfer_time> times = read_completions(file.name(), errors);
    EXPECT_TRUE(errors.empty());
    ASSERT_EQ(times.size(), 2U);
    EXPECT_EQ(times[0].flow, 3U);
    EXPECT_EQ(times[0].fct, 1);
    EXPECT_EQ(times[1].fct, 25'000'125);
    EXPECT_EQ(times[1].job, 2U);
    EXPECT_EQ(times[1].src, 1U);
    EXPECT_EQ(times[1].dst, 4U);
    EXPECT_EQ(times[1].length_bytes, 8'000U);
    EXPECT_EQ(times[1].priority, 5U);
    EXPECT_EQ(times[1].start, 12'500);
}

/// Hosts 1 and 2 ask each other; what host 1 answers to job 2 has another number where it answers earlier.
const std::string queries =
    "flow,job,src,dst,bytes,priority,start_ns,fct_ns\n"
    "1,1,1,2,1460,0,100,500\n2,2,2,1,1460,0,150,500\n11,2,1,2,8000,0,650,900\n21,3,1,2,1460,0,700,500\n"
    "12,1,2,1,8000,0,600,900\n";

config_errors difference(const std::string& run, const std::string& reference) {
    config_errors errors;
    const flows_file a(run);
    const std::vector<transfer_time> of_run = read_completions(a.name(), errors);
    const flows_file b(reference);
    check_same_traffic("run", of_run, "reference", read_completions(b.name(), errors), errors);
    return errors;
}

TEST(transfer_errors, a_transfer_is_known_by_its_job_and_not_by_its_number) {
    const std::string earlier =
        "flow,job,src,dst,bytes,priority,start_ns,fct_ns\n"
        "1,1,1,2,1460,0,100,450\n2,2,2,1,1460,0,150,450\n21,2,1,2,8000,0,710,800\n11,3,1,2,1460,0,700,510\n";
    config_errors errors;
    EXPECT_TRUE(difference(queries, earlier).empty());
    const flows_file a(queries);
    transfer_errors found;
    const std::vector<transfer_time> model = read_completions(a.name(), errors);
    const flows_file b(earlier);
    found.add(model, read_completions(b.name(), errors));
    EXPECT_TRUE(errors.empty());
    EXPECT_EQ(found.transfers(), 4U);
    EXPECT_EQ(found.only_in_one(), 1U);
    EXPECT_EQ(found.absolute().max(), 100'000);
    EXPECT_EQ(found.absolute().min(), 10'000);
}

TEST(transfer_errors, runs_of_other_traffic_are_refused_with_the_first_transfer_that_differs) {
    const auto changed = [](std::string text, const std::string& from, const std::string& to) {
        return text.replace(text.find(from), from.size(), to);
    };
    const auto refused = [&](const std::string& from, const std::string& to, const std::string& why) {
        const config_errors errors = difference(changed(queries, from, to), queries);
        EXPECT_TRUE(errors_are(errors, {"run: flow: " + why}));
    };
    refused("11,2,1,2,8000,0", "11,2,1,2,9000,0", "flow 11, job 2, 1 to 2, 9000B, 0, 8000B");
    refused("11,2,1,2,8000,0", "11,2,1,2,8000,3", "flow 11 (job 2, from 1 to 2, 8000B, priority 3) is not in");
    refused("2,2,2,1,1460,0", "2,2,3,1,1460,0", "flow 2 (job 2, from 3 to 1, 1460B, priority 0) is not in");
    refused("2,2,2,1,1460,0", "2,2,2,5,1460,0", "flow 2 (job 2, from 2 to 5, 1460B, priority 0) is not in");
    // The same transfers at another load.
    const config_errors later = difference(
        "flow,job,src,dst,bytes,priority,start_ns,fct_ns\n1,1,1,2,1460,0,200,500\n3,3,1,2,1460,0,1400,500\n",
        queries);
    ASSERT_EQ(later.size(), 1U);
    EXPECT_EQ(later[0].file + ": " + later[0].key, "run: start_ns");
    EXPECT_EQ(
        later[0].message.find("flow 1 (job 1, from 1 to 2, 1460B, priority 0) begins at 200ns, and in "
                              "reference at 100ns, and no transfer begins at the same time in both; expected"),
        0U)
        << later[0].message;
}

TEST(transfer_errors, a_table_that_is_missing_or_wrong_is_named) {
    config_errors errors;
    read_completions("no/such/flows.csv", errors);
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_NE(errors[0].message.find("--keep all"), std::string::npos);
    const flows_file file("flow,job,src,dst,bytes,priority,start_ns,fct_ns\n7,7,0,1,64,0,0,soon\n");
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
    for (const auto& [column, all, sound] :
         {std::tuple("mean_error_ns", mean_interval{5, -38.4, 0.52}, mean_interval{5, -38.4, 0.52}),
          {"mean_abs_cycles", {5, 3, 0.041}, {5, 3, 0.041}},
          {"p99_abs_cycles", {5, 30, 0}, {5, 23.71, 0}},
          {"mean_abs_percent", {5, 0.666, 0.1}, {5, 0.666, 0.1}},
          {"p99_abs_percent", {5, 6, 0.1}, {5, 5.68, 0.1}},
          {"mean_percent", {5, -0.75, 0.1}, {5, -0.75, 0.1}},
          {"p99_percent", {1, -9, -1}, {1, -4.63, -1}},
          {"max_abs_cycles", {1, 1'710.2}, {1, 1'710.2}},
          {"max_abs_percent", {1, 101}, {1, 101}}}) {
        row.values[column] = {all, sound};
    }
    EXPECT_EQ(
        accuracy_markdown({row}, {"traffic.load"}),
        "| `traffic.load` | transfers | mean error, ns | \\|error\\|, cycles: mean, p99, max | of a "
        "transfer's time, %: mean, p99, max | mean time, % | p99 time, % |\n"
        "|---|---|---|---|---|---|---|\n"
        "| 90% | 12,345 | -38.4 ± 0.5 | 3.00 ± 0.04, 23.7 ± 0.0, 1,710 | 0.67, 5.68, 101 | -0.75 ± 0.10 | "
        "-4.63 |\n");
    const std::string csv = accuracy_csv({row}, 0.95);
    EXPECT_EQ(csv.substr(0, csv.find("only_in_one")), "traffic.load,run.duration,cycle_ns,seeds,transfers,");
    EXPECT_NE(csv.find("\n90%,5ms,12.8,5,12345,0,0.95,-38.400,0.520,"), std::string::npos) << csv;
    EXPECT_NE(csv.find(",-9.000,,0.000,1710.200,101.000\n"), std::string::npos) << csv;
}

TEST(accuracy_table, a_percentile_of_too_few_transfers_is_not_shown) {
    accuracy_row row;
    row.settings = {{"traffic.load", "50%"}};
    row.seeds = 1;
    row.transfers = 99;
    row.values["mean_error_ns"] = row.values["mean_percent"] = {{1, 2, -1}, {1, 2, -1}};
    row.values["mean_abs_cycles"] = row.values["mean_abs_percent"] = {{1, 3, -1}, {1, 3, -1}};
    row.values["p99_abs_cycles"] = row.values["p99_abs_percent"] = {{1, 4, -1}, {}};
    row.values["p99_percent"] = {{1, 5, -1}, {}};
    row.values["max_abs_cycles"] = row.values["max_abs_percent"] = {{1, 4}, {1, 4}};
    const std::string table = accuracy_markdown({row}, {"traffic.load"});
    EXPECT_NE(table.find("| 50% | 99 | 2.00 | 3.00, -, 4.00 | 3.00, -, 4.00 | 2.00 | - |\n"), std::string::npos)
        << table;
    sweep_plan plan;
    plan.axes = {{{"switch.crossbar"}, {{"frame"}, {"cell"}}}, {{"traffic.load"}, {{"50%"}, {"90%"}}}};
    plan.seeds = {1};
    accuracy_plot_request request;
    request.over = {"traffic.load"};
    const std::vector<picture> drawn =
        accuracy_pictures(plan, {"switch.crossbar", "frame", "cell"}, {row}, 0.95, request);
    for (const picture& p : drawn) {
        EXPECT_NE(p.commands.find("set ytics nomirror out ('0' 0)"), std::string::npos) << p.name;
        EXPECT_NE(p.commands.find("no seed has enough transfers"), std::string::npos) << p.name;
        EXPECT_NE(p.commands.find("or more"), std::string::npos);
    }
}

}  // namespace
