#include "weir/traffic/apps/make_workload.h"

#include <utility>

#include "weir/traffic/apps/background_app.h"
#include "weir/traffic/apps/bernoulli_app.h"
#include "weir/traffic/apps/incast_app.h"
#include "weir/traffic/apps/partition_aggregate_app.h"
#include "weir/traffic/apps/permutation_app.h"
#include "weir/traffic/apps/poisson_flow_app.h"
#include "weir/traffic/apps/query_app.h"
#include "weir/traffic/apps/sequential_web_app.h"
#include "weir/traffic/apps/trace_app.h"

namespace weir {

namespace {

using shared_plan = std::shared_ptr<const workload_plan>;

std::unique_ptr<application> make_main(const shared_plan& plan, host_id self, bit_rate link_rate) {
    switch (plan->config().kind) {
        case workload_kind::none:
            return nullptr;
        case workload_kind::query:
            return std::make_unique<query_app>(plan, self);
        case workload_kind::sequential_web:
            return std::make_unique<sequential_web_app>(plan, self);
        case workload_kind::partition_aggregate:
            return std::make_unique<partition_aggregate_app>(plan, self);
        case workload_kind::incast:
            return std::make_unique<incast_app>(plan, self);
        case workload_kind::poisson:
            return std::make_unique<poisson_flow_app>(plan, self, link_rate);
        case workload_kind::permutation:
            return std::make_unique<permutation_app>(plan, self, link_rate);
        case workload_kind::bernoulli:
            return std::make_unique<bernoulli_app>(plan, self, link_rate);
        case workload_kind::trace:
            return std::make_unique<trace_app>(plan, self);
    }
    return nullptr;
}

}  // namespace

application_list make_workload(shared_plan plan, host_id self, bit_rate link_rate) {
    application_list applications;
    if (auto main_application = make_main(plan, self, link_rate)) {
        applications.push_back(std::move(main_application));
    }
    if (plan->config().background_flows > 0) {
        applications.push_back(std::make_unique<background_app>(std::move(plan), self));
    }
    return applications;
}

application_list make_workload(const workload_config& config, host_id self, host_id hosts, bit_rate link_rate,
                               std::uint64_t seed) {
    return make_workload(std::make_shared<const workload_plan>(config, hosts, seed), self, link_rate);
}

std::vector<std::string> workload_tags(const workload_config& config,
                                       const std::vector<std::string>& trace_names) {
    std::vector<std::string> tags;
    switch (config.kind) {
        case workload_kind::none:
            break;
        case workload_kind::query:
            tags = {"query"};
            break;
        case workload_kind::sequential_web:
            tags = {"query", "web_request"};
            break;
        case workload_kind::partition_aggregate:
            tags = {"query", "partition_aggregate"};
            break;
        case workload_kind::incast:
            tags = {"incast"};
            break;
        case workload_kind::poisson:
            tags = {"flow"};
            break;
        case workload_kind::permutation:
            tags = {"permutation"};
            break;
        case workload_kind::bernoulli:
            tags = {"bernoulli"};
            break;
        case workload_kind::trace:
            tags = trace_names.empty() ? std::vector<std::string>{std::string{}} : trace_names;
            break;
    }
    if (config.background_flows > 0) {
        tags.emplace_back("background");
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

}  // namespace weir
