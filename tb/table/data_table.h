// A table of results, whatever it is about: rows are runs (or points of a sweep), columns are what is known of
// them. Filled once (run_table.h, sweep_table.h); each format is a writer that reads it (table_writers.h).
//
//   data_table table;
//   const std::size_t times = table.add_section("jobs", {"jobs", "size", "priority"});
//   table.rows.push_back({"detail", ""});
//   table.add({"jct_ns.p99", column_part::metric, times, {"all", "", "", "p99"}, metric_unit::time},
//             [](std::size_t) -> table_cell { return {15160594.338}; });
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tb/sweep/metrics.h"
#include "tb/sweep/quantity.h"
#include "tb/sweep/sweep_statistics.h"

namespace weir::tb {

/// Columns of one subject, which stand together. `headings` are those of all words of a column's label but the
/// last, which is its name; none: labels are names.
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
    /// Of CSV's header and of JSON's keys, with the unit: `jct_ns.p99`.
    std::string key;
    column_part part = column_part::metric;
    /// Its place in the table's list.
    std::size_t section = 0;
    /// Its label for people: a word for each heading, and the name.
    std::vector<std::string> words;
    metric_unit unit = metric_unit::number;
    /// Rows are compared with the first one, by the ratio to its value.
    bool is_compared = false;
    /// For people, too; CSV and JSON have all columns.
    bool is_printed = true;

    const std::string& name() const { return words.back(); }
};

struct table_cell {
    /// A number, a text, a list of texts, true or false; null: there is none.
    nlohmann::ordered_json value{};
    /// Of a mean over several runs, which is the value.
    mean_interval interval{};
    /// The value is only known to be at least this.
    bool is_lower_bound = false;
    /// There is no ratio of this value to another, nor of another to this one.
    bool has_no_ratio = false;
};

struct table_row {
    std::string name;
    /// What is wrong with it; empty: nothing.
    std::string mark;
    /// One for each column.
    std::vector<table_cell> cells{};

    std::string heading() const { return mark.empty() ? name : name + " (" + mark + ")"; }
};

struct data_table {
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
    const table_cell& cell(std::size_t row, std::size_t column) const { return rows[row].cells[column]; }
    /// To the first row; nothing where one of both has no number or no ratio, or the first one's is 0 or a
    /// lower bound.
    std::optional<double> ratio(std::size_t row, std::size_t column) const;
    /// `0.354x`, `at least 1.200x`, or `-`.
    std::string ratio_text(std::size_t row, std::size_t column) const;
    /// Some row has a lower bound in this column.
    bool has_lower_bounds(std::size_t column) const;
    /// Some row has an interval.
    bool has_intervals() const;
};

/// A cell of this column: an option as it is written, a mean with half of its interval as a share of it:
/// `1.246 ms +-11.2%`; `at least 1.246 ms` for a lower bound.
std::string people_text(const table_cell& cell, const table_column& column);

}  // namespace weir::tb
