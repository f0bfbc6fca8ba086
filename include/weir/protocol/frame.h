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
    pfc,    ///< IEEE 802.1Qbb priority-based flow control
    pause,  ///< IEEE 802.3x PAUSE: stops every class
    cnp,    ///< RoCEv2 congestion notification packet (InfiniBand annex A17), by a receiver
    qcn,    ///< IEEE 802.1Qau congestion notification message, by a switch
    roce_data,
    roce_ack,
    roce_nak,  ///< something before the frame that it answers is missing
    pfabric_data,
    pfabric_ack,
    pfabric_probe,  ///< without payload, by a sender whose frames do not arrive
    foreign,        ///< made by a user's own module
    count
};
inline constexpr unsigned frame_kinds = static_cast<unsigned>(frame_kind::count);

/// Bits of `ethernet_frame::flags`.
enum frame_flags : std::uint8_t {
    ecn_capable = 1,        ///< IP ECN field: ECT(0)
    ecn_marked = 2,         ///< IP ECN field: CE
    ecn_echo = 4,           ///< TCP ECE
    retransmitted = 8,      ///< this segment was sent before
    last_segment = 16,      ///< carries the transfer's last byte (what FIN and PSH tell a receiver)
    window_reduced = 32,    ///< TCP CWR
    detoured = 64,          ///< a switch sent it elsewhere, because the port that it wanted was full
    payload_trimmed = 128,  ///< a switch cut its payload off
};

/// Contents of a PFC frame (802.1Qbb clause 36.1.3.4). For 802.3x PAUSE only `quanta[0]` counts.
struct pause_fields {
    class_mask class_enable = 0;
    std::array<std::uint16_t, pfc_classes> quanta{};
};

/// What a frame says of its transfer, whatever the transport. A transfer is one way: a query's response is
/// another one. What is assigned to a bit field has to be masked, or g++ warns.
struct transfer_fields {
    /// Lengths and offsets go up to 2^48 B.
    static constexpr unsigned length_bits = 49;
    static constexpr std::uint64_t length_mask = (std::uint64_t{1} << length_bits) - 1;
    /// Ordinals are below this: 2^30.
    static constexpr unsigned half_ordinal_bits = 64 - length_bits;
    static constexpr std::uint32_t ordinals = std::uint32_t{1} << 2 * half_ordinal_bits;
    static constexpr unsigned flow_bits = 48;
    static constexpr std::uint64_t flow_mask = (std::uint64_t{1} << flow_bits) - 1;
    static constexpr unsigned job_bits = 40;
    static constexpr std::uint64_t job_mask = (std::uint64_t{1} << job_bits) - 1;
    static constexpr unsigned connection_bits = 64 - job_bits;
    static constexpr std::uint32_t connection_mask = (std::uint32_t{1} << connection_bits) - 1;
    static constexpr unsigned rank_bits = 20;

    transfer_fields() : transfer_fields(0, 0, 0, 0) {}
    transfer_fields(std::uint64_t flow_number, std::uint64_t job_number, std::uint64_t offset,
                    std::uint64_t length)
        : sequence(offset & length_mask),
          ordinal_low(0),
          flow_bytes(length & length_mask),
          ordinal_high(0),
          start_ps(0),
          rank_low(0),
          flow(flow_number & flow_mask),
          tag(0),
          rank_high(0),
          job(job_number & job_mask),
          connection(0) {}

