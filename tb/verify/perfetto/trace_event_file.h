// Chrome's trace-event format as JSON, which Perfetto's viewer opens: slices and marks on tracks of processes.
//
//   trace_event_file file(directory.create("perfetto.json"));
//   const auto track = file.add_track(file.add_process("tor0"), "tx1");
//   file.add_slice(track, "flow 7", 12us, 13us, {{"bytes", 1500}}, {42, false, true});
//   file.finish();
//
// Times in the file are microseconds. The viewer keeps nanoseconds: times are cut to them here, so that slices
// that touch do not overlap.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tb/support/files/run_directory.h"
#include "weir/base/time.h"

namespace weir::tb {

/// Slices with the same number are joined by arrows, in the order of time.
struct event_chain {
    /// 0: none.
    std::uint64_t number = 0;
    /// There is one before, one after it.
    bool from_earlier = false;
    bool to_later = false;
};

class trace_event_file {
 public:
    using process_id = std::uint32_t;
    using track_id = std::uint32_t;

    /// Throws output_error, as the others.
    explicit trace_event_file(output_file file);

    process_id add_process(const std::string& name);
    /// Slices of one track must not overlap.
    track_id add_track(process_id process, const std::string& name);
    /// `args`: an object; shown with the slice.
    void add_slice(track_id track, const std::string& name, picoseconds begin, picoseconds end,
                   const nlohmann::ordered_json& args, const event_chain& chain = {});
    /// A mark without a length.
    void add_mark(track_id track, const std::string& name, picoseconds at, const nlohmann::ordered_json& args);
    void finish();

    /// Slices and marks.
    std::uint64_t events() const { return m_events; }

 private:
    void begin_event(char phase, const std::string& name, track_id track);
    void end_event();

    output_file m_file;
    std::string m_line;
    bool m_first = true;
    std::uint32_t m_processes = 0;
    /// By track: its process.
    std::vector<process_id> m_process_of;
    std::uint64_t m_events = 0;
};

}  // namespace weir::tb
