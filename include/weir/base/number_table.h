// States found by a number (of a job, a transfer, a destination): an open hash table. Its order has no effect.
//
// It holds at most half of its capacity, and doubles beyond; it never shrinks. So its memory follows the
// largest number of states that were ever there at once, not how many there have been.
//
//   struct open_query { picoseconds asked; };
//   number_table<open_query> open;
//   open.add(job) = {5us};
//   if (open_query* q = open.find(job)) { open.remove(job); }
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "weir/base/rng.h"

namespace weir {

template <class State>
class number_table {
 public:
    std::size_t size() const { return m_size; }
    std::size_t capacity() const { return m_slots.size(); }

    /// `number` must not be in the table. The reference holds until the next `add` or `remove`.
    State& add(std::uint64_t number) {
        if (2 * (m_size + 1) > m_slots.size()) {
            grow();
        }
        ++m_size;
        return place(number).state;
    }
    /// Null if there is no such number.
    State* find(std::uint64_t number) {
        for (std::size_t i = home(number); m_slots[i].used; i = next(i)) {
            if (m_slots[i].number == number) {
                return &m_slots[i].state;
            }
        }
        return nullptr;
    }
    /// `number` must be in the table.
    void remove(std::uint64_t number) {
        std::size_t hole = home(number);
        while (m_slots[hole].number != number || !m_slots[hole].used) {
            hole = next(hole);
        }
        // Slots that were pushed past the hole move back, so that no search ends early.
        for (std::size_t i = next(hole); m_slots[i].used; i = next(i)) {
            const std::size_t mask = m_slots.size() - 1;
            if (((i - home(m_slots[i].number)) & mask) >= ((i - hole) & mask)) {
                m_slots[hole] = m_slots[i];
                hole = i;
            }
        }
        m_slots[hole].used = false;
        --m_size;
    }
    /// Calls `look(number, state)` for each, in no particular order.
    template <class Look>
    void for_each(Look&& look) const {
        for (const slot& s : m_slots) {
            if (s.used) {
                look(s.number, s.state);
            }
        }
    }
    /// Removes all whose state is over. `over` is asked in no particular order.
    template <class Over>
    void remove_if(Over&& over) {
        std::vector<std::uint64_t> gone;
        for (const slot& s : m_slots) {
            if (s.used && over(s.state)) {
                gone.push_back(s.number);
            }
        }
        for (const std::uint64_t number : gone) {
            remove(number);
        }
    }

 private:
    struct slot {
        std::uint64_t number = 0;
        bool used = false;
        State state{};
    };

    std::size_t home(std::uint64_t number) const { return random_stream::mix(number) & (m_slots.size() - 1); }
    std::size_t next(std::size_t i) const { return (i + 1) & (m_slots.size() - 1); }
    slot& place(std::uint64_t number) {
        std::size_t i = home(number);
        while (m_slots[i].used) {
            i = next(i);
        }
        m_slots[i] = {number, true, State{}};
        return m_slots[i];
    }
    void grow() {
        std::vector<slot> old(m_slots.size() * 2);
        old.swap(m_slots);
        for (const slot& s : old) {
            if (s.used) {
                place(s.number).state = s.state;
            }
        }
    }

    std::vector<slot> m_slots = std::vector<slot>(8);
    std::size_t m_size = 0;
};

}  // namespace weir
