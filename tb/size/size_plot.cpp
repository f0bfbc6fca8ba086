#include "tb/size/size_plot.h"

#include <algorithm>
#include <cmath>

#include "tb/plot/page.h"
#include "tb/sweep/metric_title.h"
#include "tb/sweep/swept_axis.h"

namespace weir {

namespace {

/// As legends and blocks of the data have them.
constexpr verdict shown_verdicts[] = {verdict::met, verdict::not_met, verdict::not_decided,
                                      verdict::not_possible};

struct drawn_place {
    double x = 0;
    double y = 0;
    std::optional<double> low;
    std::optional<double> high;
    verdict state = verdict::not_decided;
};

/// What a panel shows, in the unit of its axis.
struct size_panel {
    std::string heading;
    std::string label;
    plot_axis axis;
    std::vector<drawn_place> places;
    std::optional<double> bound;
    std::string bound_text;
};

// What is marked, in panels and in the legend.
constexpr const char* answer_line = "lines lc rgb '#777777' lw 3 dt (4,4)";
constexpr const char* front_line = "lines lc rgb '#777777' lw 6 dt 1";
constexpr const char* answer_ring = "points pt 6 ps 4 lw 4 lc rgb '#777777'";
constexpr const char* bound_line = "lines lc rgb '#D55E00' lw 2 dt (12,6)";

/// Most panels of one picture; further goals are in curve.csv.
constexpr std::size_t most_panels = 4;

/// In words: `99th percentile of job completion time <= 30ms in 50% of runs`.
std::string goal_title(const size_goal& goal) {
    return goal.is_lossless() ? goal.text : metric_title(goal.metric) + goal.text.substr(goal.metric.size());
}

/// With room at both ends, so that neither a point nor the bound lies on the frame.
plot_axis with_room(plot_axis axis) {
    const double room = 0.04 * (axis.high - axis.low);
    axis.low -= axis.logarithmic ? 0 : room;
    axis.high += axis.logarithmic ? 0 : room;
    return axis;
}

std::string limited(const std::optional<double>& end, double otherwise) {
    return number_text(end.value_or(otherwise));
}

class size_drawing {
 public:
    size_drawing(const size_plan& plan, const size_search& search, const size_answer& answer,
                 const refusals& refused)
        : m_plan(plan),
          m_search(search),
          m_answer(answer),
          m_refused(refused),
          m_x(plan.runs, plan.runs.axes.back().keys.front()) {}

    std::optional<picture> draw() {
        if (m_answer.looked_at == 0) {
            return std::nullopt;
        }
        m_plan.wishes.size() == 1 ? collect_curve() : collect_map();
        return page_of();
    }

 private:
    bool is_map() const { return m_plan.wishes.size() == 2; }

    verdict state(std::size_t point) const {
        return m_refused[point].empty() ? m_search.judge(point).state() : verdict::not_possible;
    }

    void collect_curve() {
        for (std::size_t g = 0; g < std::min(most_panels, m_plan.goals.size()); ++g) {
            m_panels.push_back(m_plan.goals[g].counts_runs() ? misses_of(g) : values_of(g));
        }
        for (const size_line& line : m_answer.lines) {
            if (line.point && !m_plan.asks_for_each()) {
                m_marked.push_back(x_of(*line.point, m_x, 0));
            }
        }
    }

    /// Position of a point on the axis that shows one of the plan's axes.
    double x_of(std::size_t point, const swept_axis& axis, std::size_t which) const {
        const std::vector<std::size_t>& order = axis.in_order();
        const std::size_t place = m_plan.runs.places(point)[which];
        return axis.position(
            static_cast<std::size_t>(std::find(order.begin(), order.end(), place) - order.begin()));
    }

    std::vector<std::size_t> looked_at() const {
        std::vector<std::size_t> points;
        for (const std::size_t place : m_x.in_order()) {
            if (m_search.judge(place).runs() > 0) {
                points.push_back(place);
            }
        }
        return points;
    }

    /// Values that cannot be: at the panel's lower end, as no run has shown anything there.
    void add_refused(size_panel& panel) const {
        for (const std::size_t point : m_x.in_order()) {
            if (!m_refused[point].empty()) {
                panel.places.push_back({x_of(point, m_x, 0), panel.axis.low, {}, {}, verdict::not_possible});
            }
        }
    }

    static bool any_values(const size_panel& panel) {
        return std::any_of(panel.places.begin(), panel.places.end(),
                           [](const drawn_place& place) { return place.state != verdict::not_possible; });
    }

