// The schema of a table, as tb/python/weir/schema.py reads it: what the rows describe, in the manner of a Table
// Schema.
//
//   nlohmann::ordered_json schema = table_schema<watchdog_row>();
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tb/support/record/cell_groups.h"

namespace weir::tb {

/// Schema of a column, or of the columns of one description.
struct column_schema {
    column_facts facts;
    const char* type;
    /// The cell may be empty.
    bool may_be_empty = false;
    /// All texts that the column may have; empty: any.
    std::vector<std::string> words{};
    /// The texts begin the names of columns, instead of standing in them. Without texts the name is a pattern.
    bool are_names = false;
};

/// The unit that the end of a name says; empty: none.
std::string unit_of_name(std::string_view name);
std::string unit_of(const column_schema& column);
/// Throws std::logic_error if a description lacks a fact.
nlohmann::ordered_json table_schema(const table_facts& table, const std::vector<column_schema>& columns);

template <class Row>
std::vector<column_schema> columns_of(const Row& row = {});

template <class T>
struct column_kind {
    using value_type = T;
    static constexpr bool may_be_empty = false;
};
template <class T>
struct column_kind<std::optional<T>> {
    using value_type = T;
    static constexpr bool may_be_empty = true;
};
template <class T>
struct column_kind<optional_column<T>> : column_kind<std::optional<T>> {};

template <class T>
void add_columns(std::vector<column_schema>& all, const column_facts& facts, const T&) {
    using kind = column_kind<T>;
    using value_type = typename kind::value_type;
    column_schema schema{facts, csv_cell<value_type>::type, kind::may_be_empty};
    if constexpr (std::is_enum_v<value_type>) {
        schema.words = words_of<value_type>();
    }
    all.push_back(std::move(schema));
}
template <class Enum>
void add_columns(std::vector<column_schema>& all, const column_facts& facts, const counts_by<Enum>&) {
    all.push_back({facts, "integer", *facts.absent != '\0', words_of<Enum>(), true});
}
template <class Part>
void add_columns(std::vector<column_schema>& all, const column_facts&, const formatted<Part>&) {
    const std::vector<column_schema> more = columns_of<Part>();
    all.insert(all.end(), more.begin(), more.end());
}

template <class Row>
std::vector<column_schema> columns_of(const Row& row) {
    std::vector<column_schema> all;
    for_each_column(row, [&](const auto& facts, const auto& value) { add_columns(all, facts, value); });
    return all;
}

template <class Row>
nlohmann::ordered_json table_schema() {
    return table_schema(Row::table, columns_of<Row>());
}

}  // namespace weir::tb
