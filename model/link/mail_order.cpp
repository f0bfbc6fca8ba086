#include "weir/model/link/mail_order.h"

#include <algorithm>

namespace weir::model {

namespace {

/// Entries of an interval that are sorted by insertion.
constexpr std::size_t few = 16;

unsigned bits_of(std::uint64_t value) {
    return value == 0 ? 0 : 64U - static_cast<unsigned>(__builtin_clzll(value));
}

}  // namespace

// About as many intervals as entries: most hold one or two.
void mail_order::sort(const inbox& mail, unsigned side) {
    m_unsorted.clear();
    event_key first = no_event;
    event_key last = 0;
    mail.for_each(
        side,
        [&](const wire_arrival& arrival) {
            first = std::min(first, arrival.key);
            last = std::max(last, arrival.key);
            m_unsorted.push_back({arrival.key, &arrival});
        },
        [](const wire_arrival&, std::uint32_t) {});
    const unsigned interval_bits = bits_of(m_unsorted.size());
    const unsigned span_bits = m_unsorted.empty() ? 0 : bits_of(last - first);
    const unsigned shift = span_bits > interval_bits ? span_bits - interval_bits : 0;
    m_ends.assign(std::size_t{1} << interval_bits, 0);
    for (const entry& e : m_unsorted) {
        ++m_ends[(e.key - first) >> shift];
    }
    std::uint32_t before = 0;
    for (std::uint32_t& end : m_ends) {
        const std::uint32_t count = end;
        end = before;
        before += count;
    }
    m_sorted.resize(m_unsorted.size());
    for (const entry& e : m_unsorted) {
        m_sorted[m_ends[(e.key - first) >> shift]++] = e;
    }
    std::size_t begin = 0;
    for (const std::uint32_t end : m_ends) {
        sort_range(begin, end);
        begin = end;
    }
}

void mail_order::sort_range(std::size_t begin, std::size_t end) {
    const auto from = m_sorted.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to = m_sorted.begin() + static_cast<std::ptrdiff_t>(end);
    if (end - begin > few) {
        std::sort(from, to, [](const entry& a, const entry& b) { return a.key < b.key; });
        return;
    }
    for (std::size_t next = begin + 1; next < end; ++next) {
        const entry e = m_sorted[next];
        std::size_t at = next;
        for (; at > begin && m_sorted[at - 1].key > e.key; --at) {
            m_sorted[at] = m_sorted[at - 1];
        }
        m_sorted[at] = e;
    }
}

}  // namespace weir::model
