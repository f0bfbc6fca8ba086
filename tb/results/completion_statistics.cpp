#include "tb/results/completion_statistics.h"

#include <algorithm>

namespace weir::tb {

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
    return m_groups
        .try_emplace(of, samples{percentiles(m_flows.kept()), percentiles(m_jobs.kept()),
                                 percentiles(m_flow_slowdowns.kept()), percentiles(m_job_slowdowns.kept())})
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
        for (percentiles samples::*const values :
             {&samples::fct, &samples::jct, &samples::fct_slowdown, &samples::jct_slowdown}) {
            (bin.*values).merge(from.*values);
        }
    }
}

void completion_statistics::limit_groups(const totals& all) {
    for (auto& [of, group] : m_groups) {
        (group.*all.values).limit_exact(exact_group_samples);
    }
}

template <class Value>
distribution_of<Value> completion_statistics::of_all(const totals& all) const {
    percentiles together;
    for (const auto& [of, group] : m_groups) {
        together.merge(group.*all.values);
    }
    return summarize<Value>(together);
}
template distribution completion_statistics::of_all(const totals& all) const;
template slowdown_distribution completion_statistics::of_all(const totals& all) const;

template <class Value>
distribution_of<Value> completion_statistics::of_group(const totals& all, samples& group) const {
    percentiles& values = group.*all.values;
    if (values.count() <= exact_group_samples || !values.is_exact()) {
        return summarize<Value>(values);
    }
    percentiles limited(exact_group_samples);
    limited.merge(values);
    return summarize<Value>(limited);
}

std::vector<completion_group> completion_statistics::groups() {
    std::vector<completion_group> all;
    for (auto& [of, group] : m_groups) {
        const auto& [tag, size, priority] = of;
        const std::int64_t smallest = m_binned ? smallest_of(size) : size;
        all.push_back({tag, bytes{smallest}, bytes{size}, priority, of_group<picoseconds>(m_flows, group),
                       of_group<picoseconds>(m_jobs, group), of_group<slowdown_ratio>(m_flow_slowdowns, group),
                       of_group<slowdown_ratio>(m_job_slowdowns, group)});
    }
    return all;
}

}  // namespace weir::tb
