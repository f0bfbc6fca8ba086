// The judgement on a statement from the runs of its experiments: at all of its places together, or with `take =
// any` at each place of one option by itself.
#pragma once

#include <vector>

#include "tb/reproduce/judge_statement.h"
#include "tb/sweep/sweep_results.h"

namespace weir::tb {

/// With `any` a statement agrees if it agrees at some place of its option; it differs if every place is judged
/// and none agrees. `ours` goes from the least to the greatest of all places.
/// `results`: those of each scope's experiment, in the order of the scopes.
judgement judge_places(const paper_statement& s, const std::vector<const sweep_results*>& results,
                       double confidence);

}  // namespace weir::tb
