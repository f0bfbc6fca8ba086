#include "tb/plot/sender_plot.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tb/plot/occupancy_plot.h"
#include "tb/plot/page.h"
#include "tb/plot/sampled_time.h"

namespace weir::tb {

namespace {

constexpr double row_height = 300;
/// Of a heading and one row of legend.
constexpr double legend_height = 70;
constexpr double legend_row_height = 22;

/// In a panel's legend.
std::size_t legend_columns(const std::vector<const sender_series*>& shown) {
    std::size_t longest = 0;
    for (const sender_series* each : shown) {
        longest = std::max(longest, each->name.size());
    }
    // Room as gnuplot reckons it, for letters of this size.
    const double width = 52 + 12.5 * static_cast<double>(longest);
    return std::clamp<std::size_t>(static_cast<std::size_t>(1390 / width), 1, most_styles);
}

}  // namespace

std::vector<const sender_series*> largest_senders(const std::vector<sender_series>& all) {
    std::vector<const sender_series*> order = largest_of(all, most_styles, [](const sender_series& s) {
        return std::accumulate(s.values.begin(), s.values.end(), 0.0);
    });
    std::sort(order.begin(), order.end());
    return order;
}

chart_series sender_line(const sender_series& series) {
    double step = HUGE_VAL;
    for (std::size_t i = 1; i < series.time_ns.size(); ++i) {
        step = std::min(step, series.time_ns[i] - series.time_ns[i - 1]);
    }
    chart_series line{series.name};
    std::size_t before = 0;
    for (const std::size_t at : envelope(series.values)) {
        const auto missing = static_cast<double>(at - before) * step * 1.5;
        if (at > 0 && series.time_ns[at] - series.time_ns[before] > missing) {
            line.add(NAN, NAN);
        }
        line.add(series.time_ns[at], series.values[at]);
        before = at;
    }
    return line;
}

std::optional<picture> sender_picture(const picture_head& head, const chart_axis& shown,
                                      std::vector<sender_series> run_data::*senders,
                                      const std::vector<run_data>& runs) {
    sampled_time time;
    double high = 0;
    std::size_t legend_rows = 1;
    std::vector<const run_data*> rows;
    for (const run_data& run : runs) {
        if (!(run.*senders).empty()) {
            rows.push_back(&run);
        }
        const std::vector<const sender_series*> lines = largest_senders(run.*senders);
        const std::size_t columns = legend_columns(lines);
        legend_rows = std::max(legend_rows, (lines.size() + columns - 1) / columns);
        for (const sender_series* each : lines) {
            time.include(each->time_ns, each->values);
            high = std::max(high, *std::max_element(each->values.begin(), each->values.end()));
        }
    }
    if (rows.empty()) {
        return std::nullopt;
    }
    const plot_axis x = time.axis();
    const axis_unit unit = unit_of(shown.kind, high);
    const double head_height = legend_height + legend_row_height * static_cast<double>(legend_rows - 1);
    page p(head);
    p.add("set key font ',14'");
    double top = p.top();
    for (const run_data* const run : rows) {
        const std::vector<const sender_series*> lines = largest_senders(run->*senders);
        top += head_height;
        p.panel(150, 1540, top, top + row_height - 40);
        p.own_legend(shortened(run->label, 1200, 18), head_height, legend_columns(lines));
        run == rows.back() ? p.x_axis(x, time.label()) : p.x_axis(x);
        p.y_label(shown.what + " [" + unit.name + "]");
        p.add(axis_from_0(shown.kind, high / unit.scale).commands("y"));
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const std::size_t block = p.block(run->label + ", " + lines[i]->name,
                                              "time_" + time.unit().plain() + " value_" + unit.plain());
            p.rows(sender_line(*lines[i]), time.unit(), unit);
            p.curve(block, "1:2", "lines " + line_type(i) + " lw 2", lines[i]->name);
        }
        p.plot();
        top += row_height;
    }
    return p.finish(static_cast<unsigned>(top - 40 + page::foot));
}

}  // namespace weir::tb
