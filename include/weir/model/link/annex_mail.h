// The annexes of a mailbox's frames, by their places in it; kept by the receiving end of a link where switches
// append telemetry.
#pragma once

#include <array>
#include <vector>

#include "weir/protocol/frame_annex.h"

namespace weir::model {

class annex_mail {
 public:
    /// By the sender's thread: the frame that gets place `index` in the mailbox of this side has this annex;
    /// null: none.
    void put(unsigned side, std::size_t index, const frame_annex* annex) {
        // Place 0 is the first frame of a new fill: what the last one left goes.
        m_annexes[side].resize(index);
        m_annexes[side].push_back(annex != nullptr ? *annex : frame_annex{});
    }
    /// By the receiving node.
    const frame_annex& at(unsigned side, std::size_t index) const { return m_annexes[side][index]; }

 private:
    std::array<std::vector<frame_annex>, 2> m_annexes;
};

}  // namespace weir::model
