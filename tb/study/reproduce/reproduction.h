// The campaign of `weir reproduce`: a paper's runs, and what is made of them.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "tb/study/campaign/campaign.h"
#include "tb/study/reproduce/paper.h"

namespace weir::tb {

struct reproduction_options : campaign_arguments {
    /// Figures to run and show; empty: all.
    std::vector<std::string> figures;
    bool quick = false;
    bool retry_failed = false;
    /// Threads of each run; 0: as configured.
    unsigned threads = 0;
    std::vector<std::uint64_t> seeds;
};

/// Runs, or goes on, and writes results.md, results.json and plots. Returns the exit status, which says whether
/// a verdict differs from the recorded one.
int reproduce(const paper& p, reproduction_options options, const campaign_call& call, std::ostream& out,
              std::ostream& err);

}  // namespace weir::tb
