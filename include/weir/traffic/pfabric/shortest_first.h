// Senders, by slot, that have a frame to send, the one with the least left first, and of equals the one that
// began first: a binary heap that knows where each slot stands.
//
//   shortest_first waiting;
//   waiting.set(3, {100, 7});
//   waiting.set(5, {20, 8});
//   waiting.first();                 // 5
//   waiting.remove(5);
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/base/namespaces.h"

namespace weir::traffic {

class shortest_first {
 public:
    struct key {
        /// Unit: frames.
        std::uint64_t left;
        /// Its number among the host's transfers.
        std::uint64_t number;

        friend bool operator<(const key& a, const key& b) {
            return a.left != b.left ? a.left < b.left : a.number < b.number;
        }
    };

    bool empty() const { return m_heap.empty(); }
    /// Range: not empty.
    std::uint32_t first() const { return m_heap.front().slot; }
    /// Adds the slot, or moves it.
    void set(std::uint32_t slot, key k) {
        if (slot >= m_places.size()) {
            m_places.resize(slot + std::size_t{1}, absent);
        }
        std::size_t place = m_places[slot];
        if (place == absent) {
            place = m_heap.size();
            m_heap.emplace_back();
        }
        settle(place, {k, slot});
    }
    /// Whether it is there or not.
    void remove(std::uint32_t slot) {
        if (slot >= m_places.size() || m_places[slot] == absent) {
            return;
        }
        const std::size_t place = m_places[slot];
        m_places[slot] = absent;
        const entry last = m_heap.back();
        m_heap.pop_back();
        if (place < m_heap.size()) {
            settle(place, last);
        }
    }

 private:
    struct entry {
        key k;
        std::uint32_t slot;
    };
    static constexpr std::size_t absent = ~std::size_t{0};

    void put(std::size_t place, const entry& e) {
        m_heap[place] = e;
        m_places[e.slot] = place;
    }
    /// Puts `e` where it belongs, from `place` on up or down; what stands there is overwritten.
    void settle(std::size_t place, const entry& e) {
        for (; place > 0 && e.k < m_heap[(place - 1) / 2].k; place = (place - 1) / 2) {
            put(place, m_heap[(place - 1) / 2]);
        }
        for (;;) {
            std::size_t child = 2 * place + 1;
            if (child >= m_heap.size()) {
                break;
            }
            child += child + 1 < m_heap.size() && m_heap[child + 1].k < m_heap[child].k ? 1 : 0;
            if (!(m_heap[child].k < e.k)) {
                break;
            }
            put(place, m_heap[child]);
            place = child;
        }
        put(place, e);
    }

    std::vector<entry> m_heap;
    /// By slot.
    std::vector<std::size_t> m_places;
};

}  // namespace weir::traffic
