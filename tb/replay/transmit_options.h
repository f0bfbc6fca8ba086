// Options and columns that the replays of a transmitter share (pfc-tx, mac10g).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tb/replay/replay_job.h"
#include "tb/replay/scenario.h"
#include "weir/model/clocked/pfc_transmit_control.h"
#include "weir/protocol/pause_frame.h"

namespace weir::tb {

/// Longest data frame of a stimulus, without FCS.
inline constexpr std::uint64_t most_frame_octets = 65'535;

/// Adds latencies, launch-edge, source-address.
void add_transmit_options(std::vector<replay_option>& options);
/// Reports options that do not go together.
void check_transmit_options(replay_job& job);
/// Source address of control frames.
mac_address source_address_of(const replay_job& job);

/// Columns of a transmitter's scenario.
struct pause_times {
    std::array<std::uint16_t, pfc_classes> quanta{};
    std::array<std::uint16_t, pfc_classes> refresh{};

    template <class Columns>
    static void describe(Columns& columns) {
        columns(
            column("quanta_k0..k7", &pause_times::quanta, "times of the eight classes, with blanks between"));
        columns(column("refresh_k0..k7", &pause_times::refresh, "the same of the times between refreshes"));
    }
};

pfc_transmit_config transmit_config_of(const replay_job& job, const scenario& of, const pause_times& times);

}  // namespace weir::tb
