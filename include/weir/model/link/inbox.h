// Frames on their way to a node: what its neighbours send in one quantum, and the node takes in the next.
//
// All ports of a node share one inbox, so that frames lie side by side in the order in which they were sent.
// Each thread that runs nodes writes to a lane of its own, and each lane has two sides, flipped at the barrier
// by `simulation_clock::writing`, so that nothing needs a lock. The first lane lies in the inbox's own cache
// line, which all senders read: it is for the kernel's thread, and for the only thread if there is one. A link
// has one sender, which one thread runs in a quantum: the frames of a port are in one lane and in the order of
// time. Across ports there is no order; the node's agenda sorts them.
//
//   inbox mail;
//   mail.put(0, 1, arrival_key(first_use::last_bit, now, 1us, port), 1us, frame);   // the sender's thread
//   mail.for_each(1, [&](const wire_arrival& arrival) { ... });     // the node, after the barrier
//   mail.clear(1);
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "weir/base/agenda.h"
#include "weir/base/prefetch.h"
#include "weir/base/time.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// Bit of a frame that its receiver waits for: the last one (store-and-forward) or the first one (cut-through).
enum class first_use : std::uint8_t { last_bit, first_bit };

struct wire_arrival {
    /// When the node first uses the frame, and at which port. The stage is the `first_use`.
    event_key key;
    /// From the first bit to the last one, inter-frame gap included.
    picoseconds duration;
    ethernet_frame frame;

    picoseconds first_used() const { return time_of(key); }
    picoseconds first_bit() const { return is_used_whole() ? first_used() - duration : first_used(); }
    picoseconds last_bit() const { return is_used_whole() ? first_used() : first_used() + duration; }
    unsigned port() const { return port_of(key); }

 private:
    bool is_used_whole() const { return stage_of(key) == static_cast<unsigned>(first_use::last_bit); }
};

/// Key of the arrival of a frame whose first bit is at the port at `first_bit`.
constexpr event_key arrival_key(first_use use, picoseconds first_bit, picoseconds duration, unsigned port) {
    return use == first_use::last_bit ? make_event_key(first_bit + duration, 0, port)
                                      : make_event_key(first_bit, static_cast<unsigned>(use), port);
}

/// Nodes, or groups of them, that are looked at together (quantum_runner.h): one look tells that none has
/// anything to do.
struct node_group {
    /// A member has mail; one per side. The thread that runs the group clears it.
    std::array<std::atomic<bool>, 2> mail{};
    /// No member has an event before. May be too early, never too late. Other threads look at it, too.
    std::atomic<event_key> next{0};
    node_group* above = nullptr;

    void set_mail(unsigned side) {
        for (node_group* g = this; g != nullptr && !g->mail[side].load(std::memory_order_relaxed);
             g = g->above) {
            g->mail[side].store(true, std::memory_order_relaxed);
        }
    }
};

/// Of one cache line.
class alignas(64) inbox {
 public:
    /// How many frames before its turn `for_each` shows one, and fetches its record.
    static constexpr std::uint32_t look_ahead = 4;
    static constexpr std::uint32_t far_ahead = 12;
    static constexpr std::size_t first_lines = (far_ahead * sizeof(wire_arrival) + cache_line - 1) / cache_line;

    /// Before the run. Range of `lanes`: at least 1.
    void set_lanes(unsigned lanes);
    /// From now on the group is told of mail.
    void join(node_group& group) { m_group = &group; }

