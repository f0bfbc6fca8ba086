// The frames of one inbox in the order of their last bits.
//
// A node's agenda sorts what comes by insertion, which takes a step for each frame of another port that has
// come before and is later. Where many frames come in one quantum they are sorted here first: in time that
// grows with their number only, because last bits are spread over the quantum.
//
//   inbox mail;
//   mail_order order;
//   order.sort(mail, 1);
//   order[0].last_bit();      // of the earliest one
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/base/agenda.h"
#include "weir/model/link/inbox.h"

namespace weir::model {

/// Keeps its memory. One serves all nodes that a thread runs, one after another.
class mail_order {
 public:
    /// Of one side, whose frames stay where they are. Frames of one time are in any order.
    void sort(const inbox& mail, unsigned side);
    bool empty() const { return m_sorted.empty(); }
    std::size_t size() const { return m_sorted.size(); }
    const wire_arrival& operator[](std::size_t at) const { return *m_sorted[at].arrival; }
    void clear() { m_sorted.clear(); }

 private:
    struct entry {
        event_key key;
        const wire_arrival* arrival;
    };
    void sort_range(std::size_t begin, std::size_t end);

    std::vector<entry> m_unsorted;
    std::vector<entry> m_sorted;
    /// Times are divided into intervals of equal length: where the entries of each one end.
    std::vector<std::uint32_t> m_ends;
};

}  // namespace weir::model
