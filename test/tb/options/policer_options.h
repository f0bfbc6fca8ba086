// An option, as docs/extending.md adds one.
#pragma once

#include "weir/base/config_field.h"
#include "weir/base/units.h"

namespace example {

/// How much an ingress port takes of a source. Keys: [policer].
struct policer_options {
    weir::bytes threshold{0};
    double gain = 0.0625;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(weir::field("threshold", &self::threshold)
                   .range(weir::bytes{0}, weir::bytes{10'000'000})
                   .help("A frame is dropped if it comes to a bucket that holds less than this. 0: no policer.")
                   .source("project")
                   .formerly("policer.burst"));
        fields(weir::field("gain", &self::gain)
                   .share()
                   .range(0.0, 1.0, weir::range_ends::low_excluded)
                   .needs("policer.threshold above 0")
                   .help("Weight of the newest frame in the mean rate.")
                   .source("project"));
    }
};

}  // namespace example
