// Connection matrices of htsim (`.cm`).
//
//   Nodes 128
//   Connections 2
//   Triggers 1
//   103->34 id 1 start 0 size 2000000 send_done_trigger 1
//   103->59 id 2 trigger 1 size 2000000
//   trigger id 1 oneshot
//
// htsim reads `start` as picoseconds, but its own writers print microseconds. So a start other than 0 needs
// a declared unit; the reader does not guess.
//
// A trigger lets a flow start when others are complete. What a host knows of another takes a link's latency
// (design section 1), so a trigger must stay within one host: `send_done_trigger` is known at the source of
// the flow that fires it, `recv_done_trigger` at its destination. A trigger across hosts is an error unless
// `trace_options::trigger_delay` gives it a latency, which all triggered flows then have.
#pragma once

#include <map>

#include "weir/traffic/flow_trace.h"

namespace weir {

/// Who fires a trigger and who waits for it. Memory grows with the number of triggered flows only.
class trigger_book {
 public:
    struct problem {
        int line;
        std::string message;
    };

    /// False if the trigger is defined already.
    bool define(trace_trigger trigger, int line);
    void add_flow(const trace_flow& flow, int line);
    /// All that is wrong, in order of id: not defined, fired too often, never fired, across hosts.
    std::vector<problem> check(bool across_hosts_allowed) const;
    std::vector<trace_trigger> triggers() const;
    std::size_t defined() const { return m_defined; }

 private:
    struct waiting_flow {
        trigger_id fires;
        trigger_id fires_received;
    };
    struct entry {
        trace_trigger trigger;
        int defined_at = 0;
        int first_use = 0;
        std::uint64_t firing_flows = 0;
        /// Flows that fire it and wait for nothing themselves.
        std::uint64_t fired_by_started = 0;
        std::vector<waiting_flow> waiting;
        /// First host that fires or waits, and the first other one.
        host_id host = 0;
        host_id other_host = 0;
        int other_host_at = 0;
    };
    void use(entry& e, host_id host, int line);
    /// How many of each trigger's waiting flows start, if every flow that starts completes.
    std::map<trigger_id, std::uint64_t> reach() const;

    std::map<trigger_id, entry> m_entries;
    std::size_t m_defined = 0;
};

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

}  // namespace weir
