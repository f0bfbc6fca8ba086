// Cells of a table: how values of each type are written. `csv_cell<T>` has
//
//     type                       in the schema: integer, number, string, boolean, any
//     names(value, facts, visit) calls visit(name) for each column that the value takes (cell_groups.h)
//     most(value, facts)              most characters that `put` writes, but for the comma
//     put(row, value, facts)     writes the cell
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "tb/support/record/column.h"
#include "tb/support/text/csv_row.h"
#include "tb/support/text/text_format.h"
#include "weir/base/enum_names.h"
#include "weir/base/units.h"

namespace weir::tb {

template <class T, class = void>
struct csv_cell;

/// Values that take the one column of their description.
struct one_column {
    template <class T, class Visit>
    static void names(const T&, const column_facts& facts, Visit&& visit) {
        visit(std::string_view(facts.name));
    }
};

template <class T>
struct csv_cell<T, std::enable_if_t<std::is_unsigned_v<T> && !std::is_same_v<T, bool>>> : one_column {
    static constexpr const char* type = "integer";
    static constexpr std::size_t most(T, const column_facts&) { return most_digits; }
    static void put(csv_row& row, T value, const column_facts&) { row.add(value); }
};

template <>
struct csv_cell<bool> : one_column {
    static constexpr const char* type = "boolean";
    static std::size_t most(bool, const column_facts& facts) {
        return std::max(std::string_view(facts.yes).size(), std::string_view(facts.no).size());
    }
    static void put(csv_row& row, bool value, const column_facts& facts) {
        row.add_text(value ? facts.yes : facts.no);
    }
};

/// Unit: ns, exact to the picosecond.
template <>
struct csv_cell<picoseconds> : one_column {
    static constexpr const char* type = "number";
    static constexpr std::size_t most(picoseconds, const column_facts&) { return most_ns_digits; }
    static void put(csv_row& row, picoseconds value, const column_facts&) { row.add_ns(value); }
};

template <class Tag>
struct csv_cell<quantity<Tag>> : one_column {
    static constexpr const char* type = "integer";
    static constexpr std::size_t most(quantity<Tag>, const column_facts&) { return most_digits; }
    static void put(csv_row& row, quantity<Tag> value, const column_facts&) {
        row.add(static_cast<std::uint64_t>(value.count()));
    }
};

template <>
struct csv_cell<double> : one_column {
    static constexpr const char* type = "number";
    static constexpr std::size_t most(double, const column_facts&) { return longest_decimal; }
    static void put(csv_row& row, double value, const column_facts& facts) {
        facts.decimals < 0 ? row.add_real(value) : row.add_decimal(value, facts.decimals);
    }
};

template <class T>
struct csv_cell<T, std::enable_if_t<std::is_convertible_v<T, std::string_view>>> : one_column {
    static constexpr const char* type = "string";
    /// Quotes enclose the text, and each quote in it is doubled.
    static std::size_t most(std::string_view text, const column_facts&) { return 2 * text.size() + 2; }
    static void put(csv_row& row, std::string_view text, const column_facts&) {
        stands_alone(text) ? row.add_text(text) : row.add_text(csv_text(text));
    }
};

/// Names of an enumeration's values, in blocks that `csv_row` copies whole.
template <class Enum>
class name_blocks {
 public:
    struct text {
        char characters[48];
        std::size_t size;
    };
    static const text& of(Enum value) { return texts[static_cast<std::size_t>(value)]; }

 private:
    static constexpr auto names = names_of(Enum{});
    static constexpr auto make() {
        std::array<text, names.size()> all{};
        for (std::size_t place = 0; place < names.size(); ++place) {
            for (const char* from = names[place].name; *from != '\0'; ++from) {
                all[place].characters[all[place].size++] = *from;
            }
        }
        return all;
    }
    static constexpr bool are_in_order() {
        for (std::size_t place = 0; place < names.size(); ++place) {
            if (names[place].value != static_cast<Enum>(place)) {
                return false;
            }
        }
        return true;
    }
    static constexpr auto texts = make();
    static_assert(are_in_order(), "names of an enumeration in a table stand in the order of its values");
};

template <class T>
struct csv_cell<T, std::enable_if_t<std::is_enum_v<T>>> : one_column {
    static constexpr const char* type = "string";
    static constexpr std::size_t most(T, const column_facts&) {
        return sizeof(name_blocks<T>::text::characters);
    }
    static void put(csv_row& row, T value, const column_facts&) {
        const auto& text = name_blocks<T>::of(value);
        row.add_blocks(text.characters, text.size);
    }
};

/// A text that many lines have, kept as it stands in the file.
template <>
struct csv_cell<const csv_name*> : one_column {
    static constexpr const char* type = "string";
    static std::size_t most(const csv_name* name, const column_facts&) { return name->most(); }
    static void put(csv_row& row, const csv_name* name, const column_facts&) { row.add_name(*name); }
};

/// Empty where there is no value.
template <class T>
struct csv_cell<std::optional<T>> : csv_cell<T> {
    static std::size_t most(const std::optional<T>& value, const column_facts& facts) {
        return csv_cell<T>::most(value.value_or(T{}), facts);
    }
    /// Inlined, because a call would need the facts of a column in memory, for each line.
    [[gnu::always_inline]] static void put(csv_row& row, const std::optional<T>& value,
                                           const column_facts& facts) {
        if (value) {
            csv_cell<T>::put(row, *value, facts);
        } else {
            row.add_nothing();
        }
    }
};

}  // namespace weir::tb
