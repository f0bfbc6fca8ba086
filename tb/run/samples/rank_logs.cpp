#include "tb/run/samples/rank_logs.h"

namespace weir::tb {

void rank_logs::take() {
    if (m_team.is_alone()) {
        for (host_id h = 0; h < m_endpoints.size(); ++h) {
            m_logs[h] = m_endpoints[h] != nullptr ? &m_endpoints[h]->log() : nullptr;
        }
        return;
    }
    std::vector<std::pair<host_id, host_log>> own;
    for (host_id h = 0; h < m_endpoints.size(); ++h) {
        m_logs[h] = nullptr;
        if (m_endpoints[h] != nullptr && !m_endpoints[h]->log().is_empty()) {
            own.emplace_back(h, m_endpoints[h]->log());
        }
    }
    m_received = gathered(m_team, std::move(own));
    for (const auto& [host, log] : m_received) {
        m_logs[host] = &log;
    }
}

void rank_logs::clear() {
    for (traffic_endpoint* const endpoint : m_endpoints) {
        if (endpoint != nullptr) {
            endpoint->clear_log();
        }
    }
}

}  // namespace weir::tb
