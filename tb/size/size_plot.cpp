#include "tb/size/size_plot.h"

#include <algorithm>
#include <cctype>

#include "tb/plot/page.h"
#include "tb/size/size_panels.h"
#include "tb/text/joined.h"

namespace weir::tb {

namespace {

/// As legends and blocks of the data have them.
constexpr verdict shown_verdicts[] = {verdict::met, verdict::not_met, verdict::not_decided,
                                      verdict::not_possible};

// What is marked, in panels and in the legend.
constexpr const char* answer_line = "lines lc rgb '#AA3377' lw 5 dt 1";
constexpr const char* answer_ring = "points pt 6 ps 4 lw 4 lc rgb '#AA3377'";
constexpr const char* front_entry = "linespoints pt 6 ps 4 lw 4 dt 1 lc rgb '#AA3377'";
constexpr const char* bound_line = "lines lc rgb '#D55E00' lw 2 dt (12,6)";

std::string limited(const std::optional<double>& end, double otherwise) {
    return number_text(end.value_or(otherwise));
}

bool any_values(const size_panel& panel) {
    return std::any_of(panel.places.begin(), panel.places.end(),
                       [](const drawn_place& place) { return place.state != verdict::not_possible; });
}

class size_drawing {
 public:
    size_drawing(const size_plan& plan, const size_search& search, const size_answer& answer,
                 const refusals& refused)
        : m_plan(plan),
          m_answer(answer),
          m_x(plan.runs, plan.runs.axes.back().keys.front()),
          m_shown(panels_of(plan, search, answer, refused, m_x)) {}

    picture draw() const {
        page p(title(), details());
        p.legend({}, page::sample::line_and_point, entries());
        const double each = m_shown.panels.size() == 1 ? 660 : 440;
        const double top = p.top() + 30;
        p.add("set datafile missing '?'");
        const double right = page::width - (m_shown.panels[0].bound ? 190 : 60);
        plot_axis x = m_x.axis();
        const label_layout names = m_x.is_numeric() ? label_layout{} : lay_out_names(x, right - m_shown.left);
        double bottom = top;
        for (std::size_t i = 0; i < m_shown.panels.size(); ++i) {
            const size_panel& panel = m_shown.panels[i];
            const double from = top + (each + 70) * static_cast<double>(i) + (panel.heading.empty() ? 0 : 30);
            const bool last = i + 1 == m_shown.panels.size();
            bottom = from + each;
            p.panel(m_shown.left, right, from, bottom);
            p.heading(panel.heading);
            p.y_label(panel.label);
            p.add("set xlabel " + tb::quoted(last ? m_x.label() + (x.logarithmic ? ", log scale" : "") : ""));
            p.add(x.commands("x") + (last ? names.command : x.unlabelled("x")) + panel.axis.commands("y"));
            if (panel.bound) {
                p.add("set label 5 " + tb::quoted(panel.bound_text) + " at graph 1, first " +
                      number_text(*panel.bound) + " left offset 0.5, 0 tc rgb '#D55E00' font ',15'");
            }
            if (!any_values(panel)) {
                p.add("set label 6 'no run had a value' at graph 0.5, 0.5 center tc rgb '#555555'");
            }
            p.add(plot_command(i) + "\nunset label 5\nunset label 6");
        }
        return p.finish(size_picture_name, data(),
                        static_cast<unsigned>(bottom + names.extra_height + page::foot));
    }

 private:
    bool is_map() const { return m_plan.wishes.size() == 2; }

    const char* mark_style() const { return is_map() ? answer_ring : answer_line; }

    /// Of the legend: what the panels show.
    std::vector<page::extra_entry> entries() const {
        std::vector<page::extra_entry> all;
        for (std::size_t v = 0; v < std::size(shown_verdicts); ++v) {
            const bool any =
                std::any_of(m_shown.panels.begin(), m_shown.panels.end(), [&](const size_panel& p) {
                    return std::any_of(p.places.begin(), p.places.end(), [&](const drawn_place& place) {
                        return place.state == shown_verdicts[v];
                    });
                });
            if (any) {
                all.push_back({"points lt " + std::to_string(v + 1), name_of(shown_verdicts[v])});
            }
        }
        if (!m_shown.marked.empty() || !m_shown.front.empty()) {
            m_shown.staircase.empty() ? all.push_back({mark_style(), "answer"})
                                      : all.push_back({front_entry, "Pareto front"});
        }
        if (std::any_of(m_shown.panels.begin(), m_shown.panels.end(),
                        [](const size_panel& p) { return p.bound.has_value(); })) {
            all.push_back({bound_line, "bound"});
        }
        return all;
    }

    std::string details() const {
        std::string text = m_plan.runs.configuration + (m_plan.runs.configuration.empty() ? "" : "; ");
        // Panels of a curve are headed by their goals.
        const std::size_t headed = m_plan.wishes.size() == 1 ? m_shown.panels.size() : 0;
        for (std::size_t g = headed; g < m_plan.goals.size(); ++g) {
            text += (headed == 0 ? "goal: " : "not drawn: ") + goal_title(m_plan.goals[g]) + "; ";
        }
        text += headed > 1 ? "points: verdicts about the panel's goal; " : "";
        return text + std::to_string(m_answer.runs) + " runs, " + number_text(100 * m_plan.limits.confidence) +
               " % confidence for all verdicts";
    }

