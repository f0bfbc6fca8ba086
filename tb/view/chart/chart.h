// A chart: axes, and series over them in ns, B, bit/s. Pictures of gnuplot (figure.h, page.h) and charts of a
// report (tb/view/report/report_charts.h) are drawn from it, each in the units that fit.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tb/view/chart/plot_axis.h"

namespace weir::tb {

struct chart_axis {
    std::string what;
    axis_kind kind = axis_kind::count;
    /// Whether it begins as a logarithmic axis; nothing where it is always linear.
    std::optional<bool> logarithmic = {};
    /// Labels of the places 0, 1, 2, ... on an axis that is no quantity.
    std::vector<std::string> names = {};
    /// Unit and tics of pictures, if they do not follow from the values; the tics are in the unit.
    std::optional<axis_unit> unit = {};
    std::optional<plot_axis> tics = {};
    /// A linear axis shows 0 in any case.
    bool has_zero = false;
};

enum class chart_line : std::uint8_t { none, straight, steps, steps_up_first };
enum class chart_mark : std::uint8_t {
    none,
    arrow_up,
    cross,
    square,
    ring,
    disc,
    triangle,
    triangle_up,
    triangle_down,
    diamond
};

/// Line and marks of a series. Bars have its colour alone, and are pale.
struct chart_look {
    chart_line line = chart_line::none;
    chart_mark mark = chart_mark::none;
    const char* colour = "#000000";
    /// Width of lines and of the outlines of marks, in gnuplot's units.
    double width = 2;
    double mark_size = 0;
    /// Lengths of dashes and gaps: `12,6`. Empty: none.
    const char* dashes = "";
};

struct chart_series {
    std::string name = {};
    /// Number of its run, in charts with one series per run; else of its look.
    std::size_t number = 0;
    bool is_of_run = false;
    /// NaN: a gap. Of steps `x` has one more: the end of the last. Without any, the series is in the legend
    /// only.
    std::vector<double> x = {};
    std::vector<double> y = {};
    /// Ends of intervals, along the axis of values; NaN where a value has none.
    std::vector<double> low = {};
    std::vector<double> high = {};
    /// The same along the horizontal axis, of places whose values have such ends, too.
    std::vector<double> x_low = {};
    std::vector<double> x_high = {};
    /// A distribution has in `y` the share that has completed within each `x`, in `left` the share that takes
    /// at least as long, and percentiles that are marked, and their values. `count`: how many have started.
    std::vector<double> left = {};
    std::size_t count = 0;
    std::vector<std::pair<double, double>> marks = {};
    /// It limits others, and legends of pictures leave it out.
    bool is_beside = false;
    /// Look of a series that has no number.
    std::optional<chart_look> look = {};

    void add(double its_x, double its_y) {
        x.push_back(its_x);
        y.push_back(its_y);
    }
    void add(double its_x, double its_y, double its_low, double its_high) {
        add(its_x, its_y);
        low.push_back(its_low);
        high.push_back(its_high);
    }
    double largest() const {
        return y.empty() ? 0 : std::accumulate(y.begin(), y.end(), y.front(), [](double a, double b) {
            return std::fmax(a, b);
        });
    }
};

inline chart_series series_with(const chart_look& look, std::string name = {}) {
    chart_series made{std::move(name)};
    made.look = look;
    return made;
}

/// Look of the marks at values that are lower bounds.
inline constexpr chart_look lower_bound_look{chart_line::none, chart_mark::arrow_up};

/// `points` are joined by lines, `places` are not; both may have intervals. `means` have bands or bars as
/// intervals. `bars` begin at 0 and lie along the axis that has no names.
enum class chart_kind : std::uint8_t { distribution, lines, steps, points, means, places, bars };

/// A note behind a point, at the right end of a height, or in the middle of the panel.
struct chart_text {
    std::string text;
    std::optional<double> y = {};
    std::optional<double> x = {};
};

struct chart {
    std::string id;
    /// Section of the report.
    const char* section = "";
    std::string title;
    std::string note;
    chart_kind kind = chart_kind::lines;
    chart_axis x = {};
    chart_axis y = {};
    std::vector<chart_series> series = {};
    /// Heading under which it is folded away with others; empty: it is not.
    std::string folded = {};
    /// Charts of a group are zoomed together; empty: the chart is alone. Charts over time are zoomed together,
    /// too.
    std::string group = {};
    bool is_over_time = false;
    /// Heading of its panel in a picture: a label, which is cut at its front if it is too long, and a text
    /// behind it.
    std::pair<std::string, std::string> heading = {};
    /// A distribution is drawn on the scale of nines: 0, 90, 99, 99.9 ...
    bool nines = false;
    std::vector<chart_text> texts = {};
    /// Width of a bar, as a share of the distance between two names.
    double bar_width = 0.7;

    void add(chart_series its_series, std::size_t number, bool is_of_run = false) {
        its_series.number = number;
        its_series.is_of_run = is_of_run;
        series.push_back(std::move(its_series));
    }
    bool has_points() const {
        return std::any_of(series.begin(), series.end(),
                           [](const chart_series& each) { return !each.x.empty(); });
    }
    /// The largest value of all series, at least 0.
    double largest() const {
        double most = 0;
        for (const chart_series& each : series) {
            most = std::max(most, each.largest());
        }
        return most;
    }
};

/// Those with the largest rank(each), largest first; equals in their order.
template <class T, class Rank>
std::vector<const T*> largest_of(const std::vector<T>& all, std::size_t most, const Rank& rank) {
    std::vector<const T*> order;
    for (const T& each : all) {
        order.push_back(&each);
    }
    std::stable_sort(order.begin(), order.end(), [&](const T* a, const T* b) { return rank(*a) > rank(*b); });
    order.resize(std::min(order.size(), most));
    return order;
}

}  // namespace weir::tb
