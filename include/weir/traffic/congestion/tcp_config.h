// Parameters of TCP.
#pragma once

#include <cstdint>
#include <optional>

#include "weir/base/config_error.h"
#include "weir/base/config_field.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/traffic/congestion/congestion_control.h"
#include "weir/traffic/congestion/cubic.h"
#include "weir/traffic/congestion/flowbender.h"
#include "weir/traffic/congestion/path_choice.h"
#include "weir/traffic/congestion/vegas.h"

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

/// The smallest multiple of `granularity` that is not below `time`; `time` itself if `granularity` is 0.
picoseconds round_up(picoseconds time, picoseconds granularity);

struct tcp_config {
    bytes mss{1460};
    bytes header{58};
    bytes min_frame{64};
    picoseconds min_rto{10ms};
    std::optional<picoseconds> initial_rto{1s};
    picoseconds max_rto{60s};
    picoseconds rto_granularity{1ms};
    std::uint32_t rto_variance_factor = 4;
    picoseconds rto_addition{0};
    picoseconds rtt_clock{0};
    rtt_samples samples = rtt_samples::one_per_round_trip;
    /// Default 3: the papers' years.
    std::uint32_t initial_window = 3;
    std::uint32_t slow_start_limit = 1;
    avoidance_growth avoidance = avoidance_growth::per_window;
    std::uint32_t duplicate_acks = 3;
    bool ignore_duplicates_after_mark = false;
    bytes receive_window{1_MiB};
    std::optional<bytes> receive_window_max;
    std::uint32_t reassembly_limit = 0;
    bool connection_cache = false;
    /// Default off: connections are kept open.
    bool handshake = false;
    bytes syn_options{0};
    bool handshake_ack = false;
    std::uint32_t ack_every = 1;
    picoseconds delayed_ack_timeout{40ms};
    static constexpr const char* used = over_tcp;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        constexpr field_range rto_range{1_ps, longest_time};
        fields.all_need(used);
        fields(field("mss", &self::mss)
                   .range(1_B, 9'146_B)
                   .help("Payload of a full segment. If TCP is used, tcp.mss + tcp.header must not exceed "
                         "switch.max_frame.")
                   .source("DeTail 8.1: requests of 1,460 B"));
        fields(field("header", &self::header)
                   .range(40_B, 128_B)
                   .help("Ethernet, IPv4 and TCP headers and FCS of every segment. DeTail's full frame of "
                         "1,530 B needs 70 B; links without Ethernet's header and FCS, as simulators have "
                         "them, need "
                         "less than 58 B.")
                   .source("IEEE 802.3, RFC 791, RFC 793: 14 + 20 + 20 + 4 B; PPP: 2 + 20 + 20 B"));
        fields(field("min_frame", &self::min_frame)
                   .range(40_B, 64_B)
                   .help("Shorter TCP frames are padded to this length.")
                   .source("IEEE 802.3 3.2.7: 64 B; PPP pads none"));
        fields(field("min_rto", &self::min_rto)
                   .range(rto_range)
                   .help("Shortest retransmission timeout.")
                   .source("DeTail 8.1: 10 ms without flow control, 50 ms with flow control"));
        fields(field("initial_rto", &self::initial_rto)
                   .range(rto_range)
                   .help("Timeout before the first round-trip sample; at least tcp.min_rto. auto: tcp.min_rto.")
                   .source("RFC 6298 2.1"));
        fields(field("max_rto", &self::max_rto)
                   .range(1_ps, 1h)
                   .help("Upper bound of the retransmission timeout in exponential back-off; at least "
                         "tcp.initial_rto.")
                   .source("RFC 6298 2.4: no less than 60 s"));
        fields(field("rto_granularity", &self::rto_granularity)
                   .range(0_ps, 1s)
                   .help("Clock granularity G of the retransmission timer. 0: exact.")
                   .source("RFC 6298 4"));
        fields(field("rto_variance_factor", &self::rto_variance_factor)
                   .range(0U, 1'000U)
                   .help("K: the timeout is SRTT + max(G, K RTTVAR) + tcp.rto_addition.")
                   .source("RFC 6298 2.3: 4"));
        fields(field("rto_addition", &self::rto_addition)
                   .range(0_ps, 1h)
                   .help("Time added to each computed timeout, because processing times at end hosts vary.")
                   .source("FreeBSD `rexmit_slop`: 200 ms; the 20 ms of cross-layer III-B2, which it calls K"));
        fields(
            field("rtt_clock", &self::rtt_clock)
                .range(0_ps, 1s)
                .help("Tick of the clock by which round trips are measured, at least one tick each. 0: exact.")
                .source("FreeBSD: 1 ms; cross-layer table III: 1 us"));
        fields(field("rtt_samples", &self::samples)
                   .help("Which round trips the retransmission timeout follows.")
                   .source("RFC 6298 3"));
        fields(field("initial_window", &self::initial_window)
                   .range(1U, 65'535U)
                   .help("Initial congestion window in segments.")
                   .source("RFC 3390 at 1,460 B: 3; RFC 6928: 10"));
        fields(field("slow_start_limit", &self::slow_start_limit)
                   .range(0U, 65'535U)
                   .help("Maximum number of segments that one ACK adds to the congestion window in slow start. "
                         "0: all segments that it acknowledges. Relevant when reordering makes one ACK "
                         "acknowledge many segments.")
                   .source("RFC 5681 eq. 2 and ns-3: 1; RFC 3465: 2; Linux: no limit"));
        fields(field("avoidance", &self::avoidance)
                   .needs("congestion_reads_avoidance")
                   .help("How the congestion window grows in congestion avoidance.")
                   .source("RFC 5681 3.1"));
        fields(field("duplicate_acks", &self::duplicate_acks)
                   .range(0U, 65'535U)
                   .help("Duplicate ACKs that start fast retransmit. 0: fast retransmit is off.")
                   .source("RFC 5681"));
        fields(
            field("ignore_duplicates_after_mark", &self::ignore_duplicates_after_mark)
                .needs("congestion_listens_to_marks")
                .help("After marks have cut the window, duplicate ACKs start no fast retransmit until all data "
                      "that was outstanding is acknowledged. Losses in that window wait for the timeout.")
                .source("FreeBSD 9 without SACK: a mark moves `snd_recover`; cross-layer V-A2"));
        fields(field("receive_window", &self::receive_window)
                   .range(1_B, 1_MiB * 1024)
                   .help("Receive window; at least tcp.mss, at most 1048576 times that."));
        fields(
            field("receive_window_max", &self::receive_window_max)
                .range(1_B, 1_MiB * 1024)
                .help("Upper limit of a growing receive window. It starts at tcp.receive_window and grows by "
                      "16 KiB after each round trip in which more than 7/8 of it was acknowledged. At least "
                      "tcp.receive_window. auto: the window does not grow.")
                .source("FreeBSD 9, automatic sizing of socket buffers; cross-layer table III: 128 to 256 KB"));
        fields(
            field("reassembly_limit", &self::reassembly_limit)
                .range(0U, 1'048'576U)
                .help("Segments that a receiver keeps behind a gap; it drops further ones. 0: as many as the "
                      "window has.")
                .source("FreeBSD `net.inet.tcp.reass`; cross-layer: 200"));
        fields(
            field("connection_cache", &self::connection_cache)
                .help("A transfer starts with the final congestion windows and round-trip estimate of the last "
                      "transfer to the same host. off: it starts with tcp.initial_window and no estimate.")
                .source("RFC 9040; cross-layer III-B2"));
        fields(
            field("handshake", &self::handshake)
                .help("Send SYN and SYN-ACK before the first data segment. off: connections are already open.")
                .source("the papers do not say"));
        fields(field("syn_options", &self::syn_options)
                   .range(0_B, 40_B)
                   .needs("tcp.handshake = true")
                   .help("Options that SYN and SYN-ACK have beyond tcp.header.")
                   .source("RFC 793 3.1; Linux: 20 B, ns-3: 4 B"));
        fields(field("handshake_ack", &self::handshake_ack)
                   .needs("tcp.handshake = true")
                   .help("A segment without data acknowledges the SYN-ACK, as when an application writes only "
                         "after connect(). off: the first data segment acknowledges it.")
                   .source("RFC 793 3.4"));
        fields(field("ack_every", &self::ack_every)
                   .range(1U, 2U)
                   .help("Segments per ACK; 2: delayed ACK.")
                   .source("RFC 1122 4.2.3.2"));
        fields(field("delayed_ack_timeout", &self::delayed_ack_timeout)
                   .range(0_ps, 500ms, range_ends::low_excluded)
                   .needs("tcp.ack_every = 2")
                   .help("Longest delay of a delayed ACK.")
                   .source("RFC 1122 4.2.3.2"));
        fields(field("congestion", &self::congestion)
                   .help("Congestion control. auto: newreno_ecn where switches mark, else newreno.")
                   .source("RFC 5681, RFC 3168"));
        fields(field("dctcp_g", &self::dctcp_g)
                   .range(0, 1, range_ends::low_excluded)
                   .needs("tcp.congestion = dctcp")
                   .help("Weight g of the latest window in DCTCP's estimate of the share of marked bytes.")
                   .source("RFC 8257 4.2"));
        fields(field("dctcp_initial_alpha", &self::dctcp_initial_alpha)
                   .range(0.0, 1.0)
                   .needs("tcp.congestion = dctcp")
                   .help("DCTCP's estimate of the share of marked bytes before the first window. 1: the first "
                         "mark halves the window; 0: it leaves the window as it is.")
                   .source("RFC 8257 3.3: 1"));
        fields(field("path_choice", &self::path_choice).help("How a sender chooses among equal paths."));
    }

    /// Not set: `newreno_ecn` where switches mark, else `newreno`.
    std::optional<congestion_kind> congestion;
    double dctcp_g = 1.0 / 16;
    double dctcp_initial_alpha = 1;
    cubic_config cubic;
    vegas_config vegas;
    path_kind path_choice{};
    flowbender_config flowbender;

    /// Shortest timeout once a round trip has been measured: `min_rto`, or more if the terms that are added to
    /// the round trip exceed it.
    picoseconds least_rto() const;
    picoseconds first_rto() const { return initial_rto.value_or(min_rto); }
    bytes largest_window() const { return receive_window_max.value_or(receive_window); }
    config_errors validate() const;
};

}  // namespace weir::traffic
