#include "tb/view/pictures/series_source.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <map>
#include <utility>

#include "tb/support/files/input_file.h"
#include "tb/support/text/csv_file.h"
#include "tb/support/text/joined.h"
#include "tb/support/text/name_pattern.h"

namespace weir::tb {

namespace {

/// Places of the columns that fit `wanted`, each with the text that stands for `*`.
std::vector<std::pair<std::size_t, std::string>> columns_like(const csv_file& table,
                                                              const std::string& wanted) {
    std::vector<std::pair<std::size_t, std::string>> found;
    for (std::size_t i = 0; i < table.header().size(); ++i) {
        if (fits_pattern(wanted, table.header()[i])) {
            found.emplace_back(i, part_in(wanted, table.header()[i]));
        }
    }
    return found;
}

/// `tor0 port 3 class 7`: numbers stand behind the names of their columns.
std::string series_name(const csv_file& table, const std::vector<std::size_t>& columns) {
    return joined(columns, " ", [&](std::size_t column) {
        const std::string& text = table.text(column);
        const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        return is_number ? table.header()[column] + " " + text : text;
    });
}

std::vector<time_series> read_columns(const std::string& path, const table_columns& from,
                                      config_errors& errors) {
    csv_file table(path, errors, input_kind::any, written_table);
    const std::size_t time = table.column("time_ns");
    const auto values = columns_like(table, from.value);
    std::vector<std::size_t> names;
    for (const char* const name : from.names) {
        if (const auto column = table.optional_column(name)) {
            names.push_back(*column);
        }
    }
    std::vector<time_series> all;
    std::map<std::string, std::size_t> places;
    double now = 0;
    while (names.size() == from.names.size() && !values.empty() && table.next()) {
        const std::string of_line = series_name(table, names);
        const bool has_time = table.number(time, now);
        for (const auto& [column, part] : values) {
            double value = NAN;
            if (!has_time || !table.number_or_none(column, value) || std::isnan(value)) {
                continue;
            }
            const std::string name = of_line + (of_line.empty() || part.empty() ? "" : " ") + part;
            const auto [place, is_new] = places.emplace(name, all.size());
            time_series& series =
                is_new ? all.emplace_back(time_series{name, name, {}, {}}) : all[place->second];
            if (series.time_ns.empty() || series.time_ns.back() < now) {
                series.time_ns.push_back(now);
                series.values.push_back(value);
            } else if (series.time_ns.back() == now) {
                series.values.back() += value;
            } else {
                table.refuse(time, "does not advance; expected lines of '" + name + "' in the order of time");
            }
        }
    }
    return all;
}

}  // namespace

std::string table_columns::key() const {
    return std::string(file) + " " + joined(names, ",") + " " + value;
}

const std::vector<time_series>& series_source::operator()(const run_data& run) const {
    static const std::vector<time_series> none;
    if (m_list != nullptr) {
        return run.*m_list;
    }
    const auto found = run.columns.find(m_columns.key());
    return found == run.columns.end() ? none : found->second;
}

void series_source::read(run_data& run) const {
    if (m_list != nullptr || run.columns.count(m_columns.key()) != 0) {
        return;
    }
    const std::string path = (std::filesystem::path(run.directory) / m_columns.file).string();
    const bool is_refused = std::any_of(run.errors.begin(), run.errors.end(),
                                        [&](const config_error& error) { return error.file == path; });
    if (!is_refused && path_exists(path)) {
        run.columns[m_columns.key()] = read_columns(path, m_columns, run.errors);
    }
}

}  // namespace weir::tb
