#include "tb/compare/compare_arguments.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "tb/compare/waveform.h"
#include "tb/options/command_line.h"
#include "tb/text/stimulus_file.h"

namespace weir {

std::string compare_usage() {
    return std::string(
               "weir compare EXPECTED ACTUAL [--option value ...]\n\n"
               "Compares two files of events: CSV with a header, as `weir replay` and RTL test benches write "
               "it, or\nwaveforms (.vcd, .fst) with a signal map that defines their events.\n"
               "Events with the same key form a stream. The events of a stream are compared in order.\n\n"
               "  --tolerance-cycles N           largest difference in an event's time, in cycles (default 0)\n"
               "  --duration-tolerance-cycles N  largest difference in a duration, in cycles (default 0)\n"
               "  --align none|first|all         subtract a constant offset before the comparison. first: for "
               "each stream,\n                                 the offset at which most of its events agree; "
               "all: the offset that\n                                 most streams have. The report states it "
               "(default none)\n"
               "  --reorder-depth N              largest number of events between the expected and the actual "
               "position\n                                 of an event (default 0: in order)\n"
               "  --key COLS                     columns that identify a stream; none: all events are one "
               "stream\n"
               "  --time COL                     column with the cycle of the event; none: compare the order "
               "only\n"
               "  --ends COLS                    columns with cycles; their distance from the event's time is "
               "compared\n"
               "  --durations COLS               columns with a number of cycles\n"
               "  --state COLS                   columns with internal state of the block\n"
               "  --ignore COLS                  columns that are not compared; may be repeated\n"
               "  --only COL=TEXT                compare only events with this text; may be repeated\n"
               "  --map FILE                     signal map of the waveforms: path, event, clock, valid, "
               "origin\n"
               "  --expected-map FILE            signal map of EXPECTED only; --actual-map FILE: of ACTUAL "
               "only\n"
               "  --waivers FILE                 mismatches that are accepted; may be repeated\n"
               "  --allow-empty                  two files without events are not a failure\n"
               "  --list N                       largest number of mismatches listed (default 20)\n"
               "  --context N                    events shown around the first mismatch (default 3)\n\n"
               "COLS: names separated by commas. Roles that are not given follow from the names of the "
               "columns:\n\n") +
           role_names_help +
           "\nA waivers file is CSV: each line accepts all mismatches of events that match its texts (`*`: any "
           "text).\n\n"
           "Exit status: 0 no mismatch; 1 mismatches that are not waived, or no event in either file; 2 bad "
           "input; 3 the environment failed.\n";
}

namespace {

class argument_reader {
 public:
    explicit argument_reader(const std::vector<std::string>& args) {
        command_syntax syntax;
        syntax.values = {"tolerance-cycles",
                         "duration-tolerance-cycles",
                         "align",
                         "reorder-depth",
                         "key",
                         "time",
                         "ends",
                         "durations",
                         "state",
                         "ignore",
                         "only",
                         "map",
                         "expected-map",
                         "actual-map",
                         "waivers",
                         "list",
                         "context"};
        syntax.flags = {"help", "allow-empty"};
        syntax.max_files = 2;
        m_given = split_arguments(args, syntax, option_table{});
        m_read.help = m_given.flags.count("help") != 0;
        m_read.errors = m_given.errors;
        for (config_error& error : m_read.errors) {
            if (error.message.rfind("unknown option", 0) == 0) {
                error.message = "unknown option; expected";
                for (const std::string& name : syntax.values) {
                    error.message += " --" + name;
                }
                error.message += " --allow-empty";
            }
        }
        if (m_given.files.size() < syntax.max_files && !m_read.help) {
            fail(m_given.files.empty() ? "EXPECTED" : "ACTUAL", "is missing; expected two event files");
        }
    }

