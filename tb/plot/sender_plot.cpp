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

/// A sender may begin and end during the run: its line has a gap where samples are missing.
std::string data_of(const sender_series& series, const std::string& label, const axis_unit& time,
                    const axis_unit& unit) {
    std::string s = "# " + one_line(label + ", " + series.name) + "\n# time_" + time.plain() + " value_" +
                    unit.plain() + "\n";
    for (const sender_sample& each : shown_samples(series)) {
        s += each.after_gap ? "\n" : "";
        s += number_text(series.time_ns[each.at] / time.scale) + " " +
             number_text(series.values[each.at] / unit.scale) + "\n";
    }
    return s + "\n\n";
}

}  // namespace

std::vector<const sender_series*> largest_senders(const std::vector<sender_series>& all) {
    std::vector<const sender_series*> order;
    for (const sender_series& each : all) {
        order.push_back(&each);
    }
    const auto sum = [](const sender_series* s) {
        return std::accumulate(s->values.begin(), s->values.end(), 0.0);
    };
    std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) { return sum(a) > sum(b); });
    order.resize(std::min<std::size_t>(order.size(), most_styles));
    std::sort(order.begin(), order.end());
    return order;
}

std::vector<sender_sample> shown_samples(const sender_series& series) {
    double step = HUGE_VAL;
    for (std::size_t i = 1; i < series.time_ns.size(); ++i) {
        step = std::min(step, series.time_ns[i] - series.time_ns[i - 1]);
    }
    std::vector<sender_sample> samples;
    std::size_t before = 0;
    for (const std::size_t at : envelope(series.values)) {
        const auto missing = static_cast<double>(at - before) * step * 1.5;
        samples.push_back({at, at > 0 && series.time_ns[at] - series.time_ns[before] > missing});
        before = at;
    }
    return samples;
}

std::optional<picture> sender_picture(const std::string& name, const std::string& title,
                                      const std::string& details, sender_quantity shown,
                                      const std::vector<run_data>& runs) {
    const bool is_window = shown == sender_quantity::window;
    sampled_time time;
    double high = 0;
    std::size_t legend_rows = 1;
    std::vector<const run_data*> rows;
    const auto series_of = [&](const run_data& run) -> const std::vector<sender_series>& {
        return is_window ? run.windows : run.rates;
    };
    for (const run_data& run : runs) {
        if (!series_of(run).empty()) {
            rows.push_back(&run);
        }
        const std::vector<const sender_series*> lines = largest_senders(series_of(run));
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
    const axis_unit unit = is_window ? byte_unit(high) : rate_unit(high);
    const double head_height = legend_height + legend_row_height * static_cast<double>(legend_rows - 1);
    page p(title, details);
    p.add("set key font ',14'");
    std::string data;
    std::size_t index = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::vector<const sender_series*> lines = largest_senders(series_of(*rows[row]));
        const double top = p.top() + head_height + (row_height + head_height) * static_cast<double>(row);
        p.panel(150, 1540, top, top + row_height - 40);
        p.add("set label 3 " + quoted(shortened(rows[row]->label, 1200, 18)) + " at graph 0, screen 1 - " +
              number_text(top - head_height + 24) + "/H");
        p.add("set key on at graph 0, screen 1 - " + number_text(top - head_height + 40) +
              "/H left top horizontal Left reverse samplen 1.5 maxcols " +
              std::to_string(legend_columns(lines)));
        p.add(row + 1 == rows.size() ? x.commands("x") + "set xlabel " + quoted(time.label())
                                     : x.commands("x") + x.unlabelled("x") + "unset xlabel");
        p.y_label((is_window ? "Window [" : "Rate [") + unit.name + "]");
        p.add((is_window ? binary_axis(high / unit.scale) : linear_axis(high / unit.scale)).commands("y"));
        std::string plot;
        std::size_t style = 0;
        for (const sender_series* each : lines) {
            data += data_of(*each, rows[row]->label, time.unit(), unit);
            plot += (plot.empty() ? "plot '" : ", \\\n     '") + name + ".dat' index " +
                    std::to_string(index++) + " using 1:2 with lines lt " + std::to_string(++style) +
                    " lw 2 title " + quoted(each->name);
        }
        p.add(plot);
    }
    return p.finish(
        name, data,
        static_cast<unsigned>(p.top() + (row_height + head_height) * static_cast<double>(rows.size()) - 40 +
                              page::foot));
}

}  // namespace weir::tb
