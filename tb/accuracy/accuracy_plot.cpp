#include "tb/accuracy/accuracy_plot.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "tb/sweep/swept_axis.h"

namespace weir {

namespace {

using measure = std::function<double(const accuracy_row&)>;

struct panel_content {
    std::string name;
    std::string title;
    std::string label;
    /// Drawn in full, and dashed.
    measure mean;
    measure p99;
    bool logarithmic = false;
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
                     const accuracy_plot_request& request)
        : m_pair(pair), m_rows(rows), m_request(request), m_x(plan, request.over[0]) {
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

    picture draw(const panel_content& content) const {
        const std::string& key = m_pair.key;
        page p(m_request.title.empty() ? content.title : m_request.title + ": " + content.title,
               key + " = " + m_pair.model + " beside " + m_pair.reference +
                   ", transfer by transfer; full lines: mean, dashed: 99th percentile");
        if (m_families.size() > 1) {
            p.legend(m_labels, page::sample::line_and_point);
        }
        constexpr double height = 900;
        p.panel(170, page::width - 60, p.top() + 30, height - page::foot);
        p.add("set datafile missing '?'\nset xlabel " + quoted(m_x.label()) + "\nset ylabel " +
              quoted(content.label) + " offset -1.5, 0");
        p.add(m_x.axis().commands("x") + axis_of(content).commands("y") + plot_command(content));
        return p.finish(content.name, data(content), static_cast<unsigned>(height));
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

    plot_axis axis_of(const panel_content& content) const {
        double low = std::numeric_limits<double>::max();
        double high = std::numeric_limits<double>::lowest();
        for (const accuracy_row& row : m_rows) {
            for (const double value : {content.mean(row), content.p99(row)}) {
                if (!content.logarithmic || value > 0) {
                    low = std::min(low, value);
                    high = std::max(high, value);
                }
            }
        }
        if (content.logarithmic) {
            return high > 0 ? log_axis(low, high) : log_axis(0.1, 1);
        }
        return low <= high ? signed_axis(low, high) : linear_axis(1);
    }

    std::string data(const panel_content& content) const {
        std::string text;
        for (std::size_t f = 0; f < m_families.size(); ++f) {
            text += "# " + m_labels[f] + "\n# x mean p99\n";
            for (std::size_t i = 0; i < m_x.size(); ++i) {
                if (const accuracy_row* row = row_at(i, m_families[f])) {
                    text += number_text(m_x.position(i)) + " " + number_text(content.mean(*row)) + " " +
                            number_text(content.p99(*row)) + "\n";
                }
            }
            text += "\n\n";
        }
        return text;
    }

    std::string plot_command(const panel_content& content) const {
        std::string all = "plot ";
        for (std::size_t f = 0; f < m_families.size(); ++f) {
            const std::string style = std::to_string(f + 1);
            const std::string from = "'" + content.name + ".dat' index " + std::to_string(f) + " using 1:";
            all += from + "2 with linespoints lt " + style + " dt 1, \\\n     ";
            all += from + "3 with linespoints lt " + style + " dt 2, \\\n     ";
        }
        all.erase(all.find_last_of(','));
        return all;
    }

    const accuracy_pair& m_pair;
    const std::vector<accuracy_row>& m_rows;
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
    as_sweep.where.emplace_back(pair.key, pair.reference);
    return check_sweep_plot(plan, as_sweep, true);
}

std::vector<picture> accuracy_pictures(const sweep_plan& plan, const accuracy_pair& pair,
                                       const std::vector<accuracy_row>& rows,
                                       const accuracy_plot_request& request) {
    const accuracy_drawing drawing(plan, pair, rows, request);
    const panel_content cycles{"error_cycles",
                               "Error of a transfer's time",
                               "error without sign [cycles]",
                               [](const accuracy_row& row) { return row.cycles.mean; },
                               [](const accuracy_row& row) { return row.cycles.p99; },
                               true};
    const panel_content percent{"time_percent",
                                "Mean and 99th percentile of completion times",
                                "off by [%]",
                                [](const accuracy_row& row) { return row.mean_percent; },
                                [](const accuracy_row& row) { return row.p99_percent; },
                                false};
    return {drawing.draw(cycles), drawing.draw(percent)};
}

}  // namespace weir
