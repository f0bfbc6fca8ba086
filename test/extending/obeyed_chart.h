// A chart over existing columns: XOFFs that ports obeyed, of runs with output.series.
#pragma once

#include "tb/view/pictures/run_charts.h"

namespace outside {

inline weir::tb::run_chart add_obeyed_chart() {
    using namespace weir::tb;
    return charts().add(chart_over_time("obeyed", "XOFFs that ports obeyed", "the four ports with most XOFFs",
                                        {column_view({"port_series.csv", {"node", "port"}, "xoff_received"},
                                                     "pauses", "XOFFs", axis_kind::count, sampling::sums)}));
}

}  // namespace outside
