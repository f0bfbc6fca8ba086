#include "tb/table/option_columns.h"

#include <charconv>
#include <cstdint>
#include <utility>

#include "tb/options/run_options.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

/// A number where the option is one without a unit, else its text.
ordered_json value_json(quantity_kind kind, const std::string& text) {
    std::uint64_t whole = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), whole);
    const bool is_whole = read.ec == std::errc{} && read.ptr == text.data() + text.size();
    if (kind == quantity_kind::count || kind == quantity_kind::number) {
        if (is_whole) {
            return whole;
        }
        if (const parse_result<double> number = read_quantity(quantity_kind::number, text)) {
            return number.value;
        }
    }
    return text;
}

/// Whole where it is whole; null where the text is no quantity, such as `auto`.
ordered_json number_json(quantity_kind kind, const std::string& text) {
    const parse_result<double> read = read_quantity(kind, text);
    return read ? plain_number(column_value(kind, read.value)) : ordered_json();
}

}  // namespace

option_columns::option_columns(std::vector<std::string> keys) : m_keys(std::move(keys)) {
    if (m_keys.empty()) {
        return;
    }
    const option_table& table = known_options();
    for (const std::string& key : m_keys) {
        const option* const known = table.find(key);
        m_kinds.push_back(known == nullptr ? quantity_kind::none : quantity_of(*known));
    }
}

void option_columns::add_to(data_table& table, std::size_t section) const {
    for (std::size_t k = 0; k < m_keys.size(); ++k) {
        const std::string number = m_keys[k] + column_suffix(m_kinds[k]);
        table.columns.push_back(
            {m_keys[k], column_part::option, section, {m_keys[k]}, metric_unit::number, false, true});
        if (number != m_keys[k]) {
            table.columns.push_back(
                {number, column_part::option, section, {number}, metric_unit::number, false, false});
        }
    }
}

void option_columns::add_cells(table_row& row,
                               const std::function<const std::string*(const std::string&)>& text_of) const {
    for (std::size_t k = 0; k < m_keys.size(); ++k) {
        const std::string* const text = text_of(m_keys[k]);
        row.cells.push_back({text != nullptr ? value_json(m_kinds[k], *text) : ordered_json(), {}});
        if (!column_suffix(m_kinds[k]).empty()) {
            row.cells.push_back({text != nullptr ? number_json(m_kinds[k], *text) : ordered_json(), {}});
        }
    }
}

}  // namespace weir::tb
