#include "tb/compare/event_table.h"

#include <algorithm>
#include <utility>

#include "tb/text/csv_file.h"

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
        std::string column = name.substr(0, name.find('('));
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

void keep_only(event_table& table, const std::vector<event_filter>& filters, config_errors& errors) {
    for (const event_filter& filter : filters) {
        const auto column = table.find(filter.column);
        if (!column) {
            errors.push_back({table.path, 0, "--only " + filter.column,
                              "is not a column; expected " + joined(table.columns)});
            continue;
        }
        const bool had_rows = !table.rows.empty();
        table.rows.erase(std::remove_if(table.rows.begin(), table.rows.end(),
                                        [&](const event_row& r) { return r.fields[*column] != filter.text; }),
                         table.rows.end());
        if (had_rows && table.rows.empty()) {
            errors.push_back(
                {table.path, 0, "--only " + filter.column,
                 "no event has '" + filter.text + "'; expected a text that occurs in this column"});
        }
    }
}

}  // namespace weir::tb
