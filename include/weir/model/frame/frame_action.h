// Actions of the rules of a switch's queues: markers, overflow actions and queue orders answer with one.
//
//   frame_action action = frame_action::mark;
//   action = frame_action::move_to(3);
//   action = frame_action::trim_to({64, 7, 46});
//   action = frame_action::drop_for(drop_reason::early);
#pragma once

#include <cstdint>

#include "weir/model/engine/drop_reason.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// Cuts a frame's payload off: its headers go on alone, to tell the receiver what is missing (NDP, SIGCOMM
/// 2017, section 3.2).
struct trim_order {
    /// Length that is left, from destination address to FCS. Unit: B. Range: 64-65,535.
    std::uint16_t frame_bytes = 64;
    /// Class whose queue takes the frame from here on. Range: 0-7.
    pfc_class queue = pfc_classes - 1;
    /// Differentiated services code point of the trimmed frame. Range: 0-63.
    std::uint8_t dscp = 0;
};

class frame_action {
 public:
    enum kinds : std::uint8_t {
        keep,  ///< the frame goes on
        mark,  ///< the frame goes on, with CE if its transport is ECN-capable
        trim,  ///< the frame goes on without its payload; one that has none is dropped
        drop,
        move  ///< the frame goes to another port
    };

    /// `drop` is for the reason `egress_full`.
    constexpr frame_action(kinds kind) : m_kind(kind) {}  // NOLINT(google-explicit-constructor)
    static constexpr frame_action drop_for(drop_reason reason) { return frame_action(drop).with(reason); }
    static constexpr frame_action move_to(unsigned port) {
        frame_action action = move;
        action.m_port = static_cast<std::uint16_t>(port);
        return action;
    }
    static constexpr frame_action trim_to(trim_order order) {
        frame_action action = trim;
        action.m_trim = order;
        return action;
    }

    /// The same action, but for the reason.
    constexpr frame_action with(drop_reason reason) const {
        frame_action action = *this;
        action.m_reason = reason;
        return action;
    }

    constexpr kinds kind() const { return m_kind; }
    constexpr bool operator==(kinds kind) const { return m_kind == kind; }
    constexpr bool operator!=(kinds kind) const { return m_kind != kind; }
    /// Why the frame is dropped, or is dropped if it cannot be trimmed.
    constexpr drop_reason reason() const { return m_reason; }
    /// Port that a moved frame goes to.
    constexpr unsigned port() const { return m_port; }
    constexpr const trim_order& trimming() const { return m_trim; }

 private:
    kinds m_kind;
    drop_reason m_reason = drop_reason::egress_full;
    std::uint16_t m_port = 0;
    trim_order m_trim;
};

}  // namespace weir::model
