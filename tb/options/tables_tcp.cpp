// Options [tcp].
#include "tb/options/option_table.h"
#include "tb/options/run_config.h"

namespace weir {

void add_tcp_options(option_table& table, run_config& config) {
    tcp_config& tcp = config.tcp;
    auto block = table.block("tcp", "TCP at the hosts.");
    block.add("mss", tcp.mss)
        .range(1_B, 9146_B)
        .doc("Payload of a full segment. With tcp.header at most switch.max_frame.")
        .source("DeTail 8.1: requests of 1,460 B");
    block.add("header", tcp.header)
        .range(58_B, 128_B)
        .doc(
            "Ethernet, IPv4 and TCP headers and FCS of every segment. DeTail's full frame of 1,530 B needs 70 "
            "B.")
        .source("IEEE 802.3, RFC 791, RFC 793: 14 + 20 + 20 + 4 B");
    block.add("min_rto", tcp.min_rto)
        .range(1_ps, longest_time)
        .doc("Shortest retransmission timeout.")
        .source("DeTail 8.1: 10 ms without flow control, 50 ms with");
    block.add("initial_rto", tcp.initial_rto)
        .range(1_ps, longest_time)
        .doc("Timeout before the first round-trip sample; at least tcp.min_rto.")
        .source("RFC 6298 2.1");
    block.add("max_rto", tcp.max_rto)
        .range(1_ps, 1h)
        .doc("Bound of the exponential back-off; at least tcp.initial_rto.")
        .source("RFC 6298 2.4: no less than 60 s");
    block.add("rto_granularity", tcp.rto_granularity)
        .range(picoseconds{0}, 1s)
        .doc("Clock granularity G of the retransmission timer. 0: exact.")
        .source("RFC 6298 4");
    block.add("initial_window", tcp.initial_window)
        .range(1, 65'535)
        .doc("Initial congestion window in segments.")
        .source("RFC 3390 at 1,460 B: 3; RFC 6928: 10");
    block.add("duplicate_acks", tcp.duplicate_acks)
        .range(0, 65'535)
        .doc("Duplicate ACKs that start fast retransmit. 0: fast retransmit is off.")
        .source("RFC 5681");
    block.add("receive_window", tcp.receive_window)
        .range(1_B, 1_MiB * 1024)
        .doc("Receive window; at least tcp.mss.")
        .source("project");
    block.add("handshake", tcp.handshake)
        .doc("SYN and SYN-ACK before the first data segment; off: connections are kept open.")
        .source("papers are silent");
    block.add("ack_every", tcp.ack_every)
        .range(1, 2)
        .doc("Segments per ACK; 2: delayed ACK.")
        .source("RFC 1122 4.2.3.2");
    block.add("delayed_ack_timeout", tcp.delayed_ack_timeout)
        .above(picoseconds{0}, 500ms)
        .doc("Longest delay of a delayed ACK.")
        .source("RFC 1122 4.2.3.2");
    table.check([&config] {
        config_errors errors = config.tcp.validate();
        const bytes frame = config.tcp.mss + config.tcp.header;
        if (frame > config.device.max_frame) {
            errors.push_back({"", 0, "tcp.mss",
                              "'" + to_text(config.tcp.mss) + "' with tcp.header (" +
                                  to_text(config.tcp.header) + ") makes frames of " + to_text(frame) +
                                  "; allowed: at most switch.max_frame (" + to_text(config.device.max_frame) +
                                  ")"});
        }
        return errors;
    });
}

}  // namespace weir
