#include "tb/compare/compare_arguments.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "tb/arguments/argument_reader.h"
#include "tb/compare/waveform.h"
#include "tb/text/csv_file.h"

namespace weir::tb {

namespace {

const command_declaration declared{
    "weir compare EXPECTED ACTUAL [--option value ...]\n\nCompares two files of events: CSV with a header, as "
    "`weir replay` and RTL test benches write it, or\nwaveforms (.vcd, .fst) with a signal map that defines "
    "their events.\nEvents with the same key form a stream. The events of a stream are compared in order.\n\n",
    33,
    {
        {"tolerance-cycles", "N", "largest difference in an event's time, in cycles (default 0)"},
        {"duration-tolerance-cycles", "N", "largest difference in a duration, in cycles (default 0)"},
        {"align", "none|first|all",
         "subtract a constant offset before the comparison. first: for each stream,\nthe offset at which most "
         "of its events agree; all: the offset that\nmost streams have. The report states it (default none)"},
        {"reorder-depth", "N",
         "largest number of events between the expected and the actual position\nof an event (default 0: in "
         "order)"},
        {"key", "COLS", "columns that identify a stream; none: all events are one stream"},
        {"time", "COL", "column with the cycle of the event; none: compare the order only"},
        {"ends", "COLS", "columns with cycles; their distance from the event's time is compared"},
        {"durations", "COLS", "columns with a number of cycles"},
        {"state", "COLS", "columns with internal state of the block"},
        {"ignore", "COLS", "columns that are not compared; may be repeated"},
        {"only", "COL=TEXT",
         "compare only events with this value. Repeated with the same column: any\nof its values; with another "
         "column: both conditions"},
        {"map", "FILE", "signal map of the waveforms: path, event, clock, valid, origin"},
        {"expected-map", "FILE", "signal map of EXPECTED only; --actual-map FILE: of ACTUAL only"},
        {"actual-map", "FILE", nullptr},
        {"waivers", "FILE", "mismatches that are accepted; may be repeated"},
        {"allow-empty", nullptr, "two files without events are not a failure"},
        {"list", "N", "largest number of mismatches listed (default 20)"},
        {"context", "N", "events shown around the first mismatch (default 3)"},
    },
    0,
    2};

}  // namespace

std::string compare_usage() {
    return help_of(declared) +
           "\nCOLS: names separated by commas. Roles that are not given follow from the names of the "
           "columns:\n\n" +
           role_names_help +
           "\nA waivers file is CSV: each line accepts all mismatches of events that match its texts (`*`: any "
           "text).\n\n"
           "Exit status: 0 no mismatch; 1 mismatches that are not waived, or no event in either file; 2 bad "
           "input; 3 the environment failed.\n";
}

namespace {

class compare_reader {
 public:
    explicit compare_reader(const std::vector<std::string>& args) : m_given(declared, args) {
        m_read.help = m_given.wants_help();
        const std::size_t files = m_given.files().size();
        if (files < declared.max_files && !m_read.help) {
            m_given.fail(files == 0 ? "EXPECTED" : "ACTUAL", "is missing; expected two event files");
        }
    }

    compare_arguments read() {
        m_read.expected = m_given.file(0);
        m_read.actual = m_given.file(1);
        comparison_options& options = m_read.options;
        constexpr std::uint64_t most = most_event_cycles;
        options.limits.tolerance = static_cast<std::int64_t>(m_given.count("tolerance-cycles", 0, 0, most));
        options.limits.duration_tolerance =
            static_cast<std::int64_t>(m_given.count("duration-tolerance-cycles", 0, 0, most));
        options.limits.reorder_depth = m_given.count("reorder-depth", 0, 0, 1'000'000);
        m_read.most_listed = m_given.count("list", m_read.most_listed, 0, 1'000'000'000);
        m_read.context = m_given.count("context", m_read.context, 0, 1'000);
        constexpr stream_offset offsets[] = {stream_offset::none, stream_offset::first, stream_offset::all};
        options.offset = offsets[m_given.one_of("align", {"none", "first", "all"})];
        m_read.columns.key = columns("key", true);
        m_read.columns.time = columns("time", true);
        if (m_read.columns.time && m_read.columns.time->size() > 1) {
            m_given.fail("--time", "names more than one column; expected one, or none");
        }
        m_read.columns.ends = columns("ends", true);
        m_read.columns.durations = columns("durations", true);
        m_read.columns.state = columns("state", true);
        for (const std::string& list : m_given.all("ignore")) {
            for (std::string& name : split("ignore", list)) {
                m_read.columns.ignored.push_back(std::move(name));
            }
        }
        m_read.allow_empty = m_given.has("allow-empty");
        read_filters();
        read_maps();
        m_read.waivers = m_given.all("waivers");
        m_read.errors = m_given.errors;
        return std::move(m_read);
    }

 private:
    std::vector<std::string> split(const std::string& option, const std::string& list) {
        std::vector<std::string> names;
        std::size_t from = 0;
        while (from <= list.size()) {
            const std::size_t comma = std::min(list.find(',', from), list.size());
            names.emplace_back(trimmed(std::string_view(list).substr(from, comma - from)));
            if (names.back().empty()) {
                m_given.fail("--" + option,
                             "'" + list + "' has an empty name; expected names separated by commas");
            }
            from = comma + 1;
        }
        return names;
    }

    std::optional<std::vector<std::string>> columns(const std::string& option, bool may_be_none) {
        const std::optional<std::string> list = m_given.once(option);
        if (!list) {
            return std::nullopt;
        }
        return may_be_none && *list == "none" ? std::vector<std::string>{} : split(option, *list);
    }

    /// A waveform needs a map, and a map a waveform.
    void read_maps() {
        const std::optional<std::string> both = m_given.once("map");
        const auto read = [&](const std::string& option, const std::string& file, std::string& map) {
            const std::optional<std::string> own = m_given.once(option);
            if (own && both) {
                m_given.fail("--" + option, "is given together with --map; expected only one of the two");
            }
            if (own && !is_waveform(file)) {
                m_given.fail("--" + option, "has no effect, because '" + file +
                                                "' is not a waveform; expected a .vcd or .fst file");
            }
            if (is_waveform(file)) {
                map = own ? *own : both.value_or("");
                if (map.empty()) {
                    m_given.fail(file, "is a waveform; expected --map FILE, which defines its events");
                }
            }
        };
        read("expected-map", m_read.expected, m_read.expected_map);
        read("actual-map", m_read.actual, m_read.actual_map);
        if (both && !is_waveform(m_read.expected) && !is_waveform(m_read.actual)) {
            m_given.fail("--map",
                         "has no effect, because neither file is a waveform; expected a .vcd or .fst file");
        }
    }

    void read_filters() {
        for (const std::string& text : m_given.all("only")) {
            const std::size_t equals = text.find('=');
            if (equals == 0 || equals == std::string::npos) {
                m_given.fail("--only", "'" + text + "' is not a condition; expected --only COLUMN=TEXT");
                continue;
            }
            const std::string_view whole = text;
            m_read.only.push_back({std::string(trimmed(whole.substr(0, equals))),
                                   std::string(trimmed(whole.substr(equals + 1)))});
        }
    }

    argument_reader m_given;
    compare_arguments m_read;
};

}  // namespace

compare_arguments read_compare_arguments(const std::vector<std::string>& args) {
    return compare_reader(args).read();
}

}  // namespace weir::tb
