// The whole search: lines of places, each searched for itself, and the runs that are needed next.
//
// Where the runs come from is not its business: a program, a directory of an earlier call, or a formula in a
// test.
//
//   size_search search({{0, 1, 2, 3}}, 4, goals, limits);
//   while (!search.finished()) {
//       for (const wanted_run& run : search.wanted()) {
//           search.add(run.point, run.index, outcome_of(run));
//       }
//   }
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <tuple>
#include <vector>

#include "tb/study/size/place_judge.h"
#include "tb/study/size/share_test.h"

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

/// Along one line of places, from the worst to the best (for `--smallest` from small to large values): the
/// first place from which on the goals are met.
///
/// First both ends, then bisection: it takes for granted that a place beyond one that meets the goals meets
/// them, too (that the curve is **monotone**). Then a few places spread over the line are looked at, with few
/// runs; where one beyond the answer does not meet the goals, the curve is not monotone: the search goes on
/// beyond that place, and says so. What lies between the places looked at is never claimed to have been seen.
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

/// The index-th seed at a point.
struct wanted_run {
    std::size_t point = 0;
    std::size_t index = 0;

    bool operator==(const wanted_run& other) const { return point == other.point && index == other.index; }
    bool operator<(const wanted_run& other) const {
        return std::tie(point, index) < std::tie(other.point, other.index);
    }
};

class size_search {
 public:
    struct limits : line_search::limits {
        /// Of all verdicts together: the probability that any one of them is wrong is at most 1 less this.
        double confidence = 0.95;
    };

    /// `lines`: points from the worst to the best; a point stands in one line at most. `points`: how many the
    /// question has, those included that are not possible. `goals` must outlive it.
    size_search(std::vector<std::vector<std::size_t>> lines, std::size_t points,
                const std::vector<size_goal>& goals, const limits& l);

    /// Runs that no verdict can do without, but for those that a miss of a strict goal would save; whether they
    /// have been begun is for the caller to know.
    std::vector<wanted_run> wanted() const;
    void add(std::size_t point, std::size_t index, run_outcome outcome);
    /// No further run is wanted: the answers are there, or a run that they need has failed.
    bool finished() const;
    /// The failed run of the first point, whatever the order in which runs ended: once a run fails, the search
    /// goes on only in the lines up to its own, each as far as it gets. Once finished.
    std::optional<wanted_run> failure() const;

    const place_judge& judge(std::size_t point) const { return m_judges[point]; }
    const std::vector<std::vector<std::size_t>>& lines() const { return m_lines; }
    /// Its places are points. Once finished.
    line_answer answer(std::size_t line) const;
    /// Of a single verdict about a single goal.
    double error() const { return m_error; }

 private:
    void advance();
    std::vector<place_demand> next_of(std::size_t line);
    bool has_failed(std::size_t line) const;

    std::vector<std::vector<std::size_t>> m_lines;
    double m_error;
    std::vector<place_judge> m_judges;
    std::vector<line_search> m_searches;
    /// Points that are to be settled now, line by line.
    std::vector<std::size_t> m_demanded;
};

}  // namespace weir::tb
