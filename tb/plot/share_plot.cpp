#include "tb/plot/share_plot.h"

#include <algorithm>

#include "tb/plot/page.h"
#include "tb/plot/plot_axis.h"

namespace weir::tb {

namespace {

/// Rows of the data file: a share, and how much weighs no more than it.
std::string data_of(const share_curve& curve, const std::string& label) {
    std::string s = "# " + one_line(curve.label + ", " + label) + "\n# percent cumulative_share\n";
    for (const cumulative_share& each : cumulative(curve.shares)) {
        s += number_text(each.percent) + " " + number_text(each.share) + "\n";
    }
    return s + "\n\n";
}

double high_of(const share_panel& panel) {
    double high = 0;
    for (const share_curve& curve : panel.runs) {
        for (const weighted_share& each : curve.shares) {
            high = std::max(high, each.percent);
        }
    }
    return high;
}

}  // namespace

std::vector<cumulative_share> cumulative(std::vector<weighted_share> shares) {
    std::sort(shares.begin(), shares.end(),
              [](const weighted_share& a, const weighted_share& b) { return a.percent < b.percent; });
    double all = 0;
    for (const weighted_share& each : shares) {
        all += each.weight;
    }
    std::vector<cumulative_share> curve{{shares.front().percent, 0}};
    double sum = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        sum += shares[i].weight;
        if (i + 1 == shares.size() || shares[i + 1].percent > shares[i].percent) {
            curve.push_back({shares[i].percent, sum / all});
        }
    }
    return curve;
}

picture share_picture(const std::string& name, const std::string& title, const std::string& details,
                      const std::string& weights, const std::vector<share_panel>& panels) {
    std::vector<std::string> labels;
    for (const share_curve& curve : panels.front().runs) {
        labels.push_back(curve.label + (curve.shares.empty() ? " (no samples)" : ""));
    }
    page p(title, details);
    p.legend(labels, page::sample::line);
    // A long legend must not press the panels.
    const double height = std::max(900.0, p.top() + 20 + 560 + page::foot);
    std::string data;
    std::size_t index = 0;
    const double width = panels.size() > 1 ? 620 : page::width - 200;
    for (std::size_t k = 0; k < panels.size(); ++k) {
        const share_panel& panel = panels[k];
        const plot_axis x = linear_axis(high_of(panel));
        const double left = k == 0 ? 150 : 930;
        p.panel(left, left + width, p.top() + 20, height - page::foot);
        p.add(x.commands("x") + "set xlabel " + quoted(x.label(panel.label, "%")));
        p.add("set yrange [0:1]\nset ytics nomirror out 0, 0.2, 1");
        p.y_label(k == 0 ? weights : "");
        std::string plot;
        for (std::size_t i = 0; i < panel.runs.size(); ++i) {
            if (!panel.runs[i].shares.empty()) {
                data += data_of(panel.runs[i], panel.label);
                plot += (plot.empty() ? "plot '" : ", \\\n     '") + name + ".dat' index " +
                        std::to_string(index++) + " using 1:2 with steps " + curve_look(i, panel.runs.size());
            }
        }
        plot.empty() ? p.notice("no data") : p.add(plot);
    }
    return p.finish(name, data, static_cast<unsigned>(height));
}

}  // namespace weir::tb
