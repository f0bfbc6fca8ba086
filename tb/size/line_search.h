// Along one line of places, from the worst to the best (for `--smallest` from small to large values): the first
// place from which on the goals are met.
//
// First both ends, then bisection: it takes for granted that a place beyond one that meets the goals meets
// them, too (that the curve is **monotone**). Then a few places spread over the line are looked at, with few
// runs; where one beyond the answer does not meet the goals, the curve is not monotone: the search goes on
// beyond that place, and says so. What lies between the places looked at is never claimed to have been seen.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "tb/size/share_test.h"

namespace weir::tb {

/// A place that has to be settled, with at most so many runs.
struct place_demand {
    /// In the line.
    std::size_t position = 0;
    std::size_t runs = 0;
};

struct line_answer {
    /// met: `place` is the answer. not_met: the best end is not met, and no place that was looked at is.
    verdict state = verdict::not_decided;
    std::optional<std::size_t> place;
    /// The nearest place before it that is not met.
    std::optional<std::size_t> refuted;
    /// Each place before the answer is not met, or there is none; else places between `refuted` and it are not
    /// decided.
    bool sharp = false;
    /// A place that is met lies before one that is not: the first such, and the last that is not met.
    std::optional<std::size_t> early_met;
    std::optional<std::size_t> late_miss;
    bool monotone() const { return !early_met; }
};

class line_search {
 public:
    struct limits {
        /// Most runs at a place.
        std::size_t runs = 200;
        /// Places spread over the line, ends included, and how many runs each of them has at least; 0: none.
        std::size_t curve = 9;
        std::size_t curve_runs = 8;
    };
    /// A place's verdict, and whether it is settled with so many runs.
    struct place_state {
        verdict state = verdict::not_decided;
        bool settled = false;
    };
    using look = std::function<place_state(std::size_t position, std::size_t runs)>;

    /// `places`: how many; may be 0.
    line_search(std::size_t places, limits l) : m_places(places), m_limits(l) {}

    /// What has to be settled next; nothing once the answer is there. Follows from the verdicts alone.
    std::vector<place_demand> next(const look& at);
    /// Once `next` has nothing.
    const line_answer& answer() const { return m_answer; }

 private:
    bool settle(std::size_t position, std::size_t runs);
    verdict state(std::size_t position) const { return (*m_look)(position, 0).state; }
    /// The first met place above `low`, which is not; nothing while a place is to be settled first.
    std::optional<std::size_t> bisect(std::size_t low, std::size_t high);
    bool settle_curve();
    void conclude();

    std::size_t m_places;
    limits m_limits;
    const look* m_look = nullptr;
    std::vector<place_demand> m_demands;
    line_answer m_answer;
};

}  // namespace weir::tb
