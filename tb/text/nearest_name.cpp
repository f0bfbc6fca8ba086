#include "tb/text/nearest_name.h"

#include <algorithm>

namespace weir::tb {

std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            const std::size_t replace = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            cost[i][j] = std::min({replace, cost[i - 1][j] + 1, cost[i][j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
            }
        }
    }
    return cost[a.size()][b.size()];
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
        const std::size_t distance = edit_distance(text, candidate);
        if (distance < least) {
            least = distance;
            best = candidate;
        }
    }
    return best;
}

}  // namespace weir::tb
