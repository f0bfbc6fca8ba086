// How long egress queues can become, by the organisation of a switch's memory, and thresholds on that length
// that are never reached.
//
//   longest_queues(config, build_topology(config), {0}, marking_count::egress)[0].fill.most;   // 117,868 B
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tb/run/options/run_config.h"
#include "tb/run/topology/build_topology.h"
#include "weir/model/memory/egress_share.h"

namespace weir::tb {

/// Queues that are alike have one entry where memory is the same at all ports.
struct queue_reach {
    switch_id at = 0;
    unsigned egress_port = 0;
    unsigned frame_class = 0;
    /// While all other queues are empty.
    egress_fill fill;
    /// Length from which a shared memory marks; not set: it does not.
    std::optional<bytes> marked_from;
    /// A file says so of this queue; else it is shared.ecn_threshold.
    bool is_profiled = false;
};
/// `counts`: what counts as the length.
std::vector<queue_reach> longest_queues(const run_config& config, const built_topology& built,
                                        const std::set<unsigned>& classes, marking_count counts);

/// The options that limit a queue of the class, with their values: `switch.egress_buffer = 128KiB`.
std::string limits_of_queues(const run_config& config, unsigned frame_class, marking_count counts);

/// Thresholds of port selection and of marking that no queue of the classes reaches, and those of single
/// queues.
std::vector<std::string> unreached_thresholds(const run_config& config, const built_topology& built,
                                              const std::set<unsigned>& classes);

}  // namespace weir::tb
