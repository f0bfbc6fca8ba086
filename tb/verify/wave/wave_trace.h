// `trace.wave`: chosen switches' signals into one waveform.
//
// Each switch's signals are recorded by a probe of its own, on the thread that runs the switch. At
// barriers, when all nodes have reached the same time, what the probes of all ranks hold is gathered on rank 0,
// sorted and written, so that the file depends neither on the quantum nor on the threads nor on the engine nor
// on the ranks. All ranks declare the signals of all switches, from the plan: so they agree on their places.
//
//   wave_trace wave(config, network, switches, directory);
//   wave.take(sure);      // at barriers
//   wave.finish(end);
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tb/run/options/run_config.h"
#include "tb/support/files/run_directory.h"
#include "tb/verify/wave/switch_signals.h"
#include "tb/verify/wave/wave_file.h"
#include "tb/verify/wave/wave_window.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

/// The switches that `trace.wave_switches` names, in their order; all where it names none. None without a
/// waveform.
std::vector<switch_id> switches_in_wave(const wave_options& options, const topology& plan,
                                        config_errors& errors);

class wave_trace {
 public:
    /// Before the simulation starts. Throws output_error, as the others.
    wave_trace(const run_config& config, fabric& network, const std::vector<switch_id>& switches,
               const run_directory& directory);

    /// Changes up to `sure`: nodes have reached a later time, and the run does not end before. Collective, as
    /// the next two.
    void take(picoseconds sure);
    /// The run has ended, at `end`: nothing that happened later is written.
    void finish(picoseconds end);
    /// The run has failed, and all nodes have got to `end`. A deadlock is a trigger: when, or `never`.
    void finish_failed(picoseconds end, picoseconds deadlock);

    /// What the user should know of a file that is not what was asked for, one sentence each.
    /// `window`: when it was to be written, as window_text says it.
    std::vector<std::string> warnings(const std::string& window) const;

 private:
    void find_alike(const std::vector<switch_id>& switches, const std::vector<std::string>& names);
    std::string scope_of(const std::vector<std::string>& names, switch_id s) const;
    picoseconds gather();

    fabric& m_network;
    std::string m_name;
    /// Which scope is which switch, where the scopes do not tell.
    std::string m_alike;
    wave_options m_options;
    /// The run ends when its traffic does: with the last frame, which is not known as long as it runs.
    /// Of the switches that are here.
    std::vector<std::unique_ptr<switch_signals>> m_probes;
    std::unique_ptr<wave_file> m_file;
    std::unique_ptr<wave_window> m_window;
    /// Nothing more will be written: known on all ranks.
    bool m_closed = false;
};

}  // namespace weir::tb
