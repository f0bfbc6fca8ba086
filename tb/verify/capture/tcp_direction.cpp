#include "tb/verify/capture/tcp_direction.h"

#include <algorithm>

namespace weir::tb {

namespace {

/// A SYN takes a number of its own.
std::uint32_t first_number(const packet& p) {
    return p.sequence + (p.syn ? 1U : 0U);
}

}  // namespace

std::int64_t tcp_direction::place_of(std::uint32_t number) const {
    const std::int64_t near = m_near.value_or(number);
    return near + static_cast<std::int32_t>(number - static_cast<std::uint32_t>(near & 0xFFFF'FFFF));
}

// RFC 9293, 3.8.4: the octet before the next one, or none. It is no data, and nobody who writes one octet sends
// it without PSH. A probe of a closed window looks the same, and its octet is sent again.
bool tcp_direction::is_keep_alive(const packet& p, std::int64_t place) const {
    return p.payload == 1 && !p.push && !p.syn && !p.fin && (!m_has_data || place < m_begin);
}

bool tcp_direction::is_far(std::int64_t begin, std::int64_t end, std::int64_t distance) const {
    return begin - m_end > distance || m_begin - end > distance;
}

bool tcp_direction::begins_another(const packet& p, tcp_doubts& doubts) const {
    if (!m_near) {
        return false;
    }
    const std::int64_t place = place_of(first_number(p));
    if (p.syn) {
        // Where data was captured before its SYN, the SYN is a little before it.
        const std::int64_t known = m_first.value_or(m_has_data ? m_begin : *m_near);
        const std::int64_t before = m_first ? 0 : suspicious_jump;
        return m_ended || place > known || place < known - before;
    }
    if (p.payload == 0) {
        return false;
    }
    const std::int64_t end = place + static_cast<std::int64_t>(p.payload);
    if ((m_first || m_has_data) && is_far(place, end, largest_window)) {
        ++doubts.breaks;
        return true;
    }
    return m_fin && end > *m_fin;
}

void tcp_direction::add(const packet& p, tcp_doubts& doubts) {
    const std::int64_t place = place_of(first_number(p));
    const std::int64_t end = place + static_cast<std::int64_t>(p.payload);
    m_near = std::max(m_near.value_or(end), end);
    m_ended = m_ended || p.ends;
    if (p.syn && !m_first) {
        m_first = place;
        m_begin = m_has_data ? std::min(m_begin, place) : place;
        m_end = m_has_data ? m_end : place;
    }
    if (p.fin) {
        m_fin = end;
    }
    if (p.payload == 0 || is_keep_alive(p, place)) {
        return;
    }
    const std::int64_t begin = std::max(place, m_first.value_or(place));
    if (!m_has_data && !m_first) {
        m_begin = begin;
        m_end = begin;
    }
    if (m_fin_acknowledged && begin <= m_begin) {
        ++doubts.restarts;
    }
    if (is_far(begin, end, suspicious_jump)) {
        ++doubts.jumps;
        doubts.jumped_bytes += static_cast<std::uint64_t>(begin > m_end ? begin - m_end : m_begin - end);
    }
    m_has_data = true;
    m_begin = std::min(m_begin, begin);
    m_end = std::max(m_end, end);
}

void tcp_direction::acknowledged(std::uint32_t number) {
    m_fin_acknowledged = m_fin_acknowledged || (m_fin && place_of(number) > *m_fin);
}

}  // namespace weir::tb
