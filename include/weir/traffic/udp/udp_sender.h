// One UDP transfer, sending side: datagrams at a rate, whatever becomes of them.
//
// The gap between two datagrams is the time that a full one takes on a wire of the transfer's rate, with
// the wire overhead, so that a rate equal to the link's keeps the link exactly full; with random gaps it is
// exponential with that mean. After every `path_every` datagrams the path's number V moves on. The first
// datagram goes out at once. Receivers count bytes, and a transfer that lost a datagram is never complete.
//
//   udp_sender s;
//   s.open(context, udp, header, owner, rate, slot);
//   if (s.on_timer(context, udp)) { ... }           // the last datagram is with the NIC
#pragma once

#include <cstdint>

#include "weir/base/rng.h"
#include "weir/traffic/transport/transfer.h"
#include "weir/traffic/transport/transport_context.h"
#include "weir/traffic/udp/udp_config.h"

namespace weir::traffic {

/// What all UDP senders of a host share.
struct udp_context {
    udp_config config;
    /// Preamble, delimiter and gap of a frame, as the link counts them.
    bytes wire_overhead{20};
    /// Draws random gaps.
    random_stream pacing{1, 0, random_purpose::pacing};

    /// Between two datagrams, or its mean.
    struct sending_gap {
        std::uint16_t frame_bytes = 0;
        bit_rate rate{0};
        picoseconds gap{0};
        /// Rounded up.
        std::uint32_t gap_us = 0;
    };

    std::uint64_t payload() const { return static_cast<std::uint64_t>(config.payload.count()); }
    /// Of frames so long, at this rate. Range: rate > 0.
    const sending_gap& gap_of(std::uint16_t frame_bytes, bit_rate rate) {
        if (__builtin_expect(m_gap.frame_bytes != frame_bytes || !(m_gap.rate == rate), 0)) {
            set_gap(frame_bytes, rate);
        }
        return m_gap;
    }

 private:
    void set_gap(std::uint16_t frame_bytes, bit_rate rate);

    /// The last one asked for: most transfers of a host have the same.
    sending_gap m_gap;
};

class alignas(64) udp_sender {
 public:
    /// Sends the first datagram. Range: rate > 0. True when it was the only one.
    bool open(transport_context& context, udp_context& udp, const ethernet_frame& header, transfer_owner owner,
              bit_rate rate, std::uint32_t slot);
    /// Sends the next datagram. True when it was the last one; the slot is then free.
    bool on_timer(transport_context& context, udp_context& udp);

    bool is_open() const { return m_open; }
    const ethernet_frame& frame() const { return m_frame; }
    transfer_owner owner() const { return m_owner; }
    std::uint64_t sent_bytes() const { return m_next; }
    bit_rate rate() const { return m_rate; }
    /// Gap between datagrams, or its mean.
    picoseconds gap() const { return m_gap; }

 private:
    bool send_next(transport_context& context, udp_context& udp);
    void choose_path(const udp_context& udp);

    ethernet_frame m_frame;
    std::uint64_t m_next = 0;
    picoseconds m_gap{0};
    bit_rate m_rate{0};
    transfer_owner m_owner;
    std::uint32_t m_slot = 0;
    /// The tag with V = 0.
    std::uint16_t m_home = 0;
    bool m_open = false;
};

}  // namespace weir::traffic
