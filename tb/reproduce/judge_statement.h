// What is computed for a statement, and the verdict on it.
//
//   const judgement j = judge_statement(statement, cells, 0.95);
//   j.verdict == paper_verdict::agrees;
//
// A number is the mean over the seeds with its interval of Student's t. A ratio (or `below`) is taken seed by
// seed, of runs that met the same chance; its mean and interval are those of the ratios' logarithms, so that a
// ratio and its inverse say the same, and none is below 0. The interval of an order is that of its smallest
// step.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tb/reproduce/statement_cells.h"
#include "tb/reproduce/statement_table.h"
#include "tb/sweep/sweep_statistics.h"

namespace weir::tb {

/// A mean with an interval that need not lie evenly round it.
struct judged_mean {
    /// Seeds that have a value.
    std::size_t n = 0;
    double mean = 0;
    double low = 0;
    double high = 0;
    bool has_width = false;
};

struct judgement {
    paper_verdict verdict = paper_verdict::not_judged;
    /// No values within the intervals would come to another verdict.
    bool sure = false;
    /// In the paper's unit: the place with the least mean and the one with the greatest; the same where there
    /// is one, or one is taken. Of an order: its smallest step, both.
    judged_mean least;
    judged_mean greatest;
    /// With `up to`: the true number is above, or below, what could be measured.
    censoring beyond = censoring::none;
    /// For people: `1.52 ms`, `17..88%`, `1.52 < 8.46 < 12.7 ms`.
    std::string ours;
    /// Why it is not judged, where an order does not hold, or which places agree.
    std::string note;
    /// With `take = any`: places of its option at which the statement agrees.
    std::vector<std::size_t> agreeing = {};
};

judgement judge_statement(const paper_statement& s, const std::vector<statement_cell>& cells,
                          double confidence);

/// `17..88%`, `40 ms`
std::string numbers_text(double low, double high, const std::string& unit);

/// `1.48..1.56`; empty without an interval.
std::string interval_text(const judgement& j);

}  // namespace weir::tb
