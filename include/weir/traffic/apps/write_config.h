// How fast the applications of a permutation over TCP write to their sockets (permutation_app.h). Keys:
// [traffic], as `write_loads`.
#pragma once

#include <vector>

#include "weir/base/config_field.h"
#include "weir/base/time.h"

namespace weir::traffic {

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

}  // namespace weir::traffic
