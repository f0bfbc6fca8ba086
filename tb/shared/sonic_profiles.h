// shared.pg_profile_lookup: lossless groups as SONiC sets them, by their link's speed and cable length.
//
// SONiC is told each cable's length, and takes the row of exactly that length. Here links have a latency: a
// cable of 5 ns/m, and whatever the link's ends add. The row is that of the shortest cable listed for the speed
// that takes at least as long; a link longer than all of them is refused.
//
// Where `size` is at least `xoff`, headroom is in it, as in tables of switches without a headroom pool: the
// group's minimum is the difference (Trident2: 41,808 - 40,560 = 6 cells of 208 B). Else it is `size`.
#pragma once

#include <string>
#include <vector>

#include "tb/options/run_config.h"
#include "tb/run/build_topology.h"

namespace weir {

/// `profiles` has one for each switch; all lossless groups get theirs.
void read_sonic_profiles(const std::string& path, const run_config& config, const built_topology& built,
                         std::vector<shared_profiles>& profiles, config_errors& errors);

}  // namespace weir
