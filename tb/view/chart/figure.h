// A picture from charts: panels in a grid, under one heading and one legend.
//
//   figure f{{"busy_links", "Busy links", "2 runs"}, {one_hop, two_hops}};
//   f.columns = 2;
//   picture drawn = draw(f);
//
// A panel has its chart's title above it. Its axes follow from the values, the same for all charts of a group;
// where panels below or beside each other have the same axis, one of them has its label. The legend has each
// name once.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tb/view/chart/chart.h"
#include "tb/view/chart/gnuplot.h"

namespace weir::tb {

struct figure {
    picture_head head;
    /// Row by row.
    std::vector<chart> panels = {};
    std::size_t columns = 1;
    /// Height of a panel; one with names at its vertical axis has a row for each of them. Unit: pixels.
    double height = 440;
    /// Text of a panel without a curve.
    std::string without = "no data";
};

picture draw(const figure& f);

/// Width of a panel with numbers at its vertical axis. Unit: pixels.
double panel_width(std::size_t columns);

}  // namespace weir::tb
