// A node's own ordered queue of future events.
//
// Events are ordered by (time, stage, port XOR hash of the time); docs/decisions/0002-keys-of-events.md says
// why. The order is a property of the model, never of the order of insertion, so it does not depend on the
// quantum. The hash makes sure that no port wins every tie. A port has at most one event per stage and instant;
// `schedule` of one that exists is harmless only where the event is (a wake).
//
// Time, stage and port are one 64-bit key. The hash is worked out only where two keys differ in nothing but the
// port.
//
// Each stage has a nearly constant delay, so each has a row of its own, kept sorted by insertion from the
// tail (which seldom moves anything); the next event is the first of the rows' heads. `literal_agenda`
// is the same thing as one std::map, slow and obvious, and serves as oracle.
//
//   agenda<switch_stages> a;
//   a.schedule(3us, switch_stages::arrival, port, payload);
//   while (a.next_key() < first_key_at(end)) { const auto e = a.pop(); }
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "weir/base/prefetch.h"
#include "weir/base/time.h"

namespace weir {

/// (time << 12) | (stage << 8) | port.
using event_key = std::uint64_t;

/// Two rounds, because times in practice are arithmetic progressions: after one multiplication these still
/// favour some ports by half.
constexpr std::uint8_t tie_hash(picoseconds time) {
    std::uint64_t z = static_cast<std::uint64_t>(time.count()) * 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 32)) * 0xD6E8FEB86659FD93U;
    return static_cast<std::uint8_t>(z >> 56);
}
constexpr event_key make_event_key(picoseconds time, unsigned stage, unsigned port) {
    return (static_cast<std::uint64_t>(time.count()) << 12) | (stage << 8) | port;
}

/// The smallest key that an event at `time` can have.
constexpr event_key first_key_at(picoseconds time) {
    return static_cast<std::uint64_t>(time.count()) << 12;
}
constexpr picoseconds time_of(event_key key) {
    return picoseconds{static_cast<std::int64_t>(key >> 12)};
}
constexpr unsigned stage_of(event_key key) {
    return (key >> 8) & 0xF;
}
constexpr unsigned port_of(event_key key) {
    return key & 0xFF;
}
/// The last key that an event at this event's time can have.
constexpr event_key last_key_with(event_key key) {
    return key | 0xFFF;
}
/// The order of events. Range of ports: 0-255.
constexpr bool comes_before(event_key a, event_key b) {
    if ((a ^ b) >> 8 != 0) {
        return a < b;
    }
    const std::uint8_t hash = tie_hash(time_of(a));
    return ((a ^ hash) & 0xFF) < ((b ^ hash) & 0xFF);
}

struct event {
    event_key key;
    std::uint32_t payload;

    picoseconds time() const { return time_of(key); }
    unsigned stage() const { return stage_of(key); }
    unsigned port() const { return port_of(key); }
};

inline constexpr event_key no_event = ~event_key{0};

/// Events of one kind in their order, in one piece of memory: taken at the front, inserted from the back. When
/// the end of the memory is reached, those that are left move to its beginning. An event that never comes ends
/// it. No event is inserted that comes before one that was taken.
class agenda_row {
 public:
    /// Key of the first event, or `no_event`.
    event_key head_key() const { return m_head->key; }
    /// `make_room` has to come before the next `insert`. True from the start.
    bool is_full() const { return m_tail == m_end; }

