// The frames of one inbox in the order of their last bits.
//
// A node's agenda sorts what comes by insertion, which takes a step for each frame of another port that has
// come before and is later. Where many frames come in one quantum they are sorted here first (interval_sort.h).
//
//   inbox mail;
//   mail_order order;
//   order.sort(mail, 1);
//   order[0].first_used();    // by the node, of the earliest one
#pragma once

#include <cstddef>
#include <vector>

#include "weir/base/agenda.h"
#include "weir/base/interval_sort.h"
#include "weir/model/link/inbox.h"

namespace weir::model {

/// Keeps its memory. One serves all nodes that a thread runs, one after another.
class mail_order {
 public:
    /// Of one side, whose frames stay where they are. Frames of one time are in any order.
    void sort(const inbox& mail, unsigned side);
    bool empty() const { return m_entries.empty(); }
    std::size_t size() const { return m_entries.size(); }
    const wire_arrival& operator[](std::size_t at) const { return *m_entries[at].arrival; }
    void clear() { m_entries.clear(); }

 private:
    struct entry {
        event_key key;
        const wire_arrival* arrival;
    };

    std::vector<entry> m_entries;
    interval_sort<entry> m_sort;
};

}  // namespace weir::model