    /// The share of runs that miss it.
    size_panel misses_of(std::size_t g) const {
        size_panel panel;
        panel.heading = "Goal: " + goal_title(m_plan.goals[g]);
        panel.axis = with_room(linear_axis(100));
        panel.label = panel.axis.label("Runs that miss it", "%");
        panel.bound = 100 * m_plan.goals[g].rule.allowed_misses;
        panel.bound_text = "bound: " + short_number(*panel.bound) + " %";
        for (const std::size_t point : looked_at()) {
            const place_judge& judge = m_search.judge(point);
            const share_interval share = judge.miss_share(g);
            const double seen = static_cast<double>(judge.misses(g)) / static_cast<double>(judge.runs());
            panel.places.push_back(
                {x_of(point, m_x, 0), 100 * seen, 100 * share.low, 100 * share.high, judge.goal_state(g)});
        }
        add_refused(panel);
        return panel;
    }

    size_panel values_of(std::size_t g) const {
        const size_goal& goal = m_plan.goals[g];
        size_panel panel;
        double high = std::fabs(goal.bound);
        double low = goal.bound;
        for (const std::size_t point : looked_at()) {
            const quantile_interval value = *m_search.judge(point).value(g);
            if (std::isfinite(value.value)) {
                panel.places.push_back({x_of(point, m_x, 0), value.value, value.low, value.high,
                                        m_search.judge(point).goal_state(g)});
                high = std::max({high, value.value, value.high.value_or(0)});
                low = std::min({low, value.value, value.low.value_or(value.value)});
            }
        }
        // Of a bound far from all values, a linear axis would show one or the other.
        const bool logarithmic = low > 0 && high > 30 * low;
        const axis_unit unit = metric_axis_unit(goal.metric, low, high, logarithmic);
        for (drawn_place& place : panel.places) {
            place.y /= unit.scale;
            for (std::optional<double>* end : {&place.low, &place.high}) {
                *end = *end ? std::optional(**end / unit.scale) : std::nullopt;
            }
        }
        panel.bound = goal.bound / unit.scale;
        panel.bound_text = "bound: " + short_number(*panel.bound) + (unit.name.empty() ? "" : " " + unit.name);
        panel.axis = logarithmic ? log_axis(low / unit.scale / 1.1, 1.1 * high / unit.scale)
                                 : with_room(linear_axis(high / unit.scale));
        panel.heading = "Goal: " + goal_title(goal);
        // Which group it is about stands in the heading.
        const std::string title = metric_title(goal.metric);
        panel.label = panel.axis.label(title.substr(0, title.find(" (")), unit.name);
        add_refused(panel);
        return panel;
    }

    /// Two options: every place that was looked at, by its verdict.
    void collect_map() {
        const swept_axis first(m_plan.runs, m_plan.runs.axes[0].keys.front());
        size_panel panel;
        panel.label = first.label();
        panel.axis = first.axis();
        m_left = std::max(m_left, 125 + wrap_labels(panel.axis, 330));
        for (std::size_t point = 0; point < m_plan.runs.points(); ++point) {
            if (m_search.judge(point).runs() > 0 || !m_refused[point].empty()) {
                panel.places.push_back({x_of(point, m_x, 1), x_of(point, first, 0), {}, {}, state(point)});
            }
        }
        for (const size_line& line : m_answer.lines) {
            if (line.point && (line.best || m_plan.asks_for_each())) {
                m_front.emplace_back(x_of(*line.point, m_x, 1), x_of(*line.point, first, 0));
            }
        }
        std::sort(m_front.begin(), m_front.end());
        if (!m_plan.asks_for_each()) {
            make_staircase();
        }
        m_panels.push_back(std::move(panel));
    }

    /// Between two places of the front the one that asks for less along the line holds, up to the other one: a
    /// straight line between them would promise what lies below it.
    void make_staircase() {
        std::vector<std::pair<double, double>> steps;
        for (const auto& [x, y] : m_front) {
            if (!steps.empty()) {
                const auto [last_x, last_y] = steps.back();
                const bool smallest = m_plan.wishes.back() == axis_wish::smallest;
                steps.emplace_back(smallest ? x : last_x, smallest ? last_y : y);
            }
            steps.emplace_back(x, y);
        }
        m_front = std::move(steps);
    }

    const char* mark_style() const {
        return m_plan.wishes.size() == 1 ? answer_line : m_plan.asks_for_each() ? answer_ring : front_line;
    }

    /// Of the legend: what the panels show.
    std::vector<page::extra_entry> entries() const {
        std::vector<page::extra_entry> all;
        for (std::size_t v = 0; v < std::size(shown_verdicts); ++v) {
            const bool any = std::any_of(m_panels.begin(), m_panels.end(), [&](const size_panel& p) {
                return std::any_of(p.places.begin(), p.places.end(),
                                   [&](const drawn_place& place) { return place.state == shown_verdicts[v]; });
            });
            if (any) {
                all.push_back({"points lt " + std::to_string(v + 1), to_text(shown_verdicts[v])});
            }
        }
        if (!m_marked.empty() || !m_front.empty()) {
            const bool is_front = m_plan.wishes.size() == 2 && !m_plan.asks_for_each();
            all.push_back({mark_style(), is_front ? "Pareto front" : "answer"});
        }
        if (std::any_of(m_panels.begin(), m_panels.end(),
                        [](const size_panel& p) { return p.bound.has_value(); })) {
            all.push_back({bound_line, "bound"});
        }
        return all;
    }

