// Whether a goal means anything where it is asked for: before anything runs, and from what the runs had.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tb/run/setup/prepare_run.h"
#include "tb/study/points/check_plan.h"
#include "tb/study/points/point_source.h"
#include "tb/study/points/sweep_plan.h"
#include "tb/study/size/size_plan.h"
#include "tb/study/size/size_search.h"

namespace weir::tb {

/// Goals that this configuration cannot miss or cannot meet, whatever happens: `lossless` where no class in
/// use is lossless, pauses of a tier that the fabric does not have. `run` is without errors.
config_errors goal_errors(const std::vector<size_goal>& goals, const derived_metrics& definitions,
                          const prepared_run& run);

/// Options and facts that decide the traffic that hosts offer with a given seed: `traffic.kind`, `query`.
using traffic_facts = std::map<std::string, std::string>;

/// The traffic of a run. `run` is without errors.
traffic_facts offered_traffic(const prepared_run& run);

/// Checks the reference points of relative goals. `offered`: the traffic of each tried point. Adds the errors
/// of a reference to `found`, and to what refuses the points that are compared with it. Returns an error for
/// each goal whose reference has other traffic than a point that is compared with it.
config_errors check_references(const size_plan& plan, const point_source& source,
                               const std::vector<traffic_facts>& offered, plan_check& found);

/// Goals that cannot be met with so many runs at a place, each with how many it takes; a line each.
std::vector<std::string> goals_beyond_reach(const size_plan& plan, const size_search& fresh);

/// Goals about a tag, size, priority or group that no run has are errors, with those that there are: a name
/// that is written wrong is missed by every run. Other goals for which no run has a value are a line each.
std::vector<std::string> goals_without_value(const size_plan& plan, const size_search& search,
                                             const campaign_layout& layout, config_errors& errors);

/// Goals about a percentile that in some runs has too few values, so that their maximum was judged, or that is
/// only a lower bound there. A line each.
std::vector<std::string> goals_on_weak_values(const size_plan& plan, const size_search& search);

}  // namespace weir::tb
