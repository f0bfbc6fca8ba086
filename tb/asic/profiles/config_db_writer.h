// From a model to a SONiC switch's config_db.json: `weir run ... --dry-run --write-config-db FILE`.
//
// What shared.config_db has is kept but for values of the buffer tables that are others in the model. A value
// that all users of a profile share changes in the profile; where only some differ, they get a profile of their
// own beside it. Lossless groups that the file does not name are made by the switch when it runs, from its
// pg_profile_lookup.ini; they are written where shared.headroom or a row of shared.group_profiles says what
// they are. Without shared.config_db all tables are made from the model.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tb/run/options/built_topology.h"
#include "tb/run/options/run_config.h"

namespace weir::tb {

struct written_config_db {
    nlohmann::ordered_json document;
    /// Values that a config_db.json cannot have; with the table, or the option.
    config_errors errors;
    /// What of the model is not written.
    std::vector<std::string> warnings;
};

/// What is wrong with the file that --write-config-db names: a directory, in no directory, or there already and
/// no config_db.json. One that is there is replaced only where it is such a file, too.
config_errors check_config_db_target(const std::string& path);

/// Of one switch. Range: `config` and `built` have no errors, and the memory is shared.
written_config_db config_db_of(const run_config& config, const built_topology& built, switch_id s);

/// The same of the switch of that name; without a name of those that shared.config_db describes, which have to
/// be equal.
written_config_db config_db_of_switch(const run_config& config, const built_topology& built,
                                      const std::string& name);

}  // namespace weir::tb
