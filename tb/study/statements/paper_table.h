// A table of a paper: its columns are known by their names, and it has no others.
//
//   paper_table table(folder / "statements.csv", errors, "a table of statements", {"id", "says", "cause?"});
//   while (table.next()) {
//       table.text("cause");      // empty without such a column
//   }
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tb/study/sweep/point_choice.h"
#include "tb/support/record/column.h"
#include "tb/support/text/csv_file.h"

namespace weir::tb {

class paper_table : public csv_file {
 public:
    /// `expected`: what a path that cannot be read should have named. A column whose name here ends in `?` may
    /// be missing.
    paper_table(const std::filesystem::path& path, config_errors& errors, const char* expected,
                std::vector<std::string> columns)
        : csv_file(path.string(), errors, input_kind::any, expected) {
        for (std::string& name : columns) {
            if (name.back() == '?') {
                name.pop_back();
            } else {
                column(name);
            }
        }
        refuse_others(columns);
    }

    std::vector<std::string> words(const std::string& name) { return csv_file::words(column(name)); }
    /// The place of the column's word in the list; nothing, and an error, if it is another word.
    std::optional<std::size_t> word(const std::string& name, const std::vector<std::string>& allowed) {
        std::size_t place = 0;
        return csv_file::word(column(name), place, allowed) ? std::optional(place) : std::nullopt;
    }
    /// Reads the number of a column that may be missing or empty: the value then stays as it is.
    template <class Number, class... Range>
    void number_if_there(const std::string& name, Number& value, Range... range) {
        if (!text(name).empty()) {
            csv_file::number(column(name), value, range...);
        }
    }
    /// The points of the plan that a text of the column names; nothing, and an error, if it lacks one.
    std::optional<choice> points(const std::string& name, const std::string& text, const sweep_plan& plan) {
        const parse_result<choice> read = read_choice(text, plan);
        if (!read) {
            refuse(name, read.error);
        }
        return read ? std::optional(read.value) : std::nullopt;
    }
};

}  // namespace weir::tb
