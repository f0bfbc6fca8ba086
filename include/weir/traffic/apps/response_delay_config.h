// How long servers look for an answer before they send it (incast_app.h). Keys: [traffic], as
// `response_delay`.
#pragma once

#include "weir/base/config_field.h"
#include "weir/base/delay_distribution.h"
#include "weir/base/time.h"

namespace weir::traffic {

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

}  // namespace weir::traffic