    /// TCP, RoCE, pFabric: how many transfers the source started to this destination before this one. By it a
    /// receiver knows which of them are over (incoming_transfers.h). Range: below `ordinals`.
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
    /// RoCE's NAK with selective retransmission, pFabric's ACK, in the place of `reply_bytes`: how many frames
    /// behind the next byte expected the frame begins that has arrived. 0: it confirms nothing out of order.
    std::uint32_t selected() const { return reply_bytes; }
    void set_selected(std::uint32_t frames) { reply_bytes = frames; }
    /// When the transfer was started by its application. Range: 0 to `latest_time`.
    picoseconds start() const { return picoseconds{static_cast<std::int64_t>(start_ps)}; }
    void set_start(picoseconds time) {
        start_ps = static_cast<std::uint64_t>(time.count()) & ((std::uint64_t{1} << time_bits) - 1);
    }
    /// What queues that serve by rank order by: the lowest first (pFabric: what is left of the transfer). Unit:
    /// the sender's. Range: below 2^20; what is assigned beyond is the largest.
    std::uint32_t rank() const {
        return static_cast<std::uint32_t>(std::uint32_t{rank_high} << rank_low_bits | rank_low);
    }
    void set_rank(std::uint64_t value) {
        constexpr std::uint64_t largest = (1U << rank_bits) - 1;
        const std::uint64_t rank = value < largest ? value : largest;
        rank_low = rank & ((1U << rank_low_bits) - 1);
        rank_high = static_cast<std::uint8_t>(rank >> rank_low_bits);
    }
    /// In the place of the rank's high bits, where switches bound the hops of frames and serve none by rank:
    /// switches that the frame has come to, the present one included.
    std::uint8_t hops() const { return rank_high; }
    void set_hops(std::uint8_t count) { rank_high = count; }

 private:
    static constexpr unsigned rank_low_bits = 64 - time_bits;
    static_assert(rank_bits - rank_low_bits == 8);

 public:
    /// Data: offset of the first byte. ACK: the next byte expected. Unit: B. Range: 0 to 2^48.
    std::uint64_t sequence : length_bits;
    std::uint64_t ordinal_low : half_ordinal_bits;
    /// Length of the whole transfer. Unit: B. Range: 0 to 2^48.
    std::uint64_t flow_bytes : length_bits;
    std::uint64_t ordinal_high : half_ordinal_bits;
    std::uint64_t start_ps : time_bits;
    std::uint64_t rank_low : rank_low_bits;
    /// Unique number of the transfer.
    std::uint64_t flow : flow_bits;
    /// Index into the workload's list of names; `flows.csv` and `groups` report by it.
    std::uint8_t tag;
    std::uint8_t rank_high;
    /// Number of the job that it belongs to (a query, a web request, ...).
    std::uint64_t job : job_bits;
    /// The sender's own number for the transfer while it is under way, to be found again by an ACK; used again
    /// afterwards. Part of the flow hash, as ports are.
    std::uint64_t connection : connection_bits;
    /// When the frame was sent, for transports that measure a round trip with each frame; an ACK returns it
    /// (RFC 7323's TSval and TSecr). Unit: 256 ps, modulo 2^32: 1.1 s.
    std::uint32_t timestamp = 0;
    /// Meant for the receiving application: a request says how long the response shall be. Unit: B.
    std::uint32_t reply_bytes = 0;
};

/// What a congestion notification tells of the frame that was marked or sampled. A CNP, which a receiver sends,
/// has `flow` alone; the rest is of QCN's message, which a switch sends.
struct notification_fields {
    /// Number of its transfer.
    std::uint64_t flow = 0;
    /// Its destination, for rate limiters by destination.
    ipv4_address sampled_dst{};
    /// The congestion point: its switch's index among the nodes, its port, and its class.
    std::uint32_t node = 0;
    std::uint16_t port = 0;
    pfc_class sampled_class = 0;
    /// As `transfer_fields::hops`.
    std::uint8_t hops = 0;
    /// Quantised feedback |F_b|. Range: 0-63 (802.1Q-2018 clause 33.4: 6 bits).
    std::uint8_t feedback = 0;
    /// Of its queue: Q_eq less the length, and by how much it has grown since the last sample. Unit: B.
    std::int32_t offset_bytes = 0;
    std::int32_t delta_bytes = 0;
};

