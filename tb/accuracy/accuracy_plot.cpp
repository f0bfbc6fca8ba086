#include "tb/accuracy/accuracy_plot.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "tb/sweep/swept_axis.h"

namespace weir {

namespace {

using measure = std::function<const mean_interval&(const accuracy_row&)>;

struct panel_content {
    std::string label;
    measure value;
};

struct picture_content {
    std::string name;
    std::string title;
    bool logarithmic = false;
    std::vector<panel_content> panels;
};

/// Round steps from below the lowest value to above the highest, 0 among them.
plot_axis signed_axis(double low, double high) {
    const plot_axis steps = linear_axis(std::max({high - low, high, -low, 1e-6}));
    const double step = steps.tics[1].at - steps.tics[0].at;
    plot_axis axis;
    const auto first = static_cast<int>(std::floor(std::min(low, 0.0) / step));
    const auto last = std::max(first + 1, static_cast<int>(std::ceil(std::max(high, 0.0) / step)));
    for (int i = first; i <= last; ++i) {
        axis.tics.push_back({step * i, number_text(rounded(step * i, 10))});
    }
    axis.low = step * first;
    axis.high = step * last;
    return axis;
}

class accuracy_drawing {
 public:
    accuracy_drawing(const sweep_plan& plan, const accuracy_pair& pair, const std::vector<accuracy_row>& rows,
                     double confidence, const accuracy_plot_request& request)
        : m_pair(pair), m_rows(rows), m_confidence(confidence), m_request(request), m_x(plan, request.over[0]) {
        if (request.over.size() < 2) {
            m_families.push_back("");
            m_labels.push_back("");
            return;
        }
        const swept_axis family(plan, request.over[1]);
        for (std::size_t i = 0; i < family.size(); ++i) {
            m_families.push_back(family.raw_text(i));
            m_labels.push_back(family.short_key() + " = " + family.raw_text(i));
        }
    }

    picture draw(const picture_content& content) const {
        page p(m_request.title.empty() ? content.title : m_request.title + ": " + content.title, details());
        if (m_families.size() > 1) {
            p.legend(m_labels, page::sample::line_and_point);
        }
        p.add("set datafile missing '?'");
        double top = p.top() + 30;
        for (std::size_t i = 0; i < content.panels.size(); ++i) {
            const bool last = i + 1 == content.panels.size();
            p.panel(170, page::width - 60, top, top + panel_height);
            p.add("set ylabel " + quoted(content.panels[i].label) + " offset -1.5, 0");
            const plot_axis y = axis_of(content, content.panels[i]);
            p.add(m_x.axis().commands("x") + y.commands("y") +
                  (last ? "set xlabel " + quoted(m_x.label()) + "\n" : m_x.axis().unlabelled("x")) +
                  plot_command(content, i, y.low));
            top += panel_height + gap;
        }
        return p.finish(content.name, data(content), static_cast<unsigned>(top - gap + page::foot));
    }

 private:
    const accuracy_row* row_at(std::size_t x, const std::string& family) const {
        const std::string& wanted = m_x.raw_text(m_x.in_order()[x]);
        for (const accuracy_row& row : m_rows) {
            if (setting_of(row, m_request.over[0]) == wanted &&
                (m_request.over.size() < 2 || setting_of(row, m_request.over[1]) == family)) {
                return &row;
            }
        }
        return nullptr;
    }

    std::string details() const {
        const std::uint64_t seeds = m_rows.empty() ? 0 : m_rows.front().seeds;
        return m_pair.key + " = " + m_pair.model + " beside " + m_pair.reference + ", transfer by transfer; " +
               (seeds < 2 ? "one seed, so no intervals"
                          : "mean of " + std::to_string(seeds) + " seeds with its " +
                                number_text(100 * m_confidence) + " % confidence interval");
    }

    plot_axis axis_of(const picture_content& content, const panel_content& panel) const {
        double low = std::numeric_limits<double>::max();
        double high = std::numeric_limits<double>::lowest();
        for (const accuracy_row& row : m_rows) {
            const mean_interval& value = panel.value(row);
            const double width = value.has_width() ? value.half_width : 0;
            if (!content.logarithmic) {
                low = std::min(low, value.mean - width);
                high = std::max(high, value.mean + width);
            } else if (value.mean > 0) {
                // An interval that reaches 0 has no end on a logarithmic axis; it is cut at a third of its
                // mean.
                low = std::min(low, std::max(value.mean - width, value.mean / 3));
                high = std::max(high, value.mean + width);
            }
        }
        if (content.logarithmic) {
            return high > 0 ? log_axis(low, high) : log_axis(0.1, 1);
        }
        return low <= high ? signed_axis(low, high) : linear_axis(1);
    }

