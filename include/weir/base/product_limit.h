// Distribution of a time some of whose samples are only known to be longer than what was seen (censored): the
// product-limit estimator of Kaplan and Meier (1958).
//
// At each completed sample, the share of samples that last longer is multiplied by (1 - 1 / at risk), where `at
// risk` counts the samples, completed or censored, that are not shorter. A censored sample counts as at risk up
// to its own value, included. So samples that were seen for a short time only do not pull a percentile down,
// and without censored samples a percentile is the nearest rank, as in percentiles.h.
//
// The estimate depends only on where the censored samples stand among the completed ones, so that is all that
// it is made from; completed samples are named by their rank, 1 for the smallest.
//
//   product_limit times(3, {3, 3});            // 10, 20, 20, and two censored samples: 40, 50
//   times.rank(0.5);                           // 3: 60 % of all samples are at most the third completed one
//   times.rank(0.99);                          // nothing: more than 1 % last longer than any completed sample
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

namespace weir {

class product_limit {
 public:
    /// `up_to`: for each censored sample, ascending, the number of completed samples that are not longer.
    /// Range: at most `completed`.
    product_limit(std::uint64_t completed, const std::vector<std::uint64_t>& up_to) : m_completed(completed) {
        stretch now{0, 1, completed + up_to.size()};
        for (const std::uint64_t count : up_to) {
            if (count > now.completed || m_stretches.empty()) {
                m_stretches.push_back(now);
                now = {count, survivors(now, count), now.at_risk - (count - now.completed)};
            }
            --now.at_risk;
        }
        m_stretches.push_back(now);
    }

    /// Share of all samples, as estimated, that are at most the completed one of this rank. Range: 1 to the
    /// number of completed samples.
    double share(std::uint64_t rank) const {
        const auto next = std::partition_point(m_stretches.begin(), m_stretches.end(),
                                               [rank](const stretch& each) { return each.completed < rank; });
        return 1 - survivors(*std::prev(next), rank);
    }
    /// Rank of the smallest completed sample within which at least this share of all samples completes, as
    /// estimated; nothing if the completed samples do not reach it. Range: above 0, up to 1.
    std::optional<std::uint64_t> rank(double wanted) const {
        // Products of quotients are off by some 1e-16 each; the share of one sample is far larger.
        const double least = wanted - 1e-12;
        std::uint64_t low = 1;
        for (std::uint64_t high = m_completed + 1; low < high;) {
            const std::uint64_t middle = low + (high - low) / 2;
            if (share(middle) < least) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low <= m_completed ? std::optional(low) : std::nullopt;
    }

 private:
    /// Between two censored samples the factors cancel out, so a stretch needs one quotient.
    struct stretch {
        /// Completed samples before the stretch.
        std::uint64_t completed;
        /// Share of all samples that last longer, and samples at risk, at its beginning.
        double survivors;
        std::uint64_t at_risk;
    };

    /// At the completed sample of this rank, which is within the stretch.
    static double survivors(const stretch& of, std::uint64_t rank) {
        const std::uint64_t left = of.at_risk - (rank - of.completed);
        return of.survivors * (static_cast<double>(left) / static_cast<double>(of.at_risk));
    }

    std::uint64_t m_completed;
    std::vector<stretch> m_stretches;
};

}  // namespace weir
