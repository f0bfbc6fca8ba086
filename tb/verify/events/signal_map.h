// Which signals of a waveform are which events: a CSV file, a line per event.
//
//     path,event,clock,valid,origin
//     tb.dut.mcf_valid,mcf_valid,tb.clk,tb.dut.mcf_valid,!tb.rst
//     tb.dut.rx_pfc_req[3],rx_pfc_req[3],tb.clk,,!tb.rst
//
// `path`: a signal, some of its bits, or several with blanks between, which are sampled together. `event`: the
// stream's name. `clock`: a signal, with `posedge` (as without) or `negedge` before it. `valid`: an event is
// each edge at which this holds; empty: each edge at which the value has changed. `origin`: cycle 0 is the
// first edge at which this holds; empty: the first edge. Conditions: `a`, `!a`, `a=5`, `a!=0x1f`, with `&`
// between. Further columns are texts that each of the line's events has: `config`, `scenario`.
#pragma once

#include <string>
#include <vector>

#include "tb/support/record/column.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// One part of a condition.
struct signal_test {
    std::string path;
    /// True if the signal has to differ.
    bool differs = false;
    /// The number, in the notation of `plain_number`.
    std::string value = "0";
};

struct stream_name {
    std::string text;
};
struct sampling_clock {
    std::string signal;
    bool falling_edge = false;
};

struct mapped_event {
    /// In the map.
    int line = 0;
    std::vector<std::string> paths;
    stream_name event;
    sampling_clock clock;
    /// All have to hold; none: at changes.
    std::vector<signal_test> valid;
    /// All have to hold; none: from the first edge on.
    std::vector<signal_test> origin;
    /// Texts of the further columns.
    std::vector<std::string> texts;

    template <class Columns>
    static void describe(Columns& columns) {
        columns(column("path", &mapped_event::paths));
        columns(column("event", &mapped_event::event));
        columns(column("clock", &mapped_event::clock));
        columns(column("valid", &mapped_event::valid).may_be_missing());
        columns(column("origin", &mapped_event::origin).may_be_missing());
    }
};

struct signal_map {
    std::string path;
    std::vector<mapped_event> events;
    /// Further columns.
    std::vector<std::string> columns;
};

signal_map read_signal_map(const std::string& path, config_errors& errors);

}  // namespace weir::tb
