// Connection matrices of htsim (`.cm`).
//
//     Nodes 128
//     Connections 2
//     Triggers 1
//     103->34 id 1 start 0 size 2000000 send_done_trigger 1
//     103->59 id 2 trigger 1 size 2000000
//     trigger id 1 oneshot
//
// htsim reads `start` as picoseconds, but its own writers print microseconds. So a start other than 0 needs
// a declared unit; the reader does not guess.
//
// A trigger lets a flow start when others are complete. News of another host takes at least a link's latency,
// so a trigger must stay within one host: `send_done_trigger` is known at the source of the flow that fires it,
// `recv_done_trigger` at its destination. A trigger across hosts is an error unless
// `trace_options::trigger_delay` gives it a latency, which all triggered flows then have.
#pragma once

#include <array>

#include "weir/traffic/traces/flow_trace.h"
#include "weir/traffic/traces/trigger_book.h"

namespace weir::traffic {

class flow_trace_htsim final : public trace_reader {
 public:
    flow_trace_htsim(std::istream& in, trace_options options) : trace_reader(in, std::move(options)) {}
    bool next(trace_flow& flow) override;
    /// From the header; 0 until the first flow was asked for.
    host_id nodes() const { return m_nodes; }

 private:
    /// Header words, in the order of m_declared.
    enum header_word : std::uint8_t {
        nodes_word,
        connections_word,
        triggers_word,
        failures_word,
        header_words
    };

    bool read_header_line(bool& known);
    void end_header();
    bool read_flow(trace_flow& flow);
    bool read_arrow(trace_flow& flow);
    bool read_id(std::string_view key, std::string_view text, std::uint32_t& id);
    bool read_declared_start(std::string_view text, picoseconds& start);
    void read_trigger();
    void read_failure();
    void finish();

    std::array<std::uint64_t, header_words> m_declared{};
    std::array<bool, header_words> m_given{};
    bool m_header_ended = false;
    bool m_finished = false;
    bool m_unit_reported = false;
    host_id m_nodes = 0;
    std::uint64_t m_failures = 0;
    int m_first_failure = 0;
    trigger_book m_book;
};

}  // namespace weir::traffic
