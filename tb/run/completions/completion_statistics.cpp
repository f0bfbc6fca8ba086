#include "tb/run/completions/completion_statistics.h"

#include <algorithm>
#include <optional>
#include <type_traits>

namespace weir::tb {

namespace {

/// Replaces the percentiles of `d` by product-limit estimates, and by the largest age where these do not reach.
template <class Value>
void estimate(observed_times& times, distribution_of<Value>& d) {
    std::sort(times.ages.begin(), times.ages.end());
    const product_limit estimated(times.completed.count(), times.completed.counts_up_to(times.ages));
    d.reached = 0;
    // A histogram places its samples in the middle of their buckets, so the longest one may be above all ages.
    // No slowdown is below 1, however young a transfer is.
    constexpr bool is_slowdown = std::is_same_v<Value, slowdown_ratio>;
    const std::int64_t bound = std::max({times.ages.back(), times.completed.max(),
                                         is_slowdown ? static_cast<std::int64_t>(slowdowns_in_one) : 0});
    const auto put = [&](std::uint32_t share, Value& value) {
        const std::optional<std::uint64_t> rank = estimated.rank(share / 10'000.0);
        d.reached = rank ? share : d.reached;
        value = Value{rank ? times.completed.at_rank(*rank) : bound};
    };
    put(5'000, d.p50);
    put(9'000, d.p90);
    put(9'900, d.p99);
    put(9'990, d.p99_9);
    put(10'000, d.max);
}

}  // namespace

template <class Value>
distribution_of<Value> summarize(observed_times& times) {
    percentiles& samples = times.completed;
    const auto at = [&](std::uint32_t share) { return Value{samples.percentile(share)}; };
    distribution_of<Value> d{samples.count(), Value{samples.mean()}, at(5'000),          at(9'000), at(9'900),
                             at(9'990),       Value{samples.max()},  samples.variation()};
    d.unfinished = times.ages.size();
    if (d.unfinished > 0) {
        estimate(times, d);
    }
    return d;
}
template distribution summarize(observed_times& times);
template slowdown_distribution summarize(observed_times& times);

completion_statistics::completion_statistics(const std::vector<bytes>& bins) : m_binned(!bins.empty()) {
    for (const bytes bin : bins) {
        m_bins.push_back(bin.count());
    }
}

std::int64_t completion_statistics::bin_of(std::int64_t size) const {
    if (!m_bins.empty()) {
        const auto bin = std::lower_bound(m_bins.begin(), m_bins.end(), size);
        return bin != m_bins.end() ? *bin : longest_transfer;
    }
    // (2^(k-1), 2^k].
    std::int64_t largest = 1;
    while (largest < size) {
        largest *= 2;
    }
    return largest;
}

std::int64_t completion_statistics::smallest_of(std::int64_t bin) const {
    if (!m_bins.empty()) {
        const auto own = std::lower_bound(m_bins.begin(), m_bins.end(), bin);
        return own != m_bins.begin() ? *(own - 1) + 1 : 0;
    }
    return bin > 1 ? bin / 2 + 1 : bin;
}

completion_statistics::samples& completion_statistics::make_group(const key& of) {
    const auto [place, is_new] = m_groups.try_emplace(of);
    for (unsigned each = 0; is_new && each < kinds; ++each) {
        place->second[each].completed = percentiles(kept(each));
    }
    return place->second;
}

completion_statistics::samples& completion_statistics::find_group(const completion_class& c) {
    if (!m_binned && m_sizes.insert(c.size.count()).second && m_sizes.size() > most_sizes) {
        put_into_bins();
    }
    const std::int64_t size = m_binned ? bin_of(c.size.count()) : c.size.count();
    const key of{c.tag, size, c.priority};
    const auto found = m_groups.find(of);
    return found != m_groups.end() ? found->second : make_group(of);
}

void completion_statistics::put_into_bins() {
    std::map<key, samples> exact;
    exact.swap(m_groups);
    m_binned = true;
    m_sizes.clear();
    m_recent.fill({});
    for (const auto& [of, from] : exact) {
        samples& bin = make_group({std::get<0>(of), bin_of(std::get<1>(of)), std::get<2>(of)});
        for (unsigned each = 0; each < kinds; ++each) {
            bin[each].merge(from[each]);
        }
    }
}

void completion_statistics::limit_groups(kind of) {
    for (auto& [key, group] : m_groups) {
        group[of].completed.limit_exact(exact_group_samples);
    }
}

template <class Value>
distribution_of<Value> completion_statistics::of_all(
    kind of, const std::function<bool(const completion_class&)>& takes) const {
    observed_times together;
    for (const auto& [key, group] : m_groups) {
        const auto& [tag, size, priority] = key;
        if (!takes || takes({tag, bytes{size}, priority})) {
            together.merge(group[of]);
        }
    }
    return summarize<Value>(together);
}

completion_group completion_statistics::total(const std::function<bool(const completion_class&)>& takes) const {
    completion_group all;
    all.fct = of_all<picoseconds>(fct_times, takes);
    all.jct = of_all<picoseconds>(jct_times, takes);
    all.fct_slowdown = of_all<slowdown_ratio>(fct_slowdowns, takes);
    all.jct_slowdown = of_all<slowdown_ratio>(jct_slowdowns, takes);
    return all;
}

std::vector<completion_class> completion_statistics::classes() const {
    std::vector<completion_class> all;
    for (const auto& [key, group] : m_groups) {
        const auto& [tag, size, priority] = key;
        all.push_back({tag, bytes{size}, priority});
    }
    return all;
}

template <class Value>
distribution_of<Value> completion_statistics::of_group(observed_times& values) {
    if (values.completed.count() <= exact_group_samples || !values.completed.is_exact()) {
        return summarize<Value>(values);
    }
    observed_times limited{percentiles(exact_group_samples), {}};
    limited.merge(values);
    return summarize<Value>(limited);
}

std::vector<completion_group> completion_statistics::groups() {
    std::vector<completion_group> all;
    for (auto& [of, group] : m_groups) {
        const auto& [tag, size, priority] = of;
        const std::int64_t smallest = m_binned ? smallest_of(size) : size;
        all.push_back({tag, bytes{smallest}, bytes{size}, priority, of_group<picoseconds>(group[fct_times]),
                       of_group<picoseconds>(group[jct_times]), of_group<slowdown_ratio>(group[fct_slowdowns]),
                       of_group<slowdown_ratio>(group[jct_slowdowns])});
    }
    return all;
}

}  // namespace weir::tb
