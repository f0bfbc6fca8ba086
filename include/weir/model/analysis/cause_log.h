// On request a node records why it paused its link partners, when it was paused itself, and why it lost frames.
//
// An XOFF is recorded when it is decided, with what fills the memory that asks for it: bytes by the egress
// queue that they wait for, by transfer, and by the port that they came in by. For queues that are not paused
// it has all that waits to leave through them. A pause is recorded from when it is obeyed to when it ends, with
// the transfers that it stops. Which flows stop which others, over how many hops, is computed from all records
// after the run.
//
// The first `most` records of each kind are kept; further ones are only counted.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "weir/base/enum_names.h"
#include "weir/model/engine/drop_reason.h"
#include "weir/model/frame/flow_bytes.h"

namespace weir::model {

/// Bytes of one transfer, and the ingress port that they came by.
struct filling_flow {
    flow_bytes of;
    std::uint16_t from_port = 0;
};

/// Frames in one ingress memory, or in the pool of a shared one, that wait for one egress queue.
struct filling_queue {
    /// `lookup`: they are for no queue yet.
    static constexpr std::uint16_t lookup = 0xFFFF;
    std::uint16_t egress_port = lookup;
    pfc_class frame_class = 0;
    /// The queue is paused.
    bool paused = false;
    std::uint32_t bytes = 0;
    /// In the order of ports, then of bytes.
    std::vector<filling_flow> flows;
    /// Of a queue that is not paused: all that the switch holds for it.
    std::vector<flow_bytes> sharing;

    template <class Octets>
    void fields(Octets& o) {
        o(egress_port, frame_class, paused, bytes, flows, sharing);
    }
};

/// Whose bytes brought a memory to its threshold.
enum class pause_reason : std::uint8_t {
    own_bytes,       ///< those of the class that is paused
    threshold_fell,  ///< of a shared memory: all that is in its pool; alone in it the group would not be paused
    pool_full        ///< the same, and the group is below its threshold: a frame found no room in the pool
};
constexpr auto names_of(pause_reason) {
    return enum_names<pause_reason>({{pause_reason::own_bytes, "own_bytes"},
                                     {pause_reason::threshold_fell, "threshold_fell"},
                                     {pause_reason::pool_full, "pool_full"}});
}

/// The decision to pause one class of the link partner.
struct xoff_record {
    picoseconds time{0};
    std::uint16_t ingress_port = 0;
    pfc_class frame_class = 0;
    /// Of the port's memory, all classes; and what counts for the class: but for `own_bytes`, the pool's bytes
    /// in use, of one slice. Unit: B.
    std::uint32_t occupancy = 0;
    std::uint32_t counted = 0;
    /// In the order of egress ports and classes; `lookup` last.
    std::vector<filling_queue> queues;
    pause_reason because = pause_reason::own_bytes;
    /// Of a shared memory, in the slice that holds the group back: what the group has beyond its minimum, and
    /// its threshold. Unit: B.
    std::uint64_t own = 0;
    std::uint64_t threshold = 0;

    template <class Octets>
    void fields(Octets& o) {
        o(time, ingress_port, frame_class, occupancy, counted, queues, because, own, threshold);
    }
};

/// A pause that an egress port, or a host's NIC, obeyed.
struct pause_record {
    picoseconds begin{0};
    /// `never`: it goes on.
    picoseconds end = never;
    std::uint16_t egress_port = 0;
    pfc_class frame_class = 0;
    /// What the node held for the queue at its begin.
    std::vector<flow_bytes> stopped;

