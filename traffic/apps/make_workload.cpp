#include "weir/traffic/apps/make_workload.h"

#include <utility>

#include "weir/traffic/apps/background_app.h"
#include "weir/traffic/apps/trace_app.h"
#include "weir/traffic/apps/workloads.h"

namespace weir::traffic {

application_list make_workload(shared_plan plan, host_id self, bit_rate link_rate) {
    application_list applications;
    if (const auto& make = workloads()[plan->config().kind].make) {
        applications.push_back(make(plan, self, link_rate));
    }
    if (plan->config().background.is_on()) {
        applications.push_back(std::make_unique<background_app>(plan, self));
    }
    if (plan->config().stream.is_on()) {
        applications.push_back(std::make_unique<stream_app>(std::move(plan)));
    }
    return applications;
}

std::vector<std::string> workload_tags(const workload_config& config,
                                       const std::vector<std::string>& trace_names) {
    const workload_traits& traits = workloads()[config.kind];
    std::vector<std::string> tags = traits.reads_trace && !trace_names.empty() ? trace_names : traits.tags;
    if (config.background.is_on()) {
        tags.emplace_back("background");
    }
    if (config.stream.is_on()) {
        tags.emplace_back("stream");
    }
    return tags;
}

trace_app* find_trace_app(const application_list& applications) {
    for (const auto& app : applications) {
        if (auto* trace = dynamic_cast<trace_app*>(app.get())) {
            return trace;
        }
    }
    return nullptr;
}

}  // namespace weir::traffic
