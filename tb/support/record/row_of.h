// A row without a struct of its own: its columns are a list, each with the type of its cells.
//
//   static constexpr auto lookups = std::tuple(cell<std::string>("table", "Name of the table."),
//                                              cell<std::uint32_t>("index", "Its line.").range(0, 1023));
//   record_reader<row_of<lookups>> file("lookups.csv", errors);
//   while (const auto* const row = file.next()) {
//       const auto& [table, index] = row->cells;
//   }
#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

#include "tb/support/record/column.h"

namespace weir::tb {

/// A column of a list; the pointer says the type of its cells.
template <class T>
constexpr record_column<T*> cell(const char* name, const char* help = "") {
    return {column_facts{name, help}, nullptr};
}

/// A list of columns, and more columns.
template <class List, class... More>
constexpr auto with_more(const List& list, const More&... more) {
    return std::tuple_cat(list, std::tuple(more...));
}

template <const auto& Columns>
struct row_of {
    template <class... Types>
    static std::tuple<Types...> cells_of(const std::tuple<record_column<Types*>...>&);

    decltype(cells_of(Columns)) cells{};

    row_of() = default;
    template <class First, class Second, class... More>
    row_of(First&& first, Second&& second, More&&... more)
        : cells(std::forward<First>(first), std::forward<Second>(second), std::forward<More>(more)...) {}

    template <class List>
    static void describe(List& list) {
        describe(list, std::make_index_sequence<std::tuple_size_v<decltype(cells)>>{});
    }

 private:
    template <std::size_t Place>
    struct at {
        template <class Row>
        constexpr auto& operator()(Row& row) const {
            return std::get<Place>(row.cells);
        }
    };
    template <class List, std::size_t... Places>
    static void describe(List& list, std::index_sequence<Places...>) {
        (list(record_column<at<Places>>{std::get<Places>(Columns), at<Places>{}}), ...);
    }
};

}  // namespace weir::tb
