// Sizes of the queries of three levels (scatter_gather_app.h). Keys: [traffic], as `worker_bytes`.
#pragma once

#include "weir/base/config_field.h"
#include "weir/base/units.h"
#include "weir/traffic/apps/workload_choices.h"

namespace weir::traffic {

struct scatter_gather_config {
    bytes worker_bytes{20_KB};
    bytes rack_bytes{20_KB};

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        constexpr field_range reply_range{1_B, largest_reply};
        fields(field("worker_bytes", &self::worker_bytes)
                   .range(reply_range)
                   .needs("traffic.kind = scatter_gather")
                   .help("Size of a worker's response to the mid-level aggregator of its rack.")
                   .source("cross-layer study III-C1: 20 KB, of queries or of answers"));
        fields(field("rack_bytes", &self::rack_bytes)
                   .range(reply_range)
                   .needs("traffic.kind = scatter_gather")
                   .help("Size of a mid-level aggregator's response, which stands for those of its rack.")
                   .source("cross-layer study III-C1: 20 KB, of queries or of answers"));
    }
};

}  // namespace weir::traffic
