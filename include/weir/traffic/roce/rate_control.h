// A rate control sets how fast a queue pair sends: the part of RoCE in which DCQCN and its variants differ.
//
// The sender (queue_pair_sender.h) spaces its frames by the rate; the rule only says how large that is. One
// rule object serves all queue pairs of a host; what it keeps of each is a struct of its own that begins with
// `rate_state` (transport/flow_states.h). Its timers need no events: whoever wants to know the rate tells it
// how late it is, and all timers up to then run out, each at its own time. Kinds: rate_controls.h.
//
//   const dcqcn rule{dcqcn_config{}, 40_Gbps};
//   dcqcn_state s;
//   rule.open(s);                             // s.rate == 40_Gbps
//   rule.on_notification(s, 100us);           // 20 Gb/s
//   rule.advance(s, 155us);                   // 30 Gb/s: the increase timer has run out once
#pragma once

#include <cstddef>
#include <cstdint>

#include "weir/base/time.h"
#include "weir/base/units.h"

namespace weir::traffic {

/// What every rule has.
struct rate_state {
    /// Range: above 0.
    bit_rate rate{0};
    /// The rate may change by itself at this time, not before.
    picoseconds next_change = never;
};

class rate_control {
 public:
    virtual ~rate_control() = default;

    /// Size of what it keeps of a queue pair: a trivially copyable struct that derives from `rate_state`.
    virtual std::size_t state_bytes() const = 0;
    /// A transfer begins; what derives from `s` is in no particular state.
    virtual void open(rate_state& s) const = 0;
    /// A CNP has come. What is due at the same time comes after it.
    virtual void on_notification(rate_state& s, picoseconds now) const = 0;
    /// A frame of so many bytes on the wire leaves. Range: `advance` has been called with this time.
    virtual void on_sent(rate_state& s, std::uint64_t wire_bytes) const = 0;
    /// All timers that are due at `now` or before have run out. Range: not before an earlier call's time.
    virtual void advance(rate_state& s, picoseconds now) const = 0;
    /// Whether data is sent as ECT(0), and receivers answer marks with CNPs.
    virtual bool heeds_marks() const { return true; }
};

/// What an event of DCQCN's reaction point was.
enum class dcqcn_event : std::uint8_t { alpha, decrease, fast_recovery, additive, hyper };

}  // namespace weir::traffic
