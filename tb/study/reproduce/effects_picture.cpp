#include "tb/study/reproduce/effects_picture.h"

#include <algorithm>
#include <cmath>

#include "tb/study/statements/screening_design.h"
#include "tb/study/statements/statement_cells.h"
#include "tb/study/sweep/mean_curves.h"
#include "tb/study/sweep/metric_title.h"
#include "tb/study/sweep/swept_axis.h"
#include "tb/support/record/table_writers.h"
#include "tb/view/chart/figure.h"

namespace weir::tb {

namespace {

struct effects_panel {
    std::string metric;
    /// `99th percentile of job completion time, scheme = fc`
    std::string heading;
    design_effects found;
    /// Unit of the table.
    axis_unit unit;
};

std::vector<effects_panel> panels_of(const paper_figure& f, const sweep_results& results, double confidence) {
    const sweep_plan& plan = results.plan();
    const std::vector<std::vector<std::size_t>> drawn = *f.places(plan);
    const std::size_t design = swept_axis(plan, f.x).index();
    std::optional<swept_axis> family;
    std::vector<std::size_t> curves{0};
    if (!f.curves.empty()) {
        family.emplace(plan, f.curves.front().key);
        curves = drawn[family->index()];
    }
    std::vector<std::size_t> at;
    for (const std::vector<std::size_t>& places : drawn) {
        at.push_back(places.front());
    }
    std::vector<effects_panel> all;
    for (const std::size_t metric : results.metrics_like(f.metrics)) {
        for (const std::size_t curve : curves) {
            std::vector<std::vector<std::optional<double>>> values;
            for (std::size_t row = 0; row < plan.axes[design].values.size(); ++row) {
                at[design] = row;
                if (family) {
                    at[family->index()] = curve;
                }
                values.push_back(sound_values(results, plan.point(at), metric));
            }
            effects_panel p;
            p.metric = results.metrics()[metric];
            p.heading = metric_title(p.metric) + (family ? ", " + family->setting(curve) : "");
            p.found = main_effects(plan.axes[design], values, confidence);
            double largest = 0;
            for (const main_effect& each : p.found.effects) {
                const double width = std::max(0.0, each.effect.half_width);
                largest = std::max(largest, std::fabs(each.effect.mean) + width);
            }
            p.unit = metric_axis_unit(p.metric, 0, largest, false);
            all.push_back(std::move(p));
        }
    }
    return all;
}

std::string details_of(const paper_figure& f, const sweep_plan& plan, const std::vector<effects_panel>& panels,
                       double confidence) {
    const std::size_t seeds = plan.seeds.size();
    const std::size_t design = swept_axis(plan, f.x).index();
    std::string text = plan.configuration + "; main effects of " +
                       std::to_string(plan.axes[design].keys.size()) + " options from " +
                       std::to_string(plan.axes[design].values.size()) + " rows; ";
    text += seeds_text(seeds, confidence);
    for (const axis_choice& one : f.at) {
        text += "; " + one.key + " = " + one.values.front();
    }
    const bool whole = std::all_of(panels.begin(), panels.end(),
                                   [&](const effects_panel& p) { return p.found.mean.n == seeds; });
    return text + (whole ? "" : "; seeds that lack a value of a row are left out");
}

/// A row for each option, the largest effect on top.
chart bars_of(const effects_panel& panel) {
    chart made;
    made.title = panel.heading;
    made.kind = chart_kind::bars;
    made.x = {"Main effect: second value less the first", metric_axis_kind(panel.metric)};
    chart_series& bars = made.series.emplace_back();
    for (const main_effect& each : panel.found.effects) {
        const mean_interval& e = each.effect;
        bars.add(e.mean, static_cast<double>(bars.y.size()), e.has_width() ? e.low() : NAN,
                 e.has_width() ? e.high() : NAN);
        made.y.names.push_back(each.label());
    }
    return made;
}

std::string in_unit(double value, const axis_unit& unit) {
    return short_number(value / unit.scale);
}

}  // namespace

std::optional<picture> effects_picture(const paper_figure& f, const sweep_results& results, double confidence) {
    const std::vector<effects_panel> panels = panels_of(f, results, confidence);
    figure drawing{{f.name, f.title, details_of(f, results.plan(), panels, confidence)}};
    for (const effects_panel& p : panels) {
        if (p.found.mean.n > 0) {
            drawing.panels.push_back(bars_of(p));
        }
    }
    return drawing.panels.empty() ? std::nullopt : std::optional(draw(drawing));
}

std::string effects_numbers(const paper_figure& f, const sweep_results& results, double confidence) {
    std::string text;
    for (const effects_panel& p : panels_of(f, results, confidence)) {
        if (p.found.mean.n == 0) {
            text +=
                "Main effects on: " + p.heading + ". No seed has a value, of enough values, in every row.\n\n";
            continue;
        }
        const std::string unit = p.unit.name.empty() ? "" : " " + p.unit.name;
        const double mean = p.found.mean.mean;
        text +=
            "Main effects on: " + p.heading + ". Mean over all rows: " + in_unit(mean, p.unit) + unit + ".\n\n";
        data_table table =
            data_table::of({"option", "from", "to", "effect" + (unit.empty() ? "" : " [" + p.unit.name + "]"),
                            "interval", "of the mean"});
        for (const main_effect& each : p.found.effects) {
            const mean_interval& e = each.effect;
            table.add_row({each.option, each.from, each.to, in_unit(e.mean, p.unit),
                           e.has_width() ? in_unit(e.low(), p.unit) + ".." + in_unit(e.high(), p.unit) : "-",
                           mean != 0 ? short_number(100 * e.mean / mean) + " %" : "-"});
        }
        text += markdown_of(table) + "\n";
    }
    return text;
}

}  // namespace weir::tb