    /// True if it is the first one now.
    [[gnu::always_inline]] bool insert(event e) {
        event* at = m_tail++;
        m_tail->key = no_event;
        // What lies before the head is earlier: an event that was taken, or the guard.
        const event_key last_of_stage = e.key | 0xFF;
        while (at[-1].key > last_of_stage) {
            *at = at[-1];
            --at;
        }
        // The same time and stage: the hash decides.
        while (__builtin_expect((at[-1].key ^ e.key) >> 8 == 0, 0) && at != m_head &&
               comes_before(e.key, at[-1].key)) {
            *at = at[-1];
            --at;
        }
        store(*at, e);
        return at == m_head;
    }
    template <class Visit>
    void for_first(std::ptrdiff_t most, Visit&& visit) const {
        for (const event *e = m_head, *end = m_head + std::min(most, m_tail - m_head); e != end; ++e) {
            visit(*e);
        }
    }
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (const event* e = m_head; e != m_tail; ++e) {
            visit(*e);
        }
    }
    /// Takes out the event with this key, which there is.
    void remove(event_key key) {
        event* at = m_tail - 1;
        while (at->key != key) {
            --at;
        }
        for (; at != m_tail; ++at) {
            *at = at[1];
        }
        --m_tail;
    }
    void prefetch() const { prefetch_line(m_head); }
    /// The n-th event, from 0 on; null if there are fewer.
    const event* peek(std::ptrdiff_t n) const { return m_tail - m_head > n ? m_head + n : nullptr; }
    event pop() { return *m_head++; }
    std::uint32_t pop_payload() { return (m_head++)->payload; }

    void make_room() {
        const auto count = static_cast<std::size_t>(m_tail - m_head);
        const auto size = static_cast<std::size_t>(m_end - m_memory.get()) - 1;
        // So that an insertion moves a third of an event at most.
        if (count > size / 4 || size == 0) {
            const std::size_t larger_size = size == 0 ? initial_events : 2 * size;
            auto larger = std::make_unique<event[]>(larger_size + 2);
            std::copy(m_head, m_tail, larger.get() + 1);
            m_memory = std::move(larger);
            m_end = m_memory.get() + 1 + larger_size;
        } else {
            std::copy(m_head, m_tail, m_memory.get() + 1);
        }
        m_memory[0].key = 0;
        m_head = m_memory.get() + 1;
        m_tail = m_head + count;
        m_tail->key = no_event;
    }

 private:
    static std::unique_ptr<event[]> nothing() {
        auto memory = std::make_unique<event[]>(2);
        memory[1].key = no_event;
        return memory;
    }
    static constexpr std::size_t initial_events = 6;
    // One store of both parts. Events are moved whole: a load of two parts that were stored apart would wait
    // until the stores have reached the cache, behind all others, in a large fabric some hundred nanoseconds.
    static void store(event& to, const event& e) {
        if constexpr (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
            using parts __attribute__((vector_size(sizeof(event)))) = std::uint64_t;
            static_assert(offsetof(event, payload) == sizeof(event_key));
            const parts both{e.key, e.payload};
            std::memcpy(&to, &both, sizeof(event));
        } else {
            to = e;
        }
    }
    // A guard before the first event and the end mark behind the last one take a place each.
    std::unique_ptr<event[]> m_memory = nothing();
    event* m_head = m_memory.get() + 1;
    event* m_tail = m_memory.get() + 1;
    event* m_end = m_memory.get() + 1;
};

/// The oracle: one map, ordered by the three parts of the order written out.
class literal_agenda {
 public:
    void schedule(picoseconds time, unsigned stage, unsigned port, std::uint32_t payload) {
        m_events.emplace(std::make_tuple(time, stage, (port ^ tie_hash(time)) & 0xFF), payload);
    }
    event_key head_key() const { return m_events.empty() ? no_event : key_of(m_events.begin()->first); }
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (const auto& [order, payload] : m_events) {
            visit(event{key_of(order), payload});
        }
    }
    event pop() {
        const auto first = m_events.begin();
        const event e{key_of(first->first), first->second};
        m_events.erase(first);
        return e;
    }

 private:
    using order = std::tuple<picoseconds, unsigned, unsigned>;
    static event_key key_of(const order& o) {
        const auto& [time, stage, hashed_port] = o;
        return make_event_key(time, stage, (hashed_port ^ tie_hash(time)) & 0xFF);
    }
    std::multimap<order, std::uint32_t> m_events;
};

/// `Stages` says which stages there are and which row each one uses:
///
///   struct switch_stages {
///       enum : unsigned { arrival, lookup_done, control, count };
///       static constexpr unsigned rows = 2;
///       static constexpr std::array<std::uint8_t, count> row_of{0, 1, 1};
///   };
///
/// Stages are numbered in their order within an instant, at most 16. Rare stages may share a row.
template <class Stages>
class agenda {
    static_assert(Stages::count <= 16);

 public:
    /// From now on events are kept by the literal oracle. Call before the first `schedule`.
    void use_literal() { m_literal = std::make_unique<literal_agenda>(); }

