// One line of a CSV file (RFC 4180) as it is written: fields one after the other, into room that the caller has
// made, without asking for each of them whether it fits. `csv_line` asks.
//
//   csv_row row(file.room(2 * (most_digits + 1) + name.size() + 1));
//   file.written(row.add(flow).add_text(name).add(retransmits).end());     // 17,query,0\n
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "tb/text/digits.h"
#include "weir/base/time.h"

namespace weir::tb {

class csv_row {
 public:
    explicit csv_row(char* to) : m_at(to) {}

    /// At most `most_digits` characters, and one for what follows, as behind each field.
    csv_row& add(std::uint64_t value) { return up_to(put_digits(m_at, value)); }
    /// Exact: up to three decimals, none that are zero at the end. `25000.125`. At most `most_ns_digits`.
    csv_row& add_ns(picoseconds time) { return up_to(put_ns(m_at, time)); }
    /// As it stands in the file: what `csv_text` has made of a name.
    csv_row& add_text(std::string_view text) {
        std::memcpy(m_at, text.data(), text.size());
        return up_to(m_at + text.size());
    }
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
