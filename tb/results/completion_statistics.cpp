#include "tb/results/completion_statistics.h"

#include <algorithm>

namespace weir::tb {

distribution summarize(percentiles& samples) {
    const auto at = [&](std::uint32_t share) { return picoseconds{samples.percentile(share)}; };
    return {samples.count(), picoseconds{samples.mean()}, at(5'000),          at(9'000), at(9'900),
            at(9'990),       picoseconds{samples.max()},  samples.variation()};
}

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
    return m_groups.try_emplace(of, samples{percentiles(m_flows.kept()), percentiles(m_jobs.kept())})
        .first->second;
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
        bin.fct.merge(from.fct);
        bin.jct.merge(from.jct);
    }
}

void completion_statistics::limit_groups(const totals& all) {
    for (auto& [of, group] : m_groups) {
        (group.*all.times).limit_exact(exact_group_samples);
    }
}

distribution completion_statistics::of_all(const totals& all) const {
    percentiles together;
    for (const auto& [of, group] : m_groups) {
        together.merge(group.*all.times);
    }
    return summarize(together);
}

distribution completion_statistics::of_group(const totals& all, samples& group) const {
    percentiles& times = group.*all.times;
    if (times.count() <= exact_group_samples || !times.is_exact()) {
        return summarize(times);
    }
    percentiles limited(exact_group_samples);
    limited.merge(times);
    return summarize(limited);
}

std::vector<completion_group> completion_statistics::groups() {
    std::vector<completion_group> all;
    for (auto& [of, group] : m_groups) {
        const auto& [tag, size, priority] = of;
        const std::int64_t smallest = m_binned ? smallest_of(size) : size;
        all.push_back(
            {tag, bytes{smallest}, bytes{size}, priority, of_group(m_flows, group), of_group(m_jobs, group)});
    }
    return all;
}

}  // namespace weir::tb
