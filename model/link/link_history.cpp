#include "weir/model/link/link_history.h"

#include "weir/base/portable_math.h"

namespace weir::model {

// (1 - bit errors)^bits x (1 - frame errors); rates as small as 1e-15 stay precise. A link without
// errors draws nothing.
bool port_config::corrupts(bytes frame_bytes, random_stream& chance) const {
    if (!has_errors()) {
        return false;
    }
    const auto bits = static_cast<double>((frame_bytes + wire_overhead).count() * 8);
    const double good = exponential(bits * log_one_plus(-bit_error_rate)) * (1 - frame_error_rate);
    return chance.uniform() >= good;
}

void link_history::add(const link_change& change) {
    if (m_periods.back().from != change.at) {
        m_periods.push_back({change.at, m_periods.back().link});
    }
    port_config& link = m_periods.back().link;
    link.rate = change.rate.count() > 0 ? change.rate : link.rate;
    link.latency = change.latency.value_or(link.latency);
    link.frame_error_rate = change.frame_error_rate.value_or(link.frame_error_rate);
    link.bit_error_rate = change.bit_error_rate.value_or(link.bit_error_rate);
}

std::vector<link_history::period>::const_iterator link_history::find(picoseconds sent) const {
    const auto next = std::upper_bound(m_periods.begin(), m_periods.end(), sent,
                                       [](picoseconds time, const period& p) { return time < p.from; });
    return next == m_periods.begin() ? next : next - 1;
}

const port_config& link_history::at(picoseconds sent) const {
    return find(sent)->link;
}

// A frame that leaves later may arrive earlier if the link becomes shorter, so every later period counts.
picoseconds link_history::earliest_arrival(picoseconds from) const {
    auto p = find(from);
    picoseconds earliest = from + p->link.latency;
    for (++p; p != m_periods.end(); ++p) {
        earliest = std::min(earliest, p->from + p->link.latency);
    }
    return earliest;
}

// The first time from `from` on at which a frame could have left to arrive then. Where a change leaves none,
// the frame is taken to have left just before the change.
picoseconds link_history::departure(picoseconds from, picoseconds first_bit) const {
    picoseconds latest = from;
    for (auto p = find(from); p != m_periods.end(); ++p) {
        const picoseconds begin = std::max(from, p->from);
        const picoseconds sent = first_bit - p->link.latency;
        if (sent < begin) {
            continue;
        }
        if (p + 1 == m_periods.end() || sent < (p + 1)->from) {
            return sent;
        }
        latest = (p + 1)->from - picoseconds{1};
    }
    return latest;
}

}  // namespace weir::model
