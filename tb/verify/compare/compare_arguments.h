// The arguments of `weir compare`.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "tb/run/arguments/argument_list.h"
#include "tb/verify/compare/comparison.h"
#include "tb/verify/events/column_roles.h"

namespace weir::tb {

/// The end of `weir compare --help`: roles of columns, waivers, exit statuses.
void write_help_of_columns(std::ostream& out);
/// Names separated by commas; `none`: no column.
parse_result<std::optional<column_names>> read_columns(const std::string& text);
/// Reads `COLUMN=TEXT`.
parse_result<event_filter> read_filter(const std::string& text);

struct compare_arguments {
    static constexpr command_text command{
        "weir compare EXPECTED ACTUAL [--option value ...]\n\nCompares two files of events: CSV with a header, "
        "as `weir replay` and RTL test benches write it, or\nwaveforms (.vcd, .fst) with a signal map that "
        "defines their events.\nEvents with the same key form a stream. The events of a stream are compared in "
        "order.\n\n",
        33, write_help_of_columns};

    /// The expected and the actual one.
    std::vector<std::string> event_files;
    /// Signal maps; empty: none.
    std::string map;
    std::string expected_map;
    std::string actual_map;
    column_choice columns;
    column_names ignored;
    std::vector<event_filter> only;
    comparison_options options;
    std::vector<std::string> waivers;
    /// Most mismatches that are listed.
    std::size_t most_listed = 20;
    /// Events shown before and after the first mismatch.
    std::size_t context = 3;
    /// Files without an event are right.
    bool allow_empty = false;

    void describe(argument_list& arguments) {
        arguments.files(event_files, 2, 2, "event file", "event files");
        arguments("tolerance-cycles", options.limits.tolerance, "N",
                  "largest difference in an event's time, in cycles (default 0)")
            .range(0, most_event_cycles);
        arguments("duration-tolerance-cycles", options.limits.duration_tolerance, "N",
                  "largest difference in a duration, in cycles (default 0)")
            .range(0, most_event_cycles);
        arguments("align", options.offset, "none|first|all",
                  "subtract a constant offset before the comparison. first: for each stream,\nthe offset at "
                  "which most of its events agree; all: the offset that\nmost streams have. The report states "
                  "it (default none)");
        arguments("reorder-depth", options.limits.reorder_depth, "N",
                  "largest number of events between the expected and the actual position\nof an event (default "
                  "0: in order)")
            .range(0, 1'000'000);
        arguments("key", chosen(column_role::key), "COLS",
                  "columns that identify a stream; none: all events are one stream")
            .by(read_columns);
        arguments("time", chosen(column_role::time), "COL",
                  "column with the cycle of the event; none: compare the order only")
            .by(read_columns);
        arguments("ends", chosen(column_role::ends), "COLS",
                  "columns with cycles; their distance from the event's time is compared")
            .by(read_columns);
        arguments("durations", chosen(column_role::durations), "COLS", "columns with a number of cycles")
            .by(read_columns);
        arguments("state", chosen(column_role::state), "COLS", "columns with internal state of the block")
            .by(read_columns);
        arguments("ignore", ignored, "COLS", "columns that are not compared; may be repeated")
            .repeated_lists()
            .not_empty("names separated by commas");
        arguments("only", only, "COL=TEXT",
                  "compare only events with this value. Repeated with the same column: any\nof its values; "
                  "with another column: both conditions")
            .each_by(read_filter);
        arguments("map", map, "FILE", "signal map of the waveforms: path, event, clock, valid, origin");
        arguments("expected-map", expected_map, "FILE",
                  "signal map of EXPECTED only; --actual-map FILE: of ACTUAL only")
            .excludes("map");
        arguments("actual-map", actual_map, "FILE").excludes("map");
        arguments("waivers", waivers, "FILE", "mismatches that are accepted; may be repeated").repeated();
        arguments("allow-empty", allow_empty, "two files without events are not a failure");
        arguments("list", most_listed, "N", "largest number of mismatches listed (default 20)")
            .range(0, 1'000'000'000);
        arguments("context", context, "N", "events shown around the first mismatch (default 3)")
            .range(0, 1'000);
    }
    void complete(config_errors& errors);

 private:
    std::optional<column_names>& chosen(column_role role) { return columns[static_cast<std::size_t>(role)]; }
};

}  // namespace weir::tb
