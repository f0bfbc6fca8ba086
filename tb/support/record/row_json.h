// A row of a table as a JSON object: keys are the names of its columns, `null` stands for an empty cell.
//
//   json_of(row);                    // {"tag": "query", "received": 12, "marked_percent": null}
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "tb/support/record/column.h"

namespace weir::tb {

template <class T>
nlohmann::ordered_json json_cell(const T& value, const column_facts&) {
    static_assert(!std::is_enum_v<T>, "no row with an enumeration is written as JSON yet");
    return value;
}
/// Rounded to the decimals that the table has.
inline nlohmann::ordered_json json_cell(double value, const column_facts& facts) {
    constexpr double scales[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    return facts.decimals < 0 ? value : std::round(value * scales[facts.decimals]) / scales[facts.decimals];
}
template <class T>
nlohmann::ordered_json json_cell(const std::optional<T>& value, const column_facts& facts) {
    return value ? json_cell(*value, facts) : nlohmann::ordered_json(nullptr);
}

/// The column's name without the suffix.
inline std::string json_key(std::string name, std::string_view suffix) {
    const bool has_suffix =
        name.size() > suffix.size() && name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
    name.resize(name.size() - (has_suffix ? suffix.size() : 0));
    return name;
}

/// `suffix`: removed from keys.
template <class Row>
nlohmann::ordered_json json_of(const Row& row, std::string_view suffix = {}) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for_each_column(row, [&](const auto& facts, const auto& value) {
        object[json_key(facts.name, suffix)] = json_cell(value, facts);
    });
    return object;
}

}  // namespace weir::tb
