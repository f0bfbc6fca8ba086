// Reads port_series.csv and pool_series.csv of a run's directory: quantities over time, each beside its limit.
//
//   config_errors errors;
//   std::vector<limited_series> memory = read_port_series("out/detail", errors).ingress;
#pragma once

#include <string>
#include <vector>

#include "weir/base/config_error.h"

namespace weir::tb {

/// A quantity over time, and what limits it.
struct limited_series {
    /// `tor0:3 class 7`, `tor0 lossless_pool`.
    std::string name;
    std::vector<double> time_ns;
    std::vector<double> values;
    /// Threshold or size at the same times; NaN where there is none.
    std::vector<double> limits;

    double largest() const;
    /// The largest value as a share of the limit there; 0 where there is none.
    double largest_share() const;
};

/// By port and class, in the order in which the table first has them.
struct port_class_series {
    /// What thresholds count, and the threshold. Unit: B.
    std::vector<limited_series> ingress;
    /// Fill, and what the class may hold. Unit: B.
    std::vector<limited_series> egress;
    /// Unit: bit/s; without a limit.
    std::vector<limited_series> throughput;
    /// Share of the time in which the transmitter had the class paused. Unit: percent; without a limit.
    std::vector<limited_series> paused;

    bool empty() const { return ingress.empty(); }
};

/// Empty where the directory has no such table.
port_class_series read_port_series(const std::string& directory, config_errors& errors);
/// By switch, pool and slice; the limit is the pool's size. Unit: B.
std::vector<limited_series> read_pool_series(const std::string& directory, config_errors& errors);

}  // namespace weir::tb
