#include "weir/traffic/sizes/size_distribution.h"

#include <algorithm>
#include <cmath>

namespace weir::traffic {

namespace {

/// Mean of max(1, floor(X)) = 1 + the sum over whole n >= 2 of P(X >= n). Between two points P(X >= n) is
/// linear in n, so the sum over a line is that of an arithmetic series.
double mean_of_whole_bytes(const std::vector<cdf_point>& points) {
    double mean = 1 + std::max(0.0, std::floor(points.front().size_bytes) - 1);
    for (std::size_t i = 1; i < points.size(); ++i) {
        const cdf_point& a = points[i - 1];
        const cdf_point& b = points[i];
        const double first = std::max(2.0, std::floor(a.size_bytes) + 1);
        const double last = std::floor(b.size_bytes);
        if (last >= first) {
            const double slope = (b.fraction - a.fraction) / (b.size_bytes - a.size_bytes);
            const double middle = (first + last) / 2;
            mean += (last - first + 1) * (1 - a.fraction - slope * (middle - a.size_bytes));
        }
    }
    return mean;
}

}  // namespace

size_distribution::size_distribution(std::vector<cdf_point> points) : m_points(std::move(points)) {
    for (std::size_t i = 1; i < m_points.size(); ++i) {
        const cdf_point& a = m_points[i - 1];
        const cdf_point& b = m_points[i];
        m_mean_bytes += (a.size_bytes + b.size_bytes) / 2 * (b.fraction - a.fraction);
    }
    m_mean_sample_bytes = mean_of_whole_bytes(m_points);
}

bytes size_distribution::sample(random_stream& chance) const {
    return bytes{std::max<std::int64_t>(1, static_cast<std::int64_t>(quantile(chance.uniform())))};
}

double size_distribution::quantile(double fraction) const {
    // The first point that reaches `fraction`; the line that ends there holds it.
    const auto end =
        std::lower_bound(m_points.begin() + 1, m_points.end() - 1, fraction,
                         [](const cdf_point& point, double wanted) { return point.fraction < wanted; });
    const cdf_point& a = *(end - 1);
    const cdf_point& b = *end;
    if (b.fraction <= a.fraction) {
        return a.size_bytes;
    }
    return a.size_bytes + (b.size_bytes - a.size_bytes) / (b.fraction - a.fraction) * (fraction - a.fraction);
}

}  // namespace weir::traffic
