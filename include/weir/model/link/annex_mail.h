// The annexes of the frames that are on their way over a link, in their order; kept by the receiving end where
// switches append telemetry.
#pragma once

#include <array>

#include "weir/model/link/mail_notes.h"
#include "weir/protocol/frame_annex.h"

namespace weir::model {

class annex_mail {
 public:
    /// By the sender's thread: the next frame on this side has this annex; null: none.
    void put(unsigned side, const frame_annex* annex) {
        m_sides[side].put(annex != nullptr ? *annex : frame_annex{});
    }
    /// By the receiving node: of the next frame. The reference holds until the barrier.
    const frame_annex& take(unsigned side) { return m_sides[side].take(); }

 private:
    std::array<mail_notes<frame_annex>, 2> m_sides;
};

}  // namespace weir::model
