// Which rank of a run has which node: as cut_fabric.h cuts the fabric, on rank 0, for all.
#pragma once

#include <cstdint>
#include <vector>

#include "tb/run/setup/prepare_run.h"
#include "weir/model/ranks/rank_team.h"

namespace weir::tb {

/// As `fabric_parameters::rank_of`: empty for one rank. Collective.
std::vector<std::uint32_t> ranks_of_nodes(model::rank_team& team, const prepared_run& run);

}  // namespace weir::tb
