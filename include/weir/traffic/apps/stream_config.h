// A UDP flow at a constant rate beside any workload (stream_app.h). Keys: [traffic], as `stream_rate`.
#pragma once

#include <cstdint>

#include "weir/base/config_field.h"
#include "weir/base/units.h"
#include "weir/protocol/frame.h"
#include "weir/traffic/apps/workload_choices.h"

namespace weir::traffic {

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
        fields(field("stream_source", &self::source)
                   .range(0, UINT32_MAX)
                   .needs(used)
                   .help("Number (from 0) of the server that sends the UDP flow of traffic.stream_rate.")
                   .source("project"));
        fields(field("stream_destination", &self::destination)
                   .range(0, UINT32_MAX)
                   .needs(used)
                   .help("Number (from 0) of the server that receives it.")
                   .source("project"));
        fields(field("stream_priority", &self::priority)
                   .range(priority_range)
                   .needs(used)
                   .help("Priority of that flow.")
                   .source("project"));
    }

    bool is_on() const { return rate > 0_bps; }
};

}  // namespace weir::traffic
