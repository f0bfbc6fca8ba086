// A mismatch in words: what it is, which columns differ, what stands around it in both files, and what the
// block's signals were before it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/compare/comparison.h"

namespace weir::tb {

struct report_input;

class mismatch_text {
 public:
    explicit mismatch_text(const report_input& input) : m_in(input) {}

    /// Kind, stream, time, and places in both files, in one line.
    std::string line(const event_mismatch& m) const;
    /// Per column: what was expected, what is there. Empty where one of the events is missing.
    std::vector<std::string> details(const event_mismatch& m) const;
    /// Both events are there, and differ in nothing but the block's state.
    bool only_in_state(const event_mismatch& m) const;
    /// The stream's events around it on one side; `>` marks its place.
    std::vector<std::string> context(const event_mismatch& m, std::int64_t alignment_step::*side) const;
    /// Per signal of the same block: the last event before it, once if both sides agree. Empty without time.
    std::vector<std::string> state(const event_mismatch& m) const;

 private:
    /// The stream's last event before a time, in words. Unit: cycle.
    std::string last_before(const event_stream& stream, std::int64_t alignment_step::*side,
                            std::int64_t time) const;
    const event_row* row_of(const event_mismatch& m, std::int64_t alignment_step::*side) const;
    const event_row& row(const event_stream& stream, std::int64_t place,
                         std::int64_t alignment_step::*side) const;
    const event_table& table(std::int64_t alignment_step::*side) const;

    const report_input& m_in;
};

}  // namespace weir::tb
