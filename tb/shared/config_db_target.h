// The file that --write-config-db names.
#pragma once

#include <string>

#include "weir/base/config_error.h"

namespace weir::tb {

/// What is wrong with it: a directory, in no directory, or there already and no config_db.json. One that is
/// there is replaced only where it is such a file, too.
config_errors check_config_db_target(const std::string& path);

}  // namespace weir::tb
