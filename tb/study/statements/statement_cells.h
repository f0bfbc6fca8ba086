// Finds the points of an experiment's sweep that a statement is about, and the values of their runs.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tb/study/statements/seed_values.h"
#include "tb/study/statements/statement_table.h"
#include "tb/study/sweep/sweep_results.h"

namespace weir::tb {

/// One of the places that `at` names.
struct statement_place {
    /// `traffic.rate=500`: the options that move along `at`; empty where none does.
    std::string name;
    /// The name without the first option of `at` that moves, and the place of that option's value in `at`.
    std::string others;
    std::size_t along = 0;
    /// The points of each operand: one, or those over which it is averaged.
    std::vector<std::vector<std::size_t>> points;
};

/// Returns no place if the plan (for example that of --quick) lacks a point that the statement needs. A plan
/// that has some of the values of an option in `at` gives fewer places; with `all_of_at` it gives none.
std::vector<statement_place> places_of(const statement_scope& scope, const sweep_plan& plan,
                                       bool all_of_at = false);

/// Whether a number lies where nothing was measured.
enum class censoring : std::uint8_t { none, below, above };

/// The values at a place, of one metric.
struct statement_cell {
    std::string name;
    /// `sound_values` by operand and seed.
    std::vector<seed_values> operands;
    /// With a bound: whether the number of some operand and seed lies beyond what was measured.
    censoring beyond = censoring::none;
    /// Copies of `statement_place`'s; `others` has the metric too, if there are several.
    std::string others = {};
    std::size_t along = 0;
    /// Values beyond the percentile, over all seeds, of the operand that has fewest. Infinite for other
    /// metrics.
    double tail = HUGE_VAL;
    /// Largest share of transfers or jobs that did not complete, of the runs of all operands. Range: 0 to 1.
    double unfinished = 0;
    /// True if so many did not complete that the metric, a percentile or a maximum, is only a lower bound.
    bool is_lower_bound = false;
};

/// Metrics whose values a statement needs: those that it names, and the counts of completed and unfinished
/// transfers or jobs that they are over.
std::vector<std::string> metrics_of(const paper_statement& s);
/// Words of the statement's metrics that no run has a number for. A quotient is one word.
std::vector<std::string> missing_metrics(const paper_statement& s, const sweep_results& results);

/// Returns one cell for each place and metric. With a bound: one for each metric, with values of the option
/// that `at` moves along.
std::vector<statement_cell> cells_of(const paper_statement& s, const statement_scope& scope,
                                     const std::vector<statement_place>& places, const sweep_results& results);

/// Returns a value for each seed, or nothing if its run has none, or has a percentile of too few values.
seed_values sound_values(const sweep_results& results, std::size_t point, std::size_t metric);

/// How far along ascending `x` values stay at or below a bound.
struct bounded_reach {
    double x = 0;
    /// Below: the first value is above the bound already, and `x` is its place. Above: none is, and `x` is the
    /// last.
    censoring beyond = censoring::none;
};
/// Between two places it is on the line through both. Nothing where a value before it is missing.
std::optional<bounded_reach> reach_of(const std::vector<double>& x, const seed_values& values, double bound);

}  // namespace weir::tb
