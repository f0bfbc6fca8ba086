// Description of one column of a table, beside the value that it shows. The header, the lines, the reader
// (record_reader.h) and the schema of the Python package follow from the descriptions of a row. A unit is
// stated or follows from the end of the column's name (`_ns`); a last word such as `port` or `flow` says which
// thing the value names (table_schema.cpp).
//
//   struct watchdog_row {
//       picoseconds time;
//       std::string_view node;
//       std::optional<std::uint64_t> dropped;
//
//       static constexpr table_facts table{"watchdog.csv", "Actions of the PFC watchdogs, in order of time.",
//                                          "`pfc.watchdog`"};
//       template <class Columns>
//       static void describe(Columns& columns) {
//           using self = typename Columns::row;
//           columns(column("time_ns", &self::time, "Time of the action."));
//           columns(column("node", &self::node, "Name of the switch."));
//           columns(column("dropped_frames", &self::dropped, "Frames dropped in the storm that has ended.")
//                       .absent("event is storm"));
//       }
//   };
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"

namespace weir::tb {

/// Facts of a table. Texts live as long as the program.
struct table_facts {
    const char* file;
    const char* help;
    /// Option with which a run writes the table, between backticks; `always` without one.
    const char* written = "always";
};

/// Facts of a column that do not depend on the type of its values. Texts live as long as the program.
struct column_facts {
    const char* name;
    const char* help = "";
    /// Empty: the unit that the end of the name says (`_ns`, `_bytes`, `_percent`, `_bps`, `_frames`,
    /// `_segments`).
    const char* unit = "";
    /// When the cell is empty. Empty: never.
    const char* absent = "";
    /// Option without which the table does not have the column.
    const char* only_with = "";
    /// Regular expression that all texts match.
    const char* pattern = "";
    /// Texts of true and false.
    const char* yes = "yes";
    const char* no = "no";
    /// Decimals of a real number; most decimals of a time that is read. Below 0: the shortest text that reads
    /// back as the same number, and a time in whole units.
    int decimals = -1;
    /// Numbers that a file may have, in the column's unit.
    field_range<std::uint64_t> counts{0, UINT64_MAX};
    field_range<double> reals{0, std::numeric_limits<double>::max()};
    /// A file without the column is read, too: the value keeps its default.
    bool is_optional = false;
};

/// A description as it is built; each call states one fact and returns the same object. `Place`: a member, a
/// function of a row, or a member function without arguments.
template <class Place>
class record_column : public column_facts {
 public:
    constexpr record_column(const column_facts& facts, Place its_place)
        : column_facts(facts), m_place(its_place) {}

    constexpr record_column& unit(const char* text) { return column_facts::unit = text, *this; }
    constexpr record_column& absent(const char* when) { return column_facts::absent = when, *this; }
    constexpr record_column& only_with(const char* option) { return column_facts::only_with = option, *this; }
    constexpr record_column& pattern(const char* text) { return column_facts::pattern = text, *this; }
    constexpr record_column& words(const char* if_true, const char* if_false) {
        return yes = if_true, no = if_false, *this;
    }
    /// Range: 0 to 9.
    constexpr record_column& decimals(int count) { return column_facts::decimals = count, *this; }
    template <class Low, class High>
    constexpr record_column& range(Low low, High high, range_ends ends = range_ends::included) {
        if constexpr (std::is_floating_point_v<High>) {
            reals = {low, high, ends};
        } else {
            counts = {static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high), ends};
        }
        return *this;
    }
    constexpr record_column& may_be_missing() { return is_optional = true, *this; }

    template <class Row>
    constexpr decltype(auto) value_in(Row& row) const {
        return std::invoke(m_place, row);
    }

 private:
    Place m_place;
};

template <class Place>
constexpr record_column<Place> column(const char* name, Place place, const char* help = "") {
    return {{name, help}, place};
}

/// Columns that describe themselves (`formatted`).
template <class Place>
constexpr record_column<Place> shared_columns(Place place) {
    return {{""}, place};
}

/// Names of all values of an enumeration.
template <class Enum>
std::vector<std::string> words_of() {
    std::vector<std::string> words;
    for (const enum_name<Enum> each : names_of(Enum{})) {
        words.emplace_back(each.name);
    }
    return words;
}

/// Calls visit(description, value) for each column, in order.
template <class Row, class Visit>
void for_each_column(Row& row, Visit&& visit) {
    for_each_field(row, visit);
}

}  // namespace weir::tb
