// Which share of runs misses a goal: decided run by run, at any moment, without giving up confidence.
//
//   share_test test({0.1, false}, 0.01);        // at most a tenth of all runs may miss; error at most 1 %
//   while (test.decide(misses, runs) == verdict::not_decided) { misses += next_run_misses(); ++runs; }
//
// **The statistics.** A run misses the goal or does not; seeds are independent, so misses are coin tosses of an
// unknown share. For the claim "the share is below p", the likelihood of what was seen is averaged over all
// shares below p and divided by its likelihood under p. Under any share of p or more this ratio is a
// supermartingale that starts at 1, so the probability that it ever reaches 1/error is at most `error` (Ville's
// inequality), however often one looks and whenever one stops. The claim "the share is above p" is the same on
// the other side. Nothing is assumed about how the measured values are distributed. (Robbins 1970, "Statistical
// methods related to the law of the iterated logarithm"; with a bounded mixture as in Howard et al. 2021,
// "Time-uniform, nonparametric, nonasymptotic confidence sequences".)
//
// A **strict** goal (no loss) is missed for good by one run that misses. n runs without a miss then prove, at
// this error, that fewer than 1 - error^(1/n) of all runs miss; it is met once that is at most the share
// allowed. They never prove that no run misses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "weir/base/enum_names.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

using weir::to_text;

/// not_possible: the configuration is refused.
enum class verdict : std::uint8_t { not_decided, met, not_met, not_possible };
constexpr auto names_of(verdict) {
    return enum_names<verdict>({{verdict::not_decided, "not decided"},
                                {verdict::met, "met"},
                                {verdict::not_met, "not met"},
                                {verdict::not_possible, "not possible"}});
}

struct share_rule {
    /// Share of runs that may miss the goal. Range: above 0, below 1.
    double allowed_misses = 0.5;
    /// One miss decides.
    bool strict = false;
};

class share_test {
 public:
    /// `error`: bound on the probability of `met` where more runs miss than allowed, and of `not_met` where
    /// fewer do. Range: above 0, below 1.
    share_test(share_rule rule, double error) : m_rule(rule), m_error(error) {}

    /// After so many runs. Range: misses <= runs.
    verdict decide(std::size_t misses, std::size_t runs) const;
    /// Fewest further runs after which a decision is possible, at most `most`; a single miss that would decide
    /// a strict goal is not counted on.
    std::size_t least_further(std::size_t misses, std::size_t runs, std::size_t most) const;

    /// Fewest runs after which the verdict (met, not_met) is possible, where all runs are alike; nothing where
    /// those are more than `most`.
    std::optional<std::size_t> fewest_runs(verdict v, std::size_t most) const;

    const share_rule& rule() const { return m_rule; }
    double error() const { return m_error; }

 private:
    share_rule m_rule;
    double m_error;
};

/// What is proven of the share of runs that miss, at any moment: it lies in [low, high].
struct share_interval {
    double low = 0;
    double high = 1;
};
/// Each end is wrong with a probability of at most the test's error. A strict goal that was missed proves no
/// more than that.
share_interval proven_share(std::size_t misses, std::size_t runs, const share_test& test);

/// Unit: %, with one decimal, rounded up: never less than the share.
double percent_upwards(double share);

/// The value that all runs but a share stay at or below, and what is proven of it.
struct quantile_interval {
    double value = 0;
    /// Nothing where so few runs prove nothing.
    std::optional<double> low;
    std::optional<double> high;
};
/// `values` (at least one; infinite ones allowed) in any order. For every bound b the goal "at most b" is
/// decided as `test` decides it, exactly where b lies outside the interval. Not for strict tests.
quantile_interval quantile_of(std::vector<double> values, const share_test& test);

}  // namespace weir::tb
