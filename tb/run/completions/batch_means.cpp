#include "tb/run/completions/batch_means.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "tb/run/completions/student_t.h"

namespace weir::tb {

namespace {

/// As many as have `least_values_beyond` beyond the percentile, on the side that has fewer.
std::uint64_t first_batch_values(std::uint32_t ten_thousandths) {
    const std::uint32_t beyond = std::min(ten_thousandths, 10'000 - ten_thousandths);
    return std::max((batch_means::least_values_beyond * 10'000 + beyond - 1) / beyond,
                    batch_means::least_mean_values);
}

/// Of independent batches (Fishman 1978): with 5 % on one side.
double largest_chance_correlation(double batches) {
    constexpr double normal_95 = 1.6449;
    return normal_95 * std::sqrt((batches - 2) / (batches * batches - 1));
}

/// A decision rests on it: functions of which machines may compute the last digits differently are rounded.
double rounded_student_t(double confidence, std::size_t degrees) {
    constexpr double unit = 1e6;
    return std::round(student_t(confidence, degrees) * unit) / unit;
}

/// 1 less half of von Neumann's ratio; 0 where all are equal.
double correlation_of(const std::vector<double>& figures) {
    const double mean =
        std::accumulate(figures.begin(), figures.end(), 0.0) / static_cast<double>(figures.size());
    double squares = 0;
    double steps = 0;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        squares += (figures[i] - mean) * (figures[i] - mean);
        steps += i > 0 ? (figures[i] - figures[i - 1]) * (figures[i] - figures[i - 1]) : 0;
    }
    return squares > 0 ? 1 - steps / (2 * squares) : 0;
}

/// Student's, about `value`, of figures that are independent.
double half_width_of(const std::vector<double>& figures, double value, double confidence) {
    double squares = 0;
    for (const double figure : figures) {
        squares += (figure - value) * (figure - value);
    }
    const auto n = static_cast<double>(figures.size());
    return rounded_student_t(confidence, figures.size() - 1) * std::sqrt(squares / (n - 1) / n);
}

}  // namespace

batch_means::batch_means() : m_share(0), m_batch_values(least_mean_values), m_all(0) {}

batch_means::batch_means(std::uint32_t ten_thousandths)
    : m_share(ten_thousandths), m_batch_values(first_batch_values(ten_thousandths)) {}

void batch_means::add(std::int64_t value) {
    if (m_batches.empty() || m_batches.back().count == m_batch_values) {
        if (m_batches.size() == 2 * least_batches) {
            join_pairs();
        }
        m_batches.emplace_back(exact_batch_values);
    }
    m_all.add(value);
    batch& last = m_batches.back();
    ++last.count;
    last.sum += static_cast<std::uint64_t>(value);
    if (!is_mean()) {
        last.samples.add(value);
    }
}

void batch_means::batch::join(const batch& next) {
    count += next.count;
    sum += next.sum;
    samples.merge(next.samples);
}

void batch_means::join_pairs() {
    for (std::size_t i = 0; i < m_batches.size(); i += 2) {
        m_batches[i].join(m_batches[i + 1]);
        if (i > 0) {
            m_batches[i / 2] = std::move(m_batches[i]);
        }
    }
    m_batches.erase(m_batches.begin() + least_batches, m_batches.end());
    m_batch_values *= 2;
}

std::vector<batch_means::batch> batch_means::pairs_of(const std::vector<batch>& batches, std::size_t whole) {
    std::vector<batch> pairs;
    for (std::size_t i = 0; i + 1 < whole; i += 2) {
        pairs.push_back(batches[i]);
        pairs.back().join(batches[i + 1]);
    }
    return pairs;
}

std::vector<double> batch_means::figures_of(std::vector<batch>& batches, std::size_t whole) const {
    std::vector<double> figures;
    for (std::size_t i = 0; i < whole; ++i) {
        batch& each = batches[i];
        figures.push_back(is_mean() ? static_cast<double>(each.sum) / static_cast<double>(each.count)
                                    : static_cast<double>(each.samples.percentile(m_share)));
    }
    return figures;
}

batch_estimate batch_means::estimate(double confidence) {
    batch_estimate found;
    found.values = m_all.count();
    found.value = static_cast<double>(is_mean() ? m_all.mean() : m_all.percentile(m_share));
    found.batch_values = m_batch_values;
    const bool last_is_whole = !m_batches.empty() && m_batches.back().count == m_batch_values;
    found.batches = m_batches.size() - (m_batches.empty() || last_is_whole ? 0 : 1);
    if (found.batches < least_batches) {
        return found;
    }
    const std::vector<double> figures = figures_of(m_batches, found.batches);
    found.correlation = correlation_of(figures);
    found.correlation_limit = largest_chance_correlation(static_cast<double>(figures.size()));
    const double r = std::max(0.0, found.correlation);
    found.half_width = half_width_of(figures, found.value, confidence) * std::sqrt((1 + r) / (1 - r));
    std::vector<batch> pairs = pairs_of(m_batches, found.batches);
    std::vector<batch> fours = pairs_of(pairs, pairs.size());
    for (std::vector<batch>* longer : {&pairs, &fours}) {
        const std::vector<double> fewer = figures_of(*longer, longer->size());
        found.half_width = std::max(found.half_width, half_width_of(fewer, found.value, confidence));
    }
    return found;
}

}  // namespace weir::tb
