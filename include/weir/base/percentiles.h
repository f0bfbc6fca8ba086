// Mean, variation, maximum and percentiles of a set of samples (completion times in ps, say), in bounded
// memory.
//
// Definition: the p-th percentile of n samples is the nearest rank, i.e. the ceil(p n)-th smallest sample (at
// least the first). No interpolation: a percentile is a value that occurred.
//
// Up to `exact_samples` samples are kept and percentiles are exact. Beyond, they go into a log-linear
// histogram of 1,024 buckets per power of two: a percentile is then the middle of its bucket, at most 0.05 %
// (1/2048) off, and samples below 2,048 stay exact. Count, mean, minimum and maximum are always exact. All of
// it is integer arithmetic and depends on the set of samples only, not on their order.
//
//   percentiles fct;
//   fct.add(time.count());
//   std::int64_t p999 = fct.percentile(9'990);     // 99.9 %
#pragma once

#include <algorithm>
#include <boost/histogram/histogram.hpp>
#include <boost/histogram/storage_adaptor.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <tuple>
#include <vector>

namespace weir {

/// Buckets of the histogram: values below 2,048 have one each, larger ones 1,024 per power of two.
class log_linear_axis {
 public:
    using index_type = boost::histogram::axis::index_type;

    /// Range: value >= 0.
    index_type index(std::int64_t value) const {
        const auto v = static_cast<std::uint64_t>(value);
        const unsigned shift = v < 2 * per_octave ? 0 : 63U - static_cast<unsigned>(__builtin_clzll(v)) - 10U;
        return static_cast<index_type>(shift * per_octave + (v >> shift));
    }
    index_type size() const { return static_cast<index_type>(54 * per_octave); }
    /// The value that stands for a bucket: its middle.
    static std::int64_t value(index_type bucket) {
        const auto b = static_cast<std::uint64_t>(bucket);
        if (b < 2 * per_octave) {
            return bucket;
        }
        const std::uint64_t shift = b / per_octave - 1;
        const std::uint64_t low = (per_octave + b % per_octave) << shift;
        return static_cast<std::int64_t>(low + (((std::uint64_t{1} << shift) - 1) >> 1));
    }
    bool operator==(const log_linear_axis&) const { return true; }

 private:
    static constexpr std::uint64_t per_octave = 1024;
};

class percentiles {
 public:
    /// 8 MiB; the histogram takes 432 KiB.
    static constexpr std::size_t default_exact_samples = std::size_t{1} << 20;

    explicit percentiles(std::size_t exact_samples = default_exact_samples) : m_exact_samples(exact_samples) {}

    /// Range: value >= 0.
    void add(std::int64_t value) {
        if (__builtin_expect(m_histogram.has_value(), 0)) {
            m_sums.add(value);
            (*m_histogram)(value);
            return;
        }
        m_samples.push_back(value);
        if (__builtin_expect(m_samples.size() > m_exact_samples, 0)) {
            use_histogram();
        }
    }
    /// As if it had been made with this limit: samples that are in the histogram already stay there.
    void limit_exact(std::size_t exact_samples) {
        m_exact_samples = exact_samples;
        if (m_samples.size() > m_exact_samples) {
            use_histogram();
        }
    }
    /// As if every sample of `other` had been added here; if that has a histogram, none is exact any more.
    void merge(const percentiles& other) {
        if (count() == 0) {
            const std::size_t limit = m_exact_samples;
            *this = other;
            limit_exact(limit);
            return;
        }
        settle();
        m_sums.add(other.settled());
        m_samples.insert(m_samples.end(), other.m_samples.begin(), other.m_samples.end());
        m_summed = m_samples.size();
        if (m_histogram || other.m_histogram || m_samples.size() > m_exact_samples) {
            use_histogram();
        }
        if (other.m_histogram) {
            *m_histogram += *other.m_histogram;
        }
    }