    template <class Octets>
    void fields(Octets& o) {
        o(begin, end, egress_port, frame_class, stopped);
    }
};

/// What was full when a frame was lost.
enum class full_memory : std::uint8_t {
    ingress_memory,
    egress_memory,
    egress_class_share,
    // Of a shared memory.
    group_threshold,
    shared_pool,
    group_headroom,
    headroom_pool,
    queue_threshold,
    queue_pool
};
constexpr auto names_of(full_memory) {
    return enum_names<full_memory>({{full_memory::ingress_memory, "ingress_memory"},
                                    {full_memory::egress_memory, "egress_memory"},
                                    {full_memory::egress_class_share, "egress_class_share"},
                                    {full_memory::group_threshold, "group_threshold"},
                                    {full_memory::shared_pool, "shared_pool"},
                                    {full_memory::group_headroom, "group_headroom"},
                                    {full_memory::headroom_pool, "headroom_pool"},
                                    {full_memory::queue_threshold, "queue_threshold"},
                                    {full_memory::queue_pool, "queue_pool"}});
}

/// A frame lost for want of memory.
struct drop_record {
    picoseconds time{0};
    std::uint16_t port = 0;
    pfc_class frame_class = 0;
    drop_reason reason = drop_reason::ingress_full;
    flow_bytes frame;
    /// Units: B.
    full_memory full = full_memory::ingress_memory;
    std::uint64_t limit = 0;
    std::uint64_t in_use = 0;
    std::vector<flow_bytes> filling;

    template <class Octets>
    void fields(Octets& o) {
        o(time, port, frame_class, reason, frame, full, limit, in_use, filling);
    }
};

struct cause_options {
    bool pauses = false;
    bool drops = false;
    /// Records of events within.
    picoseconds begin{0};
    picoseconds end = never;
    /// Records of each kind that a node keeps.
    std::size_t most = 16'384;
};

class cause_log {
 public:
    explicit cause_log(const cause_options& options = {}) : m_options(options) {}

    bool wants_pauses(picoseconds now) const { return m_options.pauses && is_within(now); }
    bool wants_drops(picoseconds now) const { return m_options.drops && is_within(now); }

    void add(xoff_record record) { put(m_xoffs, std::move(record)); }
    void add(drop_record record) { put(m_drops, std::move(record)); }
    /// The port's paused classes from now on. `stopped(c)`: what the node holds for the queue.
    template <class Stopped>
    void note_paused(unsigned port, class_mask paused, picoseconds now, Stopped&& stopped) {
        if (!m_options.pauses) {
            return;
        }
        if (m_open.size() <= port) {
            m_open.resize(port + 1);
            m_paused.resize(port + 1);
        }
        const unsigned changed = m_paused[port] ^ unsigned { paused };
        m_paused[port] = paused;
        for (unsigned c = 0; c < pfc_classes; ++c) {
            if ((changed >> c & 1) == 0) {
                continue;
            }
            std::size_t& open = m_open[port][c];
            if ((paused >> c & 1) == 0) {
                if (open != 0) {
                    m_pauses[open - 1].end = now;
                    open = 0;
                }
            } else if (is_within(now)) {
                const std::size_t before = m_pauses.size();
                const auto frame_class = static_cast<pfc_class>(c);
                if (before < m_options.most) {
                    m_pauses.push_back(
                        {now, never, static_cast<std::uint16_t>(port), frame_class, stopped(frame_class)});
                    open = before + 1;
                } else {
                    ++m_left_out;
                }
            }
        }
    }

    const std::vector<xoff_record>& xoffs() const { return m_xoffs; }
    const std::vector<pause_record>& pauses() const { return m_pauses; }
    const std::vector<drop_record>& drops() const { return m_drops; }
    /// Events that found the log full.
    std::uint64_t left_out() const { return m_left_out; }
    /// The records, for another process.
    template <class Octets>
    void fields(Octets& o) {
        o(m_xoffs, m_pauses, m_drops, m_left_out);
    }

 private:
    bool is_within(picoseconds now) const { return now >= m_options.begin && now < m_options.end; }
    template <class Record>
    void put(std::vector<Record>& records, Record&& record) {
        if (records.size() < m_options.most) {
            records.push_back(std::forward<Record>(record));
        } else {
            ++m_left_out;
        }
    }

    cause_options m_options;
    std::vector<xoff_record> m_xoffs;
    std::vector<pause_record> m_pauses;
    std::vector<drop_record> m_drops;
    std::uint64_t m_left_out = 0;
    std::vector<class_mask> m_paused;
    /// By port and class: the place of the pause that goes on, from 1; 0: none.
    std::vector<std::array<std::size_t, pfc_classes>> m_open;
};

}  // namespace weir::model
