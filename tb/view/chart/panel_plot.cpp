#include "tb/view/chart/panel_plot.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "tb/view/chart/page.h"

namespace weir::tb {

namespace {

/// Edges of all panels together, and the room for labels between two. Unit: pixels.
constexpr double panels_left = 140;
constexpr double panels_right = 1540;
constexpr double panel_gap = 180;
constexpr double row_gap = 40;
/// Of a heading, and of a row of its legend.
constexpr double panel_head_height = 48;
constexpr double legend_row_height = 22;
/// Unit: points.
constexpr double panel_heading_size = 18;
constexpr double panel_legend_size = 14;

/// The time axis of what is sampled: which part of it is drawn, and what its label says about that.
class sampled_time {
 public:
    void include(const chart_series& series) {
        const std::vector<double>& time = series.x;
        m_first_ns = std::min(m_first_ns, time.front());
        m_last_ns = std::max(m_last_ns, time.back());
        const auto above =
            std::find_if(series.y.begin(), series.y.end(), [](double value) { return value > 0; });
        if (above != series.y.end()) {
            const auto place = static_cast<std::size_t>(above - series.y.begin());
            m_active_ns = std::min(m_active_ns, time[place > 0 ? place - 1 : 0]);
        }
    }
    axis_unit unit() const { return time_unit(m_last_ns); }
    /// From 0; from the first sample, where a warm-up is not sampled; from where there first is anything to
    /// see, if that is beyond the middle.
    plot_axis axis() const {
        const double scale = unit().scale;
        double first = 0;
        if (starts_idle()) {
            // A round number: what is left out is empty anyway.
            const double step = std::pow(10, std::floor(std::log10((m_last_ns - m_active_ns) / scale))) / 2;
            first = step * std::floor(m_active_ns / scale / step);
        } else if (m_first_ns > m_last_ns / 20 && m_first_ns < m_last_ns) {
            first = m_first_ns / scale;
        }
        return time_axis(first, std::max(m_last_ns / scale, 1e-9));
    }
    std::string label() const {
        return axis().label("Time", unit().name, starts_idle() ? "nothing before" : "first sample");
    }

 private:
    bool starts_idle() const {
        return m_active_ns - m_first_ns > (m_last_ns - m_first_ns) / 2 && m_active_ns < m_last_ns;
    }

    double m_first_ns = HUGE_VAL;
    /// The last sample before the first that is above 0.
    double m_active_ns = HUGE_VAL;
    double m_last_ns = 0;
};

class panel_drawing {
 public:
    explicit panel_drawing(const std::vector<std::vector<chart>>& rows) {
        for (const std::vector<chart>& row : rows) {
            if (!row.empty()) {
                m_rows.push_back(&row);
                m_columns = std::max(m_columns, row.size());
            }
            for (std::size_t column = 0; column < row.size(); ++column) {
                include(row[column], column);
            }
        }
    }

    std::optional<picture> draw(const picture_head& head) {
        if (m_rows.empty()) {
            return std::nullopt;
        }
        page p(head);
        p.add("set key font ',14'");
        double top = p.top();
        for (const std::vector<chart>* const row : m_rows) {
            std::size_t lines = 1;
            for (const chart& each : *row) {
                lines = std::max(lines, legend_of(each).rows());
            }
            const double head_height = panel_head_height + legend_row_height * static_cast<double>(lines);
            top += head_height;
            for (std::size_t column = 0; column < row->size(); ++column) {
                const double left = panels_left + (panel_width() + panel_gap) * static_cast<double>(column);
                p.panel(left, left + panel_width(), top, top + panel_height());
                add_panel(p, (*row)[column], column, head_height, row == m_rows.back());
            }
            top += panel_height() + row_gap;
        }
        return p.finish(static_cast<unsigned>(top - row_gap + page::foot));
    }

 private:
    void include(const chart& each, std::size_t column) {
        double& high = m_high[{column, each.y.what}];
        high = std::max(high, each.largest());
        for (const chart_series& series : each.series) {
            if (each.is_over_time && !series.is_beside && !series.y.empty()) {
                m_time.include(series);
            } else if (!each.is_over_time) {
                m_end[column] = std::max(m_end[column], series.x.back());
            }
        }
    }

    double panel_width() const {
        const auto columns = static_cast<double>(m_columns);
        return (panels_right - panels_left - panel_gap * (columns - 1)) / columns;
    }
    /// Many rows would make a very long picture.
    double panel_height() const { return m_rows.size() == 1 ? 400 : m_rows.size() <= few_styles ? 230 : 160; }

    struct panel_legend {
        /// In the order of the series.
        std::vector<std::string> names;
        std::size_t columns = 1;
        std::size_t rows() const { return (names.size() + columns - 1) / columns; }
    };
    panel_legend legend_of(const chart& each) const {
        panel_legend legend;
        std::size_t longest = 0;
        for (const chart_series& series : each.series) {
            if (!series.is_beside) {
                legend.names.push_back(shortened(series.name, panel_width() - 60, panel_legend_size));
                longest = std::max(longest, legend.names.back().size());
            }
        }
        // Room as gnuplot reckons it, for letters of this size.
        const auto fitting = (panel_width() - 10) / (52 + 12.5 * static_cast<double>(longest));
        legend.columns = std::clamp<std::size_t>(static_cast<std::size_t>(fitting), 1, most_styles);
        return legend;
    }

    void add_panel(page& p, const chart& each, std::size_t column, double head_height, bool is_last) {
        const panel_legend legend = legend_of(each);
        const auto& [label, part] = each.heading;
        const double room = panel_width() - text_width(part, panel_heading_size);
        p.own_legend(shortened(label, room, panel_heading_size) + part, head_height, legend.columns);
        const plot_axis x = each.is_over_time ? m_time.axis() : linear_axis(m_end[column]);
        const axis_unit x_unit = each.is_over_time ? m_time.unit() : unit_of(each.x.kind, m_end[column]);
        is_last ? p.x_axis(x, each.is_over_time ? m_time.label() : x.label(each.x.what, x_unit.name))
                : p.x_axis(x);
        const double high = m_high[{column, each.y.what}];
        const axis_unit unit = unit_of(each.y.kind, high);
        p.y_label(each.y.what + (unit.name.empty() ? "" : " [" + unit.name + "]"));
        p.add(axis_from_0(each.y.kind, high / unit.scale).commands("y"));
        const std::string columns = (each.is_over_time ? "time_" + x_unit.plain() : "percent") + " value" +
                                    (unit.name.empty() ? "" : "_" + unit.plain());
        auto name = legend.names.begin();
        for (const chart_series& series : each.series) {
            const std::size_t block = p.block(label + part + ", " + series.name, columns);
            p.rows(series, x_unit, unit, unit);
            const std::string look =
                (each.kind == chart_kind::steps ? "steps " : "lines ") + curve_look(series.number, most_curves);
            series.is_beside ? p.curve(block, "1:2", look + " notitle") : p.curve(block, "1:2", look, *name++);
        }
        p.plot("no samples above 0");
    }

    std::vector<const std::vector<chart>*> m_rows;
    std::size_t m_columns = 1;
    sampled_time m_time;
    /// What charts of a column have in common, by the name of their vertical axis.
    std::map<std::pair<std::size_t, std::string>, double> m_high;
    /// Largest value of horizontal axes that are not of time, by column.
    std::map<std::size_t, double> m_end;
};

}  // namespace

std::optional<picture> panel_picture(const picture_head& head, const std::vector<std::vector<chart>>& rows) {
    return panel_drawing(rows).draw(head);
}

}  // namespace weir::tb
