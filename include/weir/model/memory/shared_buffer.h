// Accounting of a packet memory that all ports share, as datacenter ASICs have it: cells, slices, guaranteed
// minima, a shared pool under dynamic thresholds, headroom. It decides which frame may be stored, who is to be
// paused, and who may go on; the frames themselves are elsewhere.
//
// Each stored cell is counted twice, once where it came in (by ingress port and class: a *group*, SONiC's
// priority group) and once where it goes out (by egress port and class: a *queue*). On the ingress side it
// belongs to exactly one of: its group's minimum, the shared pool of its kind (lossless or lossy), its group's
// headroom. The memory is cut into slices; each is a memory of its own with its part of every pool, and every
// group has its minimum and headroom in each.
//
// Every group and every queue has values of its own (shared_limits.h). A group's threshold is T = alpha * (free
// cells of its pool in this slice), rounded down (Choudhury and Hahne 1998), or a number. A frame beyond the
// minimum takes shared memory while the group's shared cells are below T.
// - A lossless group is paused when its minimum is full and its shared cells are at or above T, also if T has
//   fallen because of others, and only while it holds more than xon. What still arrives takes headroom; what
//   finds none is lost. It is released when its headroom is empty and all that it holds is at most xon, or
//   less than minimum + T - xon_offset, in every slice.
// - A lossy group's frame that finds no shared memory is lost.
// - So is a lossy queue's frame if the queue's shared cells are not below its limit: its own alpha times the
//   free cells of the egress pool, or a number. Lossless queues have a pool of their own; without a limit they
//   lose nothing.
// What leaves gives back headroom first, then shared cells, then the minimum.
//
//   shared_buffer memory(config, 32, 8, lossless, 208_B, headroom_of_each_port);
//   if (memory.admit({ingress_port, frame_class, egress_port}, 1) == admission::stored) { ... }
//   memory.changes();                   // groups to be paused or released since
//   memory.release({ingress_port, frame_class, egress_port}, 1);
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "weir/model/memory/group_pauses.h"
#include "weir/model/memory/shared_layout.h"

namespace weir::model {

enum class admission : std::uint8_t {
    stored,
    ingress_full,  ///< neither shared memory nor headroom for the group
    egress_full    ///< the queue is beyond its threshold, or its pool is full
};

/// Why a frame was not stored: the limit that it met, and what was in use of it. Unit: cells.
struct shared_refusal {
    enum class limits : std::uint8_t {
        group_threshold,  ///< alpha times the free cells, or static; in use: the group's shared cells
        pool,             ///< shared pool of the lossless or of the lossy groups
        headroom,         ///< of the group
        headroom_pool,
        queue_threshold,  ///< alpha times the free cells of the queues' pool; in use: the queue's shared cells
        queue_pool
    };
    limits limit = limits::pool;
    std::uint64_t cells = 0;
    std::uint64_t in_use = 0;
};

/// Most cells that were in use at once; SONiC's watermarks, which leave the minimum out.
struct group_marks {
    std::uint32_t shared = 0;
    std::uint32_t headroom = 0;
};

class shared_buffer : public shared_layout {
 public:
    /// As `shared_layout`.
    shared_buffer(const shared_buffer_config& config, unsigned ports, unsigned classes, class_mask lossless,
                  bytes cell, const std::vector<bytes>& headroom, const shared_profiles& profiles = {});

    admission admit(const buffer_flow& flow, std::uint32_t cells);
    /// What `admit` would say; changes nothing.
    admission would_admit(const buffer_flow& flow, std::uint32_t cells) const;
    void release(const buffer_flow& flow, std::uint32_t cells);

    /// Why `admit` has just refused a frame. Range: nothing was stored or released since.
    shared_refusal refusal(const buffer_flow& flow, std::uint32_t cells) const;

    struct group_change {
        std::uint16_t ingress_port;
        pfc_class frame_class;
        bool paused;
    };
    /// Of the last call. A group comes once.
    const std::vector<group_change>& changes() const { return m_changes; }
    bool paused(unsigned ingress_port, pfc_class c) const { return m_paused[group(ingress_port, c)] != 0; }

