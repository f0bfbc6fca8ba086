#include "tb/text/nearest_name.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace weir::tb {

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
    // The row of each of a's characters, and those of the two before it.
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(before, last);
        std::swap(last, row);
        row[0] = i;
        std::size_t least = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({replace, last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
            least = std::min(least, row[j]);
        }
        // A swap continues from the row before the last one, and costs one more.
        if (std::min(least, *std::min_element(last.begin(), last.end()) + 1) >= limit) {
            return limit;
        }
    }
    return std::min(row[b.size()], limit);
}

std::string nearest_name(const std::string& text, const std::vector<std::string>& candidates) {
    std::string best;
    if (text.empty()) {
        return best;
    }
    std::size_t least = std::max<std::size_t>(2, text.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        // A difference of lengths is a distance already: most of a large fabric's links go no further.
        const std::size_t longer = std::max(text.size(), candidate.size());
        const std::size_t shorter = std::min(text.size(), candidate.size());
        if (longer - shorter >= least) {
            continue;
        }
        const std::size_t distance = edit_distance(text, candidate, least);
        if (distance < least) {
            least = distance;
            best = candidate;
        }
    }
    return best;
}

}  // namespace weir::tb
