// One direction of a TCP connection, as far as a capture shows it: how many octets were sent, and whether a
// packet between the same ports belongs to another connection.
//
//   tcp_direction sent;
//   if (sent.begins_another(p, doubts)) { sent = {}; }
//   sent.add(p, doubts);
//   sent.bytes();
#pragma once

#include <cstdint>
#include <optional>

#include "tb/verify/capture/packet.h"

namespace weir::tb {

/// What a capture's numbers say that cannot be put right without guessing; for warnings.
struct tcp_doubts {
    /// Packets with the first octet of a direction whose end was acknowledged before: sent again, or another
    /// connection that looks the same.
    std::uint64_t restarts = 0;
    /// Jumps by more than `suspicious_jump`, and the octets that they add. Unit of the second: B.
    std::uint64_t jumps = 0;
    std::uint64_t jumped_bytes = 0;
    /// Jumps that no window allows: another connection begins.
    std::uint64_t breaks = 0;
};

class tcp_direction {
 public:
    /// RFC 7323, 2.3: windows are below 2^30.
    static constexpr std::int64_t largest_window = std::int64_t{1} << 30;
    /// More than is usually on its way at once, or lost in one go. Unit: B.
    static constexpr std::int64_t suspicious_jump = std::int64_t{1} << 24;

    /// A SYN with a number other than the first one, or after the end; data beyond a FIN; data farther away
    /// than any window.
    bool begins_another(const packet& p, tcp_doubts& doubts) const;
    /// A packet of this direction.
    void add(const packet& p, tcp_doubts& doubts);
    /// Numbers of the other direction's ACKs.
    void acknowledged(std::uint32_t number);

    /// Octets from the first to the last one that was sent. A SYN says which is the first one. Unit: B.
    std::uint64_t bytes() const { return static_cast<std::uint64_t>(m_end - m_begin); }

 private:
    /// Beyond 32 bits, counted from near what is known.
    std::int64_t place_of(std::uint32_t number) const;
    bool is_keep_alive(const packet& p, std::int64_t place) const;
    bool is_far(std::int64_t begin, std::int64_t end, std::int64_t distance) const;

    /// A number near those that come.
    std::optional<std::int64_t> m_near;
    /// First octet, by the SYN.
    std::optional<std::int64_t> m_first;
    /// After the last octet, by the FIN.
    std::optional<std::int64_t> m_fin;
    /// FIN or RST.
    bool m_ended = false;
    bool m_fin_acknowledged = false;
    bool m_has_data = false;
    std::int64_t m_begin = 0;
    std::int64_t m_end = 0;
};

}  // namespace weir::tb
