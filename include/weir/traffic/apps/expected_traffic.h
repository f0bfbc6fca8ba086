// What each host is expected to send and receive, before a run: roughly, from who takes part and in what role.
//
//   const std::vector<host_traffic> expected = expected_traffic(workload);
//
// A trace says it itself (`trace_scan::of_hosts`).
#pragma once

#include <vector>

#include "weir/traffic/apps/workload_plan.h"
#include "weir/traffic/traces/flow.h"

namespace weir::traffic {

/// By host. Responses count, requests do not; the main application, the background's flows and the stream are
/// taken to carry as much as each other. Of a parallel program, the bytes of its messages. Traces leave
/// nothing.
std::vector<host_traffic> expected_traffic(const workload_plan& plan);

}  // namespace weir::traffic
