#include "weir/traffic/apps/workloads.h"

#include "weir/traffic/apps/goal_app.h"
#include "weir/traffic/apps/incast_app.h"
#include "weir/traffic/apps/partition_aggregate_app.h"
#include "weir/traffic/apps/permutation_app.h"
#include "weir/traffic/apps/plain_flow_app.h"
#include "weir/traffic/apps/query_app.h"
#include "weir/traffic/apps/scatter_gather_app.h"
#include "weir/traffic/apps/sequential_web_app.h"
#include "weir/traffic/apps/trace_app.h"

namespace weir::traffic {

static workload_end ends_by_itself(const workload_config&) {
    return {};
}

static workload_traits no_workload() {
    workload_traits traits;
    traits.generated = false;
    traits.end = ends_by_itself;
    traits.closed_loop = is_open_loop;
    return traits;
}

/// Requests that arrive one by one and become jobs.
template <class App>
static workload_traits requests(std::vector<std::string> tags, bool splits_servers) {
    workload_traits traits;
    traits.make = make_application<App>;
    traits.response_bytes = App::response_bytes;
    traits.tags = std::move(tags);
    traits.has_requests = true;
    traits.splits_servers = splits_servers;
    // Requests arrive at times that depend on the seed alone, however long those before them take.
    traits.closed_loop = is_open_loop;
    return traits;
}

static bool always(const workload_config&) {
    return true;
}

static workload_traits query_workload() {
    workload_traits traits = requests<query_app>({"query"}, false);
    traits.draws_sizes = always;
    return traits;
}

static workload_traits scatter_gather() {
    workload_traits traits = requests<scatter_gather_app>({"query", "scatter_gather", "worker_query"}, true);
    traits.asks_racks = true;
    return traits;
}

/// Flows without an answer that go on until `stop`.
static workload_traits plain_flows(decltype(workload_traits::make) make, const char* tag, carriage carried) {
    workload_traits traits;
    traits.make = std::move(make);
    traits.tags = {tag};
    traits.carried = carried;
    traits.has_places = true;
    // Flows and datagrams arrive at times that depend on the seed alone.
    traits.closed_loop = is_open_loop;
    return traits;
}

template <auto Source>
static std::unique_ptr<application> make_plain(const shared_plan& plan, host_id self, bit_rate link_rate) {
    return std::make_unique<plain_flow_app>(plan, self, Source(*plan, link_rate));
}

static workload_traits poisson() {
    workload_traits traits = plain_flows(make_plain<poisson_flows>, "flow", carriage::any);
    traits.arrives_by_load = true;
    traits.reads_load = always;
    traits.draws_sizes = [](const workload_config& config) { return config.distribution.empty(); };
    return traits;
}

static workload_traits bernoulli() {
    workload_traits traits = plain_flows(make_plain<bernoulli_datagrams>, "bernoulli", carriage::datagrams);
    traits.reads_load = always;
    return traits;
}

static workload_traits trace() {
    workload_traits traits = plain_flows(make_application<trace_app>, "", carriage::any);
    traits.reads_trace = true;
    traits.generated = false;
    traits.numbers_itself = true;
    traits.has_places = false;
    traits.end = ends_by_itself;
    // The file has the times of all flows but those that wait for a trigger, which its reader counts.
    traits.closed_loop = is_open_loop;
    return traits;
}

std::string closed_loop_cause(const workload_config& config) {
    const auto& of_kind = workloads()[config.kind].closed_loop;
    const std::string kind = "traffic.kind = " + std::string(name_of(config.kind)) + ": ";
    if (!of_kind) {
        return kind + "this workload does not say whether it is an open loop (workload_traits::closed_loop)";
    }
    if (const std::string cause = of_kind(config); !cause.empty()) {
        return kind + cause;
    }
    return config.background.flows > 0 ? "traffic.background_flows = " + field_text(config.background.flows) +
                                             ": each of a server's flows starts when the one before is complete"
                                       : "";
}

registry<workload_kind, workload_traits>& workloads() {
    static registry<workload_kind, workload_traits> list{
        {"query", "request to a random server, response of a random size", query_workload()},
        {"sequential_web", "web requests: queries one after another",
         requests<sequential_web_app>({"query", "web_request"}, true)},
        {"partition_aggregate", "web requests: queries in parallel",
         requests<partition_aggregate_app>({"query", "partition_aggregate"}, true)},
        {"incast", "one server requests data from all others at the same time, in rounds", incast_workload()},
        {"poisson", "flows with Poisson arrivals and random sizes, at a given load", poisson()},
        {"permutation", "each host sends to one other host and receives from one other host",
         permutation_workload()},
        {"bernoulli", "Bernoulli arrivals of single datagrams in time slots", bernoulli()},
        {"trace", "flows of `file`", trace()},
        {"scatter_gather", "queries in three levels: a front end asks each rack, and these their workers",
         scatter_gather()},
        {"goal", "a parallel program: messages that depend on each other, and computations", goal_workload()},
        {"none", "only what traffic.background_flows, background_interarrival and stream_rate make",
         no_workload()},
    };
    return list;
}

}  // namespace weir::traffic
