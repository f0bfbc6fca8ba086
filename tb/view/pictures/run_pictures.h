// Which pictures a set of runs has, and what is in each: `weir plot DIR...`.
//
//   draw_pictures(run_pictures({}, runs, err), run_picture_names(), {"png"}, "plots", out, err);
#pragma once

#include <cstdint>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "tb/view/chart/gnuplot.h"
#include "tb/view/pictures/run_reader.h"

namespace weir::tb {

struct run_picture_request {
    /// The runs were read with it.
    run_filter filter;
    /// Of all pictures. Empty: what each one shows.
    std::string title;
    /// Stands before the names of their files.
    std::string prefix;
};

/// All that there may be: completion times, and the charts of run_charts.h.
std::vector<std::string> run_picture_names();

/// Those for which the runs have data. Says on `err` why others are not drawn.
std::vector<picture> run_pictures(const run_picture_request& request, const std::vector<run_data>& runs,
                                  std::ostream& err);

/// `2 KiB, 8 KiB`
std::string sizes_text(const std::set<std::uint64_t>& sizes);

}  // namespace weir::tb