    /// A block for each panel of each curve.
    std::string data(const picture_content& content) const {
        std::string text;
        for (const panel_content& panel : content.panels) {
            for (std::size_t f = 0; f < m_families.size(); ++f) {
                text += "# " + panel.label + (m_labels[f].empty() ? "" : ", " + m_labels[f]) +
                        "\n# x mean low high\n";
                for (std::size_t i = 0; i < m_x.size(); ++i) {
                    if (const accuracy_row* row = row_at(i, m_families[f])) {
                        const mean_interval& value = panel.value(*row);
                        text += number_text(m_x.position(i)) + " " + number_text(value.mean) + " " +
                                (value.has_width() ? number_text(value.low()) + " " + number_text(value.high())
                                                   : "? ?") +
                                "\n";
                    }
                }
                text += "\n\n";
            }
        }
        return text;
    }

    std::string plot_command(const picture_content& content, std::size_t panel, double lowest) const {
        std::string bands;
        std::string lines;
        const bool intervals = !m_rows.empty() && m_rows.front().seeds > 1;
        const std::string bottom = number_text(lowest);
        const std::string low = "($3 > " + bottom + " ? $3 : " + bottom + ")";
        const std::string opacity = number_text(std::min(0.2, 0.6 / static_cast<double>(m_families.size())));
        for (std::size_t f = 0; f < m_families.size(); ++f) {
            const std::string style = std::to_string(f + 1);
            const std::string from = "'" + content.name + ".dat' index " +
                                     std::to_string(panel * m_families.size() + f) + " using 1:";
            if (intervals && m_x.is_numeric()) {
                bands += from + low + ":4 with filledcurves fs transparent solid " + opacity + " noborder lt " +
                         style + ", \\\n     ";
            } else if (intervals) {
                lines += from + "2:" + low + ":4 with yerrorbars lt " + style + " dt 1 lw 2, \\\n     ";
            }
            lines += from + "2 with linespoints lt " + style + ", \\\n     ";
        }
        std::string all = "plot " + bands + lines;
        all.erase(all.find_last_of(','));
        return all;
    }

    static constexpr double panel_height = 420;
    static constexpr double gap = 40;

    const accuracy_pair& m_pair;
    const std::vector<accuracy_row>& m_rows;
    double m_confidence;
    const accuracy_plot_request& m_request;
    swept_axis m_x;
    std::vector<std::string> m_families;
    std::vector<std::string> m_labels;
};

}  // namespace

config_errors check_accuracy_plot(const sweep_plan& plan, const accuracy_pair& pair,
                                  const accuracy_plot_request& request) {
    sweep_plot_request as_sweep;
    as_sweep.over = request.over;
    as_sweep.where.emplace_back(pair.key, pair.is_beside_rtl() ? pair.model : pair.reference);
    return check_sweep_plot(plan, as_sweep, true);
}

std::vector<picture> accuracy_pictures(const sweep_plan& plan, const accuracy_pair& pair,
                                       const std::vector<accuracy_row>& rows, double confidence,
                                       const accuracy_plot_request& request) {
    const accuracy_drawing drawing(plan, pair, rows, confidence, request);
    const picture_content cycles{
        "error_cycles",
        "Error of a transfer's time",
        true,
        {{"mean, without sign [cycles]",
          [](const accuracy_row& row) -> const mean_interval& { return row.cycles.mean; }},
         {"99th percentile [cycles]",
          [](const accuracy_row& row) -> const mean_interval& { return row.cycles.p99; }}}};
    const picture_content percent{
        "time_percent",
        "Completion times",
        false,
        {{"mean, off by [%]", [](const accuracy_row& row) -> const mean_interval& { return row.mean_percent; }},
         {"99th percentile, off by [%]",
          [](const accuracy_row& row) -> const mean_interval& { return row.p99_percent; }}}};
    return {drawing.draw(cycles), drawing.draw(percent)};
}

}  // namespace weir