    /// `time` must not lie before the events taken so far. Range of port: 0-255. Inlined wherever it is
    /// called: the stage is a constant there, and with it the row.
    [[gnu::always_inline]] void schedule(picoseconds time, unsigned stage, unsigned port,
                                         std::uint32_t payload) {
        agenda_row& row = m_rows[Stages::row_of[stage]];
        const event e{make_event_key(time, stage, port), payload};
        if (__builtin_expect(row.is_full(), 0) && !make_room(row, e)) {
            return;
        }
        if (row.insert(e)) {
            m_heads[Stages::row_of[stage]] = e.key;
            // Of two keys that differ in the port only, this is the first: both are of this row.
            m_next = e.key <= (m_next | 0xFF) ? e.key : m_next;
        }
    }

    /// Takes an event out that has been scheduled and has not come yet; `use_literal` was not called.
    void cancel(picoseconds time, unsigned stage, unsigned port) {
        const unsigned row = Stages::row_of[stage];
        m_rows[row].remove(make_event_key(time, stage, port));
        m_heads[row] = m_rows[row].head_key();
        find_next();
    }

    /// Key of the next event, or `no_event`. The reference holds as long as the agenda.
    const event_key& next_key() const { return m_next; }
    /// Time of the next event, or `never`.
    picoseconds next_time() const { return m_next == no_event ? never : time_of(m_next); }

    /// Calls `visit(event)` for every event, in no order that means anything.
    template <class Visit>
    void for_each(Visit&& visit) const {
        if (m_literal != nullptr) {
            m_literal->for_each(visit);
            return;
        }
        for (const agenda_row& row : m_rows) {
            row.for_each(visit);
        }
    }
    /// Events will be taken soon.
    void prefetch() const {
        for (const agenda_row& row : m_rows) {
            row.prefetch();
        }
    }
    /// Calls `visit(event)` for the first `most` that wait in the stage's row; for none by the literal agenda.
    template <unsigned Stage, class Visit>
    void for_first(std::ptrdiff_t most, Visit&& visit) const {
        m_rows[Stages::row_of[Stage]].for_first(most, visit);
    }
    /// The n-th of them, from 0 on; null if there are fewer.
    template <unsigned Stage>
    const event* peek(std::ptrdiff_t n) const {
        return m_rows[Stages::row_of[Stage]].peek(n);
    }
    /// Takes the next event; there must be one.
    event pop() {
        if (__builtin_expect(m_literal != nullptr, 0)) {
            const event e = m_literal->pop();
            m_next = m_literal->head_key();
            return e;
        }
        const unsigned row = Stages::row_of[stage_of(m_next)];
        const event e = m_rows[row].pop();
        m_heads[row] = m_rows[row].head_key();
        find_next();
        return e;
    }
    /// The same, where `use_literal` was not called and the next event is known to be of this stage. Returns
    /// the payload; the rest is in `next_key`, before.
    template <unsigned Stage>
    [[gnu::always_inline]] std::uint32_t pop_of() {
        constexpr unsigned row = Stages::row_of[Stage];
        const std::uint32_t payload = m_rows[row].pop_payload();
        m_heads[row] = m_rows[row].head_key();
        find_next();
        return payload;
    }

 private:
    [[gnu::always_inline]] void find_next() {
        event_key smallest = m_heads[0];
        for (unsigned r = 1; r < Stages::rows; ++r) {
            smallest = m_heads[r] < smallest ? m_heads[r] : smallest;
        }
        m_next = smallest;
    }
    // False: the literal agenda, whose rows stay full, has the event.
    [[gnu::noinline]] bool make_room(agenda_row& row, const event& e) {
        if (m_literal != nullptr) {
            m_literal->schedule(e.time(), e.stage(), e.port(), e.payload);
            m_next = m_literal->head_key();
            return false;
        }
        row.make_room();
        return true;
    }
    static constexpr std::array<event_key, Stages::rows> no_heads() {
        std::array<event_key, Stages::rows> heads{};
        for (event_key& h : heads) {
            h = no_event;
        }
        return heads;
    }
    event_key m_next = no_event;
    std::array<event_key, Stages::rows> m_heads = no_heads();
    std::array<agenda_row, Stages::rows> m_rows;
    std::unique_ptr<literal_agenda> m_literal;
};

}  // namespace weir
