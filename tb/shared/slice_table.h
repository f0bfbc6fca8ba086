// shared.slice_map_file: the slice of each pair of ports.
//
//     ingress_port,egress_port,slice
//     0-15,*,0
//     16-31,0-15,1
//     16-31,16-31,2
//
// Each pair of each switch once; a column `switch` may say of which switches a row speaks.
#pragma once

#include <string>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/model/memory/shared_buffer_config.h"
#include "weir/model/topology/topology.h"

namespace weir::tb {

/// `profiles` has one for each switch, and gets the slices of its pairs.
void read_slice_table(const std::string& path, unsigned slices, const topology& plan,
                      std::vector<shared_profiles>& profiles, config_errors& errors);

}  // namespace weir::tb
