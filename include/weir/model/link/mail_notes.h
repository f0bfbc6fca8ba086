// What goes with the frames that a link's sender has put into an inbox in one quantum, in their order.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "weir/base/namespaces.h"
#include "weir/protocol/frame_annex.h"

namespace weir::model {

/// Written on the sender's thread in one quantum, read by the receiving node in the next. Keeps its memory.
template <class Note>
class mail_notes {
 public:
    void put(const Note& note) {
        if (m_next == m_notes.size()) {
            m_notes.clear();  // all have been taken
            m_next = 0;
        }
        m_notes.push_back(note);
    }
    /// The first that was not taken. Range: there is one.
    const Note& take() { return m_notes[m_next++]; }

 private:
    std::vector<Note> m_notes;
    std::size_t m_next = 0;
};

/// The annexes of the frames that are on their way over a link, in their order; kept by the receiving end where
/// switches append telemetry.
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
