// What all TCP senders and receivers of a host share: parameters in the form in which the frame path needs
// them, the algorithms, and what these keep of each sender.
#pragma once

#include <cstdint>
#include <memory>

#include "weir/base/time.h"
#include "weir/traffic/congestion/congestion_control.h"
#include "weir/traffic/congestion/path_choice.h"
#include "weir/traffic/tcp/send_times.h"
#include "weir/traffic/transport/flow_states.h"
#include "weir/traffic/transport/transport_config.h"

namespace weir::traffic {

/// `tcp_config` in plain numbers. Lengths in B.
struct tcp_constants {
    std::uint64_t mss;
    std::uint64_t receive_window;
    std::uint64_t initial_window;
    std::uint32_t header;
    std::uint32_t min_frame;
    /// Frame of a full segment, of one without payload, and of SYN and SYN-ACK.
    std::uint16_t full_frame;
    std::uint16_t empty_frame;
    std::uint16_t syn_frame;
    std::uint32_t duplicate_acks;
    std::uint32_t ack_every;
    picoseconds min_rto;
    picoseconds initial_rto;
    picoseconds max_rto;
    picoseconds rto_granularity;
    picoseconds delayed_ack_timeout;
    bool handshake;
    bool handshake_ack;
    bool samples_each_ack;
    /// The congestion control wants receivers to repeat ECE until CWR comes.
    bool latches_echo = false;

    explicit tcp_constants(const tcp_config& config);
};

struct tcp_context : tcp_constants {
    /// With the algorithms that the configuration names.
    explicit tcp_context(const tcp_config& config);
    /// `path_rule` may be null.
    tcp_context(const tcp_config& config, std::unique_ptr<const congestion_control> algorithm,
                std::unique_ptr<const path_choice> path_rule);

    /// A transfer begins in this slot.
    void open(std::uint32_t slot) {
        windows.clear(slot);
        if (path != nullptr) {
            paths.clear(slot);
        }
        if (times_segments) {
            times.open(slot);
        }
    }
    congestion_state& window_of(std::uint32_t slot) { return windows.of<congestion_state>(slot); }

    std::unique_ptr<const congestion_control> congestion;
    /// Null where transfers keep their paths.
    std::unique_ptr<const path_choice> path;
    // By sender slot: what the algorithms keep, and when segments were sent.
    flow_states windows;
    flow_states paths;
    send_times times;
    bool times_segments;
    /// What is sent is looked at: its times are noted, it has a tag of its own, or it may have to carry CWR.
    bool watches_segments;
    /// Each ACK of new data is looked at for one of the algorithms, or both.
    bool watches_acks;
};

}  // namespace weir::traffic
