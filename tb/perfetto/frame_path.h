// `trace.frame_path`: the way of one frame through the fabric, node by node: the port that each switch wanted
// for it, what that held, and the port that it took.
//
//   frame_path_trace path(config, changes, network, taps, directory);
//   path.take(sure);      // at barriers
//   path.finish(end);        // writes frame_path.csv
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tb/files/run_directory.h"
#include "tb/options/trace_options.h"
#include "tb/perfetto/journey_book.h"
#include "tb/perfetto/journey_records.h"

namespace weir::tb {

class frame_path_trace {
 public:
    /// Before the simulation starts. `config.trace.frame_path` names a frame. Throws output_error, as `finish`.
    frame_path_trace(const run_config& config, const std::vector<fabric_change>& changes, fabric& network,
                     wire_taps& taps, const run_directory& directory);

    /// Up to `sure`: nodes have reached a later time, and the run does not end before. Collective, as the next.
    void take(picoseconds sure);
    /// The run has ended, at `end`.
    void finish(picoseconds end);
    /// What the user should know of a file that holds nothing. `window`: as window_text says it.
    std::vector<std::string> warnings(const std::string& window) const;

 private:
    /// What happened to the frame at one node.
    struct stop {
        std::uint32_t node = 0;
        std::optional<frame_arrival> arrived;
        /// Its port was selected; of switches with rules of egress queues.
        std::optional<picoseconds> placed;
        unsigned wanted = 0;
        std::uint64_t held_bytes = 0;
        std::optional<picoseconds> sent;
        unsigned port = 0;
        std::string event;
    };
    /// Of one copy of the frame, from its source on.
    struct path {
        ethernet_frame frame;
        std::vector<stop> stops;
    };

    void process(const journey_record& r);
    void on_placed(const journey_record& r);
    void on_sent(const journey_record& r);
    void on_drop(const journey_record& r);
    stop& stop_at(path& p, const journey_record& r, const std::optional<frame_arrival>& arrived);
    void close(std::uint64_t number);
    void write(const path& p, std::uint64_t copy);
    const std::string& peer(const stop& s, unsigned port) const;

    const topology& m_plan;
    frame_choice m_wanted;
    output_file m_file;
    journey_records m_records;
    journey_book m_book;
    /// By number of the journey.
    std::map<std::uint64_t, path> m_open;
    /// Copies of the chosen frame; or the one with most detours so far.
    std::vector<path> m_chosen;
};

}  // namespace weir::tb
