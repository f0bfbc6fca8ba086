// A table of results: columns are what is known, rows are runs, points of a sweep, or anything else. It is
// filled once, and each format is a writer that reads it (table_writers.h).
//
//   data_table table({{"engine"}, {"CPU/hop", fixed(0, " ns")}, {"hops"}});
//   table.add_row({"weir", 127.4, 12'345'678U});
//   print_table(std::cout, table);
//
//   data_table runs;
//   const std::size_t times = runs.add_section("jobs", {"jobs", "size", "priority"});
//   runs.rows.push_back({"detail", ""});
//   runs.add({"jct_ns.p99", metric_unit::time, column_part::metric, times, {"all", "", "", "p99"}},
//            [](std::size_t) -> table_cell { return {15160594.338}; });
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tb/support/record/column_format.h"

namespace weir::tb {

/// Columns of one subject, which stand together. `headings` are those of all words of a column's label but the
/// last, which is its title; none: labels are titles.
struct table_section {
    std::string title;
    std::vector<std::string> headings;
};

enum class column_part : std::uint8_t {
    name,    ///< says which run it is
    row,     ///< says something else of a run as a whole
    option,  ///< an option that it was made with
    metric   ///< a result
};

struct table_column {
    /// Name in CSV headers and JSON keys, with the unit: `jct_ns.p99`.
    std::string key;
    column_format format{};
    column_part part = column_part::metric;
    /// Index in `sections`.
    std::size_t section = 0;
    /// Label for people: a word for each heading, and the title. Empty: the key is the title.
    std::vector<std::string> words{};
    /// Rows are compared with the first one, by the ratio to its value.
    bool is_compared = false;
    /// True if tables for people have it, too; CSV and JSON have all columns.
    bool is_printed = true;

    const std::string& title() const { return words.empty() ? key : words.back(); }
};

struct table_cell {
    table_cell() = default;
    template <class Value, class = std::enable_if_t<std::is_constructible_v<nlohmann::ordered_json, Value>>>
    table_cell(Value&& its_value, mean_interval its_interval = {}, bool lower_bound = false,
               bool no_ratio = false)
        : value(std::forward<Value>(its_value)),
          interval(its_interval),
          is_lower_bound(lower_bound),
          has_no_ratio(no_ratio) {}

    /// A number, a text, a list of texts, true or false; null: there is none.
    nlohmann::ordered_json value{};
    /// Confidence interval, if the value is a mean over several runs.
    mean_interval interval{};
    /// The value is only known to be at least this.
    bool is_lower_bound = false;
    /// There is no ratio of this value to another, nor of another to this one.
    bool has_no_ratio = false;
};

struct table_row {
    std::string name;
    /// Mistake in it; empty if there is none.
    std::string mark;
    /// One for each column.
    std::vector<table_cell> cells{};

    std::string heading() const { return mark.empty() ? name : name + " (" + mark + ")"; }
};

struct data_table {
    data_table() = default;
    /// A table without sections.
    explicit data_table(std::vector<table_column> its_columns) : columns(std::move(its_columns)) {}
    /// A table of columns with the default format.
    static data_table of(const std::vector<std::string>& titles) {
        data_table table;
        std::for_each(titles.begin(), titles.end(), [&](const auto& each) { table.columns.push_back({each}); });
        return table;
    }

    /// `run`, `point`: what a row is.
    std::string row_kind = "run";
    std::vector<table_section> sections;
    std::vector<table_column> columns;
    std::vector<table_row> rows;
    /// Cells of metrics are means, with this level of confidence.
    std::optional<double> confidence;
    /// Verdicts of runs that failed, which people read first: a text of one or more lines each.
    std::vector<std::string> verdicts;
    /// A row begins with the printed columns of all parts but `metric`, in place of its name; options are
    /// no section of their own.
    bool begins_with_options = false;
    /// Groups of transfers or jobs were left out: they are too many to be shown without being asked for.
    bool without_groups = false;

    std::size_t add_section(std::string title, std::vector<std::string> headings = {}) {
        sections.push_back({std::move(title), std::move(headings)});
        return sections.size() - 1;
    }
    /// Adds a column; `cell_of(row)` returns its cell of each row that is there.
    template <class CellOf>
    void add(table_column column, const CellOf& cell_of) {
        columns.push_back(std::move(column));
        for (std::size_t r = 0; r < rows.size(); ++r) {
            rows[r].cells.push_back(cell_of(r));
        }
    }
    /// Adds a row. Cells that are missing at its end are empty texts.
    void add_row(std::vector<table_cell> cells);
    const table_cell& cell(std::size_t row, std::size_t column) const { return rows[row].cells[column]; }
    /// Cells of a column for people, all in one format: an option as it is written, a mean with half of its
    /// interval as a share of it (`1.246 ms +-11.2%`), `at least 1.246 ms` for a lower bound.
    std::vector<std::string> texts(std::size_t column) const;
    /// Ratio to the first row; nothing if either row has no number or no ratio, or the first row has 0 or a
    /// lower bound.
    std::optional<double> ratio(std::size_t row, std::size_t column) const;
    /// `0.354x`, `at least 1.200x`, or `-`.
    std::string ratio_text(std::size_t row, std::size_t column) const;
};

}  // namespace weir::tb
