#include "tb/results/log_order.h"

#include <algorithm>

namespace weir::tb {

namespace {

unsigned bits_of(std::uint64_t value) {
    return value == 0 ? 0 : 64U - static_cast<unsigned>(__builtin_clzll(value));
}

}  // namespace

void log_order::sort() {
    if (m_places.size() < 2) {
        return;
    }
    const auto by_time = [](const log_place& a, const log_place& b) { return a.time < b.time; };
    const auto [first, last] = std::minmax_element(m_places.begin(), m_places.end(), by_time);
    const std::int64_t begin = first->time.count();
    const auto span = static_cast<std::uint64_t>(last->time.count() - begin);
    const unsigned wanted = bits_of(m_places.size());
    const unsigned shift = bits_of(span) > wanted ? bits_of(span) - wanted : 0;
    const auto interval_of = [&](const log_place& place) {
        return static_cast<std::uint64_t>(place.time.count() - begin) >> shift;
    };
    m_next.assign((span >> shift) + 2, 0);
    for (const log_place& place : m_places) {
        ++m_next[interval_of(place) + 1];
    }
    std::uint32_t before = 0;
    for (std::uint32_t& next : m_next) {
        before += next;
        next = before;
    }
    m_unsorted.swap(m_places);
    m_places.resize(m_unsorted.size());
    for (const log_place& place : m_unsorted) {
        m_places[m_next[interval_of(place)]++] = place;
    }
    // Now `m_next` is where each interval ends.
    std::uint32_t from = 0;
    for (const std::uint32_t to : m_next) {
        if (to - from > 1) {
            std::sort(m_places.begin() + from, m_places.begin() + to);
        }
        from = to;
    }
}

}  // namespace weir::tb
