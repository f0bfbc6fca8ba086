// A node's own ordered queue of future events.
//
// Events are ordered by (time, stage, port XOR hash of the time), in one 64-bit key (design section 7). The
// key is a property of the model, never of the order of insertion, so the order of events does not depend
// on the quantum, and the hash makes sure that no port wins every tie. A port has at most one event per
// stage and instant, which makes keys unique; `schedule` of a key that exists is an error of the model.
//
// Each stage has a nearly constant delay, so each has a ring of its own, kept sorted by insertion from the
// tail (which seldom moves anything); the next event is the smallest of the rings' heads. `literal_agenda`
// is the same thing as one std::map, slow and obvious, and serves as oracle.
//
//   agenda<switch_stages> a;
//   a.schedule(3us, switch_stages::arrival, port, payload);
//   for (event_key k = a.next_key(); k < first_key_at(end); k = a.next_key()) { event e = a.pop(k); ... }
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "weir/base/time.h"

namespace weir {

/// (time << 12) | (stage << 8) | (port XOR hash(time)).
using event_key = std::uint64_t;

constexpr std::uint8_t tie_hash(picoseconds time) {
    return static_cast<std::uint8_t>((static_cast<std::uint64_t>(time.count()) * 0x9E3779B97F4A7C15U) >> 56);
}
constexpr event_key make_event_key(picoseconds time, unsigned stage, unsigned port) {
    return (static_cast<std::uint64_t>(time.count()) << 12) | (stage << 8) | ((port ^ tie_hash(time)) & 0xFF);
}

/// The smallest key that an event at `time` can have.
constexpr event_key first_key_at(picoseconds time) {
    return static_cast<std::uint64_t>(time.count()) << 12;
}
constexpr picoseconds time_of(event_key key) {
    return picoseconds{static_cast<std::int64_t>(key >> 12)};
}

struct event {
    event_key key;
    std::uint32_t payload;

    picoseconds time() const { return time_of(key); }
    unsigned stage() const { return (key >> 8) & 0xF; }
    unsigned port() const { return (key & 0xFF) ^ tie_hash(time()); }
};

inline constexpr event_key no_event = ~event_key{0};

/// One sorted ring of events. Grows by doubling, never shrinks.
class event_ring {
 public:
    event_key head_key() const { return m_head == m_tail ? no_event : m_slots[m_head & m_mask].key; }

    void insert(event e) {
        if (m_tail - m_head > m_mask) {
            grow();
        }
        std::uint32_t at = m_tail++;
        while (at != m_head && m_slots[(at - 1) & m_mask].key > e.key) {
            m_slots[at & m_mask] = m_slots[(at - 1) & m_mask];
            --at;
        }
        m_slots[at & m_mask] = e;
    }
    event pop() { return m_slots[m_head++ & m_mask]; }
    std::uint32_t size() const { return m_tail - m_head; }

 private:
    void grow() {
        std::vector<event> larger(m_slots.size() * 2);
        const std::uint32_t count = size();
        for (std::uint32_t i = 0; i < count; ++i) {
            larger[i] = m_slots[(m_head + i) & m_mask];
        }
        m_slots.swap(larger);
        m_mask = static_cast<std::uint32_t>(m_slots.size() - 1);
        m_head = 0;
        m_tail = count;
    }

    std::vector<event> m_slots = std::vector<event>(8);
    std::uint32_t m_mask = 7;
    std::uint32_t m_head = 0;
    std::uint32_t m_tail = 0;
};

/// The oracle: one map, ordered by the three parts of the key written out.
class literal_agenda {
 public:
    void schedule(picoseconds time, unsigned stage, unsigned port, std::uint32_t payload) {
        m_events.emplace(std::make_tuple(time, stage, (port ^ tie_hash(time)) & 0xFF), payload);
    }
    event_key head_key() const { return m_events.empty() ? no_event : key_of(m_events.begin()->first); }
    event pop() {
        const auto first = m_events.begin();
        const event e{key_of(first->first), first->second};
        m_events.erase(first);
        return e;
    }

 private:
    using order = std::tuple<picoseconds, unsigned, unsigned>;
    static event_key key_of(const order& o) {
        return (static_cast<std::uint64_t>(std::get<0>(o).count()) << 12) | (std::get<1>(o) << 8) |
               std::get<2>(o);
    }
    std::map<order, std::uint32_t> m_events;
};

/// `Stages` says which stages there are and which ring each one uses:
///
///   struct switch_stages {
///       enum : unsigned { arrival, lookup_done, control, count };
///       static constexpr unsigned rings = 2;
///       static constexpr std::array<std::uint8_t, count> ring_of{0, 1, 1};
///   };
///
/// Stages are numbered in their order within an instant, at most 16. Rare stages may share a ring.
template <class Stages>
class agenda {
    static_assert(Stages::count <= 16);

 public:
    /// From now on events are kept by the literal oracle. Call before the first `schedule`.
    void use_literal() { m_literal = std::make_unique<literal_agenda>(); }

    /// `time` must lie in the future of the events taken so far. Range of port: 0-255.
    void schedule(picoseconds time, unsigned stage, unsigned port, std::uint32_t payload) {
        if (m_literal) {
            m_literal->schedule(time, stage, port, payload);
            return;
        }
        const unsigned ring = Stages::ring_of[stage];
        m_rings[ring].insert(event{make_event_key(time, stage, port), payload});
        m_heads[ring] = m_rings[ring].head_key();
    }

    /// Key of the next event, or `no_event`.
    event_key next_key() const {
        if (m_literal) {
            return m_literal->head_key();
        }
        event_key smallest = m_heads[0];
        for (unsigned r = 1; r < Stages::rings; ++r) {
            smallest = m_heads[r] < smallest ? m_heads[r] : smallest;
        }
        return smallest;
    }
    /// Time of the next event, or `never`.
    picoseconds next_time() const {
        const event_key key = next_key();
        return key == no_event ? never : time_of(key);
    }
    /// Takes the event with the smallest key. `key` is what `next_key` returned.
    event pop(event_key key) {
        if (m_literal) {
            return m_literal->pop();
        }
        const unsigned ring = Stages::ring_of[(key >> 8) & 0xF];
        const event e = m_rings[ring].pop();
        m_heads[ring] = m_rings[ring].head_key();
        return e;
    }

 private:
    static constexpr std::array<event_key, Stages::rings> no_heads() {
        std::array<event_key, Stages::rings> heads{};
        for (event_key& h : heads) {
            h = no_event;
        }
        return heads;
    }
    std::array<event_key, Stages::rings> m_heads = no_heads();
    std::array<event_ring, Stages::rings> m_rings;
    std::unique_ptr<literal_agenda> m_literal;
};

}  // namespace weir
