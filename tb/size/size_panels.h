// What the picture of a search shows, before it is drawn: panels in the units of their axes, and what is
// marked.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tb/plot/plot_axis.h"
#include "tb/size/size_answer.h"
#include "tb/size/size_tables.h"
#include "tb/sweep/swept_axis.h"

namespace weir::tb {

struct drawn_place {
    double x = 0;
    double y = 0;
    std::optional<double> low;
    std::optional<double> high;
    verdict state = verdict::not_decided;
};

/// What a panel shows, in the unit of its axis.
struct size_panel {
    std::string heading;
    std::string label;
    plot_axis axis;
    std::vector<drawn_place> places;
    std::optional<double> bound;
    std::string bound_text;
};

struct size_panels {
    /// Of a curve, one for each of the first goals; of two options, their map.
    std::vector<size_panel> panels;
    /// Where panels begin: names at a vertical axis take room. Unit: pixels.
    double left = 190;
    /// Answers on the axis of a curve.
    std::vector<double> marked;
    /// Answers on the map, from left to right.
    std::vector<std::pair<double, double>> front;
    /// The line between them, of a Pareto front.
    std::vector<std::pair<double, double>> staircase;
};

/// `x`: the axis along which is searched.
size_panels panels_of(const size_plan& plan, const size_search& search, const size_answer& answer,
                      const refusals& refused, const swept_axis& x);

/// In words: `99th percentile of job completion time <= 30ms in 50% of runs`.
std::string goal_title(const size_goal& goal);

}  // namespace weir::tb
