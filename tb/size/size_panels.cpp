#include "tb/size/size_panels.h"

#include <algorithm>
#include <cmath>

#include "tb/plot/gnuplot.h"
#include "tb/plot/page.h"
#include "tb/sweep/metric_title.h"

namespace weir::tb {

namespace {

/// Most panels of one picture; further goals are in curve.csv.
constexpr std::size_t most_panels = 4;

/// With room at both ends, so that neither a point nor the bound lies on the frame.
plot_axis with_room(plot_axis axis) {
    const double room = 0.04 * (axis.high - axis.low);
    axis.low -= axis.logarithmic ? 0 : room;
    axis.high += axis.logarithmic ? 0 : room;
    return axis;
}
class panel_collector {
 public:
    panel_collector(const size_plan& plan, const size_search& search, const size_answer& answer,
                    const refusals& refused, const swept_axis& x)
        : m_plan(plan), m_search(search), m_answer(answer), m_refused(refused), m_x(x) {}

    size_panels collect() {
        m_plan.wishes.size() == 1 ? collect_curve() : collect_map();
        return std::move(m_found);
    }

 private:
    void collect_curve() {
        for (std::size_t g = 0; g < std::min(most_panels, m_plan.goals.size()); ++g) {
            m_found.panels.push_back(m_plan.goals[g].counts_runs() ? misses_of(g) : values_of(g));
        }
        for (const size_line& line : m_answer.lines) {
            if (line.point && !m_plan.asks_for_each()) {
                m_found.marked.push_back(x_of(*line.point, m_x, 0));
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
        m_found.left = std::max(m_found.left, 125 + wrap_labels(panel.axis, 330));
        for (std::size_t point = 0; point < m_plan.runs.points(); ++point) {
            if (is_shown(m_search, m_refused, point)) {
                panel.places.push_back({x_of(point, m_x, 1),
                                        x_of(point, first, 0),
                                        {},
                                        {},
                                        verdict_at(m_search, m_refused, point)});
            }
        }
        for (const size_line& line : m_answer.lines) {
            if (line.point && (line.best || m_plan.asks_for_each())) {
                m_found.front.emplace_back(x_of(*line.point, m_x, 1), x_of(*line.point, first, 0));
            }
        }
        std::sort(m_found.front.begin(), m_found.front.end());
        if (!m_plan.asks_for_each()) {
            make_staircase();
        }
        m_found.panels.push_back(std::move(panel));
    }

    /// Between two places of the front the one that asks for less along the line holds, up to the other one: a
    /// straight line between them would promise what lies below it.
    void make_staircase() {
        std::vector<std::pair<double, double>>& steps = m_found.staircase;
        for (const auto& [x, y] : m_found.front) {
            if (!steps.empty()) {
                const auto [last_x, last_y] = steps.back();
                const bool smallest = m_plan.wishes.back() == axis_wish::smallest;
                steps.emplace_back(smallest ? x : last_x, smallest ? last_y : y);
            }
            steps.emplace_back(x, y);
        }
    }
    const size_plan& m_plan;
    const size_search& m_search;
    const size_answer& m_answer;
    const refusals& m_refused;
    const swept_axis& m_x;
    size_panels m_found;
};

}  // namespace

size_panels panels_of(const size_plan& plan, const size_search& search, const size_answer& answer,
                      const refusals& refused, const swept_axis& x) {
    return panel_collector(plan, search, answer, refused, x).collect();
}

std::string goal_title(const size_goal& goal) {
    return goal.is_lossless() ? goal.text : metric_title(goal.metric) + goal.text.substr(goal.metric.size());
}

}  // namespace weir::tb
