// A flow trace on its way into a run: checked as a whole first, then streamed, so that a trace may be larger
// than memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tb/run/options/run_config.h"
#include "tb/support/files/input_file.h"
#include "weir/model/topology/topology.h"
#include "weir/traffic/traces/flow_trace.h"
#include "weir/traffic/traces/sorted_flow_stream.h"

namespace weir::tb {

class trace_feed {
 public:
    /// Reads the whole trace once. Nothing may be run if there are errors.
    trace_feed(const run_config& config, const topology& plan);

    const trace_scan& scan() const { return m_scan; }
    const tag_table& tags() const { return m_tags; }

    /// The flow that comes next, or null at the end. Throws `flow_stream_error`.
    const trace_flow* next();
    void pop() { m_have = false; }

 private:
    void read_text();
    void read_capture(const run_config& config, const topology& plan);
    /// Why it cannot be read; empty if it can.
    std::string open();

    std::string m_file;
    trace_file_format m_format;
    trace_options m_options;
    tag_table m_tags;
    trace_scan m_scan;
    input_stream m_text;
    std::unique_ptr<trace_reader> m_reader;
    /// Instead, for a packet capture.
    std::unique_ptr<flow_source> m_capture;
    std::unique_ptr<sorted_flow_stream> m_stream;
    trace_flow m_flow;
    bool m_have = false;
    bool m_ended = false;
};

}  // namespace weir::tb
