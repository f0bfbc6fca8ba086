// Facts of a run that rules and conditions between options of different layers ask for: traits of the kinds
// that the options choose, of which model and traffic each know one side.
#pragma once

#include "tb/run/options/run_config.h"

namespace weir::tb {

/// True if some transfer of the run is carried by the transport whose options stand in this block.
bool uses_transport(const run_config& config, const char* block);
inline bool uses_tcp(const run_config& config) {
    return uses_transport(config, "tcp");
}
inline bool uses_roce(const run_config& config) {
    return uses_transport(config, "roce");
}
/// True if some transfer is carried by a transport whose trait has the value.
bool uses_transport(const run_config& config, bool transport_traits::*trait, bool value = true);
/// Parameters of the run's transports.
endpoint_options endpoint_options_of(const run_config& config);

/// True if the congestion control reads what switches append to frames.
bool reads_telemetry(const run_config& config);
/// True if queue pairs react to marks, and if some transport of the run does. Only frames of transports that
/// react are marked.
bool roce_heeds_marks(const run_config& config);
bool heeds_marks(const run_config& config);
/// True if switches mark frames of transports that heed marks.
bool has_marks(const run_config& config);

/// True if some block is RTL; which one.
bool has_rtl(const run_config& config);
bool has_rtl_arbiter(const run_config& config);
bool has_rtl_pfc(const run_config& config);
bool has_rtl_lookup(const run_config& config);

}  // namespace weir::tb
