#include "tb/view/chart/figure.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "tb/view/chart/page.h"
#include "tb/view/chart/shown_axis.h"

namespace weir::tb {

namespace {

// Unit: pixels.
constexpr double edge = 30;
constexpr double number_room = 140;
constexpr double heading_line = 32;
constexpr double most_name_width = 640;

std::string bar_words(const chart_look& look) {
    return std::string("fs solid 0.25 noborder lc rgb '") + look.colour + "'";
}

/// Plot style and its options.
std::string words_of(const chart_look& look) {
    if (look.mark == chart_mark::arrow_up) {
        return std::string("points pt '\xE2\x86\x91' font ',30' tc rgb '") + look.colour + "'";
    }
    // The order is that of chart_line and of chart_mark.
    constexpr const char* lines[] = {"points", "lines", "steps", "fsteps"};
    constexpr int types[] = {0, 0, 2, 5, 6, 7, 8, 9, 10, 13};
    const bool has_mark = look.mark != chart_mark::none;
    return std::string(has_mark && look.line == chart_line::straight
                           ? "linespoints"
                           : lines[static_cast<std::size_t>(look.line)]) +
           (has_mark ? " pt " + std::to_string(types[static_cast<std::size_t>(look.mark)]) + " ps " +
                           number_text(look.mark_size)
                     : "") +
           " lw " + number_text(look.width) +
           (look.line == chart_line::none ? ""
            : *look.dashes == '\0'        ? " dt 1"
                                          : std::string(" dt (") + look.dashes + ")") +
           " lc rgb '" + look.colour + "'";
}

class figure_drawing {
 public:
    explicit figure_drawing(const figure& f) : m_figure(f), m_page(f.head) {
        for (const chart& c : f.panels) {
            panel& made = m_panels.emplace_back(
                panel{c, shown_axis_of(f.panels, c, false), shown_axis_of(f.panels, c, true)});
            made.x.axis = made.x.is_fitted ? made.x.axis.fitting(panel_width(f.columns)) : made.x.axis;
            for (const chart_series& s : c.series) {
                m_styles = std::max(m_styles, s.look ? 0 : s.number + 1);
            }
        }
        for (std::size_t i = 0; i < m_panels.size(); ++i) {
            panel& each = m_panels[i];
            each.shows_x = i + f.columns >= m_panels.size() || !(each.x == m_panels[i + f.columns].x);
            each.shows_y = i % f.columns == 0 || !(each.y == m_panels[i - 1].y);
        }
    }

    picture draw() {
        m_page.legend(legend());
        m_page.add("set datafile missing '?'");
        double bottom = m_page.top() - 20;
        for (std::size_t first = 0; first < m_panels.size(); first += m_figure.columns) {
            bottom = draw_row(first, bottom);
        }
        return m_page.finish(static_cast<unsigned>(bottom));
    }

 private:
    struct panel {
        const chart& shown;
        shown_axis x;
        shown_axis y;
        bool shows_x = false;
        bool shows_y = false;
    };

    /// Names in the order of their numbers, then what has a look of its own.
    std::vector<page::legend_entry> legend() const {
        std::map<std::size_t, page::legend_entry> numbered;
        std::vector<page::legend_entry> others;
        for (const panel& each : m_panels) {
            for (const chart_series& s : each.shown.series) {
                const page::legend_entry entry{sample_of(each, s), s.name};
                if (s.name.empty()) {
                    continue;
                }
                if (!s.look) {
                    numbered.emplace(s.number, entry);
                } else if (std::none_of(others.begin(), others.end(),
                                        [&](const auto& other) { return other.label == s.name; })) {
                    others.push_back(entry);
                }
            }
        }
        std::vector<page::legend_entry> all;
        for (const auto& [number, entry] : numbered) {
            all.push_back(entry);
        }
        all.insert(all.end(), others.begin(), others.end());
        return all;
    }

    std::string sample_of(const panel& of, const chart_series& s) const {
        const bool are_bars = of.shown.kind == chart_kind::bars;
        if (s.look) {
            return are_bars ? "boxes " + bar_words(*s.look) : words_of(*s.look);
        }
        switch (of.shown.kind) {
            case chart_kind::bars:
                return "boxes " + bar_style(s.number);
            case chart_kind::lines:
            case chart_kind::steps:
                return "lines " + curve_look(s.number, m_styles);
            case chart_kind::places:
                return "points " + line_type(s.number);
            default:
                return (of.x.has_names ? "points " : "linespoints ") + curve_look(s.number, m_styles);
        }
    }

    /// Returns the first free row below.
    double draw_row(std::size_t first, double top) {
        const std::size_t end = std::min(first + m_figure.columns, m_panels.size());
        double heading = 50;
        double height = 0;
        double foot = 0;
        for (std::size_t i = first; i < end; ++i) {
            const std::string& title = m_panels[i].shown.title;
            const auto lines = wrapped(title, panel_width(m_figure.columns), 18).size();
            heading = std::max(heading, 30 + heading_line * static_cast<double>(lines));
            height = std::max(height, height_of(m_panels[i]));
        }
        for (std::size_t i = first; i < end; ++i) {
            foot = std::max(foot, draw_panel(m_panels[i], i % m_figure.columns, top + heading, height));
        }
        return top + heading + height + foot;
    }

