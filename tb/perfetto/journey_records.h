// What a fabric's nodes record of frames, brought into one order at barriers, on rank 0. The other ranks
// hand over what theirs have recorded, and visit nothing.
//
//   journey_records records(config, changes, network, nodes, taps);
//   records.take(sure, [](const journey_record& r) { ... });      // at barriers
//   records.finish(end, [](const journey_record& r) { ... });
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "tb/options/run_config.h"
#include "tb/perfetto/journey_book.h"
#include "tb/perfetto/journey_recorder.h"
#include "weir/model/fabric/fabric.h"
#include "weir/model/link/link_history.h"

namespace weir::tb {

class journey_records {
 public:
    /// Before the simulation starts. Only frames that pass `filter`, and then without pauses; none: all.
    journey_records(const run_config& config, const std::vector<fabric_change>& changes, fabric& network,
                    const std::vector<std::uint32_t>& nodes, wire_taps& taps, frame_filter filter = {});

    using visitor = std::function<void(const journey_record&)>;
    /// Visits, in order of time, what came up to `sure`: nodes have reached a later time, and the run does not
    /// end before. Collective, as the next.
    void take(picoseconds sure, const visitor& visit);
    /// The run has ended, at `end`: nothing that happened later is visited.
    void finish(picoseconds end, const visitor& visit);
    /// While `take` visits: nothing more need be recorded, or visited from the next `take` on.
    void stop() { m_stopped = true; }

    /// Where a frame that is sent goes, and when its last bit is there.
    node_ref far_end(const journey_record& sent) const;
    frame_arrival arrival_of(const journey_record& sent) const;

 private:
    void gather();
    void stop_recorders();
    void visit_until(picoseconds until, const visitor& visit);
    const link_end& far_port(const journey_record& sent, link_id& link) const;

    fabric& m_network;
    const topology& m_plan;
    frame_filter m_filter;
    /// Of the nodes that are here.
    std::vector<std::unique_ptr<node_recorder>> m_nodes;
    std::vector<std::unique_ptr<port_recorder>> m_ports;
    std::vector<link_history> m_links;
    /// Sorted, not certain yet.
    std::vector<journey_record> m_pending;
    bool m_stopped = false;
};

}  // namespace weir::tb
