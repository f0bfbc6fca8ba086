#include "tb/results/log_order.h"

#include <algorithm>

namespace weir::tb {

namespace {

/// Records of an interval that are put in order by insertion.
constexpr std::uint32_t few = 8;

unsigned bits_of(std::uint64_t value) {
    return value == 0 ? 0 : 64U - static_cast<unsigned>(__builtin_clzll(value));
}

}  // namespace

void log_order::sort() {
    if (m_places.size() < 2) {
        return;
    }
    const std::int64_t begin = m_first.count();
    const auto span = static_cast<std::uint64_t>((m_last - m_first).count());
    const unsigned wanted = bits_of(m_places.size()) - 1;
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
    // Now `m_next` is where each interval ends. Records of one time are in order already; other long intervals
    // are sorted, and then all records are near their places.
    std::uint32_t from = 0;
    for (const std::uint32_t to : m_next) {
        const auto begin_of = m_places.begin() + from;
        const auto end_of = m_places.begin() + to;
        if (to - from > few && !std::is_sorted(begin_of, end_of)) {
            std::sort(begin_of, end_of);
        }
        from = to;
    }
    for (std::size_t i = 1; i < m_places.size(); ++i) {
        const log_place place = m_places[i];
        std::size_t hole = i;
        for (; hole > 0 && place < m_places[hole - 1]; --hole) {
            m_places[hole] = m_places[hole - 1];
        }
        if (hole != i) {
            m_places[hole] = place;
        }
    }
}

}  // namespace weir::tb
