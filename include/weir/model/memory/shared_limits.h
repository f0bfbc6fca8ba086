// What one group and one queue of a shared memory may have in each slice, in cells.
#pragma once

#include <cstdint>

#include "weir/base/units.h"

namespace weir::model {

/// T: a number, or a factor times the free cells of the pool. The factor is a ratio, so that thresholds are
/// exact; at most 1024 of at least 1/1,000,000, so that no product of one and cells exceeds 64 bits.
struct cell_threshold {
    std::uint64_t fixed = 0;
    std::uint64_t of = 0;
    std::uint64_t in = 1;

    static cell_threshold of_number(std::uint64_t cells) { return {cells, 0, 1}; }
    /// Range: `is_exact_alpha(alpha)`.
    static cell_threshold of_factor(double alpha);
    static cell_threshold none() { return {~std::uint64_t{0}, 0, 1}; }

    std::uint64_t with(std::uint32_t free) const { return fixed + of * free / in; }
    /// Most cells that one taker holds of a pool of which so many are free: frames are admitted below T, so the
    /// last one overshoots it. `frame`: its cells.
    std::uint64_t most_taken(std::uint32_t free, std::uint32_t frame) const {
        // Largest number of cells below T: x + 1 <= fixed + of (free - x) / in.
        const std::uint64_t all = (fixed * in) + of * free;
        const std::uint64_t below = is_none() ? free : all < in ? 0 : (all - in) / (in + of);
        const std::uint64_t most = with(free) == 0 ? 0 : below + frame;
        return most < free ? most : free;
    }
    /// Other groups do not move it.
    bool is_static() const { return of == 0; }
    bool is_none() const { return fixed == ~std::uint64_t{0}; }
    /// Fewest free cells with which T is at least `cells`. Range: not static.
    std::uint64_t free_for(std::uint64_t cells) const { return (cells * in + of - 1) / of; }
};

struct group_limits {
    std::uint32_t minimum = 0;
    /// 0 for a lossy group.
    std::uint32_t headroom = 0;
    std::uint32_t xon = 0;
    std::uint32_t xon_offset = 0;
    cell_threshold threshold;
};

struct queue_limits {
    std::uint32_t minimum = 0;
    /// A frame is marked (ECN CE) that finds so many cells of its queue, in all slices; `never_marks`: none is.
    std::uint32_t marked_from = never_marks;
    cell_threshold threshold;

    static constexpr std::uint32_t never_marks = ~std::uint32_t{0};
};

}  // namespace weir::model
