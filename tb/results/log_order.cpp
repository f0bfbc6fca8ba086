#include "tb/results/log_order.h"

namespace weir::tb {

void log_order::sort() {
    m_sort.sort(
        m_places, [](const log_place& place) { return static_cast<std::uint64_t>(place.time.count()); },
        [](const log_place& a, const log_place& b) { return a < b; });
}

}  // namespace weir::tb
