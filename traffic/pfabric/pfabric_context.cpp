#include "weir/traffic/pfabric/pfabric_context.h"

#include <algorithm>

#include "weir/traffic/transport/transport_context.h"

namespace weir::traffic {

/// Longest window that is set by itself.
static constexpr std::int64_t most_frames = 65'535;

static std::uint32_t window_of(const pfabric_config& config, const pfabric_path& path) {
    if (path.round_trip == 0_ps) {
        return pfabric_context::paper_window;
    }
    const picoseconds frame = transmission_time(config.payload + config.header + path.wire_overhead, path.rate);
    return static_cast<std::uint32_t>(
        std::clamp<std::int64_t>((path.round_trip + frame - 1_ps) / frame, 1, most_frames));
}

pfabric_context::pfabric_context(const pfabric_config& config, const pfabric_path& path,
                                 timer_kind retransmission_timer)
    : payload(static_cast<std::uint64_t>(config.payload.count())),
      header(static_cast<std::uint32_t>(config.header.count())),
      full_frame(frame_length(header, payload)),
      empty_frame(frame_length(header, 0)),
      window(config.window.value_or(window_of(config, path))),
      rto(config.rto.value_or(path.round_trip == 0_ps ? paper_rto : 3 * path.round_trip)),
      probe_after(config.probe_after),
      reach(static_cast<std::uint64_t>(config.receive_window / config.payload)),
      retransmission(retransmission_timer),
      bitmaps(reach) {}

}  // namespace weir::traffic
