// Victims of a fault: transfers that completed in one run and, of the same traffic, not in another, by tag and
// by the switch of their hosts.
//
//   data_table table = victims_table("out/healthy", "out/broken", {"h7"}, errors);
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tb/table/data_table.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// `without`: names of hosts; transfers that start or end there are left out. Errors: files that cannot be
/// read; runs whose traffic, seed or length differ; a transfer that is another one in the second run; a name
/// that is no host.
data_table victims_table(const std::filesystem::path& healthy, const std::filesystem::path& broken,
                         const std::vector<std::string>& without, config_errors& errors);

}  // namespace weir::tb
