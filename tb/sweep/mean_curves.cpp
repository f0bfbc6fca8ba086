#include "tb/sweep/mean_curves.h"

#include <algorithm>

#include "tb/plot/gnuplot.h"

namespace weir::tb {

std::optional<mean_range> range_of(const std::vector<mean_curve>& curves) {
    std::optional<mean_range> range;
    for (const mean_curve& c : curves) {
        for (const mean_point& p : c.points) {
            const double mean = p.mean.mean;
            const double width = p.mean.has_width() ? p.mean.half_width : 0;
            if (!range) {
                range = mean_range{mean - width, mean + width, mean, mean, 0};
            }
            range->low = std::min(range->low, mean - width);
            range->high = std::max(range->high, mean + width);
            range->least = std::min(range->least, mean);
            range->most = std::max(range->most, mean);
            if (mean > 0) {
                const double low = std::max(mean - width, mean / 3);
                range->positive_low = range->positive_low > 0 ? std::min(range->positive_low, low) : low;
            }
        }
    }
    return range;
}

std::vector<mean_curve> curves_over(
    const swept_axis& x, const std::vector<std::string>& labels,
    const std::function<mean_interval(std::size_t place, std::size_t curve)>& mean_at, bool in_base_unit) {
    const auto count = static_cast<double>(labels.size());
    const double step = x.is_numeric() ? 0 : std::min(0.12, 0.7 / count);
    std::vector<mean_curve> curves;
    for (std::size_t c = 0; c < labels.size(); ++c) {
        mean_curve& curve = curves.emplace_back(mean_curve{labels[c], {}});
        const double shift = (static_cast<double>(c) - (count - 1) / 2) * step;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const mean_interval mean = mean_at(x.in_order()[i], c);
            if (mean.n > 0) {
                curve.points.push_back({(in_base_unit ? x.base_position(i) : x.position(i)) + shift, mean});
            }
        }
    }
    return curves;
}

std::string seeds_text(std::size_t seeds, double confidence) {
    return seeds < 2 ? "one seed, so no intervals"
                     : "mean of " + std::to_string(seeds) + " seeds with its " + number_text(100 * confidence) +
                           " % confidence interval";
}

chart_series series_of(const mean_curve& curve) {
    chart_series series{curve.label};
    for (const mean_point& p : curve.points) {
        series.add(p.x, p.mean.mean);
        series.low.push_back(p.mean.has_width() ? std::max(0.0, p.mean.low()) : NAN);
        series.high.push_back(p.mean.has_width() ? p.mean.high() : NAN);
    }
    return series;
}

namespace {

void draw_means(page& p, const mean_panel& panel, bool joined, const std::string& without) {
    const std::size_t first = p.blocks();
    for (const mean_curve& curve : panel.curves) {
        p.block(curve.label, "x mean low high n");
        for (const mean_point& point : curve.points) {
            const bool wide = point.mean.has_width();
            p.row({point.x, point.mean.mean / panel.unit, wide ? point.mean.low() / panel.unit : NAN,
                   wide ? point.mean.high() / panel.unit : NAN, point.mean.n});
        }
    }
    const std::size_t count = panel.curves.size();
    // An interval that reaches below the axis is drawn to its edge: a logarithm has no 0.
    const std::string edge = number_text(panel.axis.low);
    const std::string ends = ":($3 > " + edge + " ? $3 : " + edge + "):4";
    // Bands that lie on each other must not hide the lines.
    for (const bool bands : {true, false}) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::vector<mean_point>& points = panel.curves[i].points;
            const bool intervals = std::any_of(points.begin(), points.end(),
                                               [](const mean_point& each) { return each.mean.has_width(); });
            const bool has_band = intervals && joined && count <= few_styles && points.size() > 1;
            if (bands && has_band) {
                p.curve(first + i, "1" + ends,
                        "filledcurves fs transparent solid " +
                            number_text(std::min(0.2, 0.6 / static_cast<double>(count))) + " noborder " +
                            line_type(i));
            }
            if (bands || points.empty()) {
                continue;
            }
            if (intervals && !has_band) {
                p.curve(first + i, "1:2" + ends, "yerrorbars " + line_type(i) + " dt 1 lw 2");
            }
            p.curve(first + i, "1:2", (joined ? "linespoints " : "points ") + curve_look(i, count));
        }
    }
    p.plot(without);
}

}  // namespace

picture draw_panels(page p, const swept_axis& swept, const std::vector<mean_panel>& panels,
                    const mean_layout& layout) {
    constexpr double right = page::width - 60;
    plot_axis x = swept.axis();
    const label_layout names = swept.is_numeric() ? label_layout{} : lay_out_names(x, right - layout.left);
    double top = p.top() + 30;
    double bottom = 0;
    for (const mean_panel& each : panels) {
        const bool labelled = !layout.shares_axis || &each == &panels.back();
        bottom = top + layout.panel_height;
        p.panel(layout.left, right, top, bottom);
        p.add(std::string("set datafile missing '?'\n") +
              (labelled ? "set xlabel " + quoted(swept.label() + (x.logarithmic ? ", log scale" : ""))
                        : "unset xlabel"));
        p.y_label(each.label);
        p.lines(x.commands("x") + (labelled ? names.command : x.unlabelled("x")) + each.axis.commands("y"));
        draw_means(p, each, swept.is_numeric(), layout.without);
        top = bottom + (labelled ? names.extra_height + page::foot + 20 : 40);
    }
    return p.finish(static_cast<unsigned>(bottom + names.extra_height + page::foot));
}

}  // namespace weir::tb
