#include "tb/compare/comparison_report.h"

#include <algorithm>

#include "tb/compare/mismatch_text.h"
#include "tb/text/text_format.h"

namespace weir::tb {

namespace {

std::string or_none(const std::vector<std::string>& names) {
    return names.empty() ? "none" : joined(names);
}

std::string number_of(std::size_t count, const char* one, const char* many) {
    return count_text(count) + " " + (count == 1 ? one : many);
}

class report_writer {
 public:
    report_writer(std::ostream& out, const report_input& input) : m_out(out), m_in(input), m_text(input) {}

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
                  << (m_in.allow_empty ? "\n" : "; --allow-empty accepts this\n");
        }
        if (m_in.result.empty() && !m_in.allow_empty) {
            m_out << "NOTHING COMPARED\n";
            return;
        }
        m_out << (m_in.result.passed() ? "no mismatch" : "MISMATCH")
              << (m_in.result.passed() && m_in.result.waived > 0 ? " that is not waived" : "") << '\n';
    }

 private:
    void write_what() {
        m_out << "expected  " << m_in.expected.path << ": "
              << number_of(m_in.expected.rows.size(), "event", "events") << '\n'
              << "actual    " << m_in.actual.path << ": "
              << number_of(m_in.actual.rows.size(), "event", "events") << '\n'
              << "streams   " << count_text(m_in.streams.all.size()) << ", key " << or_none(m_in.roles.key)
              << '\n'
              << "time      " << or_none(m_in.roles.time) << ", tolerance "
              << duration_text(m_in.options.limits.tolerance, m_in.roles) << "; reorder depth "
              << m_in.options.limits.reorder_depth << '\n';
        if (!m_in.roles.ends.empty() || !m_in.roles.durations.empty()) {
            std::vector<std::string> durations;
            for (const std::string& end : m_in.roles.ends) {
                durations.push_back(end + " - " + m_in.roles.time.front());
            }
            durations.insert(durations.end(), m_in.roles.durations.begin(), m_in.roles.durations.end());
            m_out << "durations " << joined(durations) << ", tolerance "
                  << duration_text(m_in.options.limits.duration_tolerance, m_in.roles) << '\n';
        }
        m_out << "values    " << or_none(m_in.roles.values)
              << (m_in.roles.state.empty() ? "" : "; state " + joined(m_in.roles.state)) << '\n';
        if (!m_in.roles.ignored.empty()) {
            m_out << "ignored   " << joined(m_in.roles.ignored) << '\n';
        }
        write_notes();
    }

    void write_notes() {
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
        if (m_in.roles.time.empty()) {
            return;
        }
        m_out << "offset    ";
        if (m_in.result.offsets.empty()) {
            m_out << "none\n";
            return;
        }
        std::string text;
        for (const auto& [offset, count] : m_in.result.offsets) {
            text += (text.empty() ? "" : "; ") + signed_duration_text(offset, m_in.roles) +
                    " in all events of " + number_of(count, "stream", "streams") + " of " +
                    count_text(m_in.streams.all.size());
        }
        m_out << text;
        if (m_in.options.offset == stream_offset::first) {
            m_out << "; subtracted separately for each stream\n";
        } else if (m_in.options.offset == stream_offset::all) {
            m_out << "; " << signed_duration_text(m_in.result.streams.front().offset, m_in.roles)
                  << " subtracted from all streams\n";
        } else {
            m_out << "; not subtracted\n";
        }
    }

    void write_counts() {
        m_out << "matched   " << count_text(m_in.result.matched);
        for (const mismatch_kind kind :
             {mismatch_kind::missing, mismatch_kind::extra, mismatch_kind::late, mismatch_kind::different}) {
            m_out << ", " << name_of(kind) << " "
                  << count_text(m_in.result.count[static_cast<std::size_t>(kind)]);
        }
        if (m_in.waivers > 0) {
            m_out << ", waived " << count_text(m_in.result.waived);
        }
        m_out << '\n';
    }

    void write_first(const event_mismatch& m) {
        m_out << "\nfirst mismatch: " << m_text.line(m) << '\n';
        for (const std::string& detail : m_text.details(m)) {
            m_out << "  " << detail << '\n';
        }
        m_out << "expected:\n";
        for (const std::string& line : m_text.context(m, &alignment_step::expected)) {
            m_out << line << '\n';
        }
        m_out << "actual:\n";
        for (const std::string& line : m_text.context(m, &alignment_step::actual)) {
            m_out << line << '\n';
        }
        const std::vector<std::string> state = m_text.state(m);
        if (!state.empty()) {
            m_out << "state before:\n";
        }
        for (const std::string& line : state) {
            m_out << "  " << line << '\n';
        }
    }

    /// Where only the state differs first, what it leads to is what a user of the block sees. Returns what it
    /// has shown, or the end.
    std::vector<event_mismatch>::const_iterator write_first_outside(
        std::vector<event_mismatch>::const_iterator first) {
        if (!m_text.only_in_state(*first)) {
            return m_in.result.mismatches.end();
        }
        const auto outside = std::find_if(first, m_in.result.mismatches.end(), [&](const event_mismatch& m) {
            return !m.waived && !m_text.only_in_state(m);
        });
        if (outside == m_in.result.mismatches.end()) {
            m_out << "\nall mismatches are in internal state only\n";
            return outside;
        }
        m_out << "\nfirst mismatch outside the state: " << m_text.line(*outside) << '\n';
        for (const std::string& detail : m_text.details(*outside)) {
            m_out << "  " << detail << '\n';
        }
        return outside;
    }

    /// `first` and `outside` have been shown.
    void write_others(std::size_t first, std::size_t outside) {
        const auto& all = m_in.result.mismatches;
        std::size_t left =
            m_in.most_listed - std::min<std::size_t>(m_in.most_listed, outside < all.size() ? 2 : 1);
        std::size_t listed = 0;
        std::size_t more = 0;
        for (std::size_t i = first + 1; i < all.size(); ++i) {
            if (all[i].waived || i == outside) {
                continue;
            }
            if (left > 0) {
                m_out << (listed == 0 ? "\nfurther mismatches:\n" : "") << "  " << m_text.line(all[i]) << '\n';
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
        if (m_in.unused_waivers.empty()) {
            return;
        }
        m_out << "unused waivers: " << count_text(m_in.unused_waivers.size()) << " of "
              << count_text(m_in.waivers) << '\n';
        for (const std::string& line : m_in.unused_waivers) {
            m_out << "  " << line << '\n';
        }
    }

    std::ostream& m_out;
    const report_input& m_in;
    mismatch_text m_text;
};

}  // namespace

void write_report(std::ostream& out, const report_input& input) {
    report_writer(out, input).write();
}

}  // namespace weir::tb
