// The pictures `port_memory`, `port_throughput` and `pool_memory`: quantities over time beside their limits, a
// row per run.
//
//   series_picture("pool_memory", "Pools over time", "1 run", {{"Pools", "Occupancy", series_unit::bytes}},
//   rows);
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/plot/gnuplot.h"
#include "tb/plot/series_reader.h"

namespace weir::tb {

enum class series_unit { bytes, rate, percent };

/// A column of panels.
struct series_column {
    /// Behind the run's name: `ingress`.
    std::string heading;
    /// Of the vertical axis, without the unit.
    std::string quantity;
    series_unit unit;
};
/// One run's lines, by column.
struct series_row {
    std::string label;
    std::vector<std::vector<limited_series>> columns;
};

/// A limit that is more times the largest value than this would flatten what is below it.
inline constexpr double farthest_limit = 4;

/// Lines of a panel.
inline constexpr std::size_t most_series = 4;
/// Those that come nearest to their limits, or are largest where none has one; of nothing but 0, none.
std::vector<limited_series> foremost(const std::vector<limited_series>& all);

/// Means over at most 250 stretches of time: what is counted per interval is spiky where few frames are in one.
limited_series averaged(const limited_series& s);

/// Limits are dashed in the colour of their quantity, as far as they are on the axis, which shows at least the
/// nearest one if that is at most four times the largest value. Rates and shares are averaged over at most 250
/// stretches. One or two columns; nothing where no row has anything to show.
std::optional<picture> series_picture(const std::string& name, const std::string& title,
                                      const std::string& details, const std::vector<series_column>& columns,
                                      std::vector<series_row> rows);

}  // namespace weir::tb
