#include "tb/results/batch_means.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tb/results/student_t.h"

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

void batch_means::join_pairs() {
    for (std::size_t i = 0; i < m_batches.size(); i += 2) {
        batch& first = m_batches[i];
        const batch& second = m_batches[i + 1];
        first.count += second.count;
        first.sum += second.sum;
        first.samples.merge(second.samples);
        if (i > 0) {
            m_batches[i / 2] = std::move(first);
        }
    }
    m_batches.erase(m_batches.begin() + least_batches, m_batches.end());
    m_batch_values *= 2;
}

double batch_means::figure_of(batch& of) const {
    return is_mean() ? static_cast<double>(of.sum) / static_cast<double>(of.count)
                     : static_cast<double>(of.samples.percentile(m_share));
}

batch_estimate batch_means::estimate(double confidence) {
    batch_estimate found;
    found.values = m_all.count();
    found.value = static_cast<double>(is_mean() ? m_all.mean() : m_all.percentile(m_share));
    found.batch_values = m_batch_values;
    std::vector<double> figures;
    for (batch& each : m_batches) {
        if (each.count == m_batch_values) {
            figures.push_back(figure_of(each));
        }
    }
    found.batches = figures.size();
    if (figures.size() < least_batches) {
        return found;
    }
    const auto batches = static_cast<double>(figures.size());
    double mean = 0;
    for (const double figure : figures) {
        mean += figure / batches;
    }
    double about_mean = 0;
    double about_value = 0;
    double steps = 0;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        about_mean += (figures[i] - mean) * (figures[i] - mean);
        about_value += (figures[i] - found.value) * (figures[i] - found.value);
        steps += i > 0 ? (figures[i] - figures[i - 1]) * (figures[i] - figures[i - 1]) : 0;
    }
    found.correlation = about_mean > 0 ? 1 - steps / (2 * about_mean) : 0;
    found.correlation_limit = largest_chance_correlation(batches);
    const double r = std::max(0.0, found.correlation);
    found.half_width = rounded_student_t(confidence, figures.size() - 1) *
                       std::sqrt(about_value / (batches - 1) / batches * (1 + r) / (1 - r));
    return found;
}

}  // namespace weir::tb
