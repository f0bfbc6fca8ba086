// Fill of the busiest ports over time: a row per run, ingress at the left and egress at the right.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tb/plot/chart.h"
#include "tb/plot/gnuplot.h"
#include "tb/plot/run_reader.h"
#include "tb/text/port_text.h"

namespace weir::tb {

/// Most ports per panel: those with the largest mean fill.
inline constexpr std::size_t most_ports = 4;

/// The fullest of one side, fullest first; equals in the order of the table.
std::vector<const fill_series*> busiest(const std::vector<fill_series>& all, std::size_t most);
/// `tor0:3`, the same for both sides of the port.
std::string port_key(const fill_series& series);
/// Keys of the ports that have a line with so many per panel, in their order in the picture.
std::vector<std::string> shown_ports(const std::vector<run_data>& runs, std::size_t most);

/// As many as leave every port of the picture a look of its own, since a port has the same one everywhere.
std::size_t ports_per_panel(const std::vector<run_data>& runs);

/// Which of `values` to draw: all, or at most `most` of them, among them the smallest and the largest of
/// each stretch, so that no peak is lost. Ascending places from 0. Range: most >= 4.
std::vector<std::size_t> envelope(const std::vector<double>& values, std::size_t most = 2000);

/// Values over time, thinned in this way.
chart_series line_of(const std::string& name, const std::vector<double>& time_ns,
                     const std::vector<double>& values, std::size_t most = 2000);
chart_series fill_line(const fill_series& series, port_side side, std::size_t most = 2000);

/// Only runs with samples get a row. Nothing where no run has any.
std::optional<picture> occupancy_picture(const picture_head& head, const std::vector<run_data>& runs);

}  // namespace weir::tb
