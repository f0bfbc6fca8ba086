// Flow files of the HPCC simulator (alibaba-edu/High-Precision-Congestion-Control, simulation/mix/flow.txt).
//
//     2                                 number of flows
//     2 1 3 100 200000000 2             src dst priority_group dst_port bytes start_s
//     3 1 3 100 200000000 2.000000125
//     what follows is ignored
//
// ConWeave's files (conweave-project/conweave-ns3) have no dst_port: `src dst priority_group bytes start_s`.
// All flows of a file have as many fields as the first one.
//
// The declared count governs, as in HPCC: lines after it are ignored, with a warning that says how many;
// fewer lines are an error. The priority group is taken as the PFC class; the port is checked and dropped,
// since transports choose their own.
#pragma once

#include "weir/traffic/traces/flow_trace.h"

namespace weir::traffic {

class flow_trace_hpcc final : public trace_reader {
 public:
    flow_trace_hpcc(std::istream& in, trace_options options) : trace_reader(in, std::move(options)) {}
    bool next(trace_flow& flow) override;

 private:
    bool read_count();
    bool read_flow(trace_flow& flow);
    void count_ignored_lines();

    bool m_started = false;
    bool m_ended = false;
    std::uint64_t m_declared = 0;
    /// Fields of each flow; 0 before the first.
    std::size_t m_columns = 0;
};

}  // namespace weir::traffic
