#include "tb/verify/compare/comparison_report.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tb/support/text/text_format.h"

namespace weir::tb {

namespace {

constexpr std::size_t longest_line = 240;
constexpr std::size_t longest_value = 100;

std::string shortened(const std::string& text, std::size_t most = longest_value) {
    return text.size() <= most ? text : text.substr(0, most) + "...";
}

std::string or_none(const column_names& names) {
    return names.empty() ? "none" : joined(names);
}

std::string number_of(std::size_t count, const char* one, const char* many) {
    return count_text(count) + " " + (count == 1 ? one : many);
}

/// One of the two files, and where its events are in streams and steps.
struct compared_side {
    const event_table& table;
    std::vector<stream_event> event_stream::*events;
    std::int64_t alignment_step::*place;

    const event_row& row(const event_stream& stream, std::int64_t at) const {
        return table.rows[(stream.*events)[static_cast<std::size_t>(at)].row];
    }
    const std::string& field(const event_row& row, const std::string& column) const {
        return row.fields[*table.find(column)];
    }
    /// A waveform's events have no lines.
    std::string place_of(const event_row& row) const {
        if (row.line != 0) {
            return table.path + ":" + std::to_string(row.line);
        }
        return row.time.empty() ? table.path : table.path + " at " + row.time;
    }
};

class report_writer {
 public:
    report_writer(std::ostream& out, const report_input& input) : m_out(out), m_in(input) {}

    void write() {
        write_what();
        write_offset();
        write_counts();
        const auto& all = m_in.result.mismatches;
        const auto first =
            std::find_if(all.begin(), all.end(), [](const event_mismatch& m) { return !m.waived; });
        if (first != all.end()) {
            write_first(*first);
            const auto outside = write_first_outside(first);
            write_others(static_cast<std::size_t>(first - all.begin()),
                         static_cast<std::size_t>(outside - all.begin()));
        }
        write_unused();
        if (m_in.result.empty()) {
            m_out << "nothing to compare: neither file has events"
                  << (m_in.given.allow_empty ? "\n" : "; --allow-empty accepts this\nNOTHING COMPARED\n");
        }
        if (!m_in.result.empty() || m_in.given.allow_empty) {
            m_out << (m_in.result.passed() ? "no mismatch" : "MISMATCH")
                  << (m_in.result.passed() && m_in.result.waived > 0 ? " that is not waived" : "") << '\n';
        }
    }

 private:
    const column_names& columns(column_role role) const { return m_in.roles.of(role); }
    std::string cycles(std::int64_t count) const { return duration_text(count, m_in.roles); }

    void write_what() {
        const match_limits& limits = m_in.given.options.limits;
        const column_names& state = columns(column_role::state);
        m_out << "expected  " << m_in.expected.path << ": "
              << number_of(m_in.expected.rows.size(), "event", "events") << '\n'
              << "actual    " << m_in.actual.path << ": "
              << number_of(m_in.actual.rows.size(), "event", "events") << '\n'
              << "streams   " << count_text(m_in.streams.size()) << ", key "
              << or_none(columns(column_role::key)) << '\n'
              << "time      " << or_none(columns(column_role::time)) << ", tolerance "
              << cycles(limits.tolerance) << "; reorder depth " << limits.reorder_depth << '\n';
        column_names durations;
        for (const std::string& end : columns(column_role::ends)) {
            durations.push_back(end + " - " + m_in.roles.time());
        }
        durations.insert(durations.end(), columns(column_role::durations).begin(),
                         columns(column_role::durations).end());
        if (!durations.empty()) {
            m_out << "durations " << joined(durations) << ", tolerance " << cycles(limits.duration_tolerance)
                  << '\n';
        }
        m_out << "values    " << or_none(columns(column_role::values))
              << (state.empty() ? "" : "; state " + joined(state)) << '\n';
        if (!columns(column_role::ignored).empty()) {
            m_out << "ignored   " << joined(columns(column_role::ignored)) << '\n';
        }
        for (const std::string& column : unused_times(m_in.roles)) {
            m_out << "note      " << column << " is compared as a value; --time " << column
                  << " compares it as the time of the events (whole numbers only)\n";
        }
        for (const event_table* const table : {&m_in.expected, &m_in.actual}) {
            for (const std::string& note : table->notes) {
                m_out << "note      " << note << '\n';
            }
        }
    }

