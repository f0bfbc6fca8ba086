// Reads port_series.csv and pool_series.csv of a run's directory: quantities over time, each beside its limit.
//
//   config_errors errors;
//   std::vector<limited_series> memory = read_port_series("out/detail", errors).ingress;
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "weir/base/config_error.h"

namespace weir::tb {

/// A quantity over time, and what limits it.
struct limited_series {
    /// `tor0.rx3 class 7`, `tor0 lossless_pool`.
    std::string name;
    std::vector<double> time_ns;
    std::vector<double> values;
    /// Drawn beside it, at the same times: its threshold; NaN where there is none.
    std::vector<double> limits;
    /// NaN where there is none.
    double capacity = std::numeric_limits<double>::quiet_NaN();
    /// The largest value as a share of the port's threshold, or of the pool's size, there; 0 where there is
    /// none.
    double share = 0;
    /// The same for both sides of a port and class: `tor0:3 class 7`.
    std::string key{};

    double largest() const;
};

/// By port and class, in the order in which the table first has them.
struct port_class_series {
    /// What thresholds count, and the threshold; the capacity is the port's. Unit: B.
    std::vector<limited_series> ingress;
    /// Fill, and what the class may hold; likewise. Unit: B.
    std::vector<limited_series> egress;
    /// Unit: bit/s; without a limit.
    std::vector<limited_series> received;
    std::vector<limited_series> sent;
    /// XOFFs sent since the start of the table, and beside them XONs. Of a port's classes that were announced,
    /// or paused, at the same times one is kept.
    std::vector<limited_series> announced;
    /// Share of the time in which the transmitter had the class paused. Unit: percent; without a limit.
    std::vector<limited_series> paused;

    bool empty() const { return ingress.empty(); }
};

/// Empty where the directory has no such table. Lines that are missing at its end are found by `check_samples`.
port_class_series read_port_series(const std::string& directory, config_errors& errors);
/// By switch, pool and slice; the limit is one group's threshold, the capacity the pool's size. Unit: B.
std::vector<limited_series> read_pool_series(const std::string& directory, config_errors& errors);

}  // namespace weir::tb
