// Parts of a workload's configuration that belong to one kind of traffic each. Keys: [traffic].
#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/config_field.h"
#include "weir/base/delay_distribution.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/protocol/frame.h"
#include "weir/traffic/apps/workload_choices.h"

namespace weir::traffic {

/// Sizes of the queries of three levels (scatter_gather_app.h).
struct scatter_gather_config {
    bytes worker_bytes{20_KB};
    bytes rack_bytes{20_KB};

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        constexpr field_range reply_range{1_B, largest_reply};
        fields.all_need("traffic.kind = scatter_gather");
        fields(field("worker_bytes", &self::worker_bytes)
                   .range(reply_range)
                   .help("Size of a worker's response to the mid-level aggregator of its rack.")
                   .source("cross-layer study III-C1: 20 KB, of queries or of answers"));
        fields(field("rack_bytes", &self::rack_bytes)
                   .range(reply_range)
                   .help("Size of a mid-level aggregator's response, which stands for those of its rack.")
                   .source("cross-layer study III-C1: 20 KB, of queries or of answers"));
    }
};

/// How long servers look for an answer before they send it (incast_app.h).
struct response_delay_config {
    picoseconds mean{0};
    delay_shape shape = delay_shape::fixed;
    double deviation = 1;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("response_delay", &self::mean)
                   .range(0_ps, longest_time)
                   .needs("traffic.kind = incast")
                   .help("Time from a request's arrival to the start of its response, or its mean.")
                   .source("cross-layer study IV-C5"));
        fields(field("response_delay_distribution", &self::shape)
                   .needs("traffic.kind = incast", "traffic.response_delay above 0")
                   .help("Distribution of the delay, drawn for each request.")
                   .source("cross-layer study IV-C5: from inter-arrival times, figure 6, a picture"));
        fields(field("response_delay_deviation", &self::deviation)
                   .share()
                   .range(0.0, 10.0, range_ends::low_excluded)
                   .needs("traffic.kind = incast", "traffic.response_delay above 0",
                          "traffic.response_delay_distribution = exponential or lognormal")
                   .help("Standard deviation of the delay, as a share of its mean.")
                   .source("project: 100%, an exponential delay without a floor"));
    }

    delay_distribution delays() const { return {mean, shape, deviation}; }
};

/// How fast the applications of a permutation over TCP write to their sockets (permutation_app.h).
struct write_config {
    std::vector<double> loads;
    /// From `traffic.start` on.
    std::vector<picoseconds> times;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        constexpr const char* used = "traffic.kind = permutation";
        fields(
            field("write_loads", &self::loads)
                .share()
                .range(0.0, 10.0)
                .needs(used, "no traffic.flow_bytes")
                .help("permutation over TCP: rate at which each host's application writes to its connection, "
                      "as a share of its link's rate, payload only, from traffic.start to traffic.stop. Each "
                      "further value applies from its traffic.write_times on. Unsent data waits in the socket, "
                      "without limit. Empty: all data of an endless flow is there at once. At most 64 values.")
                .source("cross-layer study, figure 7: admissible, 4 times the sink's link in all, admissible"));
        fields(field("write_times", &self::times)
                   .range(0_ps, longest_time)
                   .needs(used, "traffic.write_loads")
                   .help("When the second and each further value of traffic.write_loads begins, counted from "
                         "traffic.start, ascending.")
                   .source("cross-layer study, figure 7: 100 ms, 110 ms"));
    }

    bool are_on() const { return !loads.empty(); }
};

/// A UDP flow at a constant rate beside any workload (background_app.h).
struct stream_config {
    bit_rate rate{0};
    host_id source = 0;
    host_id destination = 1;
    pfc_class priority = 0;

    static constexpr const char* used = "traffic.stream_rate";

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(
            field("stream_rate", &self::rate)
                .range(0_bps, 1'600_Gbps)
                .help("Rate of one UDP flow from traffic.start to traffic.stop, in addition to the traffic of "
                      "any traffic.kind: bits on the wire, headers and gaps included. 0bps: none.")
                .source("FlowBender 4.3.2: 6 Gb/s"));
        fields.all_need(used);
        fields(field("stream_source", &self::source)
                   .range(0, UINT32_MAX)
                   .help("Number (from 0) of the server that sends the UDP flow of traffic.stream_rate."));
        fields(field("stream_destination", &self::destination)
                   .range(0, UINT32_MAX)
                   .help("Number (from 0) of the server that receives it."));
        fields(field("stream_priority", &self::priority).range(priority_range).help("Priority of that flow."));
    }

    bool is_on() const { return rate > 0_bps; }
};

}  // namespace weir::traffic
