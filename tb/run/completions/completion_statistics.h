// Completion times of transfers and jobs, and their slowdowns: overall, and per group of equal (tag, size,
// priority).
//
// Percentiles are over all transfers (or jobs) that have started, by the product-limit estimator
// (product_limit.h): a transfer that has not completed by the end of the run takes longer than its age. Count,
// mean and variation are over completed ones.
//
// Sizes are taken as they are while a run has no more than 256 of them, transfers and jobs together. Beyond
// that (sizes drawn from a continuous distribution) all of them are put into bins of powers of two,
// (2^(k-1), 2^k] bytes. Bins may also be given. Nothing depends on the order in which transfers and jobs are
// added.
//
//   completion_statistics s;
//   s.add_flow({tag, 8_KB, 7}, {fct, unloaded});
//   s.add_open_flow({tag, 8_KB, 7}, {age, unloaded});
//   for (completion_group& g : s.groups()) { ... }
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "tb/run/completions/slowdown.h"
#include "weir/base/percentiles.h"
#include "weir/base/product_limit.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/protocol/frame.h"

namespace weir::tb {

/// What summaries say of a set of times or slowdowns. All zero without any.
template <class Value>
struct distribution_of {
    /// Number of what has completed, and its mean.
    std::uint64_t count = 0;
    Value mean{0};
    /// A percentile that is not reached is the largest age of what has not completed: a lower bound.
    Value p50{0};
    Value p90{0};
    Value p99{0};
    Value p99_9{0};
    Value max{0};
    /// Standard deviation as a share of the mean.
    double variation = 0;
    /// Number of what has not completed.
    std::uint64_t unfinished = 0;
    /// Percentiles up to this share are reached, higher ones are lower bounds. Unit: 1/10,000; `max` is 10,000.
    std::uint32_t reached = 10'000;

    bool is_empty() const { return count == 0 && unfinished == 0; }
};
using distribution = distribution_of<picoseconds>;
using slowdown_distribution = distribution_of<slowdown_ratio>;

/// Times of what has completed, and ages of what has not.
struct observed_times {
    percentiles completed;
    std::vector<std::int64_t> ages;

    void merge(const observed_times& other) {
        completed.merge(other.completed);
        ages.insert(ages.end(), other.ages.begin(), other.ages.end());
    }
};

template <class Value>
distribution_of<Value> summarize(observed_times& times);

struct completion_class {
    std::uint32_t tag = 0;
    bytes size{0};
    pfc_class priority = 0;

    friend bool operator==(const completion_class& a, const completion_class& b) {
        return a.size == b.size && a.tag == b.tag && a.priority == b.priority;
    }
};

struct completion_group {
    std::uint32_t tag = 0;
    /// Equal for a single size; else the bin holds the sizes from the first to the second, both included.
    bytes smallest{0};
    bytes largest{0};
    pfc_class priority = 0;
    distribution fct;
    distribution jct;
    slowdown_distribution fct_slowdown{};
    slowdown_distribution jct_slowdown{};
};

class completion_statistics {
 public:
    /// Most sizes that are told apart.
    static constexpr std::size_t most_sizes = 256;
    /// Samples per group of which percentiles are exact; of all together: percentiles::default_exact_samples.
    /// Groups keep what either needs, so that no sample is kept twice.
    static constexpr std::size_t exact_group_samples = std::size_t{1} << 18;
    /// Of the last bin, where bins are given: no transfer is longer. Unit: B.
    static constexpr std::int64_t longest_transfer = std::int64_t{1} << 48;

    completion_statistics() = default;
    /// `bins`: their largest sizes, ascending. What is larger than all of them is a bin, too.
    explicit completion_statistics(const std::vector<bytes>& bins);

    void add_flow(const completion_class& c, const measured_time& t) { add(group_of(c), fct_times, t); }
    void add_job(const completion_class& c, const measured_time& t) { add(group_of(c), jct_times, t); }
    /// Adds a transfer or job that has not completed, with its age at the end of the run.
    void add_open_flow(const completion_class& c, const measured_time& age) {
        add_age(group_of(c), fct_times, age);
    }
    void add_open_job(const completion_class& c, const measured_time& age) {
        add_age(group_of(c), jct_times, age);
    }
    /// A transfer that is a job by itself.
    void add_flow_and_job(const completion_class& c, const measured_time& flow, const measured_time& job) {
        samples& group = group_of(c);
        add(group, fct_times, flow);
        add(group, jct_times, job);
    }

