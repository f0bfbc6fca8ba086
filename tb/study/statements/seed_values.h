// Values by seed, and what is computed from several of them, seed by seed.
//
//   by_seed({of, against}, [](const std::vector<double>& v) { return v[0] / v[1]; });
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace weir::tb {

/// A value for each seed; nothing for a seed whose run has none.
using seed_values = std::vector<std::optional<double>>;

/// Calls visit(seed, values) for each seed of the first list with which every list has a value.
template <class Visit>
void for_each_seed(const std::vector<seed_values>& lists, const Visit& visit) {
    for (std::size_t seed = 0; seed < lists.front().size(); ++seed) {
        std::vector<double> here;
        for (const seed_values& list : lists) {
            if (seed < list.size() && list[seed]) {
                here.push_back(*list[seed]);
            }
        }
        if (here.size() == lists.size()) {
            visit(seed, here);
        }
    }
}

/// combine(values) by seed; nothing for a seed with which one of the lists has no value.
template <class Combine>
seed_values by_seed(const std::vector<seed_values>& lists, const Combine& combine) {
    seed_values all(lists.front().size());
    for_each_seed(lists, [&](std::size_t seed, const std::vector<double>& here) { all[seed] = combine(here); });
    return all;
}

/// The mean, as the sum of equal shares.
inline double mean_of_shares(const std::vector<double>& values) {
    double mean = 0;
    for (const double value : values) {
        mean += value / static_cast<double>(values.size());
    }
    return mean;
}

}  // namespace weir::tb
