#include "tb/compare/mismatch_text.h"

#include <algorithm>

#include "tb/compare/comparison_report.h"

namespace weir::tb {

namespace {

constexpr std::size_t longest_line = 240;
constexpr std::size_t longest_value = 100;

std::string shortened(const std::string& text, std::size_t most) {
    return text.size() <= most ? text : text.substr(0, most) + "...";
}

/// A waveform's events have no lines.
std::string place_of(const event_table& table, const event_row& row) {
    if (row.line != 0) {
        return table.path + ":" + std::to_string(row.line);
    }
    return row.time.empty() ? table.path : table.path + " at " + row.time;
}

std::string stream_name(const column_roles& roles, const event_stream& stream) {
    std::string text;
    for (std::size_t k = 0; k < roles.key.size(); ++k) {
        text += (k == 0 ? "" : " ") + roles.key[k] + "=" + stream.key[k];
    }
    return text;
}

}  // namespace

const event_table& mismatch_text::table(std::int64_t alignment_step::*side) const {
    return side == &alignment_step::expected ? m_in.expected : m_in.actual;
}

const event_row& mismatch_text::row(const event_stream& stream, std::int64_t place,
                                    std::int64_t alignment_step::*side) const {
    const auto& events = side == &alignment_step::expected ? stream.expected : stream.actual;
    return table(side).rows[events[place].row];
}

const event_row* mismatch_text::row_of(const event_mismatch& m, std::int64_t alignment_step::*side) const {
    const std::int64_t place = m_in.result.streams[m.stream].events.steps[m.step].*side;
    return place < 0 ? nullptr : &row(m_in.streams.all[m.stream], place, side);
}

std::string mismatch_text::line(const event_mismatch& m) const {
    std::string text = name_of(m.kind);
    if (m.kind == mismatch_kind::late) {
        text += " by " + duration_text(m.late_by, m_in.roles) + (m.late_by < 0 ? " (early)" : "");
    }
    const std::string stream = stream_name(m_in.roles, m_in.streams.all[m.stream]);
    text += stream.empty() ? "" : ", " + stream;
    const event_row* const expected = row_of(m, &alignment_step::expected);
    const event_row* const actual = row_of(m, &alignment_step::actual);
    if (!m_in.roles.time.empty()) {
        const std::string& time = m_in.roles.time.front();
        const event_table& from = expected != nullptr ? m_in.expected : m_in.actual;
        const event_row& event = expected != nullptr ? *expected : *actual;
        text += ", " + time + " " + event.fields[*from.find(time)];
    }
    // A dropped event has to be named, not only counted.
    if (expected == nullptr || actual == nullptr) {
        const event_table& from = expected != nullptr ? m_in.expected : m_in.actual;
        const event_row& event = expected != nullptr ? *expected : *actual;
        for (const std::string& column : m_in.roles.values) {
            const std::string& value = event.fields[*from.find(column)];
            text += value.empty() ? "" : ", " + column + " " + shortened(value, longest_value);
        }
    }
    text += " (";
    text += expected != nullptr ? place_of(m_in.expected, *expected) : "";
    text += expected != nullptr && actual != nullptr ? ", " : "";
    text += actual != nullptr ? place_of(m_in.actual, *actual) : "";
    return text + ")";
}

std::vector<std::string> mismatch_text::details(const event_mismatch& m) const {
    std::vector<std::string> lines;
    const event_row* const expected = row_of(m, &alignment_step::expected);
    const event_row* const actual = row_of(m, &alignment_step::actual);
    if (expected == nullptr || actual == nullptr) {
        return lines;
    }
    const auto add = [&](const std::vector<std::string>& columns) {
        for (const std::string& column : columns) {
            const std::string& e = expected->fields[*m_in.expected.find(column)];
            const std::string& a = actual->fields[*m_in.actual.find(column)];
            if (!same_value(e, a)) {
                lines.push_back(column + ": expected " + shortened(e, longest_value) + ", actual " +
                                shortened(a, longest_value));
            }
        }
    };
    add(m_in.roles.time);
    add(m_in.roles.ends);
    add(m_in.roles.durations);
    add(m_in.roles.values);
    return lines;
}

bool mismatch_text::only_in_state(const event_mismatch& m) const {
    if (m.kind != mismatch_kind::different) {
        return false;
    }
    const event_row& expected = *row_of(m, &alignment_step::expected);
    const event_row& actual = *row_of(m, &alignment_step::actual);
    bool outside = false;
    bool state = false;
    for (const std::string& column : m_in.roles.values) {
        if (!same_value(expected.fields[*m_in.expected.find(column)],
                        actual.fields[*m_in.actual.find(column)])) {
            const auto& names = m_in.roles.state;
            const bool is_state = std::find(names.begin(), names.end(), column) != names.end();
            (is_state ? state : outside) = true;
        }
    }
    return state && !outside;
}

std::vector<std::string> mismatch_text::context(const event_mismatch& m,
                                                std::int64_t alignment_step::*side) const {
    std::vector<std::string> lines;
    const event_stream& stream = m_in.streams.all[m.stream];
    const std::vector<alignment_step>& steps = m_in.result.streams[m.stream].events.steps;
    const std::size_t from = m.step - std::min(m.step, m_in.context);
    const std::size_t to = std::min(steps.size(), m.step + m_in.context + 1);
    for (std::size_t s = from; s < to; ++s) {
        const std::string mark = s == m.step ? "  > " : "    ";
        if (steps[s].*side < 0) {
            if (s == m.step) {
                lines.push_back(mark + "(no event)");
            }
            continue;
        }
        const event_row& event = row(stream, steps[s].*side, side);
        lines.push_back(mark + place_of(table(side), event) + ": " +
                        shortened(joined(event.fields), longest_line));
    }
    return lines;
}

std::string mismatch_text::last_before(const event_stream& stream, std::int64_t alignment_step::*side,
                                       std::int64_t time) const {
    const auto& events = side == &alignment_step::expected ? stream.expected : stream.actual;
    const stream_event* found = nullptr;
    for (const stream_event& e : events) {
        if (e.time < time) {
            found = &e;
        }
    }
    if (found == nullptr) {
        return "no event";
    }
    const event_row& event = table(side).rows[found->row];
    const std::string& time_column = m_in.roles.time.front();
    std::string text = time_column + " " + event.fields[*table(side).find(time_column)];
    for (const std::string& column : m_in.roles.values) {
        const std::string& value = event.fields[*table(side).find(column)];
        text += value.empty() ? "" : ", " + column + " " + shortened(value, longest_value);
    }
    return text;
}

std::vector<std::string> mismatch_text::state(const event_mismatch& m) const {
    std::vector<std::string> lines;
    if (m_in.roles.time.empty()) {
        return lines;
    }
    for (std::size_t s = 0; s < m_in.streams.all.size(); ++s) {
        const event_stream& stream = m_in.streams.all[s];
        if (stream.scope != m_in.streams.all[m.stream].scope) {
            continue;
        }
        const std::string name = m_in.roles.key_ends_in_signal ? stream.key.back() + ": " : "";
        const std::string expected = last_before(stream, &alignment_step::expected, m.time);
        const std::string actual =
            last_before(stream, &alignment_step::actual, m.time + m_in.result.streams[s].offset);
        if (expected == actual) {
            lines.push_back(name + expected);
        } else {
            lines.push_back(name + "expected " + expected);
            lines.push_back(name + "actual   " + actual);
        }
    }
    return lines;
}

}  // namespace weir::tb
