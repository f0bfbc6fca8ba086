// Workloads by name (`traffic.kind`): for each what makes a host's application, and what of the workload others
// have to know: which transports carry it, whether it ends by itself, what it needs of the fabric.
//
//   workload_traits traits;
//   traits.make = make_application<query_app>;
//   traits.tags = {"query"};
//   const workload_kind kind = workloads().add({"lookups", "queries under another name", traits});
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/base/enum_names.h"
#include "weir/base/field_range.h"
#include "weir/base/registry.h"
#include "weir/traffic/apps/application.h"
#include "weir/traffic/apps/workload_config.h"
#include "weir/traffic/apps/workload_plan.h"

namespace weir::traffic {

using shared_plan = std::shared_ptr<const workload_plan>;

/// How a workload ends without a duration of the run.
struct workload_end {
    /// Why it does not end by itself; empty: it does. Options are in braces, as `option_error` takes them.
    std::string why_endless;
    /// What would end it, as options.
    std::string expected;
    /// The least that surely passes one host's link, and the option that says so. Unit: B.
    double least_bytes = 0;
    const char* least_key = "";
    /// Every host takes part, and none can do without another one: without `centre`, where there is one.
    bool needs_all_hosts = false;
    std::optional<host_id> centre;
};

/// Kind of transport that carries the transfers of a workload.
enum class carriage : std::uint8_t {
    confirmed,  ///< `traffic.transport`, which has to confirm
    any,        ///< `traffic.transport`
    datagrams   ///< UDP
};

struct workload_traits {
    /// The main application of one host. None: the workload has only background flows.
    std::function<std::unique_ptr<application>(const shared_plan&, host_id self, bit_rate link_rate)> make;
    /// Names of tags by number, as results print them.
    std::vector<std::string> tags;
    /// Hosts make it from options: it needs two of them, draws from `priorities`, and begins at `start`.
    bool generated = true;
    /// Requests arrive at front ends (`rate`, bursts), and back ends answer them.
    bool has_requests = false;
    /// With `has_requests`: what the responses to one request carry on average; with `asks_racks` those of one
    /// rack. Unit: B.
    double (*response_bytes)(const workload_config&) = nullptr;
    /// With `server_split::by_kind`: half of the servers are front ends, not all of them.
    bool splits_servers = false;
    /// Back ends are asked by rack (`workload_plan::racks`).
    bool asks_racks = false;
    carriage carried = carriage::confirmed;
    /// Its flows are those of `traffic.file`, and have the tags of that file.
    bool reads_trace = false;
    /// A schedule says which messages its ranks send (`program_config`).
    bool runs_program = false;
    /// Its flows arrive at the rate that makes up `load`, which may be above 1.
    bool arrives_by_load = false;
    /// `load` has an effect; with `has_requests` it also has one where `rate` is not set.
    bool (*reads_load)(const workload_config&) = nullptr;
    /// `sizes` are those of its responses or flows.
    bool (*draws_sizes)(const workload_config&) = nullptr;
    /// Largest size that a flow may have if a distribution gives its size.
    bytes largest_size = largest_flow;
    /// `sources` send to `destinations`.
    bool has_places = false;
    /// Each host has one partner (`workload_plan::partner`).
    bool has_partners = false;
    /// None: hosts go on until `stop`.
    std::function<workload_end(const workload_config&)> end;
    /// Why a slower fabric gets other traffic (a closed loop), as the end of a sentence. Empty: the traffic
    /// depends on the seed alone. None: not known.
    std::function<std::string(const workload_config&)> closed_loop;
    /// It numbers its flows and jobs from 0; those beside it then count from further on.
    bool numbers_itself = false;
    /// What is wrong for a fabric of so many hosts.
    std::function<void(const workload_config&, host_id hosts, range_check&)> check;
};

registry<workload_kind, workload_traits>& workloads();
constexpr registered_names<workload_kind, workloads> names_of(workload_kind) {
    return {};
}

/// `workload_traits::closed_loop` of traffic that depends on the seed alone.
inline std::string is_open_loop(const workload_config&) {
    return {};
}
/// Why two switches do not see the same traffic of this configuration, with the option that makes it so; empty
/// if they do.
std::string closed_loop_cause(const workload_config& config);

/// As `workload_traits::make`.
template <class App>
std::unique_ptr<application> make_application(const shared_plan& plan, host_id self, bit_rate link_rate) {
    if constexpr (std::is_constructible_v<App, shared_plan, host_id, bit_rate>) {
        return std::make_unique<App>(plan, self, link_rate);
    } else {
        return std::make_unique<App>(plan, self);
    }
}

}  // namespace weir::traffic
