// What is computed for a statement, and the verdict on it.
//
//   const judgement j = judge_statement(statement, cells, 0.95);
//   j.verdict == paper_verdict::agrees;
//
// A number is the mean over the seeds with its interval of Student's t; a ratio (or `below`) is taken seed by
// seed, of runs that met the same chance, and its mean and interval are those of the ratios.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tb/reproduce/statement_cells.h"
#include "tb/reproduce/statement_table.h"
#include "tb/sweep/sweep_statistics.h"

namespace weir::tb {

struct judgement {
    paper_verdict verdict = paper_verdict::not_judged;
    /// It is the same at both ends of the intervals.
    bool sure = false;
    /// In the paper's unit: the place with the least mean and the one with the greatest; the same where there
    /// is one, or one is taken. Without values (n = 0) for an order.
    mean_interval least;
    mean_interval greatest;
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
