// Parameters of the transports.
#pragma once

#include <cstdint>
#include <optional>

#include "weir/base/config_error.h"
#include "weir/base/config_field.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/traffic/congestion/congestion_control.h"
#include "weir/traffic/congestion/flowbender.h"
#include "weir/traffic/congestion/path_choice.h"

namespace weir::traffic {

/// Which segments' round trips TCP's timeout follows. None that was sent twice (Karn).
enum class rtt_samples : std::uint8_t { one_per_round_trip, each_ack };
constexpr auto names_of(rtt_samples) {
    return enum_names<rtt_samples>({
        {rtt_samples::one_per_round_trip, "one_per_round_trip", "one segment at a time is timed (RFC 6298 3)"},
        {rtt_samples::each_ack, "each_ack",
         "each ACK of new data gives a sample, as with timestamps (RFC 7323; ns-3)"},
    });
}

struct tcp_config {
    bytes mss{1460};
    bytes header{58};
    bytes min_frame{64};
    picoseconds min_rto{10ms};
    std::optional<picoseconds> initial_rto{1s};
    picoseconds max_rto{60s};
    picoseconds rto_granularity{1ms};
    rtt_samples samples = rtt_samples::one_per_round_trip;
    /// Default 3: the papers' years.
    std::uint32_t initial_window = 3;
    std::uint32_t slow_start_limit = 1;
    avoidance_growth avoidance = avoidance_growth::per_window;
    std::uint32_t duplicate_acks = 3;
    bytes receive_window{1_MiB};
    /// Default off: connections are kept open.
    bool handshake = false;
    bytes syn_options{0};
    bool handshake_ack = false;
    std::uint32_t ack_every = 1;
    picoseconds delayed_ack_timeout{40ms};
    static constexpr const char* used =
        "traffic over TCP (traffic.kind, traffic.transport, traffic.background_flows)";

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        constexpr field_range rto_range{1_ps, longest_time};
        fields(field("mss", &self::mss)
                   .range(1_B, 9'146_B)
                   .needs(used)
                   .help("Payload of a full segment. If TCP is used, tcp.mss + tcp.header must not exceed "
                         "switch.max_frame.")
                   .source("DeTail 8.1: requests of 1,460 B"));
        fields(field("header", &self::header)
                   .range(40_B, 128_B)
                   .needs(used)
                   .help("Ethernet, IPv4 and TCP headers and FCS of every segment. DeTail's full frame of "
                         "1,530 B needs 70 B; links without Ethernet's header and FCS, as simulators have "
                         "them, need "
                         "less than 58 B.")
                   .source("IEEE 802.3, RFC 791, RFC 793: 14 + 20 + 20 + 4 B; PPP: 2 + 20 + 20 B"));
        fields(field("min_frame", &self::min_frame)
                   .range(40_B, 64_B)
                   .needs(used)
                   .help("TCP's frames that would be shorter are padded to this.")
                   .source("IEEE 802.3 3.2.7: 64 B; PPP pads none"));
        fields(field("min_rto", &self::min_rto)
                   .range(rto_range)
                   .needs(used)
                   .help("Shortest retransmission timeout.")
                   .source("DeTail 8.1: 10 ms without flow control, 50 ms with flow control"));
        fields(field("initial_rto", &self::initial_rto)
                   .range(rto_range)
                   .needs(used)
                   .help("Timeout before the first round-trip sample; at least tcp.min_rto. auto: tcp.min_rto.")
                   .source("RFC 6298 2.1"));
        fields(field("max_rto", &self::max_rto)
                   .range(1_ps, 1h)
                   .needs(used)
                   .help("Upper bound of the retransmission timeout in exponential back-off; at least "
                         "tcp.initial_rto.")
                   .source("RFC 6298 2.4: no less than 60 s"));
        fields(field("rto_granularity", &self::rto_granularity)
                   .range(0_ps, 1s)
                   .needs(used)
                   .help("Clock granularity G of the retransmission timer. 0: exact.")
                   .source("RFC 6298 4"));
        fields(field("rtt_samples", &self::samples)
                   .needs(used)
                   .help("Which round trips the retransmission timeout follows.")
                   .source("RFC 6298 3"));
        fields(field("initial_window", &self::initial_window)
                   .range(1U, 65'535U)
                   .needs(used)
                   .help("Initial congestion window in segments.")
                   .source("RFC 3390 at 1,460 B: 3; RFC 6928: 10"));
        fields(field("slow_start_limit", &self::slow_start_limit)
                   .range(0U, 65'535U)
                   .needs(used)
                   .help("Maximum number of segments that one ACK adds to the congestion window in slow start. "
                         "0: all segments that it acknowledges. Relevant when reordering makes one ACK "
                         "acknowledge many segments.")
                   .source("RFC 5681 eq. 2 and ns-3: 1; RFC 3465: 2; Linux: no limit"));
        fields(field("avoidance", &self::avoidance)
                   .needs(used)
                   .help("How the congestion window grows in congestion avoidance.")
                   .source("RFC 5681 3.1"));
        fields(field("duplicate_acks", &self::duplicate_acks)
                   .range(0U, 65'535U)
                   .needs(used)
                   .help("Duplicate ACKs that start fast retransmit. 0: fast retransmit is off.")
                   .source("RFC 5681"));
        fields(field("receive_window", &self::receive_window)
                   .range(1_B, 1_MiB * 1024)
                   .needs(used)
                   .help("Receive window; at least tcp.mss, at most 1048576 times that.")
                   .source("project"));
        fields(
            field("handshake", &self::handshake)
                .needs(used)
                .help("Send SYN and SYN-ACK before the first data segment. off: connections are already open.")
                .source("the papers do not say"));
        fields(field("syn_options", &self::syn_options)
                   .range(0_B, 40_B)
                   .needs(used, "tcp.handshake = true")
                   .help("Options that SYN and SYN-ACK have beyond tcp.header.")
                   .source("RFC 793 3.1; Linux: 20 B, ns-3: 4 B"));
        fields(field("handshake_ack", &self::handshake_ack)
                   .needs(used, "tcp.handshake = true")
                   .help("A segment without data confirms the SYN-ACK, as that of an application which writes "
                         "after connect() does. off: the first segment of data does.")
                   .source("RFC 793 3.4"));
        fields(field("ack_every", &self::ack_every)
                   .range(1U, 2U)
                   .needs(used)
                   .help("Segments per ACK; 2: delayed ACK.")
                   .source("RFC 1122 4.2.3.2"));
        fields(field("delayed_ack_timeout", &self::delayed_ack_timeout)
                   .range(0_ps, 500ms, range_ends::low_excluded)
                   .needs(used, "tcp.ack_every = 2")
                   .help("Longest delay of a delayed ACK.")
                   .source("RFC 1122 4.2.3.2"));
        fields(field("congestion", &self::congestion)
                   .needs(used)
                   .help("Congestion control. auto: newreno_ecn where switches mark, else newreno.")
                   .source("RFC 5681, RFC 3168"));
        fields(field("dctcp_g", &self::dctcp_g)
                   .range(0, 1, range_ends::low_excluded)
                   .needs(used, "tcp.congestion = dctcp")
                   .help("Weight g of the latest window in DCTCP's estimate of the share of marked bytes.")
                   .source("RFC 8257 4.2"));
        fields(field("path_choice", &self::path_choice)
                   .needs(used)
                   .help("How a sender chooses among equal paths.")
                   .source("project"));
    }

    /// Not set: `newreno_ecn` where switches mark, else `newreno`.
    std::optional<congestion_kind> congestion;
    double dctcp_g = 1.0 / 16;
    path_kind path_choice = path_kind::fixed;
    flowbender_config flowbender;

    picoseconds first_rto() const { return initial_rto.value_or(min_rto); }
    config_errors validate() const;
};

struct udp_config {
    bytes payload{1472};
    static constexpr field_range payload_range{1_B, 9'158_B};
    bytes header{46};
    static constexpr field_range header_range{46_B, 128_B};
    bool random_gaps = false;
    std::uint32_t path_every = 0;
    std::uint32_t paths = 8;
    static constexpr const char* used =
        "traffic over UDP (traffic.kind = bernoulli, traffic.transport = udp or traffic.stream_rate)";

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("payload", &self::payload)
                   .range(1_B, 9'158_B)
                   .needs(used)
                   .help("Payload of a full datagram. If UDP is used, udp.payload + udp.header must not exceed "
                         "switch.max_frame.")
                   .source("IEEE 802.3: a packet of 1,500 B"));
        fields(field("header", &self::header)
                   .range(46_B, 128_B)
                   .needs(used)
                   .help("Ethernet, IPv4 and UDP headers and FCS.")
                   .source("IEEE 802.3, RFC 791, RFC 768: 14 + 20 + 8 + 4 B"));
        fields(
            field("random_gaps", &self::random_gaps)
                .needs("traffic.transport = udp with traffic.kind = poisson, permutation or trace, or "
                       "traffic.stream_rate")
                .help(
                    "Gaps between datagrams are exponentially distributed. off: constant, with the same mean.")
                .source("project"));
        fields(
            field("path_every", &self::path_every)
                .range(0U, 1'000'000'000U)
                .needs(used)
                .help("Datagrams of a transfer after which it goes by another path: the next value of V, which "
                      "switches hash with the addresses. 0: it keeps its path.")
                .source("FlowBender 3.4.3: packets or bursts"));
        fields(field("paths", &self::paths)
                   .range(2U, 65'536U)
                   .needs(used, "udp.path_every above 0")
                   .help("Number of values of V, which are taken in turn.")
                   .source("FlowBender 3.3: 8"));
    }

    config_errors validate() const;
};

}  // namespace weir::traffic
