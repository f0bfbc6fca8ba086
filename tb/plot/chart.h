// A chart: axes, and series over them in ns, B, bit/s. Pictures of gnuplot (page.h) and charts of a report
// (tb/report/report_charts.h) are drawn from it, each in the units that fit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tb/plot/plot_axis.h"

namespace weir::tb {

struct chart_axis {
    std::string what;
    axis_kind kind = axis_kind::count;
    /// Whether it begins as a logarithmic axis; nothing where it is always linear.
    std::optional<bool> logarithmic = {};
    /// Labels of the places 0, 1, 2, ... on an axis that is no quantity.
    std::vector<std::string> names = {};
};

struct chart_series {
    std::string name = {};
    /// Number of its run, in charts with one series per run; else of its look.
    std::size_t number = 0;
    bool is_of_run = false;
    /// NaN: a gap. Of steps `x` has one more: the end of the last.
    std::vector<double> x = {};
    std::vector<double> y = {};
    /// Ends of the intervals of means; NaN where a mean has none.
    std::vector<double> low = {};
    std::vector<double> high = {};
    /// A distribution has, instead of `y`, the rank of each `x`, from 1, among `count` values, and percentiles
    /// that are marked, and their values.
    std::vector<std::size_t> rank = {};
    std::size_t count = 0;
    std::vector<std::pair<double, double>> marks = {};

    void add(double its_x, double its_y) {
        x.push_back(its_x);
        y.push_back(its_y);
    }
    double largest() const { return y.empty() ? 0 : *std::max_element(y.begin(), y.end()); }
};

enum class chart_kind : std::uint8_t { distribution, lines, steps, points, means };

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

    void add(chart_series its_series, std::size_t number, bool is_of_run = false) {
        its_series.number = number;
        its_series.is_of_run = is_of_run;
        series.push_back(std::move(its_series));
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
