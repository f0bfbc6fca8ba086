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
        page p({size_picture_name, title(), details()});
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
            draw_places(p, panel);
            p.add("unset label 5\nunset label 6");
        }
        return p.finish(static_cast<unsigned>(bottom + names.extra_height + page::foot));
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

    /// Adds the blocks of a panel: all points in order, each verdict's, then what is marked and the line of a
    /// front.
    void add_data(page& p, const size_panel& panel) const {
        const std::string name = panel.heading.empty() ? panel.label : panel.heading;
        const auto add_places = [&](const std::string& what, const auto& is_shown) {
            p.block(name + ": " + what, "x y low high");
            for (const drawn_place& place : panel.places) {
                const bool has = place.low || place.high;
                if (is_shown(place)) {
                    p.row({place.x, place.y, has ? place.low.value_or(panel.axis.low) : NAN,
                           has ? place.high.value_or(panel.axis.high) : NAN});
                }
            }
        };
        const auto add_corners = [&](const std::vector<std::pair<double, double>>& corners) {
            for (const auto& [x, y] : corners) {
                p.row({x, y, NAN, NAN});
            }
        };
        add_places("all points",
                   [&](const drawn_place& place) { return is_map() || place.state != verdict::not_possible; });
        for (const verdict v : shown_verdicts) {
            add_places(name_of(v), [v](const drawn_place& place) { return place.state == v; });
        }
        p.block("answer", "x y low high");
        for (const double x : m_shown.marked) {
            add_corners({{x, panel.axis.low}, {x, panel.axis.high}});
            p.gap();
        }
        add_corners(m_shown.front);
        p.block("front", "x y low high");
        add_corners(m_shown.staircase);
    }

    void draw_places(page& p, const size_panel& panel) const {
        const std::size_t all = p.blocks();
        add_data(p, panel);
        const std::size_t front = p.blocks() - 1;
        if (!m_shown.staircase.empty()) {
            p.curve(front, "1:2", answer_line);
        }
        if (!m_shown.marked.empty() || !m_shown.front.empty()) {
            p.curve(front - 1, "1:2", mark_style());
        }
        if (panel.bound) {
            p.curve(number_text(*panel.bound) + " with " + bound_line);
        }
        if (!is_map() && m_x.is_numeric() && any_values(panel)) {
            p.curve(all, "1:2", "lines lc rgb '#AAAAAA' lw 2 dt 1");
        }
        for (std::size_t v = 0; v < std::size(shown_verdicts); ++v) {
            bool any = false;
            bool intervals = false;
            for (const drawn_place& place : panel.places) {
                const bool is = place.state == shown_verdicts[v];
                any = any || is;
                intervals = intervals || (is && (place.low || place.high));
            }
            if (intervals) {
                p.curve(all + v + 1, "1:2:3:4", "yerrorbars " + line_type(v) + " dt 1 lw 2 pt 0");
            }
            if (any) {
                p.curve(all + v + 1, "1:2", "points " + line_type(v));
            }
        }
        p.plot();
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
