// Things of a fabric that patterns choose, by their numbers.
//
//     names tor0, tor1, core0; patterns tor*, core9      {0, 1}, and core9 is refused
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::tb {

/// Numbers below `count` that some pattern fits, ascending. `refuse` is called for each pattern that fits none.
template <class Fits, class Refuse>
std::vector<std::uint32_t> fitting_places(const std::vector<std::string>& patterns, std::uint32_t count,
                                          Fits&& fits, Refuse&& refuse) {
    std::vector<bool> is_chosen(count);
    for (const std::string& pattern : patterns) {
        bool any = false;
        for (std::uint32_t place = 0; place < count; ++place) {
            if (fits(pattern, place)) {
                any = is_chosen[place] = true;
            }
        }
        if (!any) {
            refuse(pattern);
        }
    }
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t place = 0; place < count; ++place) {
        if (is_chosen[place]) {
            chosen.push_back(place);
        }
    }
    return chosen;
}

}  // namespace weir::tb
