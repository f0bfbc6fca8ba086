#include "weir/traffic/transport/incoming_transfers.h"

#include <algorithm>

namespace weir::traffic {

transfer_stage incoming_transfers::stage_of(host_id source, ipv4_address src, std::uint32_t ordinal) {
    std::uint32_t& unheard = m_unheard.of(std::min(source, m_hosts));
    if (ordinal < unheard) {
        return m_unfinished.find(key(src, ordinal)) != nullptr ? transfer_stage::begins : transfer_stage::over;
    }
    if (ordinal - unheard >= furthest_ahead) {
        return transfer_stage::impossible;
    }
    for (; unheard <= ordinal; ++unheard) {
        m_unfinished.add(key(src, unheard)) = none;
    }
    return transfer_stage::begins;
}

bool incoming_transfers::is_over(host_id source, ipv4_address src, std::uint32_t ordinal) {
    return ordinal < m_unheard.of(std::min(source, m_hosts)) && m_unfinished.find(key(src, ordinal)) == nullptr;
}

}  // namespace weir::traffic
