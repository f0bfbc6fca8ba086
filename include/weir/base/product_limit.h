// Distribution of a time some of whose samples are only known to be longer than what was seen (censored): the
// product-limit estimator of Kaplan and Meier (1958).
//
// At each completed sample, the share of samples that last longer is multiplied by (1 - 1 / at risk), where `at
// risk` counts the samples, completed or censored, that are not shorter. A censored sample counts as at risk up
// to its own value, included. So samples that were seen for a short time only do not pull a percentile down,
// and without censored samples a percentile is the nearest rank, as in percentiles.h.
//
//   product_limit<> times(3, {40, 50});        // three completed samples, two censored ones
//   times.add(10);                             // the completed ones, in ascending order
//   times.add(20, 2);
//   times.percentile(5'000);                   // 20; 60 % of all samples are at most 20
//   times.percentile(9'900);                   // nothing: more than 1 % last longer than any completed sample
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace weir {

/// `Value`: a time as a whole number, or a number.
template <class Value = std::int64_t>
class product_limit {
 public:
    /// `share` of all samples, as estimated, is at most `value`. Range of `share`: 0 to 1.
    struct step {
        Value value;
        double share;
    };

    /// Number of completed samples, all of which are added next, and the censored ones in any order.
    product_limit(std::uint64_t completed, std::vector<Value> censored)
        : m_censored(std::move(censored)),
          m_at_risk(completed + m_censored.size()),
          m_at_risk_at_base(m_at_risk) {
        std::sort(m_censored.begin(), m_censored.end());
    }

    /// `count` completed samples. Range: values in ascending order; count > 0.
    void add(Value value, std::uint64_t count = 1) {
        const std::size_t before = m_left;
        while (m_left < m_censored.size() && m_censored[m_left] < value) {
            ++m_left;
        }
        if (m_left != before) {
            m_base = survivors();
            m_at_risk_at_base = m_at_risk -= m_left - before;
        }
        m_at_risk -= count;
        m_steps.push_back({value, 1 - survivors()});
    }

    /// The smallest completed sample that this share of all samples, as estimated, does not exceed; nothing if
    /// more samples than that last longer than any completed one. The share is in 1/10,000: 5,000 is the
    /// median. Range: 1-10,000.
    std::optional<Value> percentile(std::uint32_t ten_thousandths) const {
        return at_share(ten_thousandths / 10'000.0);
    }
    /// The same for any share. Range: above 0, up to 1.
    std::optional<Value> at_share(double share) const {
        // Products of quotients are off by some 1e-16 each; the share of one sample is far larger.
        const double least = share - 1e-12;
        const auto found = std::lower_bound(m_steps.begin(), m_steps.end(), least,
                                            [](const step& each, double bound) { return each.share < bound; });
        return found != m_steps.end() ? std::optional(found->value) : std::nullopt;
    }
    /// The estimated distribution, ascending.
    const std::vector<step>& steps() const { return m_steps; }

 private:
    /// Share of all samples that last longer. Between two censored samples the factors cancel out.
    double survivors() const {
        return m_at_risk_at_base == 0
                   ? 0
                   : m_base * (static_cast<double>(m_at_risk) / static_cast<double>(m_at_risk_at_base));
    }

    std::vector<Value> m_censored;
    /// Censored samples below the last value added.
    std::size_t m_left = 0;
    /// Samples that last longer than the last value added.
    std::uint64_t m_at_risk;
    /// At the last censored sample: survivors, and samples at risk.
    double m_base = 1;
    std::uint64_t m_at_risk_at_base;
    std::vector<step> m_steps;
};

}  // namespace weir
