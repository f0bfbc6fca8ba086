// The axis of a panel as a picture draws it: range, tics, unit and label, from the values of charts.
#pragma once

#include <string>
#include <vector>

#include "tb/view/chart/chart.h"
#include "tb/view/chart/plot_axis.h"

namespace weir::tb {

struct shown_axis {
    plot_axis axis;
    axis_unit unit;
    std::string label;
    bool has_names = false;
    /// Logarithmic with tics of its own choice: labels may touch each other.
    bool is_fitted = false;

    /// `x_us`
    std::string column(const char* name) const { return name + (unit.name.empty() ? "" : "_" + unit.plain()); }
    bool operator==(const shown_axis& other) const {
        return label == other.label && axis.commands("x") == other.axis.commands("x");
    }
};

/// The horizontal or the vertical axis of a chart: from its own values, or from those of all charts of its
/// group.
shown_axis shown_axis_of(const std::vector<chart>& all, const chart& c, bool upwards);

}  // namespace weir::tb
