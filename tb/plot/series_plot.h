// The pictures `port_memory`, `port_throughput`, `port_pauses` and `pool_memory`: quantities over time beside
// their limits, a row per run.
//
//   series_picture({"pool_memory", "Pools over time", "1 run"}, {{"Pools", "Occupancy", axis_kind::bytes}},
//   rows);
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tb/plot/gnuplot.h"
#include "tb/plot/plot_axis.h"
#include "tb/plot/run_reader.h"
#include "tb/plot/series_reader.h"

namespace weir::tb {

/// A column of panels.
struct series_column {
    /// Behind the run's name: `ingress`.
    std::string heading;
    /// What is drawn, without the unit: `counted`.
    std::string quantity;
    axis_kind kind;
};
/// A column, and the series of a run that it shows.
struct series_source {
    series_column column;
    /// Null: pools.
    std::vector<limited_series> port_class_series::*of_ports = nullptr;

    const std::vector<limited_series>& all(const run_data& run) const {
        return of_ports == nullptr ? run.pools : run.ports.*of_ports;
    }
    /// The foremost; rates and shares as means over stretches of time.
    std::vector<limited_series> foremost_of(const run_data& run) const;
};
inline const series_source port_ingress{{"ingress", "counted", axis_kind::bytes}, &port_class_series::ingress};
inline const series_source port_egress{{"egress", "occupancy", axis_kind::bytes}, &port_class_series::egress};
inline const series_source port_received{{"received", "rate", axis_kind::rate}, &port_class_series::received};
inline const series_source port_sent{{"sent", "rate", axis_kind::rate}, &port_class_series::sent};
inline const series_source port_announced{{"XOFF and XON", "sent so far", axis_kind::count},
                                          &port_class_series::announced};
inline const series_source port_paused{{"paused", "share of time", axis_kind::percent},
                                       &port_class_series::paused};
inline const series_source pool_memory{{"", "occupancy", axis_kind::bytes}};

/// One run's lines, by column.
struct series_row {
    std::string label;
    std::vector<std::vector<limited_series>> columns;
};

/// Lines of a run in a column.
inline constexpr std::size_t most_series = 4;
/// Those that come nearest to their limits, or are largest where none has one; of nothing but 0, none.
std::vector<limited_series> foremost(const std::vector<limited_series>& all);

/// What differs, ascending, and the place of the first line that has it. Unit: B.
std::map<double, std::size_t> capacities_of(const std::vector<limited_series>& lines);
/// In three digits: `485 KiB`.
std::string size_text(double bytes);
/// `capacity 128 KiB`, `capacities 64 KiB to 1 MiB`; empty where there is none.
std::string capacity_text(const std::vector<limited_series>& lines);
/// It would not flatten what is below it.
bool is_near(double limit, double largest);

/// Means over at most 250 stretches of time: what is counted per interval is spiky where few frames are in one.
std::vector<limited_series> averaged(const std::vector<limited_series>& all);
/// The largest value and the lowest limit of at most 500 stretches of time, likewise.
std::vector<limited_series> peaks(const std::vector<limited_series>& all);

/// A panel for each line; those of a column have one axis. Limits are dashed and capacities dotted, as far as
/// they are on the axis, which shows at least the nearest one of each if that is at most four times the largest
/// value; capacities are named in any case. A key has one colour in all of the picture. Counts are drawn as
/// steps. One or two columns; one in which no run has a line is left out, which the details say. Nothing where
/// no row has anything to show.
std::optional<picture> series_picture(const picture_head& head, const std::vector<series_column>& columns,
                                      const std::vector<series_row>& rows);

}  // namespace weir::tb
