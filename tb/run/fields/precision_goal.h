// How well a figure of a run is to be known, for the run to end: `run.until`.
//
//   parse_precision_goals("p99 of fct of query within 2% and mean of jct within 1%").value;      // two
//   parse_precision_goals("p99 of fct").error;      // 'p99 of fct' does not say how well: ...
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/enum_names.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

/// What is measured of each transfer or job.
enum class goal_measure : std::uint8_t { fct, jct, slowdown };
constexpr auto names_of(goal_measure) {
    return enum_names<goal_measure>(
        {{goal_measure::fct, "fct", "completion times of transfers"},
         {goal_measure::jct, "jct", "completion times of jobs"},
         {goal_measure::slowdown, "slowdown", "completion times of transfers over those in an empty fabric"}});
}

struct precision_goal {
    /// A percentile in 1/10,000; 0: the mean.
    std::uint32_t percentile = 0;
    goal_measure measure = goal_measure::fct;
    /// Of transfers or jobs with this tag; empty: of all.
    std::string tag;
    /// How far the figure may be from the true one, as a share of the true one. Range: 0.001 to 0.5.
    double within = 0;
    /// With which the interval holds the figure. Range: 0.5 to 0.999.
    double confidence = 0.95;
};

/// `mean`, `p99`, `p99.9`.
std::string figure_name(const precision_goal& goal);
/// As it is read.
std::string goal_text(const precision_goal& goal);

constexpr const char* precision_goal_form =
    "FIGURE of METRIC[ of TAG] within N%[ at C%], several with `and` between them: FIGURE mean or a percentile "
    "such as p99 (two decimals at most), METRIC fct, jct or slowdown, N from 0.1 to 50, C (the confidence, 95 "
    "if not given) from 50 to 99.9; such as p99 of fct within 2%";

/// No goal in an empty text.
parse_result<std::vector<precision_goal>> parse_precision_goals(std::string_view text);

}  // namespace weir::tb