    /// T now of a slice's groups of that kind that have no profile. Unit: cells.
    std::uint64_t threshold_of(unsigned slice, bool lossless) const {
        return m_common_threshold[lossless ? 1 : 0].with(free_shared(slice, lossless));
    }
    const group_cells& group_usage(unsigned slice, unsigned ingress_port, pfc_class c) const {
        return m_groups[slice * m_group_count + group(ingress_port, c)];
    }
    /// Cells of a queue in one slice.
    std::uint32_t queue_usage(unsigned slice, unsigned egress_port, pfc_class c) const {
        return m_queues[slice * m_group_count + group(egress_port, c)];
    }
    /// What a queue may take beyond that, of its minimum and below its threshold as it is now. Unit: cells.
    std::uint32_t queue_room(unsigned slice, unsigned egress_port, pfc_class c) const;
    std::uint32_t free_shared(unsigned slice, bool lossless) const {
        return m_slice[slice].free[pool_of(lossless)];
    }
    /// Cells of a pool of queues that are free.
    std::uint32_t free_of_queues(unsigned slice, bool lossless) const {
        return m_slice[slice].queue_free[queue_pool_of(lossless)];
    }
    std::uint32_t headroom_used(unsigned slice) const { return m_slice[slice].headroom_used; }
    /// Of all slices together, since the last restart. Without what is in minima.
    const group_marks& marks(unsigned ingress_port, pfc_class c) const {
        return m_marks[group(ingress_port, c)];
    }
    std::uint32_t queue_mark(unsigned egress_port, pfc_class c) const {
        return m_queue_marks[group(egress_port, c)];
    }
    /// Most shared cells of a pool in use, and most headroom, of one slice.
    std::uint32_t pool_mark(unsigned slice, bool lossless) const {
        return m_slice[slice].pool_mark[pool_of(lossless)];
    }
    std::uint32_t headroom_mark(unsigned slice) const { return m_slice[slice].headroom_mark; }
    std::uint32_t queue_pool_mark(unsigned slice, bool lossless) const {
        return m_slice[slice].queue_mark[queue_pool_of(lossless)];
    }
    /// Cells of a pool in all slices together: lossy and lossless groups, headroom, lossy and lossless queues.
    /// What is in a common pool counts as lossless.
    struct pool_sums {
        std::array<std::uint64_t, 2> shared{};
        std::uint64_t headroom = 0;
        std::array<std::uint64_t, 2> queue{};
    };
    /// Most that were in use at one time.
    const pool_sums& pool_marks() const { return m_pool_marks; }
    void restart_statistics();

    /// Adds everything up again: every cell in exactly one pool, no pool beyond its size, both sides equal.
    /// What is wrong; empty if nothing.
    std::string check() const;
    /// The same of the last change's slice, by the sums that are kept: cheap enough to be asked after every
    /// change.
    bool adds_up() const {
        const slice_state& s = m_slice[m_last_slice];
        const std::uint64_t shared = std::uint64_t{m_pool[0]} - s.free[0] + m_pool[1] - s.free[1];
        // A queues' pool beyond its size does not add up either: the difference wraps.
        const std::uint64_t queued =
            std::uint64_t{m_queue_pool[0]} - s.queue_free[0] + m_queue_pool[1] - s.queue_free[1];
        return s.free[0] <= m_pool[0] && s.free[1] <= m_pool[1] &&
               s.minimum_used + shared + s.headroom_used == s.stored &&
               s.queue_minimum_used + queued == s.stored;
    }

 private:
    struct slice_state {
        // Shared cells that are free: of the lossy pool, of the lossless one.
        std::array<std::uint32_t, 2> free{};
        std::array<std::uint32_t, 2> queue_free{};
        std::uint32_t headroom_used = 0;
        // All cells, and those in minima of groups and of queues, for the check after every change.
        std::uint64_t stored = 0;
        std::uint64_t minimum_used = 0;
        std::uint64_t queue_minimum_used = 0;
        // Below so many free lossless cells some group that is not paused may exceed its threshold.
        std::uint32_t pause_below = 0;
        // From so many on some paused group may go on.
        std::uint32_t resume_from = ~std::uint32_t{0};
        std::array<std::uint32_t, 2> pool_mark{};
        std::uint32_t headroom_mark = 0;
        std::array<std::uint32_t, 2> queue_mark{};
    };

    struct decision {
        admission answer;
        std::uint32_t from_minimum = 0;
        bool to_headroom = false;
    };
    decision decide(const slice_state& s, unsigned slice, const buffer_flow& flow, std::uint32_t cells) const;
    bool may_go_on_everywhere(std::size_t g) const;
    bool queue_admits(const slice_state& s, std::size_t queue, std::uint32_t used, std::uint32_t cells,
                      bool lossless) const;
    void store(slice_state& s, group_cells& u, unsigned slice, const buffer_flow& flow, std::uint32_t cells,
               std::uint32_t from_minimum, bool to_headroom);
    void watch(unsigned slice, std::size_t g);
    void resume(std::size_t g);
    void pause_all_beyond(unsigned slice);
    void resume_all_below(unsigned slice);
    void set_paused(std::size_t g, bool paused);
    static std::uint32_t beyond(std::uint32_t cells, std::uint32_t minimum) {
        return cells > minimum ? cells - minimum : 0;
    }
    void note_marks(slice_state& s, bool lossless, std::size_t g, std::size_t queue);

    std::vector<slice_state> m_slice;
    unsigned m_last_slice = 0;
    // By slice, port and class.
    std::vector<group_cells> m_groups;
    std::vector<std::uint32_t> m_queues;
    // By port and class.
    std::vector<std::uint8_t> m_paused;
    // Cells beyond the minimum of all slices together: now, and the most that there were.
    std::vector<group_marks> m_in_use;
    std::vector<std::uint32_t> m_queue_in_use;
    std::vector<group_marks> m_marks;
    std::vector<std::uint32_t> m_queue_marks;
    // Of all slices together: now, and the most that there was.
    pool_sums m_in_pools;
    pool_sums m_pool_marks;
    std::vector<group_change> m_changes;
};

}  // namespace weir::model