    std::string title() const {
        std::string text;
        for (std::size_t a = 0; a < m_plan.wishes.size(); ++a) {
            text += (a == 0 ? "" : ", ") + std::string(name_of(m_plan.wishes[a])) + " " +
                    joined(m_plan.runs.axes[a].keys, ",");
        }
        text += ": ";
        if (m_plan.wishes.size() == 1 && m_plan.wishes[0] != axis_wish::each && m_answer.lines[0].point) {
            text += m_plan.value(*m_answer.lines[0].point, 0) + ", ";
        }
        text += state_text(m_plan, m_answer);
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
        return text;
    }

    /// Blocks of a panel: all points in order, each verdict's, then what is marked and the line of a front.
    static constexpr std::size_t blocks = 1 + std::size(shown_verdicts) + 2;

    static std::string block(const std::string& name, const std::string& rows) {
        return "# " + one_line(name) + "\n# x y low high\n" + (rows.empty() ? "? ? ? ?\n" : rows) + "\n\n";
    }
    static std::string row(const drawn_place& p, const plot_axis& axis) {
        const bool has = p.low || p.high;
        return number_text(p.x) + " " + number_text(p.y) + " " + (has ? limited(p.low, axis.low) : "?") + " " +
               (has ? limited(p.high, axis.high) : "?") + "\n";
    }

    static std::string rows(const std::vector<std::pair<double, double>>& corners) {
        std::string text;
        for (const auto& [x, y] : corners) {
            text += number_text(x) + " " + number_text(y) + " ? ?\n";
        }
        return text;
    }

    std::string data() const {
        std::string text;
        for (const size_panel& panel : m_shown.panels) {
            std::string all;
            for (const drawn_place& place : panel.places) {
                all += is_map() || place.state != verdict::not_possible ? row(place, panel.axis) : "";
            }
            const std::string name = panel.heading.empty() ? panel.label : panel.heading;
            text += block(name + ": all points", all);
            for (const verdict v : shown_verdicts) {
                std::string rows;
                for (const drawn_place& place : panel.places) {
                    rows += place.state == v ? row(place, panel.axis) : "";
                }
                text += block(name + ": " + name_of(v), rows);
            }
            std::string marked;
            for (const double x : m_shown.marked) {
                for (const double y : {panel.axis.low, panel.axis.high}) {
                    marked += number_text(x) + " " + number_text(y) + " ? ?\n";
                }
                marked += "\n";
            }
            text += block("answer", marked + rows(m_shown.front)) + block("front", rows(m_shown.staircase));
        }
        return text;
    }

    std::string plot_command(std::size_t panel) const {
        const auto from = [&](std::size_t index, const char* columns) {
            return "'" + std::string(size_picture_name) + ".dat' index " +
                   std::to_string(panel * blocks + index) + " using " + columns;
        };
        std::string all = "plot ";
        if (!m_shown.staircase.empty()) {
            all += from(blocks - 1, "1:2") + " with " + answer_line + ", \\\n     ";
        }
        if (!m_shown.marked.empty() || !m_shown.front.empty()) {
            all += from(blocks - 2, "1:2") + " with " + mark_style() + ", \\\n     ";
        }
        if (m_shown.panels[panel].bound) {
            all += number_text(*m_shown.panels[panel].bound) + " with " + bound_line + ", \\\n     ";
        }
        if (!is_map() && m_x.is_numeric() && any_values(m_shown.panels[panel])) {
            all += from(0, "1:2") + " with lines lc rgb '#AAAAAA' lw 2 dt 1, \\\n     ";
        }
        for (std::size_t v = 0; v < std::size(shown_verdicts); ++v) {
            bool any = false;
            bool intervals = false;
            for (const drawn_place& place : m_shown.panels[panel].places) {
                const bool is = place.state == shown_verdicts[v];
                any = any || is;
                intervals = intervals || (is && (place.low || place.high));
            }
            if (!any) {
                continue;
            }
            const std::string style = " lt " + std::to_string(v + 1);
            if (intervals) {
                all += from(v + 1, "1:2:3:4") + " with yerrorbars" + style + " dt 1 lw 2 pt 0, \\\n     ";
            }
            all += from(v + 1, "1:2") + " with points" + style + ", \\\n     ";
        }
        all.erase(all.find_last_of(','));
        return all;
    }
    const size_plan& m_plan;
    const size_answer& m_answer;
    const swept_axis m_x;
    const size_panels m_shown;
};

}  // namespace

std::optional<picture> size_picture(const size_plan& plan, const size_search& search, const size_answer& answer,
                                    const refusals& refused) {
    if (answer.looked_at == 0) {
        return std::nullopt;
    }
    return size_drawing(plan, search, answer, refused).draw();
}

}  // namespace weir::tb
