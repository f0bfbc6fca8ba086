#include "tb/reproduce/effects_picture.h"

#include <algorithm>
#include <cmath>

#include "tb/plot/page.h"
#include "tb/reproduce/screening_design.h"
#include "tb/reproduce/statement_cells.h"
#include "tb/sweep/mean_curves.h"
#include "tb/sweep/metric_title.h"
#include "tb/sweep/swept_axis.h"

namespace weir::tb {

namespace {

constexpr double label_size = 18;
constexpr double line_height = 32;

struct effects_panel {
    std::string metric;
    /// `99th percentile of job completion time, scheme = fc`
    std::string heading;
    design_effects found;
    axis_unit unit;
    double low = 0;
    double high = 0;
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
            for (const main_effect& each : p.found.effects) {
                const double width = std::max(0.0, each.effect.half_width);
                p.low = std::min(p.low, each.effect.mean - width);
                p.high = std::max(p.high, each.effect.mean + width);
            }
            p.unit = metric_axis_unit(p.metric, 0, std::max(-p.low, p.high), false);
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

/// The bars, the top one first: height, effect, and both ends of its interval.
void draw_bars(page& p, const effects_panel& panel) {
    const std::size_t bars = p.block(panel.metric + ", " + panel.heading, "y effect low high n");
    std::size_t y = panel.found.effects.size();
    for (const main_effect& each : panel.found.effects) {
        const mean_interval& e = each.effect;
        p.comment(each.label());
        p.row({y--, e.mean / panel.unit.scale, e.has_width() ? e.low() / panel.unit.scale : NAN,
               e.has_width() ? e.high() / panel.unit.scale : NAN, e.n});
    }
    p.curve(bars, "($2/2):1:($2 < 0 ? $2 : 0):($2 < 0 ? 0 : $2):($1 - 0.32):($1 + 0.32)",
            "boxxyerror " + bar_style(0));
    if (panel.found.mean.has_width()) {
        p.curve(bars, "2:1:3:4", "xerrorbars lc rgb '#000000' lw 3 dt 1 pt 7 ps 0.6");
    }
    p.plot();
}

std::string in_unit(double value, const axis_unit& unit) {
    return short_number(value / unit.scale);
}

}  // namespace

std::optional<picture> effects_picture(const paper_figure& f, const sweep_results& results, double confidence) {
    std::vector<effects_panel> panels = panels_of(f, results, confidence);
    page drawing({f.name, f.title, details_of(f, results.plan(), panels, confidence)});
    panels.erase(std::remove_if(panels.begin(), panels.end(),
                                [](const effects_panel& p) { return p.found.mean.n == 0; }),
                 panels.end());
    if (panels.empty()) {
        return std::nullopt;
    }
    constexpr double most_label = 480;
    constexpr double right = page::width - 60;
    double bottom = drawing.top();
    for (const effects_panel& p : panels) {
        const std::size_t bars = p.found.effects.size();
        plot_axis y;
        y.low = 0.4;
        y.high = static_cast<double>(bars) + 0.6;
        std::size_t lines = 1;
        for (std::size_t k = 0; k < bars; ++k) {
            const std::string label = p.found.effects[k].label();
            lines = std::max(lines, wrapped(label, most_label, label_size).size());
            y.tics.push_back({static_cast<double>(bars - k), label});
        }
        const double left = 90 + wrap_labels(y, most_label);
        const double top =
            bottom + 30 +
            line_height * static_cast<double>(wrapped(p.heading, right - left, label_size).size());
        bottom = top + static_cast<double>(bars) * (14 + line_height * static_cast<double>(lines)) + 20;
        const plot_axis x = value_axis(p.low / p.unit.scale, p.high / p.unit.scale);
        drawing.panel(left, right, top, bottom);
        drawing.heading(p.heading);
        drawing.add("set datafile missing '?'\nset xlabel " +
                    quoted(x.label("Main effect: second value less the first", p.unit.name)));
        drawing.y_label("");
        drawing.add(x.commands("x") + y.commands("y") +
                    "set arrow 1 from first 0, graph 0 to first 0, graph 1 nohead lc rgb '#000000' lw 2");
        draw_bars(drawing, p);
        drawing.add("unset arrow 1");
        bottom += page::foot;
    }
    return drawing.finish(static_cast<unsigned>(bottom));
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
        text += "Main effects on: " + p.heading + ". Mean over all rows: " + in_unit(mean, p.unit) + unit +
                ".\n\n| option | from | to | effect" + (unit.empty() ? "" : " [" + p.unit.name + "]") +
                " | interval | of the mean |\n|---|---|---|---|---|---|\n";
        for (const main_effect& each : p.found.effects) {
            const mean_interval& e = each.effect;
            text += "| " + each.option + " | " + each.from + " | " + each.to + " | " + in_unit(e.mean, p.unit) +
                    " | " +
                    (e.has_width() ? in_unit(e.low(), p.unit) + ".." + in_unit(e.high(), p.unit)
                                   : std::string("-")) +
                    " | " + (mean != 0 ? short_number(100 * e.mean / mean) + " %" : std::string("-")) + " |\n";
        }
        text += "\n";
    }
    return text;
}

}  // namespace weir::tb
