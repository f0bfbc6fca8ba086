// shared.config_db: groups, queues and pools as a SONiC switch's config_db.json has them (sonic_switch.h).
//
// A class of the model is SONiC's traffic class. The port's maps say its priority group and its queue, whose
// profiles it takes; a lossless class has to have one number as traffic class, PFC priority, priority group and
// queue, because the model knows only one. Port n of a named switch is the n-th of the file's ports, EthernetN
// by N. What the file does not say stays as it is: from shared.pg_profile_lookup, or from the options.
#pragma once

#include <vector>

#include "tb/options/run_config.h"
#include "tb/plan/built_topology.h"
#include "tb/plan/profile_sources.h"
#include "tb/shared/sonic_switch.h"

namespace weir::tb {

/// `read` has room for each switch.
void read_config_db_profiles(const config_db& file, const run_config& config, const built_topology& built,
                             read_profiles& read, config_errors& errors);

/// That shared.config_db_switches names; none, and an error, where a name fits none.
std::vector<switch_id> switches_of_config_db(const run_config& config, const topology& plan,
                                             config_errors& errors);

}  // namespace weir::tb
