// How large a receive window is that adapts to the path, as FreeBSD 9 sizes a receiving socket's buffer: after
// a round trip in which more than 7/8 of it came in order, it grows by a step. It never shrinks. The sender
// counts, in bytes acknowledged, so that no window has to be told on the wire.
//
//   window_limit limit{128 << 10, 0, 0};
//   limit.on_ack(120'000, 250'000, 256 << 10);             // more than 112 KiB at once: 144 KiB from now on
#pragma once

#include <algorithm>
#include <cstdint>

namespace weir::traffic {

struct window_limit {
    /// FreeBSD 9, `net.inet.tcp.recvbuf_inc`.
    static constexpr std::uint64_t step = 16 * 1024;

    std::uint64_t bytes;
    /// Sequences at which this round trip began and ends.
    std::uint64_t round_begin;
    std::uint64_t round_end;

    /// `una`: first byte not confirmed, with this ACK; `max`: end of what was sent.
    void on_ack(std::uint64_t una, std::uint64_t max, std::uint64_t largest) {
        if (una <= round_end) {
            return;
        }
        if (una - round_begin > bytes / 8 * 7) {
            bytes = std::min(bytes + step, largest);
        }
        round_begin = una;
        round_end = max;
    }
};

}  // namespace weir::traffic
