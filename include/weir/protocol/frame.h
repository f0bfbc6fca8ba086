// An Ethernet frame as the model moves it: one descriptor, copied from node to node, of one cache line.
//
// A descriptor carries what the headers of a real frame carry, and what the payload would tell the
// receiving application (which transfer it belongs to, how long that is), so that no node ever has to look
// into another node's tables.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "weir/base/time.h"
#include "weir/base/units.h"

namespace weir {

/// IEEE 802.1Q priority, and the PFC class it maps to one to one. Range: 0-7; 7 is the most urgent.
using pfc_class = std::uint8_t;
inline constexpr unsigned pfc_classes = 8;
/// One bit per class, bit 0 = class 0, as in a PFC frame's class-enable vector.
using class_mask = std::uint8_t;

/// Number of a host in the fabric, from 0.
using host_id = std::uint32_t;

/// IPv4 address in host byte order: 10.0.0.1 is 0x0A000001.
enum class ipv4_address : std::uint32_t {};
constexpr std::uint32_t to_uint(ipv4_address a) {
    return static_cast<std::uint32_t>(a);
}
/// `10.0.3.1`.
inline std::string to_text(ipv4_address address) {
    const std::uint32_t a = to_uint(address);
    return std::to_string(a >> 24) + "." + std::to_string((a >> 16) & 255) + "." +
           std::to_string((a >> 8) & 255) + "." + std::to_string(a & 255);
}

enum class frame_kind : std::uint8_t {
    tcp_data,
    tcp_ack,
    tcp_syn,
    tcp_syn_ack,
    udp,
    pfc,     ///< IEEE 802.1Qbb priority-based flow control
    pause,   ///< IEEE 802.3x PAUSE: stops every class
    foreign  ///< made by a user's own module
};

/// Bits of `ethernet_frame::flags`.
enum frame_flags : std::uint8_t {
    ecn_capable = 1,    ///< IP ECN field: ECT(0)
    ecn_marked = 2,     ///< IP ECN field: CE
    ecn_echo = 4,       ///< TCP ECE
    retransmitted = 8,  ///< this segment was sent before
    last_segment = 16,  ///< carries the transfer's last byte (what FIN and PSH tell a receiver)
};

/// Contents of a PFC frame (802.1Qbb clause 36.1.3.4). For 802.3x PAUSE only `quanta[0]` counts.
struct pause_fields {
    class_mask class_enable = 0;
    std::array<std::uint16_t, pfc_classes> quanta{};
};

/// What a TCP or UDP frame says of its transfer. A transfer is one way: a query's response is another one.
struct transfer_fields {
    /// Lengths and offsets go up to 2^48 B. What is assigned to them has to be masked, or g++ warns.
    static constexpr unsigned length_bits = 49;
    static constexpr std::uint64_t length_mask = (std::uint64_t{1} << length_bits) - 1;
    /// Ordinals are below this: 2^30.
    static constexpr unsigned half_ordinal_bits = 64 - length_bits;
    static constexpr std::uint32_t ordinals = std::uint32_t{1} << 2 * half_ordinal_bits;

    transfer_fields() : transfer_fields(0, 0, 0, 0) {}
    transfer_fields(std::uint64_t flow_number, std::uint64_t job_number, std::uint64_t offset,
                    std::uint64_t length)
        : flow(flow_number),
          job(job_number),
          sequence(offset & length_mask),
          ordinal_low(0),
          flow_bytes(length & length_mask),
          ordinal_high(0) {}

    /// TCP: how many transfers the source started to this destination before this one. By it a receiver knows
    /// which of them are over (incoming_transfers.h). Range: below `ordinals`.
    std::uint32_t ordinal() const {
        return static_cast<std::uint32_t>(ordinal_high << half_ordinal_bits | ordinal_low);
    }
    void set_ordinal(std::uint32_t number) {
        constexpr std::uint32_t mask = (1U << half_ordinal_bits) - 1;
        ordinal_low = number & mask;
        ordinal_high = number >> half_ordinal_bits & mask;
    }
    /// UDP, in the same place: mean time between two datagrams, rounded up. By it a receiver knows when no more
    /// will come. Unit: us. Range: below `ordinals`; the largest also stands for all that is longer.
    std::uint32_t gap_us() const { return ordinal(); }
    void set_gap_us(std::uint32_t gap) { set_ordinal(gap < ordinals ? gap : ordinals - 1); }

    /// Unique number of the transfer.
    std::uint64_t flow;
    /// Number of the job that it belongs to (a query, a web request, ...).
    std::uint64_t job;
    /// Data: offset of the first byte. ACK: the next byte expected. Unit: B. Range: 0 to 2^48.
    std::uint64_t sequence : length_bits;
    std::uint64_t ordinal_low : half_ordinal_bits;
    /// Length of the whole transfer. Unit: B. Range: 0 to 2^48.
    std::uint64_t flow_bytes : length_bits;
    std::uint64_t ordinal_high : half_ordinal_bits;
};

struct ethernet_frame {
    ipv4_address src{};
    ipv4_address dst{};
    union {
        transfer_fields transfer;
        pause_fields pause;
    };
    /// When the transfer was started by its application.
    picoseconds flow_start;
    /// The sender's own number for the transfer while it is under way, to be found again by an ACK; used again
    /// afterwards. Part of the flow hash.
    std::uint32_t connection = 0;
    /// Meant for the receiving application: a request says how long the response shall be. Unit: B.
    std::uint32_t reply_bytes = 0;
    /// From destination address to FCS. Unit: B. Range: 64-65,535.
    std::uint16_t frame_bytes = 64;
    /// Chosen by the sender and part of the flow hash (as ports are); a sender may change it to be rerouted.
    std::uint16_t path_tag = 0;
    pfc_class priority = 0;
    frame_kind kind = frame_kind::foreign;
    std::uint8_t flags = 0;
    /// Index into the workload's list of names; `flows.csv` and `groups` report by it.
    std::uint8_t tag = 0;

    ethernet_frame() : transfer{}, flow_start{} {}
    bytes length() const { return bytes{frame_bytes}; }
    bool is_flow_control() const { return kind == frame_kind::pfc || kind == frame_kind::pause; }
};
static_assert(sizeof(ethernet_frame) == 64, "a frame is one cache line");

/// Length of PFC and PAUSE frames with FCS (802.3 clause 31, minimum frame).
inline constexpr bytes pause_frame_bytes{64};

}  // namespace weir
