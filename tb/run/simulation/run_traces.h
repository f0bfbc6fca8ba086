// The traces of a run that the user has asked for: packet captures, waveforms, journeys, one frame's path.
//
//   run_traces traces(run, network, directory);
//   traces.take(reached);       // at barriers
//   traces.finish(end);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tb/run/setup/prepare_run.h"
#include "tb/support/files/run_directory.h"
#include "tb/verify/capture/link_capture.h"
#include "tb/verify/perfetto/frame_path.h"
#include "tb/verify/perfetto/journey_trace.h"
#include "tb/verify/wave/wave_trace.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

class run_traces {
 public:
    /// Before the simulation starts. Throws output_error, as the others.
    run_traces(const prepared_run& run, fabric& network, const run_directory& directory);

    /// All nodes have reached `time`: at some barriers, what was recorded goes to rank 0, which writes it.
    /// Collective, as the next two: all ranks call it at the same times.
    void take(picoseconds time);
    /// The run has ended, at `end`.
    void finish(picoseconds end);
    /// The run has failed with this report. Traces are often asked for to see what led to a failure: all are
    /// written up to that of a deadlock, a lossless loss or a broken invariant, and stay `.partial` after
    /// others.
    void finish_failed(const sc_core::sc_report& report);
    /// What the user should know of files that are not what was asked for, one sentence each.
    std::vector<std::string> warnings();

 private:
    /// Of several ranks: barriers between two messages of each of them to rank 0.
    static constexpr std::uint64_t barriers_per_take = 16;

    /// Calls `visit` for each trace that the user has asked for.
    template <class Visit>
    void for_each(Visit&& visit);

    fabric& m_network;
    std::uint64_t m_barriers = 0;
    /// Nodes may run past the end of such a run.
    bool m_ends_with_traffic;
    picoseconds m_window_start;
    picoseconds m_window_end;
    /// `never`: not yet, or the run has failed.
    picoseconds m_ended = never;
    wire_taps m_taps;
    std::optional<link_capture> m_capture;
    std::optional<wave_trace> m_wave;
    std::optional<journey_trace> m_journeys;
    std::optional<frame_path_trace> m_path;
};

}  // namespace weir::tb
