#include "tb/accuracy/accuracy_plot.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "tb/plot/page.h"
#include "tb/sweep/mean_curves.h"
#include "tb/sweep/swept_axis.h"

namespace weir::tb {

namespace {

using measure = std::function<const mean_interval&(const accuracy_row&)>;

struct panel_content {
    std::string label;
    std::string unit;
    measure value;
};

struct picture_content {
    std::string name;
    std::string title;
    bool logarithmic = false;
    std::vector<panel_content> panels;
};

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
        constexpr double left = 190;
        constexpr double right = page::width - 60;
        plot_axis x = m_x.axis();
        const label_layout names = m_x.is_numeric() ? label_layout{} : lay_out_names(x, right - left);
        std::string data;
        double top = p.top() + 30;
        for (std::size_t i = 0; i < content.panels.size(); ++i) {
            const bool last = i + 1 == content.panels.size();
            const std::vector<mean_curve> curves = curves_of(content.panels[i]);
            const plot_axis y = axis_of(curves, content.logarithmic);
            p.panel(left, right, top, top + panel_height);
            p.y_label(y.label(content.panels[i].label, content.panels[i].unit));
            p.add(x.commands("x") + y.commands("y") +
                  (last ? "set xlabel " + quoted(m_x.label() + (x.logarithmic ? ", log scale" : "")) + "\n" +
                              names.command
                        : x.unlabelled("x")));
            if (range_of(curves)) {
                p.add(
                    mean_curves_command(content.name + ".dat", i * curves.size(), curves, y, m_x.is_numeric()));
            } else {
                p.notice("no seed has enough transfers");
            }
            for (const mean_curve& c : curves) {
                data += mean_block(c, 1);
            }
            top += panel_height + gap;
        }
        return p.finish(content.name, data, static_cast<unsigned>(top - gap + names.extra_height + page::foot));
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
        const bool some_few = std::any_of(m_rows.begin(), m_rows.end(), [](const accuracy_row& row) {
            return row.cycles.p99.sound.n < row.cycles.p99.all.n;
        });
        return m_pair.key + " = " + m_pair.model + " beside " + m_pair.reference + ", transfer by transfer; " +
               (seeds < 2 ? "one seed, so no intervals"
                          : "mean of " + std::to_string(seeds) + " seeds with its " +
                                number_text(100 * m_confidence) + " % confidence interval") +
               (some_few ? "; 99th percentiles of seeds with 100 transfers or more" : "");
    }

    static plot_axis axis_of(const std::vector<mean_curve>& curves, bool logarithmic) {
        const std::optional<mean_range> found = range_of(curves);
        if (!found) {
            return value_axis(0, 0);
        }
        const mean_range& range = *found;
        if (logarithmic) {
            return range.positive_low > 0 ? log_axis(range.positive_low, range.high) : log_axis(0.1, 1);
        }
        // Errors have signs: 0 belongs to the picture.
        return value_axis(std::min(0.0, range.low), std::max(0.0, range.high));
    }

    std::vector<mean_curve> curves_of(const panel_content& panel) const {
        std::vector<mean_curve> curves;
        for (std::size_t f = 0; f < m_families.size(); ++f) {
            curves.push_back({panel.label + (m_labels[f].empty() ? "" : ", " + m_labels[f]), {}});
            for (std::size_t i = 0; i < m_x.size(); ++i) {
                const accuracy_row* row = row_at(i, m_families[f]);
                if (row != nullptr && panel.value(*row).n > 0) {
                    curves.back().points.push_back({m_x.position(i), panel.value(*row)});
                }
            }
        }
        if (!m_x.is_numeric()) {
            stand_side_by_side(curves);
        }
        return curves;
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
        {{"Mean error without sign", "cycles",
          [](const accuracy_row& row) -> const mean_interval& { return row.cycles.mean; }},
         {"99th percentile of errors", "cycles",
          [](const accuracy_row& row) -> const mean_interval& { return row.cycles.p99.sound; }}}};
    const picture_content percent{
        "time_percent",
        "Completion times",
        false,
        {{"Mean, off by", "%",
          [](const accuracy_row& row) -> const mean_interval& { return row.mean_percent; }},
         {"99th percentile, off by", "%",
          [](const accuracy_row& row) -> const mean_interval& { return row.p99_percent.sound; }}}};
    return {drawing.draw(cycles), drawing.draw(percent)};
}

}  // namespace weir::tb
