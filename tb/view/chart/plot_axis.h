// Axes of pictures: their units, their ranges with round ends, and their tics.
//
//   plot_axis x = log_axis(0.26, 28);                  // 0.2 to 50, labels 0.2 0.5 1 2 5 10 20 50
//   x.label("Completion time", "ms");                  // Completion time [ms], log scale
//   x.commands("x");                                   // set logscale x ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::tb {

/// A unit for an axis, and how many nanoseconds or bytes it has.
struct axis_unit {
    std::string name;
    double scale = 1;
    /// The name in ASCII, for columns.
    std::string plain() const { return name == "µs" ? "us" : name; }
};
/// What an axis of completion times shows.
struct axis_quantity {
    const char* name;
    /// In ASCII, for columns.
    const char* plain;
    /// In ns, or without a unit.
    bool is_time = true;
};
inline constexpr axis_quantity completion_time{"Completion time", "time"};
/// Completion time over the time in an empty fabric (`ideal_ns`).
inline constexpr axis_quantity slowdown{"Slowdown", "slowdown", false};

/// Quantity of an axis. Its values are in ns, B, bit/s or percent.
enum class axis_kind : std::uint8_t { time, bytes, decimal_bytes, rate, percent, share, count };

/// The unit (ns, us, ms, s) in which the middle of a logarithmic axis, and its end, are small numbers.
axis_unit log_time_unit(double low_ns, double high_ns);
/// The largest unit in which `high_ns` is at least 1.
axis_unit time_unit(double high_ns);
/// B, KiB, MiB or GiB, likewise.
axis_unit byte_unit(double high_bytes);
/// The same for any quantity.
axis_unit unit_of(axis_kind kind, double high);
/// The unit in which values from `low` to `high` are small numbers on an axis; of large counts thousands or
/// millions.
axis_unit value_unit(axis_kind kind, double low, double high, bool logarithmic);

struct axis_tic {
    double at;
    /// Of one line or several. Empty: a short tic without a label.
    std::string label;
};
struct plot_axis {
    double low = 0;
    double high = 1;
    bool logarithmic = false;
    std::vector<axis_tic> tics;
    /// Commands that set range and tics of `axis` ("x" or "y").
    std::string commands(const std::string& axis) const;
    /// Tics and grid without their labels, for a panel above another one with the same axis.
    std::string unlabelled(const std::string& axis) const;
    /// Without the labels that would touch others in a panel of this width; powers of ten come first. Of
    /// logarithmic axes only. Unit: pixels.
    plot_axis fitting(double width) const;
    /// `Completion time [ms]`; says so where the axis is logarithmic, or does not reach 0, with the reason if
    /// there is one: `Time [ms] (axis starts at 15 ms: first sample)`.
    std::string label(const std::string& what, const std::string& unit, const std::string& reason = {}) const;
};
/// An axis around [low, high], whose ends and labels are round; wide enough to show a single value. Range: 0 <
/// low <= high.
plot_axis log_axis(double low, double high);
/// From 0 to a round number at or above `high`, with three to six labels. Of nothing but 0: a label at 0 only.
plot_axis linear_axis(double high);
/// The same with steps of a power of two, as memories have them.
plot_axis binary_axis(double high);
/// A binary axis for bytes, and a linear one for other quantities.
plot_axis axis_from_0(axis_kind kind, double high);
/// From a round number at or below `low` to one at or above `high`; from 0 where `low` is above it and not far,
/// and where all values are nearly equal: a difference of nothing must not fill a picture. Range: low <= high.
plot_axis value_axis(double low, double high);
/// The places 0, 1, 2, ... with these names; the first one is at the lower end, or at the upper one.
plot_axis names_axis(const std::vector<std::string>& names, bool downwards);
/// Shares that are left to 100 %, on a logarithmic scale that rises from 1 to what one of so many values is.
plot_axis nines_axis(std::size_t values);
/// From `low` to `high`, or to the next label where that is near. Range: 0 <= low < high.
plot_axis time_axis(double low, double high);

}  // namespace weir::tb
