// A node's own ordered queue of future events.
//
// Events are ordered by (time, stage, port XOR hash of the time), in one 64-bit key (design section 7). The
// key is a property of the model, never of the order of insertion, so the order of events does not depend
// on the quantum, and the hash makes sure that no port wins every tie. A port has at most one event per
// stage and instant, which makes keys unique; `schedule` of a key that exists is harmless only where the event
// is (a wake).
//
// Each stage has a nearly constant delay, so each has a ring of its own, kept sorted by insertion from the
// tail (which seldom moves anything); the next event is the smallest of the rings' heads. `literal_agenda`
// is the same thing as one std::map, slow and obvious, and serves as oracle.
//
//   agenda<switch_stages> a;
//   a.schedule(3us, switch_stages::arrival, port, payload);
//   while (a.next_key() < first_key_at(end)) { event e = a.pop(); ... }
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "weir/base/time.h"

namespace weir {

/// (time << 12) | (stage << 8) | (port XOR hash(time)).
using event_key = std::uint64_t;

/// Two rounds, because times in practice are arithmetic progressions: after one multiplication these still
/// favour some ports by half.
constexpr std::uint8_t tie_hash(picoseconds time) {
    std::uint64_t z = static_cast<std::uint64_t>(time.count()) * 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 32)) * 0xD6E8FEB86659FD93U;
    return static_cast<std::uint8_t>(z >> 56);
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
    /// As given, before the hash.
    std::uint32_t event_port = 0;

    picoseconds time() const { return time_of(key); }
    unsigned stage() const { return (key >> 8) & 0xF; }
    unsigned port() const { return event_port; }
};

inline constexpr event_key no_event = ~event_key{0};

/// Events of one kind in their order, in one piece of memory: taken at the front, inserted from the back. When
/// the end of the memory is reached, those that are left move to its beginning. An event that is never behind
/// the last one ends it.
class event_row {
 public:
    event_row() {
        m_head = m_tail = m_memory.get();
        m_end = m_head + initial_events;
        m_tail->key = no_event;
    }
    bool empty() const { return m_head == m_tail; }
    /// Key of the first event, or `no_event`.
    event_key head_key() const { return m_head->key; }

    [[gnu::always_inline]] void insert(event e) {
        if (__builtin_expect(m_tail == m_end, 0)) {
            make_room();
        }
        event* at = m_tail++;
        m_tail->key = no_event;
        while (at != m_head && at[-1].key > e.key) {
            *at = at[-1];
            --at;
        }
        *at = e;
    }
    event pop() { return *m_head++; }

 private:
    [[gnu::noinline]] void make_room() {
        const auto count = static_cast<std::size_t>(m_tail - m_head);
        const auto size = static_cast<std::size_t>(m_end - m_memory.get());
        if (count > size / 2) {
            auto larger = std::make_unique<event[]>(2 * size + 1);
            std::copy(m_head, m_tail, larger.get());
            m_memory = std::move(larger);
            m_end = m_memory.get() + 2 * size;
        } else {
            std::copy(m_head, m_tail, m_memory.get());
        }
        m_head = m_memory.get();
        m_tail = m_head + count;
        m_tail->key = no_event;
    }

    static constexpr std::size_t initial_events = 31;
    event* m_head;
    event* m_tail;
    event* m_end;
    // One more than there is room for.
    std::unique_ptr<event[]> m_memory = std::make_unique<event[]>(initial_events + 1);
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
        const unsigned port = (std::get<2>(first->first) ^ tie_hash(std::get<0>(first->first))) & 0xFF;
        const event e{key_of(first->first), first->second, port};
        m_events.erase(first);
        return e;
    }

 private:
    using order = std::tuple<picoseconds, unsigned, unsigned>;
    static event_key key_of(const order& o) {
        return (static_cast<std::uint64_t>(std::get<0>(o).count()) << 12) | (std::get<1>(o) << 8) |
               std::get<2>(o);
    }
    std::multimap<order, std::uint32_t> m_events;
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

    /// `time` must not lie before the events taken so far. Range of port: 0-255. Inlined wherever it is
    /// called: the stage is a constant there, and with it the ring.
    [[gnu::always_inline]] void schedule(picoseconds time, unsigned stage, unsigned port,
                                         std::uint32_t payload) {
        if (__builtin_expect(m_literal != nullptr, 0)) {
            m_literal->schedule(time, stage, port, payload);
            m_next = m_literal->head_key();
            return;
        }
        const unsigned ring = Stages::ring_of[stage];
        const event_key key = make_event_key(time, stage, port);
        m_rings[ring].insert(event{key, payload, port});
        m_heads[ring] = key < m_heads[ring] ? key : m_heads[ring];
        m_next = key < m_next ? key : m_next;
    }

    /// Key of the next event, or `no_event`.
    event_key next_key() const { return m_next; }
    /// Time of the next event, or `never`.
    picoseconds next_time() const { return m_next == no_event ? never : time_of(m_next); }

    /// Takes the event with the smallest key; there must be one.
    event pop() {
        if (__builtin_expect(m_literal != nullptr, 0)) {
            const event e = m_literal->pop();
            m_next = m_literal->head_key();
            return e;
        }
        const unsigned ring = Stages::ring_of[(m_next >> 8) & 0xF];
        const event e = m_rings[ring].pop();
        m_heads[ring] = m_rings[ring].head_key();
        event_key smallest = m_heads[0];
        for (unsigned r = 1; r < Stages::rings; ++r) {
            smallest = m_heads[r] < smallest ? m_heads[r] : smallest;
        }
        m_next = smallest;
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
    event_key m_next = no_event;
    std::array<event_key, Stages::rings> m_heads = no_heads();
    std::array<event_row, Stages::rings> m_rings;
    std::unique_ptr<literal_agenda> m_literal;
};

}  // namespace weir