    /// Of all groups together.
    distribution fct() const { return of_all<picoseconds>(fct_times); }
    distribution jct() const { return of_all<picoseconds>(jct_times); }
    /// Of those whose time in an empty fabric is known.
    slowdown_distribution fct_slowdown() const { return of_all<slowdown_ratio>(slowdowns_of(fct_times)); }
    slowdown_distribution jct_slowdown() const { return of_all<slowdown_ratio>(slowdowns_of(jct_times)); }
    /// In the order of tag, size, priority.
    std::vector<completion_group> groups();
    /// Tag, largest size and priority of each group, in the same order.
    std::vector<completion_class> classes() const;
    /// The groups together that `takes` accepts.
    completion_group total(const std::function<bool(const completion_class&)>& takes) const;

 private:
    /// Tag, largest size, priority.
    using key = std::tuple<std::uint32_t, std::int64_t, pfc_class>;
    /// Kinds of samples: times of transfers and of jobs, and the slowdowns of each behind them.
    enum kind : unsigned { fct_times, jct_times, fct_slowdowns, jct_slowdowns, kinds };
    static constexpr kind slowdowns_of(kind times) {
        return times == fct_times ? fct_slowdowns : jct_slowdowns;
    }
    /// By kind.
    using samples = std::array<observed_times, kinds>;
    struct recent_group {
        completion_class of;
        samples* group = nullptr;
    };
    static constexpr unsigned recent_bits = 6;

    /// Samples of a kind that a group keeps.
    std::size_t kept(unsigned of) const {
        return m_counts[of] > percentiles::default_exact_samples ? exact_group_samples
                                                                 : percentiles::default_exact_samples;
    }
    [[gnu::always_inline]] void add(samples& group, kind times, const measured_time& t) {
        add_sample(group, times, t.time.count());
        if (t.has_slowdown()) {
            add_sample(group, slowdowns_of(times), static_cast<std::int64_t>(t.slowdown()));
        }
    }
    [[gnu::always_inline]] void add_sample(samples& group, kind of, std::int64_t value) {
        group[of].completed.add(value);
        if (__builtin_expect(++m_counts[of] == percentiles::default_exact_samples + 1, 0)) {
            limit_groups(of);
        }
    }
    static void add_age(samples& group, kind times, const measured_time& age) {
        group[times].ages.push_back(age.time.count());
        if (age.has_slowdown()) {
            group[slowdowns_of(times)].ages.push_back(static_cast<std::int64_t>(age.slowdown()));
        }
    }
    /// All together are in a histogram from now on.
    void limit_groups(kind of);
    template <class Value>
    distribution_of<Value> of_all(kind of,
                                  const std::function<bool(const completion_class&)>& takes = nullptr) const;
    template <class Value>
    static distribution_of<Value> of_group(observed_times& values);

    [[gnu::always_inline]] samples& group_of(const completion_class& c) {
        const std::uint64_t hash =
            static_cast<std::uint64_t>(c.size.count() << 11 | c.priority << 8 | c.tag) * 0x9E3779B97F4A7C15U;
        recent_group& recent = m_recent[hash >> (64 - recent_bits)];
        if (__builtin_expect(recent.group == nullptr || !(recent.of == c), 0)) {
            samples& found = find_group(c);
            recent = {c, &found};
        }
        return *recent.group;
    }
    samples& find_group(const completion_class& c);
    samples& make_group(const key& of);
    void put_into_bins();
    /// Largest and smallest size of the bin that holds `size`. Unit: B.
    std::int64_t bin_of(std::int64_t size) const;
    std::int64_t smallest_of(std::int64_t bin) const;

    /// Samples of all groups together, by kind.
    std::array<std::uint64_t, kinds> m_counts{};
    std::map<key, samples> m_groups;
    /// By a hash of the class: where it was found the last time.
    std::array<recent_group, std::size_t{1} << recent_bits> m_recent{};
    std::set<std::int64_t> m_sizes;
    /// Those that were given.
    std::vector<std::int64_t> m_bins;
    bool m_binned = false;
};

}  // namespace weir::tb
