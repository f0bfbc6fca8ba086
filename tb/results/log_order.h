// Records of many hosts in the order of (time, host, place in the host's list), without moving them. Each
// host's own list is in order of time.
//
//   log_order order;
//   order.add(host, log.deliveries, [](const delivery_record& d) { return d.end; });      // of each host
//   order.sort();
//   for (const log_place& place : order.places()) { ... }
#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/interval_sort.h"
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
    void clear() { m_places.clear(); }
    /// Hosts in ascending order.
    template <class Record, class Time>
    void add(host_id host, const std::vector<Record>& records, Time&& time_of) {
        std::uint32_t index = 0;
        for (const Record& record : records) {
            m_places.push_back({time_of(record), host, index++});
        }
    }
    void sort();
    const std::vector<log_place>& places() const { return m_places; }

 private:
    std::vector<log_place> m_places;
    interval_sort<log_place> m_sort;
};

}  // namespace weir::tb
