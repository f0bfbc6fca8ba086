// From a configuration to the applications of each host.
//
//   auto plan = std::make_shared<const workload_plan>(config, hosts, seed);
//   for (host_id h = 0; h < hosts; ++h) {
//       auto applications = make_workload(plan, h, link_rate);
//       // the main application first; then background, which claims plan->background_tag()
//   }
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "weir/traffic/apps/application.h"
#include "weir/traffic/apps/workload_config.h"
#include "weir/traffic/apps/workload_plan.h"

namespace weir::traffic {

class trace_app;

using application_list = std::vector<std::unique_ptr<application>>;

/// The main application (none where `workload_traits::make` is none), then the background's and the stream's,
/// which every host has if any host has such flows, since it may receive them.
application_list make_workload(std::shared_ptr<const workload_plan> plan, host_id self, bit_rate link_rate);

/// Names of tags by number, as results print them. `trace_names` is the trace's `tag_table::names()`.
std::vector<std::string> workload_tags(const workload_config& config,
                                       const std::vector<std::string>& trace_names = {});

/// The application that replays a trace, or null.
trace_app* find_trace_app(const application_list& applications);

}  // namespace weir::traffic
