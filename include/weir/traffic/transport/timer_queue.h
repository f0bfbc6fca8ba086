// Timers of one host: a small 4-ary heap of (time, id), and deadlines that move without touching it.
//
// A retransmission timer is restarted by every ACK and hardly ever fires. `lazy_timer` therefore keeps its
// deadline beside the heap: moving it later costs one store, and the entry that is in the heap finds out
// when it comes up. Moving it before that entry pushes an earlier one; the old entry is then superseded and
// does nothing when it comes up.
//
//   timer_queue timers;
//   lazy_timer rto;
//   rto.set(timers, now + 10ms, id);        // pushes
//   rto.set(timers, now + 11ms, id);        // does not
//   while (timers.next_time() <= now) {
//       timer_entry e = timers.pop();
//       if (rto.expired(timers, e)) { ... }  // true at 11 ms, not at 10 ms
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/base/time.h"

namespace weir::traffic {

struct timer_entry {
    picoseconds time;
    /// Says whose timer it is, and orders entries of equal time.
    std::uint64_t id;

    friend bool operator<(const timer_entry& a, const timer_entry& b) {
        return a.time != b.time ? a.time < b.time : a.id < b.id;
    }
};

class timer_queue {
 public:
    /// Time of the first entry, or `never`.
    picoseconds next_time() const { return m_next_time; }
    std::size_t size() const { return m_heap.size(); }

    void push(timer_entry entry) {
        m_heap.push_back(entry);
        if (m_heap.size() > 1) {
            rise(entry);
        } else {
            m_next_time = entry.time;
        }
    }
    /// Takes the entry with the smallest (time, id). The queue must not be empty.
    timer_entry pop() {
        const timer_entry first = m_heap.front();
        const timer_entry last = m_heap.back();
        m_heap.pop_back();
        if (m_heap.empty()) {
            m_next_time = never;
        } else {
            replace_first(last);
        }
        return first;
    }

 private:
    /// The last one, `entry`, to its place.
    void rise(timer_entry entry);
    void replace_first(timer_entry entry);
    static constexpr std::size_t children = 4;
    std::vector<timer_entry> m_heap;
    picoseconds m_next_time = never;
};

/// What a timer's id says: whose it is, and its place in that owner's table. Transports from outside have the
/// kinds from `first_free` on, in the order in which they were registered.
enum class timer_kind : std::uint8_t {
    tcp_retransmission,
    tcp_delayed_ack,
    tcp_written,
    udp_pacing,
    application,
    first_free
};

constexpr std::uint64_t timer_id(timer_kind kind, std::uint64_t index) {
    return (static_cast<std::uint64_t>(kind) << 56) | index;
}
constexpr timer_kind kind_of_timer(std::uint64_t id) {
    return static_cast<timer_kind>(id >> 56);
}
constexpr std::uint64_t index_of_timer(std::uint64_t id) {
    return id & 0x00FF'FFFF'FFFF'FFFFU;
}

/// One deadline that moves often. It may outlive what it times: an entry that was left in the heap is then
/// taken over by the next user of the same id.
class lazy_timer {
 public:
    bool running() const { return m_deadline != never; }
    picoseconds deadline() const { return m_deadline; }

    void set(timer_queue& timers, picoseconds deadline, std::uint64_t id) {
        m_deadline = deadline;
        if (deadline < m_armed) {
            m_armed = deadline;
            timers.push({deadline, id});
        }
    }
    void stop() { m_deadline = never; }

    /// `entry` has come up. True if the deadline has passed (the timer is then stopped); else the deadline
    /// was moved or the entry superseded, and the heap holds a new entry if one is needed.
    bool expired(timer_queue& timers, const timer_entry& entry) {
        if (entry.time != m_armed) {
            return false;
        }
        if (m_deadline <= entry.time) {
            m_armed = never;
            m_deadline = never;
            return true;
        }
        m_armed = m_deadline;
        if (m_deadline != never) {
            timers.push({m_deadline, entry.id});
        }
        return false;
    }

 private:
    picoseconds m_deadline = never;
    /// Earliest entry of this timer in the heap; `never` if there is none.
    picoseconds m_armed = never;
};

}  // namespace weir::traffic
