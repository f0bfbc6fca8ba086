// The files of [shared]: what they say of each switch's groups, queues and slices.
#pragma once

#include <optional>
#include <vector>

#include "tb/options/run_config.h"
#include "tb/plan/built_topology.h"

namespace weir::tb {

/// A row of `group_profiles` stands above `config_db`, and that above `pg_profile_lookup`. Range: `built.plan`
/// is complete.
read_profiles read_shared_profiles(const run_config& config, const built_topology& built,
                                   config_errors& errors);

/// Of one switch.
const shared_profiles& profiles_of(const built_topology& built, switch_id s);

/// Least headroom that a file gives a lossless group behind this link; nothing where none does.
std::optional<bytes> profiled_headroom(const run_config& config, const built_topology& built, link_id link);

/// Whether some queue of the fabric marks frames (ECN), and some transport of the run heeds marks.
bool marks_frames(const run_config& config, const built_topology& built);

}  // namespace weir::tb
