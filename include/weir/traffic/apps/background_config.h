// Background flows beside any workload (background_app.h): so many that follow one another, or some at random
// times. Keys: [traffic], as `background_flows`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/base/config_field.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/protocol/frame.h"
#include "weir/traffic/apps/workload_choices.h"
#include "weir/traffic/sizes/known_size_distributions.h"
#include "weir/traffic/transport/transport_kinds.h"

namespace weir::traffic {

struct background_config {
    std::uint32_t flows = 0;
    picoseconds interarrival{0};
    bytes flow_bytes{1_MB};
    std::string distribution;
    pfc_class priority = 0;
    transport_kind transport{};
    bool to_back_ends = false;
    bool exponential = false;
    /// Names of nodes, as the program resolves them (`workload_inputs`).
    std::vector<std::string> sources;
    std::vector<std::string> destinations;
    /// Not set: each destination is equally likely.
    std::optional<double> rack_share;
    static constexpr const char* node_names = "names of nodes separated by commas, such as tor0 or h1*";
    static bool is_node_name(const std::string& name) { return !name.empty(); }

    static constexpr const char* used = "traffic.background_flows or traffic.background_interarrival above 0";

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("background_flows", &self::flows)
                   .range(0U, 65'535U)
                   .help("Number of long flows to random servers that each server keeps active, in "
                         "addition to the traffic of any traffic.kind.")
                   .source("DeTail 8.1.2: 1"));
        fields(field("background_interarrival", &self::interarrival)
                   .range(0_ps, longest_time)
                   .help("Mean time between the starts of two flows of one server to random servers, "
                         "exponentially distributed, in addition to the traffic of any traffic.kind. 0: none.")
                   .source("DIBS table 2: 10 to 120 ms"));
        fields(field("background_distribution", &self::distribution)
                   .rule(size_choices().c_str(), is_size_choice)
                   .needs("traffic.background_interarrival above 0")
                   .help("Size distribution of background flows, as traffic.distribution. empty: "
                         "traffic.background_bytes.")
                   .source("DIBS 5.3: the production traffic of DCTCP's paper"));
        fields.all_need(used, "no traffic.background_distribution");
        fields(field("background_bytes", &self::flow_bytes)
                   .range(1_B, largest_flow)
                   .help("Size of a background flow.")
                   .source("DeTail 8.1.2: 1 MB"));
        fields(field("background_exponential", &self::exponential)
                   .help("Sizes of background flows are exponentially distributed, with the mean "
                         "traffic.background_bytes. off: all have this size.")
                   .source("cross-layer study V-C: means of 28 KB and 583 KB"));
        fields.all_need(used);
        fields(field("background_sources", &self::sources)
                   .rule(node_names, is_node_name)
                   .help("Hosts that have background flows: hosts, or switches for all hosts on them; * stands "
                         "for any text. Empty: all.")
                   .source("cross-layer study V-C: half of the servers"));
        fields(field("background_destinations", &self::destinations)
                   .rule(node_names, is_node_name)
                   .help("Hosts that they go to, as traffic.background_sources.")
                   .source("cross-layer study V-C: half of the servers"));
        fields(field("background_rack_share", &self::rack_share)
                   .share()
                   .range(0.0, 1.0)
                   .help("Share of the background flows that stay in their source's rack. auto: each "
                         "destination is equally likely.")
                   .source("cross-layer study III-C1: a ratio of 30, without a unit"));
        fields(field("background_priority", &self::priority)
                   .range(priority_range)
                   .help("Priority of background flows.")
                   .source("DeTail 8.1.2: low"));
        fields(field("background_transport", &self::transport)
                   .help("Transport of background flows. UDP only with traffic.background_interarrival, "
                         "because it has no acknowledgements; a flow is then a burst at the link's rate."));
        fields(field("background_to_back_ends", &self::to_back_ends)
                   .help("Only front ends have background flows, and only to back ends.")
                   .source("DeTail 8.2 (Click): on"));
    }

    bool is_on() const { return flows > 0 || interarrival > 0_ps; }
    /// The option that makes them, and its value.
    std::pair<const char*, std::string> cause() const {
        return flows > 0 ? std::make_pair("background_flows", field_text(flows))
                         : std::make_pair("background_interarrival", field_text(interarrival));
    }
};

}  // namespace weir::traffic
