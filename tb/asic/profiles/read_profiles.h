// The files of [shared]: what they say of each switch's groups, queues and slices; and ports and memories of
// switches as they follow from files, options and the fabric.
#pragma once

#include <optional>
#include <vector>

#include "tb/run/options/built_topology.h"
#include "tb/run/options/run_config.h"
#include "weir/model/link/port_config.h"
#include "weir/model/memory/shared_buffer.h"

namespace weir::tb {

/// A row of `group_profiles` stands above `config_db`, and that above `pg_profile_lookup`. Range: `built.plan`
/// is complete.
read_profiles read_shared_profiles(const run_config& config, const built_topology& built,
                                   config_errors& errors);

/// Of one switch.
const shared_profiles& profiles_of(const built_topology& built, switch_id s);

/// One port of each kind of link (rate, latency, and the most of both that is to come), in the order of the
/// first link of the kind.
std::vector<port_config> kinds_of_links(const built_topology& built, bytes wire_overhead);

/// Ports of a switch in their order. `links`: a port of each link of the fabric (`ports_of_links`).
std::vector<port_config> ports_of_switch(const topology& plan, switch_id s,
                                         const std::vector<port_config>& links);

/// The shared memory of a switch.
shared_buffer memory_of_switch(const run_config& config, const built_topology& built, switch_id s,
                               const std::vector<port_config>& links);

/// Least headroom that a file gives a lossless group behind this link; nothing where none does.
std::optional<bytes> profiled_headroom(const run_config& config, const built_topology& built, link_id link);

/// Whether some queue of the fabric marks frames (ECN), and some transport of the run heeds marks.
bool marks_frames(const run_config& config, const built_topology& built);

}  // namespace weir::tb
