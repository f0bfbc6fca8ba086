// Records of many hosts in the order of (time, host, place in the host's list), without moving them. Each
// host's own list is in order of time.
//
//   log_order order;
//   order.add(host, log.deliveries, [](const delivery_record& d) { return d.end; });      // of each host
//   order.sort();
//   for (const log_place& place : order.places()) { ... }
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weir/base/time.h"
#include "weir/protocol/frame.h"

namespace weir::tb {

struct log_place {
    picoseconds time;
    host_id host;
    std::uint32_t index;

    friend bool operator<(const log_place& a, const log_place& b) {
        return a.time != b.time ? a.time < b.time : a.host != b.host ? a.host < b.host : a.index < b.index;
    }
};

class log_order {
 public:
    void clear() {
        m_places.clear();
        m_first = never;
        m_last = picoseconds{0};
    }
    /// Hosts in ascending order.
    template <class Record, class Time>
    void add(host_id host, const std::vector<Record>& records, Time&& time_of) {
        if (records.empty()) {
            return;
        }
        m_first = std::min(m_first, time_of(records.front()));
        m_last = std::max(m_last, time_of(records.back()));
        std::uint32_t index = 0;
        for (const Record& record : records) {
            m_places.push_back({time_of(record), host, index++});
        }
    }
    /// First into intervals of time, about as many as there are records, then within these.
    void sort();
    const std::vector<log_place>& places() const { return m_places; }

 private:
    std::vector<log_place> m_places;
    /// Of all records.
    picoseconds m_first = never;
    picoseconds m_last{0};
    // Of one `sort`.
    std::vector<log_place> m_unsorted;
    /// By interval: where the next of its records goes.
    std::vector<std::uint32_t> m_next;
};

}  // namespace weir::tb
