// Judges each statement of a paper by the runs of a reproduction, and makes each figure as a picture and as
// numbers.
#pragma once

#include <string>
#include <vector>

#include "tb/campaign/campaign_directory.h"
#include "tb/plot/gnuplot.h"
#include "tb/reproduce/paper_plan.h"
#include "tb/reproduce/paper_results.h"

namespace weir::tb {

struct paper_evaluation {
    paper_results results;
    /// Pictures of the figures that can be drawn, in the order of the table.
    std::vector<picture> pictures;
};

/// `figures`: those that were asked for, whose runs have ended; empty: all. Others whose runs are there come
/// too. A statement one of whose runs failed, or lost a frame of a lossless class, is `failed`.
paper_evaluation evaluate(const paper& p, const paper_plan& plan, const campaign_layout& layout,
                          const std::vector<std::string>& figures);

/// The seeds for which the table of statements has verdicts.
std::vector<std::uint64_t> recorded_seeds(const paper& p, bool quick);

}  // namespace weir::tb
