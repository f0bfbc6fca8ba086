// Mismatches that are known and accepted: a CSV file whose columns are columns of the compared events. A line
// waives every mismatch whose event has the line's text in each of these columns; `*` is any text.
//
//     config,scenario,cycle_first_beat,kind,detail
//     d8_1g,second_d1,24,timer_nonzero_with_enable_bit_clear,classes 1
//
// A column `error` (missing, extra, late, different, `*`) limits a line to one kind of mismatch. Columns kind,
// detail, note, reason, comment and description are for people. A column of another name is a mistake: were
// it skipped, a name written wrongly would waive more than was meant; and so is a line of nothing but `*`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/verify/compare/stream_alignment.h"
#include "tb/verify/events/event_table.h"
#include "weir/base/config_error.h"

namespace weir::tb {

class waivers {
 public:
    /// Adds a file's lines. `events`: has the columns that lines may name. What is wrong goes to `errors`.
    void read(const std::string& path, const event_table& events, config_errors& errors);

    /// Whether a line waives a mismatch of this event; every line that does is used from now on.
    bool waive(mismatch_kind kind, const event_table& table, const event_row& event);

    std::size_t count() const { return m_lines.size(); }
    /// Lines that have waived nothing: `file:line: text`.
    std::vector<std::string> unused() const;

 private:
    struct condition {
        std::string column;
        std::string text;
    };
    struct waiver {
        /// `file:line: text`.
        std::string text;
        std::vector<condition> conditions;
        std::optional<mismatch_kind> kind;
        bool used = false;
    };

    std::vector<waiver> m_lines;
};

}  // namespace weir::tb
