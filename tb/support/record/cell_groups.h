// Values that take several columns of a table, or none.
//
//   struct port_row {
//       counts_by<drop_reason> drops;                 // no_route_frames, link_down_frames, ...
//       template <class Columns>
//       static void describe(Columns& columns) {
//           columns(column("_frames", &Columns::row::drops, "Frames lost for that reason."));
//       }
//   };
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tb/support/record/cell.h"

namespace weir::tb {

/// Counts by kind: a column for each kind, whose name ends with the name of the description. All rows of a
/// table list the same kinds.
template <class Enum>
struct counts_by {
    const std::vector<Enum>* kinds = nullptr;
    /// The index is the kind's number. Null: the cells are empty.
    const std::uint64_t* counts = nullptr;
};

/// A column that the table has only with an option. All rows of a table agree on whether it is there.
template <class T>
struct optional_column {
    bool is_there = false;
    std::optional<T> value{};
};

/// The cells of a `Part` that several lines share, formatted once.
template <class Part>
struct formatted {
    /// Cells with commas between them. `csv_name::block` characters more than its size may be read.
    std::string_view text{};
};

/// Calls visit(name) for each column of a table that has this row.
template <class Row, class Visit>
void for_each_name(const Row& row, Visit&& visit) {
    for_each_column(row, [&](const auto& facts, const auto& value) {
        csv_cell<std::decay_t<decltype(value)>>::names(value, facts, visit);
    });
}

template <class Enum>
struct csv_cell<counts_by<Enum>> {
    template <class Visit>
    static void names(const counts_by<Enum>& by, const column_facts& facts, Visit&& visit) {
        for (const Enum kind : *by.kinds) {
            visit(std::string_view(std::string(name_of(kind)) + facts.name));
        }
    }
    static std::size_t most(const counts_by<Enum>& by, const column_facts&) {
        return by.kinds->size() * (most_digits + 1);
    }
    static void put(csv_row& row, const counts_by<Enum>& by, const column_facts&) {
        for (const Enum kind : *by.kinds) {
            by.counts != nullptr ? row.add(by.counts[static_cast<std::size_t>(kind)]) : row.add_nothing();
        }
    }
};

template <class T>
struct csv_cell<optional_column<T>> {
    template <class Visit>
    static void names(const optional_column<T>& column, const column_facts& facts, Visit&& visit) {
        if (column.is_there) {
            visit(std::string_view(facts.name));
        }
    }
    static std::size_t most(const optional_column<T>& column, const column_facts& facts) {
        return csv_cell<std::optional<T>>::most(column.value, facts);
    }
    static void put(csv_row& row, const optional_column<T>& column, const column_facts& facts) {
        if (column.is_there) {
            csv_cell<std::optional<T>>::put(row, column.value, facts);
        }
    }
};

template <class Part>
struct csv_cell<formatted<Part>> {
    template <class Visit>
    static void names(const formatted<Part>&, const column_facts&, Visit&& visit) {
        for_each_name(Part{}, visit);
    }
    static std::size_t most(const formatted<Part>& part, const column_facts&) {
        return part.text.size() + csv_name::block;
    }
    static void put(csv_row& row, const formatted<Part>& part, const column_facts&) {
        row.add_blocks(part.text.data(), part.text.size());
    }
};

}  // namespace weir::tb
