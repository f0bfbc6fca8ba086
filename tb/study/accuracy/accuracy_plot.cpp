#include "tb/study/accuracy/accuracy_plot.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "tb/study/sweep/mean_curves.h"
#include "tb/study/sweep/swept_axis.h"
#include "tb/view/chart/figure.h"

namespace weir::tb {

namespace {

struct panel_content {
    const char* label;
    /// Name in accuracy.csv.
    const char* column;
};

struct picture_content {
    const char* name;
    const char* title;
    bool logarithmic;
    axis_unit unit;
    std::vector<panel_content> panels;
};

const picture_content pictures[] = {
    {"error_cycles",
     "Error of a transfer's time",
     true,
     {"cycles", 1},
     {{"Mean error without sign", "mean_abs_cycles"}, {"99th percentile of errors", "p99_abs_cycles"}}},
    {"time_percent",
     "Completion times",
     false,
     {"%", 1},
     {{"Mean, off by", "mean_percent"}, {"99th percentile, off by", "p99_percent"}}}};

std::string details_of(const accuracy_pair& pair, const std::vector<accuracy_row>& rows, double confidence) {
    const bool some_few = std::any_of(rows.begin(), rows.end(), [](const accuracy_row& row) {
        const accuracy_mean p99 = row.value("p99_abs_cycles");
        return p99.sound.n < p99.all.n;
    });
    return pair.key + " = " + pair.model + " beside " + pair.reference + ", transfer by transfer; " +
           seeds_text(rows.empty() ? 1 : rows.front().seeds, confidence) +
           (some_few ? "; 99th percentiles of seeds with 100 transfers or more" : "");
}

}  // namespace

config_errors check_accuracy_plot(const sweep_plan& plan, const accuracy_pair& pair,
                                  const accuracy_plot_request& request) {
    sweep_plot_request as_sweep;
    as_sweep.over = request.over;
    as_sweep.where.push_back({pair.key, {pair.is_beside_rtl() ? pair.model : pair.reference}});
    return check_sweep_plot(plan, as_sweep, true);
}

std::vector<picture> accuracy_pictures(const sweep_plan& plan, const accuracy_pair& pair,
                                       const std::vector<accuracy_row>& rows, double confidence,
                                       const accuracy_plot_request& request) {
    const swept_axis x(plan, request.over[0]);
    std::optional<swept_axis> family;
    std::vector<std::string> names{""};
    if (request.over.size() > 1) {
        family.emplace(plan, request.over[1]);
        names.clear();
        for (std::size_t i = 0; i < family->size(); ++i) {
            names.push_back(family->short_key() + " = " + family->raw_text(i));
        }
    }
    const auto is_at = [&](const accuracy_row& row, std::size_t place, std::size_t curve) {
        return setting_of(row, x.key()) == x.raw_text(place) &&
               (!family || setting_of(row, family->key()) == family->raw_text(curve));
    };
    std::vector<picture> drawn;
    for (const picture_content& content : pictures) {
        figure f{{content.name, (request.title.empty() ? "" : request.title + ": ") + content.title,
                  details_of(pair, rows, confidence)}};
        f.without = "no seed has enough transfers";
        for (const panel_content& each : content.panels) {
            chart& panel = f.panels.emplace_back(chart_over(x));
            panel.y = {each.label, axis_kind::count, content.logarithmic};
            panel.y.unit = content.unit;
            // Errors have signs.
            panel.y.has_zero = true;
            const auto mean_at = [&](std::size_t place, std::size_t curve) {
                const auto row = std::find_if(rows.begin(), rows.end(),
                                              [&](const accuracy_row& r) { return is_at(r, place, curve); });
                return row != rows.end() ? row->value(each.column).sound : mean_interval{};
            };
            panel.series = curves_over(x, names, mean_at, -HUGE_VAL);
        }
        drawn.push_back(draw(f));
    }
    return drawn;
}

}  // namespace weir::tb
