// Reads a table whose rows describe their columns (column.h): finds the columns by their names and checks their
// values against the descriptions. Mistakes are reported as csv_file does, with file, line and column.
//
//   record_reader<scenario> table("scenarios.csv", errors);
//   while (const scenario* row = table.next()) { ... }
//
// A value whose range depends on other values is a text in the row, or has a wide range; the reader is asked
// for its number in the range that holds. Who does so takes every line (`next_line`) and uses those without
// mistakes
// (`is_good`), so that one mistake of a line hides no other one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tb/support/record/column.h"
#include "tb/support/text/csv_file.h"
#include "weir/base/units.h"
#include "weir/traffic/traces/flow_trace.h"

namespace weir::tb {

/// Reads a time in the unit that ends the column's name: us, or else ns. A description with three decimals
/// takes whole picoseconds. Without a range a time is at most `latest_time`.
inline bool read_time(csv_file& file, std::size_t at, const column_facts& facts, picoseconds& time) {
    const std::string_view name = facts.name;
    const std::int64_t unit = name.substr(name.rfind('_') + 1) == "us" ? 1'000'000 : 1'000;
    const bool has_range = facts.counts.high != UINT64_MAX;
    const std::uint64_t most =
        has_range ? facts.counts.high : static_cast<std::uint64_t>(latest_time.count() / unit);
    std::uint64_t count = 0;
    if (facts.decimals == 3) {
        const traffic::number_fault fault = traffic::parse_decimal(file.text(at), 3, most * 1000, count);
        time = picoseconds{static_cast<std::int64_t>(count)};
        const bool good = fault == traffic::number_fault::none;
        if (!good) {
            file.refuse(at, describe(fault, file.text(at), "0 to " + std::to_string(most) + ", in whole ps"));
        }
        return good;
    }
    const bool good = file.number(at, count, facts.counts.low, most);
    time = picoseconds{static_cast<std::int64_t>(count) * unit};
    return good;
}

/// Reads a column of the current line. False, and an error, if it holds no such value.
template <class T>
bool read_cell(csv_file& file, std::size_t at, const column_facts& facts, T& value) {
    bool good = true;
    if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>) {
        value = file.text(at);
    } else if constexpr (std::is_same_v<T, double>) {
        good = file.number(at, value, facts.reals);
    } else if constexpr (std::is_same_v<T, picoseconds>) {
        good = read_time(file, at, facts, value);
    } else if constexpr (std::is_same_v<T, bool>) {
        std::size_t word = 0;
        good = file.word(at, word, {facts.no, facts.yes});
        value = word != 0;
    } else if constexpr (std::is_enum_v<T>) {
        std::size_t word = 0;
        good = file.word(at, word, words_of<T>());
        value = names_of(T{})[word].value;
    } else {
        constexpr bool is_plain = std::is_unsigned_v<T>;
        using number = std::conditional_t<is_plain, T, std::int64_t>;
        std::uint64_t count = 0;
        good = file.number(at, count, facts.counts.low,
                           std::min<std::uint64_t>(facts.counts.high, std::numeric_limits<number>::max()));
        value = T{static_cast<number>(count)};
    }
    return good;
}
/// Nothing if the cell is empty and the description says that it may be.
template <class T>
bool read_cell(csv_file& file, std::size_t at, const column_facts& facts, std::optional<T>& value) {
    if (*facts.absent != '\0' && file.text(at).empty()) {
        return value.reset(), true;
    }
    return read_cell(file, at, facts, value.emplace());
}
/// Numbers with blanks between.
template <class T, std::size_t Count>
bool read_cell(csv_file& file, std::size_t at, const column_facts&, std::array<T, Count>& values) {
    std::vector<std::uint64_t> read;
    const bool good = file.numbers(at, read, Count, std::numeric_limits<T>::max());
    for (std::size_t i = 0; good && i < Count; ++i) {
        values[i] = static_cast<T>(read[i]);
    }
    return good;
}

template <class Row>
class record_reader : public csv_file {
 public:
    /// The arguments are those of csv_file.
    template <class... Arguments>
    record_reader(const std::string& path, config_errors& errors, Arguments... arguments)
        : csv_file(path, errors, arguments...) {
        for_each_column(m_row, [&](const column_facts& facts, const auto&) {
            m_places.push_back(facts.is_optional ? optional_column(facts.name) : column(facts.name));
        });
    }

    /// The next line without mistakes, until the next call; null at the end.
    const Row* next() {
        const Row* row = next_line();
        while (row != nullptr && !is_good()) {
            row = next_line();
        }
        return row;
    }
    /// The next line, with or without mistakes. A value that has one is of no use.
    const Row* next_line() { return csv_file::next() ? &current() : nullptr; }
    /// The current line, likewise.
    const Row& current() {
        m_row = {};
        auto place = m_places.begin();
        for_each_column(m_row, [&](const column_facts& facts, auto& value) {
            if (*place) {
                read_cell(*this, **place, facts, value);
            }
            ++place;
        });
        return m_row;
    }
    /// True if no mistake of the current line, or of one of these columns in it, was reported.
    bool is_good() const { return refused().empty(); }
    template <class... Names>
    bool is_good(const Names&... names) const {
        return ((std::count(refused().begin(), refused().end(), optional_column(names)) == 0) && ...);
    }
    /// The number of a column that is there. Nothing, and an error, if it has none in this range.
    std::optional<std::uint64_t> number(const std::string& name, std::uint64_t low, std::uint64_t high) {
        std::uint64_t value = 0;
        const bool has_number = is_good(name) && csv_file::number(column(name), value, low, high);
        return has_number ? std::optional(value) : std::nullopt;
    }
    /// The same of hexadecimal digits of at most `bits` bits.
    std::optional<wide_bits> hex(const std::string& name, std::size_t bits) {
        return is_good(name) ? csv_file::hex(column(name), bits) : std::nullopt;
    }

 private:
    Row m_row;
    std::vector<std::optional<std::size_t>> m_places;
};

}  // namespace weir::tb
