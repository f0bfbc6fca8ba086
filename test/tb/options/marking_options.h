// An option, as docs/extending.md adds one.
#pragma once

#include "weir/base/config_field.h"
#include "weir/base/units.h"

namespace example {

/// When an egress queue marks frames. Keys: [marking].
struct marking_options {
    weir::bytes threshold{0};
    double gain = 0.0625;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(weir::field("threshold", &self::threshold)
                   .range(weir::bytes{0}, weir::bytes{10'000'000})
                   .help("A frame is marked if its queue holds at least this much. 0: no marking.")
                   .source("DCTCP 3.5: K = 65 packets at 10 Gb/s")
                   .formerly("marking.k"));
        fields(weir::field("gain", &self::gain)
                   .share()
                   .range(0.0, 1.0, weir::range_ends::low_excluded)
                   .needs("marking.threshold above 0")
                   .help("Weight of the newest sample in the average share of marked bytes.")
                   .source("DCTCP 3.3: 1/16"));
    }
};

}  // namespace example
