// What goes with the frames that a link's sender has put into an inbox in one quantum, in their order.
#pragma once

#include <cstddef>
#include <vector>

#include "weir/base/namespaces.h"

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

}  // namespace weir::model
