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
#include <optional>
#include <vector>

#include "tb/size/line_search.h"
#include "tb/size/place_judge.h"

namespace weir::tb {

/// The index-th seed at a point.
struct wanted_run {
    std::size_t point = 0;
    std::size_t index = 0;
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
    /// The run is among `wanted()`.
    bool wants(const wanted_run& run) const;
    void add(std::size_t point, std::size_t index, run_outcome outcome);
    /// No further run is wanted: the answers are there, or a run that they need has failed.
    bool finished() const;
    /// The failed run of the first point, whatever the order in which runs ended: once a run fails, the search
    /// goes on only in the lines up to its own, each as far as it gets. Once finished.
    std::optional<wanted_run> failure() const;

    const place_judge& judge(std::size_t point) const { return m_judges[point]; }
    const std::vector<std::vector<std::size_t>>& lines() const { return m_lines; }
    /// Its places are positions in the line. Once finished.
    const line_answer& answer(std::size_t line) const { return m_searches[line].answer(); }
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
