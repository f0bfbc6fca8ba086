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

void add_option_columns(data_table& table, std::size_t section, const std::vector<std::string>& keys,
                        const std::function<const std::string*(std::size_t, const std::string&)>& text_of) {
    for (const std::string& key : keys) {
        const option* const known = known_options().find(key);
        // None for options that this version does not know.
        const quantity_kind kind = known == nullptr ? quantity_kind::none : quantity_of(*known);
        const auto add = [&](const std::string& name, bool is_printed,
                             ordered_json (*json_of)(quantity_kind, const std::string&)) {
            table.add({name, column_part::option, section, {name}, metric_unit::number, false, is_printed},
                      [&](std::size_t row) -> table_cell {
                          const std::string* const text = text_of(row, key);
                          return {text != nullptr ? json_of(kind, *text) : ordered_json()};
                      });
        };
        add(key, true, value_json);
        if (!column_suffix(kind).empty()) {
            add(key + column_suffix(kind), false, number_json);
        }
    }
}

}  // namespace weir::tb
