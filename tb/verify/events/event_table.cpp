#include "tb/verify/events/event_table.h"

#include <algorithm>
#include <utility>

#include "tb/support/text/csv_file.h"
#include "tb/verify/events/event_streams.h"

namespace weir::tb {

std::optional<std::size_t> event_table::find(const std::string& column) const {
    const auto at = std::find(columns.begin(), columns.end(), column);
    return at == columns.end() ? std::nullopt
                               : std::optional<std::size_t>(static_cast<std::size_t>(at - columns.begin()));
}

event_table read_event_csv(const std::string& path, config_errors& errors) {
    event_table table;
    table.path = path;
    csv_file file(path, errors);
    const auto is_number = [](const std::string& name) {
        return name.find_first_not_of("0123456789.-") == std::string::npos;
    };
    if (!file.header().empty() && std::all_of(file.header().begin(), file.header().end(), is_number)) {
        errors.push_back({path, 1, "line",
                          "'" + joined(file.header()) +
                              "' has numbers only: the header is missing; expected the names of the columns"});
        return table;
    }
    for (const std::string& name : file.header()) {
        std::string column{trimmed(std::string_view(name).substr(0, name.find('(')))};
        if (table.find(column)) {
            errors.push_back(
                {path, 1, column,
                 "is in the header twice; expected once (text in brackets is not part of the name)"});
        }
        table.columns.push_back(std::move(column));
    }
    while (file.next()) {
        event_row& row = table.rows.emplace_back();
        row.line = file.line();
        row.fields.reserve(table.columns.size());
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            row.fields.push_back(file.text(column));
        }
    }
    return table;
}

void keep_only(event_table& expected, event_table& actual, const event_filter& filter, config_errors& errors) {
    const auto refuse = [&](const std::string& file, const std::string& what) {
        errors.push_back({file, 0, "--only " + filter.column, what});
    };
    std::vector<bool> used(filter.values.size(), false);
    const std::size_t before = errors.size();
    for (event_table* const table : {&expected, &actual}) {
        const auto column = table->find(filter.column);
        if (!column) {
            refuse(table->path, "is not a column; expected " + joined(table->columns));
            continue;
        }
        const bool had_rows = !table->rows.empty();
        const auto passes_not = [&](const event_row& row) {
            bool passes = false;
            for (std::size_t i = 0; i < filter.values.size(); ++i) {
                if (same_value(row.fields[*column], filter.values[i])) {
                    passes = true;
                    used[i] = true;
                }
            }
            return !passes;
        };
        table->rows.erase(std::remove_if(table->rows.begin(), table->rows.end(), passes_not),
                          table->rows.end());
        if (had_rows && table->rows.empty()) {
            const auto quoted = [](const std::string& value) { return "'" + value + "'"; };
            refuse(table->path, "no event has " + joined(filter.values, " or ", quoted) +
                                    "; expected a text that occurs in this column");
        }
    }
    for (std::size_t i = 0; i < filter.values.size() && errors.size() == before; ++i) {
        if (!used[i] && !(expected.rows.empty() && actual.rows.empty())) {
            refuse("", "no event has '" + filter.values[i] +
                           "' in either file; expected a text that occurs in this column");
        }
    }
}

}  // namespace weir::tb
