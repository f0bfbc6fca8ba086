// Options and columns that the replays of a transmitter share (pfc-tx, mac10g).
#pragma once

#include <vector>

#include "tb/replay/replay_job.h"
#include "tb/text/csv_file.h"
#include "weir/model/clocked/pfc_transmit_control.h"
#include "weir/protocol/pause_frame.h"

namespace weir::tb {

/// Longest data frame of a stimulus, without FCS.
inline constexpr std::uint64_t most_frame_octets = 65'535;

/// Latencies, launch-edge, source-address.
std::vector<replay_option> transmit_options();
/// Reports options that do not go together.
void check_transmit_options(replay_job& job);
pfc_transmit_config transmit_config_of(const replay_job& job);
/// Source address of control frames.
mac_address source_address_of(const replay_job& job);

/// The columns quanta_k0..k7 and refresh_k0..k7 of a file of scenarios.
class pause_time_columns {
 public:
    explicit pause_time_columns(csv_file& file)
        : m_quanta(file.column("quanta_k0..k7")), m_refresh(file.column("refresh_k0..k7")) {}
    bool read(csv_file& file, pfc_transmit_config& config) const;

 private:
    std::size_t m_quanta;
    std::size_t m_refresh;
};

}  // namespace weir::tb