    double height_of(panel& of) const {
        if (!of.y.has_names || of.shown.y.tics) {
            return m_figure.height;
        }
        std::size_t lines = 1;
        for (const std::string& name : of.shown.y.names) {
            lines = std::max(lines, wrapped(name, most_name_width, 18).size());
        }
        const auto rows = static_cast<double>(of.shown.y.names.size());
        return rows * (heading_line * static_cast<double>(lines) + (rows > 12 ? 0 : 14)) + 10;
    }

    /// Room at the left of all panels of a column: names take more than numbers.
    double left_room(std::size_t column) {
        double room = column == 0 ? number_room : number_room - 20;
        for (std::size_t i = column; i < m_panels.size(); i += m_figure.columns) {
            if (m_panels[i].y.has_names) {
                m_names[column] = std::max(m_names[column], wrap_labels(m_panels[i].y.axis, most_name_width));
                room = std::max(room, m_names[column] + (m_panels[i].y.label.empty() ? 30 : 95));
            }
        }
        return room;
    }

    /// Returns the room that it takes below.
    double draw_panel(panel& of, std::size_t column, double top, double height) {
        const bool is_beside_text = std::any_of(of.shown.texts.begin(), of.shown.texts.end(),
                                                [](const chart_text& text) { return text.y && !text.x; });
        const double width = (page::width - 2 * edge) / static_cast<double>(m_figure.columns);
        const double left = edge + width * static_cast<double>(column) + left_room(column);
        const double right = edge + width * static_cast<double>(column + 1) - (is_beside_text ? 160 : 20);
        m_page.panel(left, right, top, top + height);
        m_page.heading(of.shown.title);
        const label_layout tics = lay_out_tics(of.x, right - left);
        of.shows_x ? m_page.x_axis(of.x.axis, of.x.label) : m_page.x_axis(of.x.axis);
        m_page.lines(of.shows_x ? tics.command : "");
        m_page.y_label(of.shows_y ? of.y.label : "");
        m_page.lines(of.y.axis.commands("y"));
        m_page.add(of.y.has_names
                       ? "set ytics left offset screen -" + number_text(m_names[column] + 15) + "/W, 0 scale 0"
                       : "set ytics right offset 0, 0 scale 0.8, 0.5");
        add_texts(of);
        std::vector<std::size_t> blocks;
        for (const chart_series& s : of.shown.series) {
            blocks.push_back(s.x.empty() ? 0 : block_of(of, s));
        }
        // Bands that lie on each other must not hide the lines.
        for (const bool bands : {true, false}) {
            for (std::size_t i = 0; i < blocks.size(); ++i) {
                if (const chart_series& s = of.shown.series[i]; !s.x.empty()) {
                    bands ? add_band(of, s, blocks[i]) : add_curve(of, s, blocks[i]);
                }
            }
        }
        m_page.plot(m_figure.without);
        m_page.add("unset label");
        return of.shows_x ? page::foot + tics.extra_height : 0;
    }

    static label_layout lay_out_tics(shown_axis& x, double width) {
        if (x.has_names) {
            return lay_out_names(x.axis, width);
        }
        const bool any_lower = std::any_of(x.axis.tics.begin(), x.axis.tics.end(), [](const axis_tic& tic) {
            return tic.label.find('\n') != std::string::npos;
        });
        return any_lower ? label_layout{"set xlabel offset 0, -1\n", 28}
                         : label_layout{"set xlabel offset 0, 0\n", 0};
    }

    static bool is_in_right_half(const shown_axis& of, double value) {
        const plot_axis& a = of.axis;
        const double middle = a.logarithmic ? std::sqrt(a.low * a.high) : (a.low + a.high) / 2;
        return value / of.unit.scale > middle;
    }

    void add_texts(const panel& of) {
        for (const chart_text& each : of.shown.texts) {
            const std::string x = each.x ? "first " + number_text(*each.x / of.x.unit.scale)
                                         : std::string(each.y ? "graph 1" : "graph 0.5");
            const std::string y = each.y ? "first " + number_text(*each.y / of.y.unit.scale) : "graph 0.5";
            // Places may have intervals in both directions: their notes stand above one and beside the other.
            const std::string up = of.shown.kind == chart_kind::places ? "0.6" : "0";
            m_page.add(
                "set label " + quoted(each.text) + " at " + x + ", " + y +
                (each.x ? (is_in_right_half(of.x, *each.x) ? " right offset -0.6, " : " left offset 0.6, ") + up
                 : each.y ? " left offset 0.5, 0 tc rgb '#D55E00' font ',15'"
                          : " center tc rgb '#555555'"));
        }
    }