    compare_arguments read() {
        m_given.files.resize(2);
        m_read.expected = m_given.files[0];
        m_read.actual = m_given.files[1];
        comparison_options& options = m_read.options;
        constexpr std::uint64_t most = most_event_cycles;
        options.limits.tolerance = static_cast<std::int64_t>(number("tolerance-cycles", 0, most));
        options.limits.duration_tolerance =
            static_cast<std::int64_t>(number("duration-tolerance-cycles", 0, most));
        options.limits.reorder_depth = number("reorder-depth", 0, 1'000'000);
        m_read.most_listed = number("list", m_read.most_listed, 1'000'000'000);
        m_read.context = number("context", m_read.context, 1'000);
        read_align();
        m_read.columns.key = columns("key", true);
        m_read.columns.time = columns("time", true);
        if (m_read.columns.time && m_read.columns.time->size() > 1) {
            fail("--time", "names more than one column; expected one, or none");
        }
        m_read.columns.ends = columns("ends", true);
        m_read.columns.durations = columns("durations", true);
        m_read.columns.state = columns("state", true);
        for (const std::string& list : m_given.values["ignore"]) {
            for (std::string& name : split("ignore", list)) {
                m_read.columns.ignored.push_back(std::move(name));
            }
        }
        m_read.allow_empty = m_given.flags.count("allow-empty") != 0;
        read_filters();
        read_maps();
        m_read.waivers = m_given.values["waivers"];
        return std::move(m_read);
    }

 private:
    void fail(const std::string& key, const std::string& message) {
        m_read.errors.push_back({"", 0, key, message});
    }

    std::optional<std::string> once(const std::string& name) { return m_given.once(name, m_read.errors); }

    std::uint64_t number(const std::string& name, std::uint64_t otherwise, std::uint64_t most) {
        const std::optional<std::string> text = once(name);
        if (!text) {
            return otherwise;
        }
        const auto read = parse_whole_number(*text);
        if (!read || *read > most) {
            fail("--" + name,
                 "'" + *text + "' is not a number in range; expected 0 to " + std::to_string(most));
            return otherwise;
        }
        return *read;
    }

    void read_align() {
        const std::optional<std::string> text = once("align");
        if (!text || *text == "none") {
            return;
        }
        if (*text != "first" && *text != "all") {
            fail("--align", "'" + *text + "' is unknown; expected none, first, all");
        }
        m_read.options.offset = *text == "first" ? stream_offset::first : stream_offset::all;
    }

    std::vector<std::string> split(const std::string& option, const std::string& list) {
        std::vector<std::string> names;
        std::size_t from = 0;
        while (from <= list.size()) {
            const std::size_t comma = std::min(list.find(',', from), list.size());
            names.push_back(list.substr(from, comma - from));
            if (names.back().empty()) {
                fail("--" + option, "'" + list + "' has an empty name; expected names separated by commas");
            }
            from = comma + 1;
        }
        return names;
    }

    std::optional<std::vector<std::string>> columns(const std::string& option, bool may_be_none) {
        const std::optional<std::string> list = once(option);
        if (!list) {
            return std::nullopt;
        }
        return may_be_none && *list == "none" ? std::vector<std::string>{} : split(option, *list);
    }

    /// A waveform needs a map, and a map a waveform.
    void read_maps() {
        const std::optional<std::string> both = once("map");
        const auto read = [&](const std::string& option, const std::string& file, std::string& map) {
            const std::optional<std::string> own = once(option);
            if (own && both) {
                fail("--" + option, "is given together with --map; expected only one of the two");
            }
            if (own && !is_waveform(file)) {
                fail("--" + option,
                     "has no effect, because '" + file + "' is not a waveform; expected a .vcd or .fst file");
            }
            if (is_waveform(file)) {
                map = own ? *own : both.value_or("");
                if (map.empty()) {
                    fail(file, "is a waveform; expected --map FILE, which defines its events");
                }
            }
        };
        read("expected-map", m_read.expected, m_read.expected_map);
        read("actual-map", m_read.actual, m_read.actual_map);
        if (both && !is_waveform(m_read.expected) && !is_waveform(m_read.actual)) {
            fail("--map", "has no effect, because neither file is a waveform; expected a .vcd or .fst file");
        }
    }

    void read_filters() {
        for (const std::string& text : m_given.values["only"]) {
            const std::size_t equals = text.find('=');
            if (equals == 0 || equals == std::string::npos) {
                fail("--only", "'" + text + "' is not a condition; expected --only COLUMN=TEXT");
                continue;
            }
            m_read.only.push_back({text.substr(0, equals), text.substr(equals + 1)});
        }
    }

    command_arguments m_given;
    compare_arguments m_read;
};

}  // namespace

compare_arguments read_compare_arguments(const std::vector<std::string>& args) {
    return argument_reader(args).read();
}

}  // namespace weir