/// 16 bytes that every frame has, and 48 by kind.
struct ethernet_frame {
    ipv4_address src{};
    ipv4_address dst{};
    /// From destination address to FCS. Unit: B. Range: 64-65,535.
    std::uint16_t frame_bytes = 64;
    /// Chosen by the sender and part of the flow hash (as ports are); a sender may change it to be rerouted
    /// (FlowBender's V).
    std::uint16_t path_tag = 0;
    pfc_class priority = 0;
    frame_kind kind = frame_kind::foreign;
    std::uint8_t flags = 0;
    /// Times that it was detoured. Switches that detour count it, and bound it.
    std::uint8_t detours = 0;
    union {
        /// TCP, UDP, RoCE, pFabric, foreign.
        transfer_fields transfer;
        /// PFC and PAUSE.
        pause_fields pause;
        /// CNP and QCN.
        notification_fields notification;
    };

    ethernet_frame() : transfer{} {}
    bytes length() const { return bytes{frame_bytes}; }
    constexpr bool is_flow_control() const { return kind == frame_kind::pfc || kind == frame_kind::pause; }
    constexpr bool is_notification() const { return kind == frame_kind::cnp || kind == frame_kind::qcn; }
    /// Data of a transfer, and no acknowledgement, handshake or notification. A user's own frames count as
    /// such.
    constexpr bool has_payload() const {
        constexpr unsigned kinds = 1U << static_cast<unsigned>(frame_kind::tcp_data) |
                                   1U << static_cast<unsigned>(frame_kind::udp) |
                                   1U << static_cast<unsigned>(frame_kind::roce_data) |
                                   1U << static_cast<unsigned>(frame_kind::pfabric_data) |
                                   1U << static_cast<unsigned>(frame_kind::foreign);
        return (kinds >> static_cast<unsigned>(kind) & 1) != 0;
    }
    /// Whether `transfer` is what it carries.
    constexpr bool is_of_transfer() const { return !is_flow_control() && !is_notification(); }
    /// Switches that it has come to: counted, where switches bound them, from the first one on, which sets 1.
    std::uint8_t hops() const { return is_notification() ? notification.hops : transfer.hops(); }
    void set_hops(std::uint8_t count) {
        is_notification() ? void(notification.hops = count) : transfer.set_hops(count);
    }
    /// Marks the frame (CE), if its transport is ECN-capable.
    void mark_congestion() {
        flags = static_cast<std::uint8_t>(flags | ((flags & ecn_capable) != 0 ? ecn_marked : 0));
    }
    bool is_trimmed() const { return (flags & payload_trimmed) != 0; }
    /// Cuts the payload off. Range: `has_payload()`, and `left` below `frame_bytes`. A transfer's `reply_bytes`
    /// is lost: the original length and the DSCP take its place.
    void trim(std::uint16_t left, std::uint8_t dscp) {
        transfer.reply_bytes = std::uint32_t{dscp} << 16 | frame_bytes;
        flags = static_cast<std::uint8_t>(flags | payload_trimmed);
        frame_bytes = left;
    }
    /// Length before it was trimmed, from destination address to FCS. Unit: B. Range: `is_trimmed()`.
    std::uint16_t untrimmed_bytes() const { return static_cast<std::uint16_t>(transfer.reply_bytes); }
    /// Differentiated services code point. Only a trimmed frame has one other than 0.
    std::uint8_t dscp() const {
        return is_trimmed() ? static_cast<std::uint8_t>(transfer.reply_bytes >> 16) : std::uint8_t{0};
    }
    /// Number of the transfer that it belongs to, or tells of; 0 for flow control.
    std::uint64_t flow() const {
        return is_of_transfer() ? std::uint64_t{transfer.flow} : is_notification() ? notification.flow : 0;
    }
};
static_assert(sizeof(transfer_fields) == 48);
static_assert(sizeof(ethernet_frame) == 64, "a frame is one cache line");

/// Length of PFC and PAUSE frames with FCS (802.3 clause 31, minimum frame).
inline constexpr bytes pause_frame_bytes{64};
/// Length of a CNP with FCS: Ethernet, IPv4 and UDP headers, 12 B of header, 16 B reserved, 4 B of CRC.
inline constexpr bytes cnp_frame_bytes{78};
/// Length of QCN's message as a frame with FCS (cross-layer study, fig. 1).
inline constexpr bytes qcn_frame_bytes{64};

}  // namespace weir