    std::uint64_t count() const { return m_sums.count + (m_samples.size() - m_summed); }
    /// Percentiles are samples, not middles of buckets.
    bool is_exact() const { return !m_histogram; }
    /// 0 without samples, as the following.
    std::int64_t max() const { return settled().max; }
    std::int64_t min() const { return count() == 0 ? 0 : settled().min; }
    /// Rounded to the nearest whole number.
    std::int64_t mean() const {
        const sums& all = settled();
        return all.count == 0 ? 0 : static_cast<std::int64_t>((all.sum + all.count / 2) / all.count);
    }
    /// Coefficient of variation: the standard deviation of these samples as a share of their mean; 0 where that
    /// is 0. To about 1e-8.
    double variation() const {
        const sums& all = settled();
        if (all.sum == 0) {
            return 0;
        }
        const auto mean = static_cast<double>(all.sum) / static_cast<double>(all.count);
        const auto square = static_cast<double>(all.squares) / static_cast<double>(all.count);
        return std::sqrt(std::max(0.0, square - mean * mean)) / mean;
    }
    /// The share in 1/10,000: 5,000 is the median. Range: 0-10,000.
    std::int64_t percentile(std::uint32_t ten_thousandths) {
        if (count() == 0) {
            return 0;
        }
        const auto product = static_cast<wide>(count()) * ten_thousandths;
        const auto rank = std::max<std::uint64_t>(static_cast<std::uint64_t>((product + 9'999) / 10'000), 1);
        return at_rank(rank);
    }
    /// For each of the values, which ascend, the number of samples that are at most that. Samples in the
    /// histogram count as the middle of their bucket.
    std::vector<std::uint64_t> counts_up_to(const std::vector<std::int64_t>& values) const {
        std::vector<std::uint64_t> counts(values.size() + 1);
        const auto add = [&](std::int64_t sample, std::uint64_t count) {
            counts[static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), sample) -
                                            values.begin())] += count;
        };
        if (m_histogram) {
            const log_linear_axis::index_type size = log_linear_axis{}.size();
            for (log_linear_axis::index_type bucket = 0; bucket < size; ++bucket) {
                if (const std::uint64_t count = m_histogram->at(bucket); count > 0) {
                    add(std::clamp(log_linear_axis::value(bucket), m_sums.min, m_sums.max), count);
                }
            }
        } else {
            for (const std::int64_t sample : m_samples) {
                add(sample, 1);
            }
        }
        counts.pop_back();
        std::partial_sum(counts.begin(), counts.end(), counts.begin());
        return counts;
    }
    /// The rank-th smallest sample. Range: 1 to count().
    std::int64_t at_rank(std::uint64_t rank) {
        return m_histogram ? from_histogram(rank) : sample_at(rank - 1);
    }

 private:
    __extension__ using wide = unsigned __int128;
    using histogram = boost::histogram::histogram<std::tuple<log_linear_axis>,
                                                  boost::histogram::dense_storage<std::uint64_t>>;

    /// What is known of all samples but their order. Of samples below 2^52 (4,500 s in ps) the sum of squares
    /// has room for 2^24 at least.
    struct sums {
        std::uint64_t count = 0;
        wide sum = 0;
        wide squares = 0;
        std::int64_t min = INT64_MAX;
        std::int64_t max = 0;

        void add(std::int64_t value) {
            ++count;
            sum += static_cast<std::uint64_t>(value);
            squares += static_cast<wide>(value) * static_cast<wide>(value);
            min = std::min(min, value);
            max = std::max(max, value);
        }
        void add(const sums& other) {
            count += other.count;
            sum += other.sum;
            squares += other.squares;
            min = std::min(min, other.min);
            max = std::max(max, other.max);
        }
    };

    void settle() const {
        sums all = m_sums;
        std::for_each(m_samples.begin() + static_cast<std::ptrdiff_t>(m_summed), m_samples.end(),
                      [&all](std::int64_t value) { all.add(value); });
        m_sums = all;
        m_summed = m_samples.size();
    }
    const sums& settled() const {
        settle();
        return m_sums;
    }
    /// What would stand at `place` of the sorted samples: they are put into intervals of equal width, of which
    /// only the one with that place is looked at.
    std::int64_t sample_at(std::size_t place) {
        if (m_sorted != m_samples.size()) {
            settle();
            sort_into_intervals();
            m_sorted = m_samples.size();
        }
        const auto next = std::upper_bound(m_interval_begins.begin(), m_interval_begins.end(), place);
        const auto at = [this](std::size_t index) {
            return m_samples.begin() + static_cast<std::ptrdiff_t>(index);
        };
        const std::size_t end = next != m_interval_begins.end() ? *next : m_samples.size();
        std::nth_element(at(*std::prev(next)), at(place), at(end));
        return m_samples[place];
    }
    void sort_into_intervals() {
        const auto span = static_cast<std::uint64_t>(m_sums.max - m_sums.min);
        const unsigned span_bits = span == 0 ? 0 : 64U - static_cast<unsigned>(__builtin_clzll(span));
        const unsigned shift = span_bits > interval_bits ? span_bits - interval_bits : 0;
        const auto interval_of = [&](std::int64_t value) {
            return static_cast<std::uint64_t>(value - m_sums.min) >> shift;
        };
        std::vector<std::size_t> next((span >> shift) + 2);
        for (const std::int64_t value : m_samples) {
            ++next[interval_of(value) + 1];
        }
        std::partial_sum(next.begin(), next.end(), next.begin());
        next.pop_back();
        m_interval_begins = next;
        std::vector<std::int64_t> sorted(m_samples.size());
        for (const std::int64_t value : m_samples) {
            sorted[next[interval_of(value)]++] = value;
        }
        m_samples.swap(sorted);
    }
    void use_histogram() {
        settle();
        if (!m_histogram) {
            m_histogram.emplace(log_linear_axis{});
        }
        for (std::int64_t value : m_samples) {
            (*m_histogram)(value);
        }
        m_samples = {};
        m_summed = 0;
    }
    std::int64_t from_histogram(std::uint64_t rank) const {
        if (rank == m_sums.count) {
            return m_sums.max;
        }
        std::uint64_t below = 0;
        const log_linear_axis::index_type size = log_linear_axis{}.size();
        for (log_linear_axis::index_type bucket = 0; bucket < size; ++bucket) {
            below += m_histogram->at(bucket);
            if (below >= rank) {
                return std::clamp(log_linear_axis::value(bucket), m_sums.min, m_sums.max);
            }
        }
        return m_sums.max;
    }

    static constexpr unsigned interval_bits = 10;

    std::size_t m_exact_samples;
    std::vector<std::int64_t> m_samples;
    /// So many samples are in the order of their intervals, each from its place here on.
    std::size_t m_sorted = 0;
    std::vector<std::size_t> m_interval_begins;
    std::optional<histogram> m_histogram;
    /// Of what is in the histogram, and of the first `m_summed` samples.
    mutable sums m_sums;
    mutable std::size_t m_summed = 0;
};

}  // namespace weir
