// What all TCP senders and receivers of a host share: parameters in the form in which the frame path needs
// them, the algorithms, and what these keep of each sender.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "weir/base/number_table.h"
#include "weir/base/time.h"
#include "weir/traffic/congestion/congestion_control.h"
#include "weir/traffic/congestion/path_choice.h"
#include "weir/traffic/congestion/tcp_config.h"
#include "weir/traffic/tcp/send_times.h"
#include "weir/traffic/transport/flow_states.h"
#include "weir/traffic/transport/write_schedule.h"

namespace weir::traffic {

/// How large a receive window is that adapts to the path, as FreeBSD 9 sizes a receiving socket's buffer: after
/// a round trip in which more than 7/8 of it came in order, it grows by a step. It never shrinks. The sender
/// counts, in bytes acknowledged, so that no window has to be told on the wire.
///
///   window_limit limit{128 << 10, 0, 0};
///   limit.on_ack(120'000, 250'000, 256 << 10);             // more than 112 KiB at once: 144 KiB from now on
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

/// `tcp_config` in plain numbers. Lengths in B.
struct tcp_constants {
    std::uint64_t mss;
    std::uint64_t receive_window;
    /// That it may grow to (`window_limit`).
    std::uint64_t largest_window;
    std::uint64_t initial_window;
    std::uint32_t header;
    std::uint32_t min_frame;
    /// Frame of a full segment, of one without payload, and of SYN and SYN-ACK.
    std::uint16_t full_frame;
    std::uint16_t empty_frame;
    std::uint16_t syn_frame;
    std::uint32_t duplicate_acks;
    bool ignores_duplicates_after_mark;
    std::uint32_t ack_every;
    picoseconds min_rto;
    picoseconds initial_rto;
    picoseconds max_rto;
    picoseconds rto_granularity;
    std::uint32_t rto_variance_factor;
    picoseconds rto_addition;
    picoseconds rtt_clock;
    picoseconds delayed_ack_timeout;
    std::uint32_t reassembly_limit;
    bool caches_connections;
    bool handshake;
    bool handshake_ack;
    bool samples_each_ack;
    /// The congestion control wants receivers to repeat ECE until CWR comes.
    bool latches_echo = false;

    explicit tcp_constants(const tcp_config& config);
};

/// What a transfer leaves to the next one to the same host.
struct cached_connection {
    std::uint64_t cwnd;
    std::uint64_t ssthresh;
    picoseconds srtt;
    picoseconds rttvar;
};

/// What bounds a sender's window beside its congestion control, where that is not the same for all of them.
struct sender_limit : window_limit {
    /// Null: the application has written everything.
    const write_schedule* written;
    /// Up to when the sender has a timer for what is written later.
    picoseconds wakes_until;
};

struct tcp_context : tcp_constants {
    /// With the algorithms that the configuration names.
    explicit tcp_context(const tcp_config& config);
    /// `path_rule` may be null.
    tcp_context(const tcp_config& config, std::unique_ptr<const congestion_control> algorithm,
                std::unique_ptr<const path_choice> path_rule);

    /// A transfer begins in this slot. `written`: as in `transfer_request`.
    void open(std::uint32_t slot, const write_schedule* written) {
        windows.clear(slot);
        if (path != nullptr) {
            paths.clear(slot);
        }
        if (times_segments) {
            times.open(slot);
        }
        if (limits_differ || written != nullptr) {
            open_limit(slot, written);
        }
    }
    /// Most that this sender may have outstanding for the receiver's sake.
    std::uint64_t limit_of(std::uint32_t slot) const {
        return limits_differ ? limits.of<sender_limit>(slot).bytes : receive_window;
    }
    congestion_state& window_of(std::uint32_t slot) { return windows.of<congestion_state>(slot); }
    const congestion_state& window_of(std::uint32_t slot) const { return windows.of<congestion_state>(slot); }

    std::unique_ptr<const congestion_control> congestion;
    /// Null where transfers keep their paths.
    std::unique_ptr<const path_choice> path;
    // By sender slot: what the algorithms keep, and when segments were sent.
    flow_states windows;
    flow_states paths;
    send_times times;
    /// Where `limits_differ`.
    flow_states limits{sizeof(sender_limit)};
    /// By destination, where `caches_connections`.
    number_table<cached_connection> connections;
    /// Receive windows grow.
    bool limits_grow;
    /// They do, or some application writes over time.
    bool limits_differ;
    bool times_segments;
    /// What is sent is looked at: its times are noted, it has a tag of its own, or it may have to carry CWR.
    bool watches_segments;
    /// Each ACK of new data is looked at for one of the algorithms, or both.
    bool watches_acks;

 private:
    [[gnu::cold]] void open_limit(std::uint32_t slot, const write_schedule* written);
};

}  // namespace weir::traffic