    std::string details() const {
        std::string text = m_plan.runs.configuration + (m_plan.runs.configuration.empty() ? "" : "; ");
        // Panels of a curve are headed by their goals.
        const std::size_t headed = m_plan.wishes.size() == 1 ? m_panels.size() : 0;
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
            text += (a == 0 ? "" : ", ") + std::string(to_text(m_plan.wishes[a])) + " " +
                    detail::join(m_plan.runs.axes[a].keys, ",");
        }
        text += ": ";
        if (m_plan.wishes.size() == 1 && m_plan.wishes[0] != axis_wish::each && m_answer.lines[0].point) {
            text += m_plan.value(*m_answer.lines[0].point, 0) + ", ";
        }
        text += state_text(m_plan, m_answer);
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
        return text;
    }

    std::optional<picture> page_of() {
        page p(title(), details());
        p.legend({}, page::sample::line_and_point, entries());
        const double each = m_panels.size() == 1 ? 660 : 440;
        const double top = p.top() + 30;
        p.add("set datafile missing '?'");
        const double right = page::width - (m_panels[0].bound ? 190 : 60);
        plot_axis x = m_x.axis();
        const label_layout names = m_x.is_numeric() ? label_layout{} : lay_out_names(x, right - m_left);
        double bottom = top;
        for (std::size_t i = 0; i < m_panels.size(); ++i) {
            const size_panel& panel = m_panels[i];
            const double from = top + (each + 70) * static_cast<double>(i) + (panel.heading.empty() ? 0 : 30);
            const bool last = i + 1 == m_panels.size();
            bottom = from + each;
            p.panel(m_left, right, from, bottom);
            p.heading(panel.heading);
            p.y_label(panel.label);
            p.add("set xlabel " + weir::quoted(last ? m_x.label() : ""));
            p.add(x.commands("x") + (last ? names.command : x.unlabelled("x")) + panel.axis.commands("y"));
            if (panel.bound) {
                p.add("set label 5 " + weir::quoted(panel.bound_text) + " at graph 1, first " +
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

    /// Blocks of a panel: all points in order, each verdict's, then what is marked.
    static constexpr std::size_t blocks = 6;

    static std::string block(const std::string& name, const std::string& rows) {
        return "# " + one_line(name) + "\n# x y low high\n" + (rows.empty() ? "? ? ? ?\n" : rows) + "\n\n";
    }
    static std::string row(const drawn_place& p, const plot_axis& axis) {
        const bool has = p.low || p.high;
        return number_text(p.x) + " " + number_text(p.y) + " " + (has ? limited(p.low, axis.low) : "?") + " " +
               (has ? limited(p.high, axis.high) : "?") + "\n";
    }

    std::string data() const {
        std::string text;
        for (const size_panel& panel : m_panels) {
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
                text += block(name + ": " + to_text(v), rows);
            }
            std::string marked;
            for (const double x : m_marked) {
                for (const double y : {panel.axis.low, panel.axis.high}) {
                    marked += number_text(x) + " " + number_text(y) + " ? ?\n";
                }
                marked += "\n";
            }
            for (const auto& [x, y] : m_front) {
                marked += number_text(x) + " " + number_text(y) + " ? ?\n";
            }
            text += block("answer", marked);
        }
        return text;
    }

    std::string plot_command(std::size_t panel) const {
        const auto from = [&](std::size_t index, const char* columns) {
            return "'" + std::string(size_picture_name) + ".dat' index " +
                   std::to_string(panel * blocks + index) + " using " + columns;
        };
        std::string all = "plot ";
        if (!m_marked.empty() || !m_front.empty()) {
            all += from(blocks - 1, "1:2") + " with " + mark_style() + ", \\\n     ";
        }
        if (m_panels[panel].bound) {
            all += number_text(*m_panels[panel].bound) + " with " + bound_line + ", \\\n     ";
        }
        if (!is_map() && m_x.is_numeric() && any_values(m_panels[panel])) {
            all += from(0, "1:2") + " with lines lc rgb '#AAAAAA' lw 2 dt 1, \\\n     ";
        }
        for (std::size_t v = 0; v < std::size(shown_verdicts); ++v) {
            bool any = false;
            bool intervals = false;
            for (const drawn_place& place : m_panels[panel].places) {
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
    const size_search& m_search;
    const size_answer& m_answer;
    const refusals& m_refused;
    swept_axis m_x;
    std::vector<size_panel> m_panels;
    /// Where panels begin: names at a vertical axis take room. Unit: pixels.
    double m_left = 190;
    std::vector<double> m_marked;
    std::vector<std::pair<double, double>> m_front;
};

}  // namespace

std::optional<picture> size_picture(const size_plan& plan, const size_search& search, const size_answer& answer,
                                    const refusals& refused) {
    return size_drawing(plan, search, answer, refused).draw();
}

}  // namespace weir
