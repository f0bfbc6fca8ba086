// Sorting of records whose keys are spread about evenly, such as times of one quantum or of a collection of
// logs: in time that grows with their number only.
//
//   interval_sort<std::uint64_t> order;
//   std::vector<std::uint64_t> times{30, 10, 20};
//   order.sort(times, [](std::uint64_t time) { return time; }, std::less<>());      // 10, 20, 30
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace weir {

/// Keeps its memory between sorts.
template <class Record>
class interval_sort {
 public:
    /// `key_of` gives a `std::uint64_t` that never falls where `before` puts records in order. Records of which
    /// neither is before the other are in any order afterwards, but in the same one for the same records.
    template <class KeyOf, class Before>
    void sort(std::vector<Record>& records, const KeyOf& key_of, const Before& before) {
        if (records.size() < 2) {
            return;
        }
        std::uint64_t first = UINT64_MAX;
        std::uint64_t last = 0;
        for (const Record& record : records) {
            first = std::min(first, key_of(record));
            last = std::max(last, key_of(record));
        }
        // About as many intervals as records: most hold one or two.
        const unsigned interval_bits = bits_of(records.size());
        const unsigned span_bits = bits_of(last - first);
        const unsigned shift = span_bits > interval_bits ? span_bits - interval_bits : 0;
        m_ends.assign(std::size_t{1} << interval_bits, 0);
        for (const Record& record : records) {
            ++m_ends[(key_of(record) - first) >> shift];
        }
        std::uint32_t begin = 0;
        for (std::uint32_t& end : m_ends) {
            begin += std::exchange(end, begin);
        }
        m_unsorted.swap(records);
        records.resize(m_unsorted.size());
        for (const Record& record : m_unsorted) {
            records[m_ends[(key_of(record) - first) >> shift]++] = record;
        }
        begin = 0;
        for (const std::uint32_t end : m_ends) {
            sort_interval(records, begin, end, before);
            begin = end;
        }
    }

 private:
    /// Records of an interval that are sorted by insertion.
    static constexpr std::size_t few = 16;

    static unsigned bits_of(std::uint64_t value) {
        return value == 0 ? 0 : 64U - static_cast<unsigned>(__builtin_clzll(value));
    }
    template <class Before>
    static void sort_interval(std::vector<Record>& records, std::size_t begin, std::size_t end,
                              const Before& before) {
        if (end - begin > few) {
            const auto from = records.begin() + static_cast<std::ptrdiff_t>(begin);
            const auto to = records.begin() + static_cast<std::ptrdiff_t>(end);
            if (!std::is_sorted(from, to, before)) {
                std::sort(from, to, before);
            }
            return;
        }
        for (std::size_t next = begin + 1; next < end; ++next) {
            const Record record = records[next];
            std::size_t at = next;
            for (; at > begin && before(record, records[at - 1]); --at) {
                records[at] = records[at - 1];
            }
            records[at] = record;
        }
    }

    std::vector<Record> m_unsorted;
    /// Keys are divided into intervals of equal length: where the records of each one end.
    std::vector<std::uint32_t> m_ends;
};

}  // namespace weir
