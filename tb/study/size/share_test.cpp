#include "tb/study/size/share_test.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>

namespace weir::tb {

namespace {

/// Logarithm of the average of share^misses (1 - share)^hits over all shares below p (above p), over the same
/// at p. Range of p: above 0, below 1.
double log_ratio(double misses, double runs, double p, bool below) {
    const double hits = runs - misses;
    const double a = misses + 1;
    const double b = hits + 1;
    const double part = below ? boost::math::ibeta(a, b, p) : boost::math::ibetac(a, b, p);
    if (part <= 0) {
        return -HUGE_VAL;
    }
    const double log_beta = boost::math::lgamma(a) + boost::math::lgamma(b) - boost::math::lgamma(a + b);
    return log_beta + std::log(part) - std::log(below ? p : 1 - p) - misses * std::log(p) -
           hits * std::log1p(-p);
}

/// Where `excess` changes its sign between the ends, to 1e-9.
template <class Function>
double crossing(Function&& excess, double low, double high) {
    const auto found = boost::math::tools::bisect(excess, low, high,
                                                  [](double a, double b) { return std::fabs(a - b) < 1e-9; });
    return (found.first + found.second) / 2;
}

}  // namespace

verdict share_test::decide(std::size_t misses, std::size_t runs) const {
    const auto m = static_cast<double>(misses);
    const auto n = static_cast<double>(runs);
    const double p = m_rule.allowed_misses;
    const double enough = -std::log(m_error);
    if (m_rule.strict) {
        return misses > 0                      ? verdict::not_met
               : -n * std::log1p(-p) >= enough ? verdict::met
                                               : verdict::not_decided;
    }
    if (log_ratio(m, n, p, true) >= enough) {
        return verdict::met;
    }
    return log_ratio(m, n, p, false) >= enough ? verdict::not_met : verdict::not_decided;
}

std::size_t share_test::least_further(std::size_t misses, std::size_t runs, std::size_t most) const {
    // A decision that is possible stays possible with more runs.
    std::size_t fewest = 0;
    for (std::size_t enough = most; fewest < enough;) {
        const std::size_t more = fewest + (enough - fewest) / 2;
        const bool is_possible = decide(misses, runs + more) != verdict::not_decided ||
                                 (!m_rule.strict && decide(misses + more, runs + more) != verdict::not_decided);
        (is_possible ? enough : fewest) = is_possible ? more : more + 1;
    }
    return fewest;
}

std::optional<std::size_t> share_test::fewest_runs(verdict v, std::size_t most) const {
    for (std::size_t runs = 1; runs <= most; ++runs) {
        if (decide(v == verdict::met ? 0 : runs, runs) == v) {
            return runs;
        }
    }
    return std::nullopt;
}

share_interval proven_share(std::size_t misses, std::size_t runs, const share_test& test) {
    const auto m = static_cast<double>(misses);
    const auto n = static_cast<double>(runs);
    const double enough = -std::log(test.error());
    share_interval found;
    if (runs == 0) {
        return found;
    }
    if (test.rule().strict) {
        found.high = misses == 0 ? -std::expm1(-enough / n) : 1;
        return found;
    }
    // How far what was seen refutes a share, on the side away from it.
    const auto refuted = [&](bool below) {
        return [=](double p) { return log_ratio(m, n, p, below) - enough; };
    };
    constexpr double edge = 1e-12;
    if (misses < runs && refuted(true)(1 - edge) > 0) {
        found.high = crossing(refuted(true), std::max(edge, m / n), 1 - edge);
    }
    if (misses > 0 && refuted(false)(edge) > 0) {
        found.low = crossing(refuted(false), edge, std::min(1 - edge, m / n));
    }
    return found;
}

double percent_upwards(double share) {
    return std::ceil(1000 * share - 1e-9) / 10;
}

quantile_interval quantile_of(std::vector<double> values, const share_test& test) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    quantile_interval found;
    const double keep = 1 - test.rule().allowed_misses;
    const double rank = std::ceil(keep * static_cast<double>(n) - 1e-9);
    found.value = values[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
    // A bound at values[k] is missed by the n - 1 - k values above it, one just below by one more.
    for (std::size_t k = 0; k < n; ++k) {
        if (!found.high && test.decide(n - 1 - k, n) == verdict::met) {
            found.high = values[k];
        }
        if (test.decide(n - k, n) == verdict::not_met) {
            found.low = values[k];
        }
    }
    return found;
}

}  // namespace weir::tb
