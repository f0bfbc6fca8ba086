// Each format of a table, against small literal ones: what is missing, what is compared, names that would break
// a format, and lines that are too long.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tb/support/record/table_writers.h"
#include "tb/support/text/markdown_cell.h"

using namespace weir::tb;
using nlohmann::ordered_json;

namespace {

/// Two runs, the second of which was stopped and lacks a value.
data_table two_runs(const std::string& first = "a", const std::string& second = "b") {
    data_table table;
    const std::size_t options = table.add_section("options");
    const std::size_t jobs = table.add_section("jobs", {"jobs", "size"});
    const std::size_t losses = table.add_section("losses");
    table.columns = {
        {"run", {}, column_part::name, options, {"run"}, false, false},
        {"complete", {}, column_part::name, options, {"complete"}, false, false},
        {"link.rate", {}, column_part::option, options, {"link.rate"}, false, true},
        {"link.rate_bps", {}, column_part::option, options, {"link.rate_bps"}, false, false},
        {"jct_ns.p50", metric_unit::time, column_part::metric, jobs, {"query", "8KB", "p50"}, true, true},
        {"jct_ns.p99", metric_unit::time, column_part::metric, jobs, {"query", "8KB", "p99"}, true, true},
        {"frames.dropped", {}, column_part::metric, losses, {"dropped"}, false, true},
        {"limited_by", {}, column_part::metric, losses, {"limited by"}, false, true},
        {"x.seldom_bytes", metric_unit::bytes, column_part::metric, losses, {"seldom"}, false, false}};
    table.rows = {{first,
                   "",
                   {{first, {}},
                    {true, {}},
                    {"1Gbps", {}},
                    {1'000'000'000U, {}},
                    {1'000'000U, {}},
                    {2'000'000.125, {}},
                    {1'234U, {}},
                    {ordered_json::array({"link", "host_link"}), {}},
                    {7U, {}}}},
                  {second,
                   "incomplete",
                   {{second, {}},
                    {false, {}},
                    {"10Gbps", {}},
                    {10'000'000'000U, {}},
                    {500'000U, {}},
                    {nullptr, {}},
                    {0U, {}},
                    {ordered_json::array(), {}},
                    {nullptr, {}}}}};
    return table;
}

template <class Write>
std::string written(Write&& write, const data_table& table) {
    std::ostringstream out;
    write(out, table);
    return out.str();
}
std::string as_text(const data_table& table, std::size_t width = terminal_width) {
    return written([&](std::ostream& out, const data_table& t) { write_text(out, t, width); }, table);
}

TEST(text_writer, has_a_line_per_result_and_a_column_per_run_where_they_fit) {
    EXPECT_EQ(as_text(two_runs()),
              "options                         a  b (incomplete)   ratio\n"
              "link.rate                   1Gbps          10Gbps\n"
              "\n"
              "jobs   size\n"
              "query   8KB  p50         1.000 ms        0.500 ms  0.500x\n"
              "query   8KB  p99         2.000 ms               -       -\n"
              "\n"
              "losses\n"
              "dropped                     1,234               0\n"
              "limited by        link, host_link            none\n");
}

TEST(text_writer, has_a_line_per_run_where_they_do_not_fit_and_says_again_which_one_it_is) {
    EXPECT_EQ(as_text(two_runs(), 34),
              "options\n"
              "run             link.rate\n"
              "a                   1Gbps\n"
              "b (incomplete)     10Gbps\n"
              "\n"
              "jobs: query, size 8KB\n"
              "run                  p50   ratio\n"
              "a               1.000 ms\n"
              "b (incomplete)  0.500 ms  0.500x\n"
              "run                  p99  ratio\n"
              "a               2.000 ms\n"
              "b (incomplete)         -      -\n"
              "\n"
              "losses\n"
              "run             dropped\n"
              "a                 1,234\n"
              "b (incomplete)        0\n"
              "run                  limited by\n"
              "a               link, host_link\n"
              "b (incomplete)             none\n");
}

TEST(text_writer, lines_of_up_to_eight_runs_with_long_names_are_no_wider_than_a_terminal) {
    data_table table = two_runs();
    const table_row row = table.rows[0];
    for (int i = 2; i < 8; ++i) {
        table.rows.push_back(row);
        table.rows.back().name = "a_run_with_a_rather_long_name_of_number_" + std::to_string(i);
    }
    std::istringstream lines(as_text(table));
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), terminal_width) << line;
    }
}

TEST(text_writer, names_of_many_bytes_or_with_line_ends_keep_the_columns_in_place) {
    const std::string text = as_text(two_runs("größe", "x\ny\x1b"));
    EXPECT_EQ(text.substr(0, text.find("\n\n")),
              "options                     größe  x\\ny\\x1b (incomplete)   ratio\n"
              "link.rate                   1Gbps                 10Gbps");
}

/// Texts of a column with these values.
std::vector<std::string> column_texts(metric_unit unit, const std::vector<ordered_json>& values) {
    data_table table({{"x", unit}});
    for (const ordered_json& value : values) {
        table.add_row({value});
    }
    return table.texts(0);
}

TEST(column_format, times_and_rates_of_a_column_have_one_unit) {
    using texts = std::vector<std::string>;
    EXPECT_EQ(column_texts(metric_unit::time, {654'634.2, 1'267'000U, 0U, nullptr}),
              (texts{"0.655 ms", "1.267 ms", "0.000 ms", "-"}));
    EXPECT_EQ(column_texts(metric_unit::rate, {570'009'000U, 1'713'000'000U, -99'000'000}),
              (texts{"570.009 Mb/s", "1,713.000 Mb/s", "-99.000 Mb/s"}))
        << "0.1 of the unit is the least";
    EXPECT_EQ(column_texts(metric_unit::time, {654'634U, 700'000U}), (texts{"654.634 us", "700.000 us"}))
        << "values that fit one unit keep it";
    EXPECT_EQ(column_texts(metric_unit::time, {0U, 0.0}), (texts{"0.000 ns", "0.000 ns"}));
    EXPECT_EQ(column_texts(metric_unit::time, {1U, 9'999'999U}), (texts{"1.000 ns", "9,999,999.000 ns"}));
    EXPECT_EQ(column_texts(metric_unit::time, {1U, 12'000'000U}), (texts{"1.000 ns", "12.000 ms"}))
        << "8 digits before the point are too many";
}

TEST(csv_writer, has_a_line_per_run_with_every_column_and_its_ratio) {
    EXPECT_EQ(written(write_csv, two_runs()),
              "run,complete,link.rate,link.rate_bps,jct_ns.p50,jct_ns.p50.ratio,jct_ns.p99,jct_ns.p99.ratio,"
              "frames.dropped,limited_by,x.seldom_bytes\n"
              "a,true,1Gbps,1000000000,1000000,1,2000000.125,1,1234,\"link, host_link\",7\n"
              "b,false,10Gbps,10000000000,500000,0.5,,,0,none,\n");
}

TEST(csv_writer, quotes_names_as_rfc_4180_says) {
    const std::string text = written(write_csv, two_runs("a,b", "say \"x\"\nand | y"));
    EXPECT_NE(text.find("\n\"a,b\",true"), std::string::npos) << text;
    EXPECT_NE(text.find("\n\"say \"\"x\"\"\nand | y\",false"), std::string::npos) << text;
}

TEST(json_writer, has_numbers_as_numbers_and_null_for_what_is_missing) {
    const ordered_json j = ordered_json::parse(written(write_json, two_runs("a\"|,\n", "b")));
    ASSERT_EQ(j["runs"].size(), 2U);
    EXPECT_EQ(j["runs"][0]["run"], "a\"|,\n");
    EXPECT_EQ(j["runs"][1].dump(),
              R"({"run":"b","complete":false,"options":{"link.rate":"10Gbps","link.rate_bps":10000000000},)"
              R"("metrics":{"jct_ns.p50":500000,"jct_ns.p99":null,"frames.dropped":0,"limited_by":[],)"
              R"("x.seldom_bytes":null},"ratios":{"jct_ns.p50":0.5,"jct_ns.p99":null}})");
    EXPECT_EQ(j["runs"][0]["metrics"]["jct_ns.p99"].dump(), "2000000.125");
}

TEST(markdown_writer, has_a_table_for_each_subject) {
    EXPECT_EQ(written(write_markdown, two_runs()),
              "| options | a | b (incomplete) | ratio |\n"
              "|---|---:|---:|---:|\n"
              "| link.rate | 1Gbps | 10Gbps |  |\n"
              "\n"
              "| jobs | size |  | a | b (incomplete) | ratio |\n"
              "|---|---|---|---:|---:|---:|\n"
              "| query | 8KB | p50 | 1.000 ms | 0.500 ms | 0.500x |\n"
              "| query | 8KB | p99 | 2.000 ms | - | - |\n"
              "\n"
              "| losses | a | b (incomplete) | ratio |\n"
              "|---|---:|---:|---:|\n"
              "| dropped | 1,234 | 0 |  |\n"
              "| limited by | link, host_link | none |  |\n");
}

TEST(markdown_writer, has_a_line_per_run_from_five_runs_on) {
    data_table table = two_runs();
    const table_row row = table.rows[0];
    table.rows.insert(table.rows.end(), 3, row);
    const std::string text = written(write_markdown, table);
    EXPECT_NE(text.find("**jobs: query, size 8KB**\n\n| run | p50 | ratio | p99 | ratio |\n"
                        "|---|---:|---:|---:|---:|\n| a | 1.000 ms |  | 2.000 ms |  |\n"
                        "| b (incomplete) | 0.500 ms | 0.500x | - | - |\n"),
              std::string::npos)
        << text;
}

TEST(markdown_writer, shows_names_as_they_are) {
    EXPECT_EQ(markdown_text("a|b\\|c"), "a\\|b\\\\\\|c");
    EXPECT_EQ(markdown_text("one\ntwo"), "one<br>two");
    EXPECT_EQ(markdown_text("<b> & *x* `y` [z] ~"), "&lt;b> &amp; \\*x\\* \\`y\\` \\[z\\] \\~");
    EXPECT_EQ(markdown_text("egress_full _x_"), "egress_full \\_x\\_");
    const std::string text = written(write_markdown, two_runs("a|b", "c\nd"));
    EXPECT_EQ(text.substr(0, text.find('\n')), "| options | a\\|b | c<br>d (incomplete) | ratio |");
}

// --- points of sweeps ------------------------------------------------------------------------------------

data_table two_points() {
    data_table table;
    table.row_kind = "point";
    table.begins_with_options = true;
    table.confidence = 0.95;
    table.add_section("");
    table.columns = {{"point", {}, column_part::name, 0, {"point"}, false, true},
                     {"traffic.rate", {}, column_part::option, 0, {"traffic.rate"}, false, true},
                     {"runs_done", {}, column_part::row, 0, {"runs_done"}, false, true},
                     {"jct_ns.p50", metric_unit::time, column_part::metric, 0, {"jct_ns.p50"}, false, true}};
    table.rows = {{"0001", "", {{"0001", {}}, {1'000U, {}}, {3U, {}}, {2'000'000U, {3, 2'000'000, 500'000}}}},
                  {"0002", "", {{"0002", {}}, {2'000U, {}}, {0U, {}}, {nullptr, {}}}}};
    return table;
}

TEST(text_writer, a_point_begins_with_what_was_varied) {
    EXPECT_EQ(as_text(two_points()),
              "point  traffic.rate  runs_done        jct_ns.p50\n"
              "0001           1000          3  2.000 ms +-25.0%\n"
              "0002           2000          0                 -\n");
}

TEST(csv_writer, a_mean_has_the_ends_of_its_interval) {
    EXPECT_EQ(written(write_csv, two_points()),
              "point,traffic.rate,runs_done,jct_ns.p50,jct_ns.p50.n,jct_ns.p50.low,jct_ns.p50.high\n"
              "0001,1000,3,2000000,3,1500000,2500000\n"
              "0002,2000,0,,0,,\n");
}

TEST(json_writer, a_mean_has_the_ends_of_its_interval) {
    const ordered_json j = ordered_json::parse(written(write_json, two_points()));
    EXPECT_EQ(j["confidence"], 0.95);
    EXPECT_EQ(j["points"][0].dump(),
              R"({"point":"0001","runs_done":3,"options":{"traffic.rate":1000},)"
              R"("metrics":{"jct_ns.p50":{"n":3,"mean":2000000,"low":1500000,"high":2500000}}})");
    EXPECT_EQ(j["points"][1]["metrics"]["jct_ns.p50"].dump(), R"({"n":0,"mean":null,"low":null,"high":null})");
}

// --- cells -----------------------------------------------------------------------------------------------

TEST(cell_lines, break_behind_what_separates_words) {
    using lines = std::vector<std::string>;
    EXPECT_EQ(cell_lines("", 8), lines{""});
    EXPECT_EQ(cell_lines("tor0.tx6, tor1.tx3", 12), (lines{"tor0.tx6,", "tor1.tx3"}));
    EXPECT_EQ(cell_lines("groups.query.8192", 12), (lines{"groups.", "query.8192"}));
    EXPECT_EQ(cell_lines("0123456789", 4), (lines{"0123", "4567", "89"}));
    EXPECT_EQ(cell_lines("ääääää", 4), (lines{"ääää", "ää"}));
    EXPECT_EQ(cell_lines("/data/traces/long.csv", 14), (lines{"/data/traces/", "long.csv"}));
}

TEST(people_text, has_units_and_thousands_apart) {
    EXPECT_EQ(people_text(ordered_json(1'234'567U), metric_unit::number), "1,234,567");
    EXPECT_EQ(people_text(ordered_json(1'234'567U), metric_unit::bytes), "1,234,567 B");
    EXPECT_EQ(people_text(ordered_json(12.7553), metric_unit::percent), "12.76 %");
    EXPECT_EQ(people_text(ordered_json(0U), metric_unit::percent), "0.00 %");
    EXPECT_EQ(people_text(ordered_json(5'277'254'194U), metric_unit::rate), "5.277 Gb/s");
    EXPECT_EQ(people_text(ordered_json(1.5), metric_unit::number), "1.500");
    EXPECT_EQ(people_text(ordered_json(112.8431), metric_unit::number), "112.84");
    // A mean is written like the whole numbers beside it.
    EXPECT_EQ(people_text(ordered_json(177'774U), metric_unit::bytes), "177,774 B");
    EXPECT_EQ(people_text(ordered_json(88'032.4), metric_unit::bytes), "88,032 B");
    EXPECT_EQ(people_text(ordered_json(3'057.26), metric_unit::number), "3,057.3");
    EXPECT_EQ(people_text(ordered_json(12'345'678.4), metric_unit::number), "12,345,678");
    EXPECT_EQ(people_text(ordered_json(), metric_unit::time), "-");
}

TEST(data_table, numbers_of_a_column_have_the_decimals_that_its_largest_needs) {
    data_table table(
        {{"row"}, {"whole"}, {"mixed"}, {"large"}, {"fixed", fixed(1, " x")}, {"time", metric_unit::time}});
    table.add_row({"a", 1'234U, 3U, 0.5, 2'000, 1'500U});
    table.add_row({"b", 7U, 12.25, 1'234.5, 0.25, nullptr});
    using texts = std::vector<std::string>;
    EXPECT_EQ(table.texts(1), (texts{"1,234", "7"}));
    EXPECT_EQ(table.texts(2), (texts{"3.000", "12.250"}));
    EXPECT_EQ(table.texts(3), (texts{"0.5", "1,234.5"}));
    EXPECT_EQ(table.texts(4), (texts{"2000.0 x", "0.2 x"}));
    EXPECT_EQ(table.texts(5), (texts{"1.500 us", "-"}));
    table.columns[2].format = metric_unit::percent;
    EXPECT_EQ(table.texts(2), (texts{"3.00 %", "12.25 %"}));
}

TEST(data_table, prints_rows_as_they_are_with_texts_to_the_left) {
    data_table table({{"term"}, {"bytes"}, {"source", to_the_left()}});
    table.add_row({"größe", 1'500U, "a | b"});
    table.add_row({"b"});
    std::ostringstream out;
    print_table(out, table, "  ");
    EXPECT_EQ(out.str(), "  term   bytes  source\n  größe  1,500  a | b\n  b\n");
    EXPECT_EQ(markdown_of(table),
              "| term | bytes | source |\n|---|---|---|\n| größe | 1,500 | a \\| b |\n| b |  |  |\n");
}

TEST(data_table, has_no_ratio_to_nothing) {
    data_table table = two_runs();
    EXPECT_EQ(table.ratio(1, 4), 0.5);
    EXPECT_FALSE(table.ratio(1, 5)) << "the second has no value";
    table.rows[0].cells[4].value = 0U;
    EXPECT_FALSE(table.ratio(1, 4)) << "the first is 0";
    EXPECT_EQ(table.ratio_text(1, 4), "-");
}

TEST(data_table, says_at_least_of_lower_bounds_and_divides_by_none) {
    data_table table = two_runs();
    EXPECT_EQ(table.ratio_text(1, 4), "0.500x");
    table.rows[1].cells[4].is_lower_bound = true;
    EXPECT_EQ(table.texts(4)[1], "at least 0.500 ms");
    EXPECT_EQ(table.ratio_text(1, 4), "at least 0.500x");
    const std::string csv = written(write_csv, table);
    EXPECT_NE(csv.find("jct_ns.p50,jct_ns.p50_is_lower_bound,jct_ns.p50.ratio"), std::string::npos) << csv;
    EXPECT_EQ(csv.find("jct_ns.p99_is_lower_bound"), std::string::npos) << csv;
    const auto json = ordered_json::parse(written(write_json, table));
    EXPECT_FALSE(json["runs"][0]["metrics"].contains("jct_ns.p50_is_lower_bound"));
    EXPECT_EQ(json["runs"][1]["metrics"]["jct_ns.p50_is_lower_bound"], true);
    table.rows[0].cells[4].is_lower_bound = true;
    EXPECT_EQ(table.ratio_text(1, 4), "-");
}

}  // namespace
