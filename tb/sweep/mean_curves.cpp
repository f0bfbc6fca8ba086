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

void stand_side_by_side(std::vector<mean_curve>& curves) {
    const auto count = static_cast<double>(curves.size());
    const double step = std::min(0.12, 0.7 / count);
    for (std::size_t i = 0; i < curves.size(); ++i) {
        for (mean_point& p : curves[i].points) {
            p.x += (static_cast<double>(i) - (count - 1) / 2) * step;
        }
    }
}

std::string mean_block(const mean_curve& curve, double unit) {
    std::string text = "# " + one_line(curve.label) + "\n# x mean low high n\n";
    for (const mean_point& p : curve.points) {
        const bool wide = p.mean.has_width();
        text += number_text(p.x) + " " + number_text(p.mean.mean / unit) + " " +
                (wide ? number_text(p.mean.low() / unit) : "?") + " " +
                (wide ? number_text(p.mean.high() / unit) : "?") + " " + std::to_string(p.mean.n) + "\n";
    }
    return text + (curve.points.empty() ? "? ? ? ? ?\n\n\n" : "\n\n");
}

std::string mean_curves_command(const std::string& file, std::size_t first_index,
                                const std::vector<mean_curve>& curves, const plot_axis& y, bool joined) {
    std::string bands;
    std::string lines;
    // An interval that reaches below the axis is drawn to its edge: a logarithm has no 0.
    const std::string edge = number_text(y.low);
    const std::string low = ":($3 > " + edge + " ? $3 : " + edge + "):4";
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const std::vector<mean_point>& points = curves[i].points;
        if (points.empty()) {
            continue;
        }
        const std::string look = curve_look(i, curves.size());
        const bool intervals =
            std::any_of(points.begin(), points.end(), [](const mean_point& p) { return p.mean.has_width(); });
        const bool few = curves.size() <= few_styles;
        const std::string from = "'" + file + "' index " + std::to_string(first_index + i) + " using 1:";
        if (intervals && joined && few && points.size() > 1) {
            // Where bands lie on each other they must not hide the lines.
            bands += from + low.substr(1) + " with filledcurves fs transparent solid " +
                     number_text(std::min(0.2, 0.6 / static_cast<double>(curves.size()))) + " noborder lt " +
                     std::to_string(i + 1) + ", \\\n     ";
        } else if (intervals) {
            lines +=
                from + "2" + low + " with yerrorbars lt " + std::to_string(i + 1) + " dt 1 lw 2, \\\n     ";
        }
        lines += from + (joined ? "2 with linespoints " : "2 with points ") + look + ", \\\n     ";
    }
    std::string all = "plot " + bands + lines;
    all.erase(all.find_last_of(','));
    return all;
}

}  // namespace weir::tb
