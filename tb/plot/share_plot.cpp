#include "tb/plot/share_plot.h"

#include <algorithm>
#include <utility>

#include "tb/plot/page.h"
#include "tb/plot/plot_axis.h"
#include "tb/plot/runs_without.h"

namespace weir::tb {

static chart_series cumulative(std::vector<weighted_share> shares) {
    std::sort(shares.begin(), shares.end(),
              [](const weighted_share& a, const weighted_share& b) { return a.percent < b.percent; });
    double all = 0;
    for (const weighted_share& each : shares) {
        all += each.weight;
    }
    chart_series curve;
    curve.add(shares.front().percent, 0);
    double sum = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        sum += shares[i].weight;
        if (i + 1 == shares.size() || shares[i + 1].percent > shares[i].percent) {
            curve.add(shares[i].percent, sum / all);
        }
    }
    curve.x.push_back(curve.x.back());  // the last step has no width
    return curve;
}

chart share_chart(const char* what, const char* weights, const std::vector<run_data>& runs,
                  std::vector<weighted_share> run_data::*shares) {
    const auto has_shares = [&](const run_data& run) { return !(run.*shares).empty(); };
    chart made;
    made.note = with_runs_without("", "no samples", runs, has_shares);
    made.kind = chart_kind::steps;
    made.x = {what, axis_kind::percent};
    made.y = {weights, axis_kind::share};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (has_shares(runs[i])) {
            made.add(cumulative(runs[i].*shares), i, true);
            made.series.back().name = runs[i].label;
        }
    }
    return made;
}

picture share_picture(const picture_head& head, const std::vector<run_data>& runs,
                      const std::vector<chart>& charts) {
    std::vector<std::string> labels;
    for (const run_data& run : runs) {
        labels.push_back(run.label + " (no samples)");
    }
    for (const chart_series& each : charts.front().series) {
        labels[each.number] = each.name;
    }
    page p(head);
    p.legend(labels, page::sample::line);
    // A long legend must not press the panels.
    const double height = std::max(900.0, p.top() + 20 + 560 + page::foot);
    const double width = charts.size() > 1 ? 620 : page::width - 200;
    for (const chart& each : charts) {
        const bool is_first = &each == &charts.front();
        double high = 0;
        for (const chart_series& series : each.series) {
            high = std::max(high, series.x.back());
        }
        const plot_axis x = linear_axis(high);
        const double left = is_first ? 150 : 930;
        p.panel(left, left + width, p.top() + 20, height - page::foot);
        p.x_axis(x, x.label(each.x.what, "%"));
        p.add("set yrange [0:1]\nset ytics nomirror out 0, 0.2, 1");
        p.y_label(is_first ? each.y.what : "");
        for (const chart_series& series : each.series) {
            const std::size_t block = p.block(series.name + ", " + each.x.what, "percent cumulative_share");
            p.rows(series, {}, {});
            p.curve(block, "1:2", "steps " + curve_look(series.number, runs.size()));
        }
        p.plot();
    }
    return p.finish(static_cast<unsigned>(height));
}

}  // namespace weir::tb
