// Options [tcp].
#include "tb/options/option_table.h"
#include "tb/options/run_config.h"
#include "weir/traffic/tcp/congestion_kinds.h"
#include "weir/traffic/tcp/path_choices.h"

namespace weir {

template <>
struct enum_names<congestion_kind> : registered_names<congestion_kind, congestion_kinds> {};
template <>
struct enum_names<path_kind> : registered_names<path_kind, path_choices> {};

void add_tcp_options(option_table& table, run_config& config) {
    tcp_config& tcp = config.tcp;
    auto block = table.block("tcp", "TCP at the hosts.");
    const relevance used{"traffic over TCP (traffic.kind, traffic.transport, traffic.background_flows)",
                         [&config] { return config.traffic.uses_tcp(); }};
    block.add("mss", tcp.mss)
        .range(tcp_config::mss_range)
        .matters(used)
        .doc(
            "Payload of a full segment. If TCP is used, tcp.mss + tcp.header must not exceed switch.max_frame.")
        .source("DeTail 8.1: requests of 1,460 B");
    block.add("header", tcp.header)
        .range(tcp_config::header_range)
        .matters(used)
        .doc(
            "Ethernet, IPv4 and TCP headers and FCS of every segment. DeTail's full frame of 1,530 B needs 70 "
            "B.")
        .source("IEEE 802.3, RFC 791, RFC 793: 14 + 20 + 20 + 4 B");
    block.add("min_rto", tcp.min_rto)
        .range(tcp_config::rto_range)
        .matters(used)
        .doc("Shortest retransmission timeout.")
        .source("DeTail 8.1: 10 ms without flow control, 50 ms with flow control");
    block.add("initial_rto", tcp.initial_rto)
        .range(tcp_config::rto_range)
        .matters(used)
        .doc("Timeout before the first round-trip sample; at least tcp.min_rto. auto: tcp.min_rto.")
        .source("RFC 6298 2.1");
    block.add("max_rto", tcp.max_rto)
        .range(tcp_config::max_rto_range)
        .matters(used)
        .doc("Upper bound of the retransmission timeout in exponential back-off; at least tcp.initial_rto.")
        .source("RFC 6298 2.4: no less than 60 s");
    block.add("rto_granularity", tcp.rto_granularity)
        .range(tcp_config::rto_granularity_range)
        .matters(used)
        .doc("Clock granularity G of the retransmission timer. 0: exact.")
        .source("RFC 6298 4");
    block.add("initial_window", tcp.initial_window)
        .range(tcp_config::initial_window_range)
        .matters(used)
        .doc("Initial congestion window in segments.")
        .source("RFC 3390 at 1,460 B: 3; RFC 6928: 10");
    block.add("slow_start_limit", tcp.slow_start_limit)
        .range(tcp_config::slow_start_limit_range)
        .matters(used)
        .doc(
            "Maximum number of segments that one ACK adds to the congestion window in slow start. 0: all "
            "segments that it acknowledges. Relevant when reordering makes one ACK acknowledge many segments.")
        .source("RFC 5681 eq. 2 and ns-3: 1; RFC 3465: 2; Linux: no limit");
    block.add("duplicate_acks", tcp.duplicate_acks)
        .range(tcp_config::duplicate_acks_range)
        .matters(used)
        .doc("Duplicate ACKs that start fast retransmit. 0: fast retransmit is off.")
        .source("RFC 5681");
    block.add("receive_window", tcp.receive_window)
        .range(tcp_config::receive_window_range)
        .matters(used)
        .doc("Receive window; at least tcp.mss, at most 1048576 times that.")
        .source("project");
    block.add("handshake", tcp.handshake)
        .matters(used)
        .doc("Send SYN and SYN-ACK before the first data segment. off: connections are already open.")
        .source("the papers do not say");
    block.add("ack_every", tcp.ack_every)
        .range(tcp_config::ack_every_range)
        .matters(used)
        .doc("Segments per ACK; 2: delayed ACK.")
        .source("RFC 1122 4.2.3.2");
    block.add("delayed_ack_timeout", tcp.delayed_ack_timeout)
        .range(tcp_config::delayed_ack_timeout_range)
        .matters(used && relevance{"tcp.ack_every = 2", [&tcp] { return tcp.ack_every > 1; }})
        .doc("Longest delay of a delayed ACK.")
        .source("RFC 1122 4.2.3.2");
    block.add("congestion", tcp.congestion)
        .matters(used)
        .doc("Congestion control. auto: newreno_ecn where switches mark, else newreno.")
        .source("RFC 5681, RFC 3168");
    block.add("path_choice", tcp.path_choice)
        .matters(used)
        .doc("How a sender chooses among equal paths.")
        .source("project");
    table.check([&config] {
        config_errors errors = config.tcp.validate();
        const bytes frame = config.tcp.mss + config.tcp.header;
        if (config.traffic.uses_tcp() && frame > config.device.max_frame) {
            errors.push_back({"", 0, "tcp.mss",
                              "'" + to_text(config.tcp.mss) + "' with tcp.header (" +
                                  to_text(config.tcp.header) + ") makes frames of " + to_text(frame) +
                                  "; expected at most switch.max_frame (" + to_text(config.device.max_frame) +
                                  ")"});
        }
        return errors;
    });
}

}  // namespace weir