    /// Offsets are said, whether they are taken off, tolerated, or what is wrong.
    void write_offset() {
        if (!m_in.roles.has_time()) {
            return;
        }
        const auto text_of = [&](const auto& offset) {
            return signed_duration_text(offset.first, m_in.roles) + " in all events of " +
                   number_of(offset.second, "stream", "streams") + " of " + count_text(m_in.streams.size());
        };
        m_out << "offset    " << joined(m_in.result.offsets, "; ", text_of);
        if (m_in.result.offsets.empty()) {
            m_out << "none\n";
        } else if (m_in.given.options.offset == stream_offset::first) {
            m_out << "; subtracted separately for each stream\n";
        } else if (m_in.given.options.offset == stream_offset::all) {
            m_out << "; " << signed_duration_text(m_in.result.streams.front().offset, m_in.roles)
                  << " subtracted from all streams\n";
        } else {
            m_out << "; not subtracted\n";
        }
    }

    void write_counts() {
        m_out << "matched   " << count_text(m_in.result.matched);
        for (const auto& kind : names_of(mismatch_kind{})) {
            m_out << ", " << kind.name << " "
                  << count_text(m_in.result.count[static_cast<std::size_t>(kind.value)]);
        }
        if (m_in.accepted.count() > 0) {
            m_out << ", waived " << count_text(m_in.result.waived);
        }
        m_out << '\n';
    }

    void write_first(const event_mismatch& m) {
        m_out << "\nfirst mismatch: " << line(m) << '\n';
        write_details(m);
        m_out << "expected:\n";
        write_context(m, m_expected);
        m_out << "actual:\n";
        write_context(m, m_actual);
        write_state(m);
    }

    /// Where only the state differs first, what it leads to is what a user of the block sees. Returns what it
    /// has shown, or the end.
    std::vector<event_mismatch>::const_iterator write_first_outside(
        std::vector<event_mismatch>::const_iterator first) {
        if (!is_only_in_state(*first)) {
            return m_in.result.mismatches.end();
        }
        const auto outside = std::find_if(first, m_in.result.mismatches.end(), [&](const event_mismatch& m) {
            return !m.waived && !is_only_in_state(m);
        });
        if (outside == m_in.result.mismatches.end()) {
            m_out << "\nall mismatches are in internal state only\n";
            return outside;
        }
        m_out << "\nfirst mismatch outside the state: " << line(*outside) << '\n';
        write_details(*outside);
        return outside;
    }

    /// `first` and `outside` have been shown.
    void write_others(std::size_t first, std::size_t outside) {
        const auto& all = m_in.result.mismatches;
        const std::size_t most_listed = m_in.given.most_listed;
        std::size_t left = most_listed - std::min<std::size_t>(most_listed, outside < all.size() ? 2 : 1);
        std::size_t listed = 0;
        std::size_t more = 0;
        for (std::size_t i = first + 1; i < all.size(); ++i) {
            if (all[i].waived || i == outside) {
                continue;
            }
            if (left > 0) {
                m_out << (listed == 0 ? "\nfurther mismatches:\n" : "") << "  " << line(all[i]) << '\n';
                ++listed;
                --left;
            } else {
                ++more;
            }
        }
        if (more > 0) {
            m_out << (listed == 0 ? "\n" : "") << "  and " << count_text(more) << " more (--list)\n";
        }
        m_out << '\n';
    }

    void write_unused() {
        const std::vector<std::string> unused = m_in.accepted.unused();
        if (!unused.empty()) {
            m_out << "unused waivers: " << count_text(unused.size()) << " of "
                  << count_text(m_in.accepted.count()) << '\n';
        }
        for (const std::string& waiver : unused) {
            m_out << "  " << waiver << '\n';
        }
    }

    const event_stream& stream_of(const event_mismatch& m) const { return m_in.streams[m.stream]; }
    /// The event of a mismatch on one side; null if there is none.
    const event_row* event_of(const event_mismatch& m, const compared_side& side) const {
        const std::int64_t place = m_in.result.streams[m.stream].events.steps[m.step].*side.place;
        return place < 0 ? nullptr : &side.row(stream_of(m), place);
    }

    /// `, column value` for each value that is not empty.
    std::string values_text(const compared_side& side, const event_row& event) const {
        std::string text;
        for (const std::string& column : columns(column_role::values)) {
            const std::string& value = side.field(event, column);
            text += value.empty() ? "" : ", " + column + " " + shortened(value);
        }
        return text;
    }
    std::string time_text(const compared_side& side, const event_row& event) const {
        return m_in.roles.time() + " " + side.field(event, m_in.roles.time());
    }

