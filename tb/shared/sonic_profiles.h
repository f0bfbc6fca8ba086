// shared.pg_profile_lookup: lossless groups as SONiC sets them, by their link's speed and cable length.
//
// SONiC is told each cable's length, and takes the row of exactly that length. Here links have a latency: a
// cable of 5 ns/m, and whatever the link's ends add. The row is that of the shortest cable listed for the speed
// that takes at least as long; a link longer than all of them is refused.
//
// Without shared.headroom_pool each group has headroom of its own, and a table's `size` contains it: the
// group's minimum is `size` - `xoff` (Trident2: 41,808 - 40,560 = 6 cells of 208 B). With the pool `xoff` is
// only what a group may take of the pool, and the minimum is `size` (Tomahawk: 1,248). So SAI has it, in
// saibuffer.h: a pool's XOFF_SIZE of 0 or more.
#pragma once

#include <string>

#include "tb/options/run_config.h"
#include "tb/plan/built_topology.h"
#include "tb/plan/profile_sources.h"

namespace weir::tb {

/// `read` has room for each switch; all lossless groups get their profile, all ports their line. A `size` below
/// `xoff` is an error without a headroom pool.
void read_sonic_profiles(const std::string& path, const run_config& config, const built_topology& built,
                         read_profiles& read, config_errors& errors);

}  // namespace weir::tb
