// shared.config_db: groups, queues and pools as a SONiC switch's config_db.json has them.
//
// A class of the model is SONiC's traffic class. The port's maps say its priority group and its queue, whose
// profiles it takes; a lossless class has to have one number as traffic class, PFC priority, priority group and
// queue, because the model knows only one. Port n of a named switch is the n-th of the file's ports, EthernetN
// by N. What the file does not say stays as it is: from shared.pg_profile_lookup, or from the options.
//
// A profile's `size` is read as sonic_profiles.h says: with xoff, unless the pool of the lossless groups has
// xoff of its own. A pool's `size` includes what is reserved for its members in the same case
// (shared.pools_include_reserved): so Trident2, whose hardware tests count it, and so SAI defines it;
// Tomahawk's, with a headroom pool, is the shared part alone.
#pragma once

#include <string>
#include <vector>

#include "tb/options/run_config.h"
#include "tb/plan/built_topology.h"
#include "tb/plan/profile_sources.h"
#include "tb/sonic/config_db.h"

namespace weir::tb {

/// `read` has room for each switch.
void read_config_db_profiles(const config_db& file, const run_config& config, const built_topology& built,
                             read_profiles& read, config_errors& errors);

/// That shared.config_db_switches names; none, and an error, where a name fits none.
std::vector<switch_id> switches_of_config_db(const run_config& config, const topology& plan,
                                             config_errors& errors);

/// Pools of the lossless and of the lossy kind's groups and queues; `sonic_buffer::none`: the file names none.
struct sonic_pool_uses {
    std::array<std::size_t, 2> groups{sonic_buffer::none, sonic_buffer::none};
    std::array<std::size_t, 2> queues{sonic_buffer::none, sonic_buffer::none};
};
/// Of the first `ports` of the file. Errors: one kind that uses two pools.
sonic_pool_uses pool_uses_of(const config_db& file, unsigned ports, const run_config& config,
                             config_errors& errors);

}  // namespace weir::tb
