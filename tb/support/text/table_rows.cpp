#include "tb/support/text/table_rows.h"

#include <algorithm>
#include <charconv>

#include "tb/support/text/name_pattern.h"
#include "weir/base/field_range.h"
#include "weir/model/memory/shared_buffer_config.h"

namespace weir::tb {

table_rows::table_rows(const std::string& path, const topology& plan, const std::vector<std::string>& columns,
                       std::size_t required, config_errors& errors)
    : csv_file(path, errors), m_path(path), m_plan(plan), m_errors(errors), m_errors_before(errors.size()) {
    std::string all = "switch";
    for (const std::string& name : columns) {
        all += ", " + name;
    }
    for (auto at = header().begin(); at != header().end(); ++at) {
        const std::string& name = *at;
        if (std::count(header().begin(), at, name) != 0) {
            refuse(1, name, "the column is there twice; expected once");
        } else if (name != "switch" && std::find(columns.begin(), columns.end(), name) == columns.end()) {
            refuse(1, name, "'" + name + "' is not a column of this table; expected " + all);
        }
    }
    for (std::size_t i = 0; i < required && !header().empty(); ++i) {
        column(columns[i]);
    }
}

bool table_rows::next() {
    if (m_errors.size() < m_errors_before + 20 && csv_file::next()) {
        m_any = true;
        return true;
    }
    if (!m_any && good()) {
        refuse("line", "is the header, but no row follows; expected at least one row");
    }
    return false;
}

std::vector<switch_id> table_rows::switches() {
    const bool named = optional_column("switch").has_value();
    std::vector<switch_id> found;
    for (switch_id s = 0; s < m_plan.switches(); ++s) {
        if (!named || fits_pattern(text("switch"), m_plan.name(node_ref::of_switch(s)))) {
            found.push_back(s);
        }
    }
    if (found.empty()) {
        refuse("switch", "no switch is called '" + text("switch") + "'; expected a name, such as " +
                             m_plan.name(node_ref::of_switch(0)) + "; * stands for any text");
    }
    return found;
}

std::optional<number_range> table_rows::range(const std::string& column, unsigned most,
                                              const std::string& most_text) {
    const std::string& field = text(column);
    if (field == "*") {
        return number_range{0, most};
    }
    const std::string allowed = "; expected 0 to " + std::to_string(most) + (most_text.empty() ? "" : " ") +
                                most_text + ", a range such as 0-1, or *";
    const char* const end = field.data() + field.size();
    number_range read;
    auto [stopped, error] = std::from_chars(field.data(), end, read.low);
    read.high = read.low;
    if (error == std::errc{} && stopped != end && *stopped == '-') {
        const auto second = std::from_chars(stopped + 1, end, read.high);
        stopped = second.ptr;
        error = second.ec;
    }
    if (error != std::errc{} || stopped != end) {
        refuse(column, "'" + field + "' is neither a number nor a range" + allowed);
        return std::nullopt;
    }
    if (read.low > read.high) {
        refuse(column, "'" + field + "' ends before it begins" + allowed);
        return std::nullopt;
    }
    if (read.high > most) {
        refuse(column, "'" + field + "' is out of range" + allowed);
        return std::nullopt;
    }
    return read;
}

std::optional<number_range> table_rows::ports(const std::string& column,
                                              const std::vector<switch_id>& switches) {
    unsigned most = 0;
    switch_id largest = 0;
    for (const switch_id s : switches) {
        if (port_count(s) > most) {
            most = port_count(s);
            largest = s;
        }
    }
    return range(column, most - 1, "(ports of " + m_plan.name(node_ref::of_switch(largest)) + ")");
}

std::optional<std::uint64_t> table_rows::number(const std::string& column, std::uint64_t low,
                                                std::uint64_t high) {
    std::uint64_t value = 0;
    if (!has_value(column) || !csv_file::number(*optional_column(column), value, low, high)) {
        return std::nullopt;
    }
    return value;
}

std::optional<double> table_rows::factor(const std::string& column) {
    if (!has_value(column)) {
        return std::nullopt;
    }
    const std::string& field = text(column);
    double value = 0;
    const auto [stopped, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    const bool is_number = error == std::errc{} && stopped == field.data() + field.size();
    const bool in_range = is_number && shared_buffer_config::alpha_range.holds(value);
    if (!in_range || !is_exact_alpha(value)) {
        refuse(column, "'" + field + "' " +
                           (in_range    ? "cannot be represented exactly"
                            : is_number ? "is out of range"
                                        : "is not a number") +
                           "; expected " + shared_buffer_config::alpha_range.text(field_text<double>) +
                           ", up to six decimals, or a multiple of 1/1024");
        return std::nullopt;
    }
    return value;
}

}  // namespace weir::tb