    /// On the thread whose lane it is. `key` and `duration`: as in wire_arrival.
    [[gnu::always_inline]] void put(unsigned lane, unsigned side, event_key key, picoseconds duration,
                                    const ethernet_frame& frame) {
        list& to = __builtin_expect(lane == 0, 1) ? m_first[side] : m_more[lane - 1].sides[side];
        if (__builtin_expect(to.count == to.room, 0)) {
            to.grow((lane == 0 ? m_first[side ^ 1] : m_more[lane - 1].sides[side ^ 1]).room);
        }
        wire_arrival& arrival = to.frames[to.count++];
        arrival.key = key;
        arrival.duration = duration;
        arrival.frame = frame;
        // Other threads read this line: it is written with the first frame of a quantum only.
        if (!m_any[side].load(std::memory_order_relaxed)) {
            m_any[side].store(true, std::memory_order_relaxed);
            if (m_group != nullptr) {
                m_group->set_mail(side);
            }
        }
    }
    bool any(unsigned side) const { return m_any[side].load(std::memory_order_relaxed); }
    std::size_t size(unsigned side) const {
        std::size_t frames = m_first[side].count;
        for (unsigned lane = 1; lane < m_lanes; ++lane) {
            frames += m_more[lane - 1].sides[side].count;
        }
        return frames;
    }
    /// Calls `visit(arrival)` for each frame. They stay.
    template <class Visit>
    void for_each(unsigned side, Visit&& visit) const {
        m_first[side].for_each(visit);
        for (unsigned lane = 1; lane < m_lanes; ++lane) {
            m_more[lane - 1].sides[side].for_each(visit);
        }
    }
    /// The same; `ahead(arrival, others)` is called earlier, so that memory for `visit` may be fetched:
    /// `others` frames come before it.
    template <class Visit, class Ahead>
    void for_each(unsigned side, Visit&& visit, Ahead&& ahead) const {
        m_first[side].for_each(visit, ahead);
        for (unsigned lane = 1; lane < m_lanes; ++lane) {
            m_more[lane - 1].sides[side].for_each(visit, ahead);
        }
    }
    void clear(unsigned side) {
        m_any[side].store(false, std::memory_order_relaxed);
        m_first[side].count = 0;
        for (unsigned lane = 1; lane < m_lanes; ++lane) {
            m_more[lane - 1].sides[side].count = 0;
        }
    }
    /// What is taken first of each lane (`far_ahead` records).
    void prefetch_first(unsigned side) const {
        if (m_lanes == 1) {
            prefetch_lines<first_lines>(m_first[side].frames.get());
            return;
        }
        for (unsigned lane = 1; lane < m_lanes; ++lane) {
            const list& from = m_more[lane - 1].sides[side];
            if (from.count > 0) {
                prefetch_lines<first_lines>(from.frames.get());
            }
        }
    }
    /// Where the next frame of the caller's lane goes.
    void prefetch_place(unsigned lane, unsigned side) const {
        const list& to = lane == 0 ? m_first[side] : m_more[lane - 1].sides[side];
        prefetch_lines<2>(to.frames.get() + to.count);
    }

 private:
    /// Keeps its memory.
    struct list {
        std::unique_ptr<wire_arrival[]> frames;
        std::uint32_t count = 0;
        std::uint32_t room = 0;

        template <class Visit>
        void for_each(Visit&& visit) const {
            for (std::uint32_t at = 0; at < count; ++at) {
                visit(frames[at]);
            }
        }
        template <class Visit, class Ahead>
        void for_each(Visit&& visit, Ahead&& ahead) const {
            for (std::uint32_t at = 0; at < count && at < look_ahead; ++at) {
                ahead(frames[at], at);
            }
            for (std::uint32_t at = 0; at < count; ++at) {
                if (at + look_ahead < count) {
                    prefetch_line(&frames[at + far_ahead]);
                    ahead(frames[at + look_ahead], look_ahead);
                }
                visit(frames[at]);
            }
        }
        [[gnu::noinline, gnu::cold]] void grow(std::uint32_t room_of_other_side);
    };
    struct alignas(64) lane_sides {
        std::array<list, 2> sides;
    };

    // The first lane.
    std::array<list, 2> m_first;
    node_group* m_group = nullptr;
    std::array<std::atomic<bool>, 2> m_any{};
    std::uint16_t m_lanes = 1;
    std::unique_ptr<lane_sides[]> m_more;
};

static_assert(sizeof(inbox) == 64);

}  // namespace weir::model
