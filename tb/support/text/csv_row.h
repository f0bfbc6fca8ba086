// One line of a CSV file (RFC 4180) as it is written: fields one after the other, into room that the caller has
// made, without asking for each of them whether it fits.
//
//   csv_row row(file.room(2 * (most_digits + 1) + name.most() + 1));
//   file.written(row.add(flow).add_name(name).add(retransmits).end());     // 17,query,0\n
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "tb/support/text/digits.h"
#include "weir/base/time.h"

namespace weir::tb {

/// Digits of the largest real number, a sign, a point, decimals.
inline constexpr std::size_t longest_decimal = 340;
/// 17 digits, a sign, a point, an exponent.
inline constexpr std::size_t longest_real = 32;

/// Text as it stands in the file (`csv_text`), kept so that it is copied in whole blocks.
class csv_name {
 public:
    explicit csv_name(std::string_view text) : m_size(text.size()), m_text(text) { m_text.resize(most()); }
    const char* data() const { return m_text.data(); }
    std::size_t size() const { return m_size; }
    /// Characters that may be read, and written where it is copied to.
    std::size_t most() const { return m_size + block; }

    static constexpr std::size_t block = 16;

 private:
    std::size_t m_size;
    std::string m_text;
};

class csv_row {
 public:
    explicit csv_row(char* to) : m_at(to) {}

    /// At most `most_digits` characters, and one for what follows, as behind each field.
    csv_row& add(std::uint64_t value) { return up_to(put_digits(m_at, value)); }
    /// Exact: up to three decimals, none that are zero at the end. `25000.125`. At most `most_ns_digits`.
    csv_row& add_ns(picoseconds time) { return up_to(put_ns(m_at, time)); }
    /// With `decimals` (0-9) decimals; at most `longest_decimal` characters.
    csv_row& add_decimal(double value, int decimals) {
        return up_to(
            std::to_chars(m_at, m_at + longest_decimal, value, std::chars_format::fixed, decimals).ptr);
    }
    /// The shortest text that reads back as the same number: `0.87890625`; at most `longest_real` characters.
    csv_row& add_real(double value) { return up_to(std::to_chars(m_at, m_at + longest_real, value).ptr); }
    /// As it stands in the file: what `csv_text` has made of a name.
    csv_row& add_text(std::string_view text) {
        std::memcpy(m_at, text.data(), text.size());
        return up_to(m_at + text.size());
    }
    /// The same, of which `csv_name::block` characters more than its size may be read, and are written.
    csv_row& add_blocks(const char* text, std::size_t size) {
        for (std::size_t at = 0; at < size; at += csv_name::block) {
            std::memcpy(m_at + at, text + at, csv_name::block);
        }
        return up_to(m_at + size);
    }
    csv_row& add_name(const csv_name& name) { return add_blocks(name.data(), name.size()); }
    /// Does not apply.
    csv_row& add_nothing() { return up_to(m_at); }

    /// Where the next field begins.
    char* at() const { return m_at; }
    /// Ends the line, which has at least one field. Returns where the next one begins.
    char* end() {
        m_at[-1] = '\n';
        return m_at;
    }

 private:
    csv_row& up_to(char* end) {
        *end = ',';
        m_at = end + 1;
        return *this;
    }
    char* m_at;
};

}  // namespace weir::tb
