// What happens to segments between their senders and their receivers, counted by tag at each host where a run
// asks for it: marks, order, paths.
//
// A segment is *early* if one that precedes it is still missing; it is *late* if a later one has come before it
// and it was not sent again, so that the network has changed their order. After a loss segments are early and
// none is late.
//
//   segment_log log;
//   log.on_frame(frame);                      // received
//   log.on_late(frame, 12);                   // the furthest one that has come is 12 segments ahead
//   log.leave_path(header, {3, 4}, now, 65'536, path_end::marks);     // from tag 3 to tag 4
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "weir/base/enum_names.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/protocol/frame.h"
#include "weir/traffic/transport/transfer.h"

namespace weir::traffic {

/// Of the transfers with one tag, at one host, since the end of the warm-up.
struct segment_counts {
    /// Received data segments or datagrams, and how many of them were marked (CE).
    std::uint64_t received = 0;
    std::uint64_t marked = 0;
    std::uint64_t early = 0;
    /// Of TCP, whose receivers tell which ones are late.
    std::uint64_t tcp_received = 0;
    std::uint64_t late = 0;
    /// ACKs that came to senders, and how many of them told of marks (ECE).
    std::uint64_t acks = 0;
    std::uint64_t echoes = 0;
    std::uint64_t retransmits = 0;
    std::uint64_t timeouts = 0;
    std::uint64_t path_changes = 0;
    /// Payload of UDP's datagrams: handed to the NIC, and received. Unit: B.
    std::uint64_t udp_sent_bytes = 0;
    std::uint64_t udp_received_bytes = 0;
    /// Late segments, by how many segments they were behind the furthest one; the last place is for all beyond.
    std::vector<std::uint64_t> late_by;
    /// Received segments by value of V: the frame's tag less the one that the transfer began with.
    std::vector<std::uint64_t> by_path;

    void add(const segment_counts& other);
    template <class Octets>
    void fields(Octets& o) {
        o(received, marked, early, tcp_received, late, acks, echoes, retransmits, timeouts, path_changes,
          udp_sent_bytes, udp_received_bytes, late_by, by_path);
    }
};

/// Why a sender left a path.
enum class path_end : std::uint8_t { marks, timeout, done };
constexpr auto names_of(path_end) {
    return enum_names<path_end>({{path_end::marks, "marks"},      ///< ACKs told of marks
                                 {path_end::timeout, "timeout"},  ///< a retransmission timer ran out
                                 {path_end::done, "done"}});      ///< everything is confirmed
}

/// The time that one transfer spent on one path.
struct path_stay {
    std::uint64_t flow = 0;
    ipv4_address dst;
    std::uint8_t tag = 0;
    std::uint16_t path = 0;
    /// V from now on; the same if the transfer is done.
    std::uint16_t next_path = 0;
    path_end why = path_end::done;
    picoseconds from{0};
    picoseconds to{0};
    /// New bytes that were sent. Unit: B.
    std::uint64_t sent_bytes = 0;
};

/// Tags of frames.
struct path_change {
    std::uint16_t from = 0;
    std::uint16_t to = 0;
};

class segment_log {
 public:
    static constexpr std::uint64_t most_behind = 65'535;

    /// Of a full datagram of UDP.
    explicit segment_log(bytes udp_payload = 1472_B)
        : m_udp_payload(static_cast<std::uint64_t>(udp_payload.count())) {}

    /// By tag.
    const std::vector<segment_counts>& counts() const { return m_counts; }
    segment_counts& of(const ethernet_frame& frame) { return of(frame.transfer.tag); }
    segment_counts& of(std::uint8_t tag) {
        if (tag >= m_counts.size()) {
            m_counts.resize(tag + std::size_t{1});
        }
        return m_counts[tag];
    }
    void end_warmup() { m_counts.clear(); }

    /// A frame that came to this host, if it is data or an ACK.
    void on_frame(const ethernet_frame& frame);
    /// `behind`: at least 1.
    void on_late(const ethernet_frame& frame, std::uint64_t behind);
    /// A sender changes the path of a transfer, of which `max` bytes have been sent.
    void leave_path(const ethernet_frame& header, path_change change, picoseconds now, std::uint64_t max,
                    path_end why);
    /// Every byte of a transfer is confirmed; its tag is `tag`.
    void finish(const ethernet_frame& header, std::uint16_t tag, picoseconds now);

    /// In order of time. Transfers that have never changed their path have none.
    const std::vector<path_stay>& stays() const { return m_stays; }
    void clear_stays() { m_stays.clear(); }

 private:
    struct stay_begin {
        picoseconds time{0};
        std::uint64_t bytes = 0;
    };

    std::uint64_t m_udp_payload;
    std::vector<segment_counts> m_counts;
    std::vector<path_stay> m_stays;
    /// By number of transfer: of those that have changed their path. Never iterated.
    std::unordered_map<std::uint64_t, stay_begin> m_begins;
};

}  // namespace weir::traffic
