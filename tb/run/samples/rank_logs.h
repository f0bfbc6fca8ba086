// The logs of all hosts, whatever rank has them: those of other ranks come to rank 0, which writes the results.
//
//   rank_logs logs(endpoints, team);
//   logs.take();                            // at a barrier: what hosts have logged since the last call
//   logs.of(host);                          // null where there is none
//   logs.clear();
//
//   log_order order;
//   order.add(host, log.deliveries, [](const delivery_record& d) { return d.end; });      // of each host
//   order.sort();
//   for (const log_place& place : order.places()) { ... }
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "weir/base/interval_sort.h"
#include "weir/base/time.h"
#include "weir/model/ranks/rank_team.h"
#include "weir/protocol/frame.h"
#include "weir/traffic/host/traffic_endpoint.h"

namespace weir::tb {

using traffic::host_log;
using traffic::traffic_endpoint;

class rank_logs {
 public:
    /// `endpoints`: by host; null where another rank has it, or nobody. They and the team outlive this.
    rank_logs(const std::vector<traffic_endpoint*>& endpoints, model::rank_team& team)
        : m_endpoints(endpoints), m_team(team), m_logs(endpoints.size()) {}

    /// Collective. On ranks but 0 there are no logs then.
    void take();
    const host_log* of(host_id host) const { return m_logs[host]; }
    /// Hosts have logged nothing.
    void clear();

 private:
    const std::vector<traffic_endpoint*>& m_endpoints;
    model::rank_team& m_team;
    /// By host.
    std::vector<const host_log*> m_logs;
    /// Of hosts that have logged something, of all ranks.
    std::vector<std::pair<host_id, host_log>> m_received;
};

struct log_place {
    picoseconds time;
    host_id host;
    std::uint32_t index;

    friend bool operator<(const log_place& a, const log_place& b) {
        return a.time != b.time ? a.time < b.time : a.host != b.host ? a.host < b.host : a.index < b.index;
    }
};

/// Records of many hosts in the order of (time, host, place in the host's list), without moving them. Each
/// host's own list is in order of time.
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
    void sort() {
        m_sort.sort(
            m_places, [](const log_place& place) { return static_cast<std::uint64_t>(place.time.count()); },
            [](const log_place& a, const log_place& b) { return a < b; });
    }
    const std::vector<log_place>& places() const { return m_places; }

 private:
    std::vector<log_place> m_places;
    interval_sort<log_place> m_sort;
};

}  // namespace weir::tb