    /// Kind, stream, time, and places in both files, in one line.
    std::string line(const event_mismatch& m) const {
        std::string text = name_of(m.kind);
        if (m.kind == mismatch_kind::late) {
            text += " by " + cycles(m.late_by) + (m.late_by < 0 ? " (early)" : "");
        }
        const column_names& key = columns(column_role::key);
        for (std::size_t k = 0; k < key.size(); ++k) {
            text += (k == 0 ? ", " : " ") + key[k] + "=" + stream_of(m).key[k];
        }
        const event_row* const expected = event_of(m, m_expected);
        const event_row* const actual = event_of(m, m_actual);
        const compared_side& side = expected != nullptr ? m_expected : m_actual;
        const event_row& event = expected != nullptr ? *expected : *actual;
        text += m_in.roles.has_time() ? ", " + time_text(side, event) : "";
        const bool is_pair = expected != nullptr && actual != nullptr;
        // A dropped event has to be named, not only counted.
        text += is_pair ? "" : values_text(side, event);
        return text + " (" + side.place_of(event) + (is_pair ? ", " + m_actual.place_of(*actual) : "") + ")";
    }

    /// A line for each column that differs; none where one of the events is missing.
    void write_details(const event_mismatch& m) {
        for (const column_role role :
             {column_role::time, column_role::ends, column_role::durations, column_role::values}) {
            for (const std::string& column : differing(m, columns(role))) {
                m_out << "  " << column << ": expected "
                      << shortened(m_expected.field(*event_of(m, m_expected), column)) << ", actual "
                      << shortened(m_actual.field(*event_of(m, m_actual), column)) << '\n';
            }
        }
    }
    column_names differing(const event_mismatch& m, const column_names& among) const {
        const event_row* const expected = event_of(m, m_expected);
        const event_row* const actual = event_of(m, m_actual);
        column_names found;
        for (const std::string& column : among) {
            if (expected != nullptr && actual != nullptr &&
                !same_value(m_expected.field(*expected, column), m_actual.field(*actual, column))) {
                found.push_back(column);
            }
        }
        return found;
    }

    /// Both events are there, and differ in nothing but the block's state.
    bool is_only_in_state(const event_mismatch& m) const {
        const column_names values = differing(m, columns(column_role::values));
        const column_names& state = columns(column_role::state);
        return m.kind == mismatch_kind::different && !values.empty() &&
               std::all_of(values.begin(), values.end(), [&](const std::string& column) {
                   return std::find(state.begin(), state.end(), column) != state.end();
               });
    }

    /// The stream's events around a mismatch on one side; `>` marks its place.
    void write_context(const event_mismatch& m, const compared_side& side) {
        const std::vector<alignment_step>& steps = m_in.result.streams[m.stream].events.steps;
        const std::size_t from = m.step - std::min(m.step, m_in.given.context);
        const std::size_t to = std::min(steps.size(), m.step + m_in.given.context + 1);
        for (std::size_t s = from; s < to; ++s) {
            const char* const mark = s == m.step ? "  > " : "    ";
            if (const std::int64_t place = steps[s].*side.place; place >= 0) {
                const event_row& event = side.row(stream_of(m), place);
                m_out << mark << side.place_of(event) << ": " << shortened(joined(event.fields), longest_line)
                      << '\n';
            } else if (s == m.step) {
                m_out << mark << "(no event)\n";
            }
        }
    }

    /// Per signal of the same block: the last event before a mismatch, once if both sides agree.
    void write_state(const event_mismatch& m) {
        m_out << (m_in.roles.has_time() ? "state before:\n" : "");
        for (std::size_t s = 0; m_in.roles.has_time() && s < m_in.streams.size(); ++s) {
            const event_stream& stream = m_in.streams[s];
            if (stream.scope != stream_of(m).scope) {
                continue;
            }
            const std::string name =
                "  " + (m_in.roles.key_ends_in_signal ? stream.key.back() + ": " : std::string());
            const std::string expected = last_before(stream, m_expected, m.time);
            const std::string actual = last_before(stream, m_actual, m.time + m_in.result.streams[s].offset);
            if (expected == actual) {
                m_out << name << expected << '\n';
            } else {
                m_out << name << "expected " << expected << '\n' << name << "actual   " << actual << '\n';
            }
        }
    }
    /// The stream's last event before a time, in words. Unit: cycle.
    std::string last_before(const event_stream& stream, const compared_side& side, std::int64_t time) const {
        const std::vector<stream_event>& events = stream.*side.events;
        const auto found = std::find_if(events.rbegin(), events.rend(),
                                        [&](const stream_event& event) { return event.time < time; });
        if (found == events.rend()) {
            return "no event";
        }
        const event_row& event = side.table.rows[found->row];
        return time_text(side, event) + values_text(side, event);
    }

    std::ostream& m_out;
    const report_input& m_in;
    compared_side m_expected{m_in.expected, &event_stream::expected, &alignment_step::expected};
    compared_side m_actual{m_in.actual, &event_stream::actual, &alignment_step::actual};
};

}  // namespace

void write_report(std::ostream& out, const report_input& input) {
    report_writer(out, input).write();
}

}  // namespace weir::tb
