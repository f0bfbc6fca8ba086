// Flow sizes drawn from a measured distribution: points (size, fraction of flows up to that size), straight
// lines between them.
//
//   size_distribution sizes = make_size_distribution(known_sizes::web_search);
//   random_stream chance{seed, host, random_purpose::sizes};
//   bytes size = sizes.sample(chance);
//   double flows_per_second = poisson_rate(0.7, 10_Gbps, sizes.mean_sample_bytes());
//
// It reproduces the generator that the built-in tables come with (alibaba-edu/
// High-Precision-Congestion-Control, traffic_gen/): one uniform draw, inverted along the straight line, cut
// to whole bytes; a size of 0 becomes 1 B. That generator takes the mean of the lines (`mean_bytes`) for its
// load. Cutting makes the true mean (`mean_sample_bytes`) about half a byte smaller.
#pragma once

#include <vector>

#include "weir/base/rng.h"
#include "weir/base/units.h"

namespace weir::traffic {

struct cdf_point {
    /// Unit: B.
    double size_bytes = 0;
    /// Share of flows that are not larger. Range: 0-1.
    double fraction = 0;
};

class size_distribution {
 public:
    /// At least two points, both coordinates non-decreasing, no point twice, fractions from 0 to 1. Two points
    /// of one size are an atom: that share of flows has exactly that size.
    explicit size_distribution(std::vector<cdf_point> points);

    /// Takes one draw. At least 1 B.
    bytes sample(random_stream& chance) const;
    /// Size below which `fraction` of the flows lie, before it is cut to whole bytes. Range: 0-1. Unit: B.
    double quantile(double fraction) const;

    /// Mean of the straight lines, exact. Unit: B.
    double mean_bytes() const { return m_mean_bytes; }
    /// Mean of what `sample` returns, exact. Unit: B.
    double mean_sample_bytes() const { return m_mean_sample_bytes; }
    const std::vector<cdf_point>& points() const { return m_points; }

 private:
    std::vector<cdf_point> m_points;
    double m_mean_bytes = 0;
    double m_mean_sample_bytes = 0;
};

/// Arrivals of a Poisson process that offers `load` of a link. Unit: 1/s. `load` counts the flows' own bytes
/// and no headers, as the tables' generator does. Range: load >= 0, rate > 0, mean_bytes > 0.
constexpr double poisson_rate(double load, bit_rate rate, double mean_bytes) {
    return load * static_cast<double>(rate.count()) / (8 * mean_bytes);
}

}  // namespace weir::traffic
