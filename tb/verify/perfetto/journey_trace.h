// `trace.perfetto`: frames' journeys, pauses and losses for Perfetto's viewer.
//
// A process is a node. Its tracks are what its ports send (a slice for each frame on the wire), the frames in
// their ingress ports' memory (from last bit in to first bit out, as many tracks as frames are there at once),
// the classes that are paused, and the frames that are lost. Arrows join the slices of one frame.
//
//   journey_trace journeys(config, changes, network, nodes, taps, directory);
//   journeys.take(sure);      // at barriers
//   journeys.finish(end);
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tb/run/options/run_config.h"
#include "tb/support/files/run_directory.h"
#include "tb/verify/capture/wire_taps.h"
#include "tb/verify/perfetto/journey_book.h"
#include "tb/verify/perfetto/journey_records.h"
#include "tb/verify/perfetto/trace_event_file.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

class journey_trace {
 public:
    /// Before the simulation starts. Throws output_error, as the others.
    journey_trace(const run_config& config, const std::vector<fabric_change>& changes, fabric& network,
                  const std::vector<std::uint32_t>& nodes, wire_taps& taps, const run_directory& directory);
    ~journey_trace();

    /// Up to `sure`: nodes have reached a later time, and the run does not end before. Collective, as the next.
    void take(picoseconds sure);
    /// The run has ended, at `end`: nothing that happened later is written.
    void finish(picoseconds end);
    /// What the user should know of a file that is not what was asked for, one sentence each.
    /// `window`: when it was to be written, as window_text says it.
    std::vector<std::string> warnings(const std::string& window) const;

 private:
    using track_id = trace_event_file::track_id;
    struct node_tracks;

    void process(const journey_record& r);
    void on_sent(const journey_record& r);
    void on_pauses(const journey_record& r);
    void on_drop(const journey_record& r);
    void write_residence(node_tracks& node, const journey_record& r, const journey_step& step);
    void end_pause(node_tracks& node, unsigned port, unsigned c, picoseconds begin, picoseconds end);
    track_id track(node_tracks& node, const std::string& name);
    std::string host_name(ipv4_address address) const;

    fabric& m_network;
    const topology& m_plan;
    std::uint64_t m_limit;
    picoseconds m_start;
    picoseconds m_end;
    /// 802.3x: a pause is of the whole link.
    bool m_one_class;
    trace_event_file m_file;
    journey_records m_records;
    journey_book m_book;
    /// By node's place among all.
    std::map<std::uint32_t, std::unique_ptr<node_tracks>> m_nodes;
    picoseconds m_cut = never;
};

}  // namespace weir::tb
