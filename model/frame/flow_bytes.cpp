#include "weir/model/frame/flow_bytes.h"

#include <algorithm>
#include <tuple>

namespace weir::model {

void flow_bytes_list::add(const ethernet_frame& frame, std::uint32_t bytes) {
    const auto same = [&](const flow_bytes& f) {
        return f.flow == frame.flow() && f.src == frame.src && f.dst == frame.dst;
    };
    auto at = std::find_if(m_flows.rbegin(), m_flows.rend(), same);
    if (at == m_flows.rend()) {
        m_flows.push_back({frame.flow(), frame.src, frame.dst, 0});
        at = m_flows.rbegin();
    }
    at->bytes += bytes;
}

std::vector<flow_bytes> flow_bytes_list::sorted() const {
    std::vector<flow_bytes> flows = m_flows;
    std::sort(flows.begin(), flows.end(), [](const flow_bytes& a, const flow_bytes& b) {
        return std::tie(b.bytes, a.flow, a.src, a.dst) < std::tie(a.bytes, b.flow, b.src, b.dst);
    });
    return flows;
}

}  // namespace weir::model
