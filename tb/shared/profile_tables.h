// shared.group_profiles and shared.queue_profiles: values of single groups and queues of shared memories.
//
//     switch,port,class,minimum_bytes,alpha,threshold_bytes,xon_bytes,xon_offset_bytes,headroom_bytes
//     *,*,3,1248,0.125,,18432,2496,40560
//     tor0,4-7,3,,,,,,62816
//
// An empty field, or a column that is not there, leaves the value as it is: from an earlier row, or from the
// option. A later row stands above an earlier one; one of which nothing is left is refused.
#pragma once

#include <string>
#include <vector>

#include "tb/options/run_config.h"
#include "tb/plan/profile_sources.h"
#include "weir/model/memory/shared_buffer_config.h"
#include "weir/model/topology/topology.h"

namespace weir::tb {

/// `read` has room for each switch; what the file says is added to it.
void read_group_profiles(const std::string& path, const run_config& config, const topology& plan,
                         read_profiles& read, config_errors& errors);
/// Columns: minimum_bytes, alpha, threshold_bytes, ecn_threshold_bytes.
void read_queue_profiles(const std::string& path, const run_config& config, const topology& plan,
                         std::vector<shared_profiles>& profiles, config_errors& errors);

/// Whether flow control holds the class back.
bool is_held_back(const run_config& config, unsigned c);
/// Those that are. Bit: class.
class_mask lossless_classes_of(const run_config& config);

}  // namespace weir::tb