    /// A distribution that is drawn in two panels has one block, followed by that of its marks.
    std::size_t block_of(const panel& of, const chart_series& s) {
        const chart& c = of.shown;
        const bool is_distribution = c.kind == chart_kind::distribution;
        const std::string head = c.title.empty() && !is_distribution ? of.y.label : c.title;
        const std::string what = head + (head.empty() || s.name.empty() ? "" : ": ") + s.name;
        const axis_unit& x = of.x.unit;
        const axis_unit& y = of.y.unit;
        if (is_distribution) {
            const auto [known, is_new] = m_distributions.emplace(what, m_page.blocks());
            if (is_new) {
                m_page.block(what, of.x.column("x") + " share_completed share_at_least");
                m_page.row({s.x.front() / x.scale, 0, 1});
                for (std::size_t i = 0; i < s.x.size(); ++i) {
                    m_page.row({s.x[i] / x.scale, s.y[i], s.left[i]});
                }
                m_page.block("its percentiles", of.x.column("x") + " share_completed share_at_least");
                for (const auto& [percent, value] : s.marks) {
                    m_page.row({value / x.scale, percent / 100, 1 - percent / 100});
                }
            }
            return known->second;
        }
        const std::size_t block =
            m_page.block(what, of.x.column("x") + " " + of.y.column("y") + (s.low.empty() ? "" : " low high") +
                                   (s.x_low.empty() ? "" : " x_low x_high"));
        m_page.rows(s, x, y, c.y.names.empty() ? y : x);
        return block;
    }

    static bool any_number(const std::vector<double>& ends) {
        return std::any_of(ends.begin(), ends.end(), [](double end) { return !std::isnan(end); });
    }
    static bool has_intervals(const chart_series& s) { return any_number(s.low); }
    bool has_band(const panel& of, const chart_series& s) const {
        return of.shown.kind == chart_kind::means && has_intervals(s) && !of.x.has_names &&
               of.shown.series.size() <= few_styles && s.x.size() > 1;
    }
    /// An interval that reaches below the axis is drawn to its edge: a logarithm has no 0.
    static std::string ends_of(const shown_axis& along, int first = 3) {
        const std::string low = number_text(along.axis.low);
        const std::string column = std::to_string(first);
        return ":($" + column + " > " + low + " ? $" + column + " : " + low + "):" + std::to_string(first + 1);
    }

    void add_band(const panel& of, const chart_series& s, std::size_t block) {
        if (has_band(of, s)) {
            const auto count = static_cast<double>(of.shown.series.size());
            m_page.curve(block, "1" + ends_of(of.y),
                         "filledcurves fs transparent solid " + number_text(std::min(0.2, 0.6 / count)) +
                             " noborder " + line_type(s.number));
        }
    }

    void add_curve(const panel& of, const chart_series& s, std::size_t block) {
        const std::string look = curve_look(s.number, m_styles);
        if (of.shown.kind == chart_kind::bars) {
            return add_bars(of, s, block);
        }
        if (of.shown.kind == chart_kind::distribution) {
            const std::string columns = of.shown.nines ? "1:3" : "1:2";
            m_page.curve(block, columns, (of.shown.nines ? "fsteps " : "steps ") + look);
            // gnuplot warns of an index without a value.
            if (!s.marks.empty()) {
                m_page.curve(block + 1, columns, "points " + look);
            }
            return;
        }
        if (has_intervals(s) && !has_band(of, s)) {
            m_page.curve(block, "1:2" + ends_of(of.y), "yerrorbars " + line_type(s.number) + " dt 1 lw 2 pt 0");
        }
        if (any_number(s.x_low)) {
            m_page.curve(block, "1:2" + ends_of(of.x, 5),
                         "xerrorbars " + line_type(s.number) + " dt 1 lw 2 pt 0");
        }
        const bool are_steps = of.shown.kind == chart_kind::steps && !s.look;
        m_page.curve(block, "1:2", are_steps ? "steps " + look : sample_of(of, s));
    }

    void add_bars(const panel& of, const chart_series& s, std::size_t block) {
        const bool sideways = of.y.has_names;
        const std::string half = number_text(of.shown.bar_width / 2);
        m_page.lines(sideways ? "set yzeroaxis lt 1 lc rgb '#000000' lw 2 dt 1\n" : "");
        m_page.curve(block,
                     sideways ? "1:2:(0):1:($2-" + half + "):($2+" + half + ")"
                              : "1:2:($1-" + half + "):($1+" + half + "):(0):2",
                     "boxxyerror " + (s.look ? bar_words(*s.look) : bar_style(s.number)));
        if (has_intervals(s)) {
            m_page.curve(block, "1:2:3:4",
                         std::string(sideways ? "xerrorbars" : "yerrorbars") +
                             " lc rgb '#000000' lw 3 dt 1 pt 7 ps 0.6");
        }
    }

    const figure& m_figure;
    page m_page;
    std::vector<panel> m_panels;
    /// Width of the names at the vertical axes of each column. Unit: pixels.
    std::map<std::size_t, double> m_names;
    /// Styles that the picture has.
    std::size_t m_styles = 1;
    /// Their blocks, by title and name.
    std::map<std::string, std::size_t> m_distributions;
};

}  // namespace

picture draw(const figure& f) {
    return figure_drawing(f).draw();
}

double panel_width(std::size_t columns) {
    return (page::width - 2 * edge) / static_cast<double>(columns) - number_room - 20;
}

}  // namespace weir::tb
