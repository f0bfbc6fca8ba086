// A path choice takes one of several equal paths for a sender's frames, by the tag (`ethernet_frame::path_tag`,
// FlowBender's V) that switches hash with the addresses. It hears of each ACK and of each timeout. One object
// serves all senders of a host; what it keeps of a transfer is a struct of its own that begins with
// `path_state`.
//
// Kinds are registered by name in traffic/congestion/path_choices.h. The default, `fixed`, is no object at all:
// a transfer keeps the tag that it began with.
#pragma once

#include <cstddef>
#include <cstdint>

#include "weir/traffic/congestion/ack_event.h"

namespace weir::traffic {

/// Kinds of path choice; path_choices.h registers them.
enum class path_kind : std::uint8_t {};

/// What every choice has.
struct path_state {
    /// Of what is sent from now on.
    std::uint16_t tag = 0;
};

class path_choice {
 public:
    virtual ~path_choice() = default;

    /// Size of what it keeps of a transfer: a trivially copyable struct that derives from `path_state`, in
    /// which zeros are a good beginning. The sender sets `tag`.
    virtual std::size_t state_bytes() const = 0;
    /// A transfer begins; `tag` is set. `flow`: its number, which no other transfer has.
    virtual void open(path_state&, std::uint64_t /*flow*/) const {}
    /// Every ACK, duplicates too, but for the one that completes the transfer. A round trip is over when
    /// `ack.una` has passed what was `ack.max` at its beginning; data that was sent by a path that was left is
    /// confirmed for a round trip more (`ack.path_tag`).
    virtual void on_ack(path_state& s, const ack_event& ack) const = 0;
    /// The retransmission timer ran out, of data or of the handshake; what is sent again takes the new tag.
    virtual void on_timeout(path_state& s) const = 0;
    /// Whether it counts ACKs that tell of marks. Then receivers have to echo each mark by itself
    /// (`congestion_control::latches_echo`).
    virtual bool counts_marks() const { return false; }
    /// Whether segments have tags of their own.
    virtual bool marks_segments() const { return false; }
    /// Where they do: the tag of the segment that is sent now and ends at `end`. `again`: it was sent before.
    virtual std::uint16_t tag_of_segment(path_state& s, std::uint64_t /*end*/, bool /*again*/) const {
        return s.tag;
    }
};

}  // namespace weir::traffic
