// The logs of all hosts, whatever rank has them: those of other ranks come to rank 0, which writes the results.
//
//   rank_logs logs(endpoints, team);
//   logs.take();                            // at a barrier: what hosts have logged since the last call
//   logs.of(host);                          // null where there is none
//   logs.clear();
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "weir/model/ranks/rank_team.h"
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

}  // namespace weir::tb
