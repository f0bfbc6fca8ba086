#include "tb/study/size/size_plot.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "tb/study/sweep/mean_curves.h"
#include "tb/study/sweep/metric_title.h"
#include "tb/support/text/joined.h"
#include "tb/view/chart/figure.h"
#include "weir/base/how_many.h"

namespace weir::tb {

namespace {

/// Most panels of one picture; further goals are in curve.csv.
constexpr std::size_t most_panels = 4;

/// In the order of legends.
constexpr verdict shown_verdicts[] = {verdict::met, verdict::not_met, verdict::not_decided,
                                      verdict::not_possible};

/// The places of a panel, a series for each verdict.
using verdict_places = std::map<verdict, chart_series>;

// Marks in panels and in the legend.
constexpr chart_look answer_line{chart_line::straight, chart_mark::none, "#AA3377", 5};
constexpr chart_look answer_ring{chart_line::none, chart_mark::ring, "#AA3377", 4, 4};
constexpr chart_look front_entry{chart_line::straight, chart_mark::ring, "#AA3377", 4, 4};
constexpr chart_look bound_line{chart_line::straight, chart_mark::none, "#D55E00", 2, 0, "12,6"};
constexpr chart_look reference_line{chart_line::straight, chart_mark::none, "#777777", 2, 0, "3,9"};
constexpr chart_look lower_bound_mark{chart_line::none, chart_mark::triangle, "#555555", 2, 4};
constexpr chart_look upper_bound_mark{chart_line::none, chart_mark::triangle_down, "#555555", 2, 4};
constexpr chart_look joined_line{chart_line::straight, chart_mark::none, "#AAAAAA", 2};

/// In words: `99th percentile of job completion time <= 30ms in 50% of runs`.
std::string goal_title(const size_goal& goal) {
    return goal.is_lossless() ? goal.text : metric_title(goal.metric) + goal.text.substr(goal.metric.size());
}

/// With room at both ends, so that neither a point nor the bound lies on the frame.
plot_axis with_room(plot_axis axis) {
    const double room = 0.04 * (axis.high - axis.low);
    axis.low -= room;
    axis.high += room;
    return axis;
}

/// Goals over the axis along which is searched, a panel each; of two options the map of their places.
class size_drawing : finished_search {
 public:
    explicit size_drawing(const finished_search& all)
        : finished_search(all), m_x(plan.runs, plan.runs.axes.back().keys.front()) {}

    picture draw() const {
        figure f{{size_picture_name, title(), ""}};
        if (plan.wishes.size() == 2) {
            f.panels.push_back(map());
        } else {
            for (std::size_t g = 0; g < std::min(most_panels, plan.goals.size()); ++g) {
                f.panels.push_back(plan.goals[g].counts_runs() ? misses_of(g) : values_of(g));
            }
        }
        f.head.details = details(plan.wishes.size() == 1 ? f.panels.size() : 0);
        f.height = f.panels.size() == 1 ? 660 : 440;
        return tb::draw(f);
    }

 private:
    /// Position of a point on the axis that shows one of the plan's axes.
    double position(std::size_t point, const swept_axis& axis) const {
        return axis.position_of(plan.runs.places(point)[axis.index()]);
    }

    chart panel_with(const std::string& title, chart_axis y) const {
        chart made;
        made.title = title;
        made.kind = chart_kind::places;
        made.x = chart_axis_of(m_x);
        made.y = std::move(y);
        return made;
    }

    /// The share of runs that miss it.
    chart misses_of(std::size_t g) const {
        chart panel = panel_with("Goal: " + goal_title(plan.goals[g]), {"Runs that miss it"});
        panel.y.unit = axis_unit{"%", 1};
        panel.y.tics = with_room(linear_axis(100));
        const double bound = 100 * plan.goals[g].rule.allowed_misses;
        return filled(std::move(panel), g, bound, [&](const place_judge& judge) {
            const share_interval share = judge.miss_share(g);
            const double seen = static_cast<double>(judge.misses(g)) / static_cast<double>(judge.runs());
            return goal_estimate{100 * seen, 100 * share.low, 100 * share.high};
        });
    }

    chart values_of(std::size_t g) const {
        const size_goal& goal = plan.goals[g];
        double high = std::max(std::fabs(goal.bound), goal.is_relative() ? 1. : 0.);
        double low = std::min(goal.bound, goal.is_relative() ? 1. : goal.bound);
        for (const std::size_t point : m_x.in_order()) {
            if (search.judge(point).runs() == 0) {
                continue;
            }
            const goal_estimate found = *search.judge(point).value(g);
            const double value = found.value.end();
            if (std::isfinite(value)) {
                high = std::max({high, value, found.high.value_or(0)});
                low = std::min({low, value, found.low.value_or(value)});
            }
        }
        // On a linear axis, values far from the bound would lie on one line.
        const bool logarithmic = low > 0 && high > 30 * low;
        const axis_unit unit =
            goal.is_relative() ? axis_unit{} : metric_axis_unit(goal.metric, low, high, logarithmic);
        // The panel's heading names the group.
        const std::string title =
            goal.is_relative() ? "Ratio to the reference point" : metric_title(goal.metric);
        chart panel = panel_with("Goal: " + goal_title(goal), {title.substr(0, title.find(" ("))});
        panel.y.unit = unit;
        panel.y.tics = logarithmic ? log_axis(low / unit.scale / 1.1, 1.1 * high / unit.scale)
                                   : with_room(linear_axis(high / unit.scale));
        return filled(std::move(panel), g, goal.bound,
                      [&](const place_judge& judge) { return *judge.value(g); });
    }

    /// The panel with what is marked, its bound, and a series for each verdict about the goal.
    template <class Value>
    chart filled(chart panel, std::size_t g, double bound, const Value& value_at) const {
        const axis_unit& unit = *panel.y.unit;
        const std::pair ends(panel.y.tics->low * unit.scale, panel.y.tics->high * unit.scale);
        chart_series answers = series_with(answer_line, "answer");
        for (const size_line& line : answer.lines) {
            if (line.place && !plan.asks_for_each()) {
                const double x = position(*line.place, m_x);
                answers.add(x, ends.first);
                answers.add(x, ends.second);
                answers.add(NAN, NAN);
            }
        }
        chart_series bounds = series_with(bound_line, "bound");
        chart_series reference = series_with(reference_line, "reference");
        const plot_axis across = m_x.axis();
        for (const double x : {across.low, across.high}) {
            const double at = x * (m_x.is_numeric() ? m_x.unit().scale : 1);
            bounds.add(at, bound);
            if (plan.goals[g].is_relative() && !plan.goals[g].counts_runs()) {
                reference.add(at, 1);
            }
        }
        chart_series at_least = series_with(lower_bound_mark, "at least");
        chart_series at_most = series_with(upper_bound_mark, "at most");
        chart_series all = series_with(joined_line);
        verdict_places places;
        for (const std::size_t point : m_x.in_order()) {
            const double x = position(point, m_x);
            if (search.judge(point).runs() > 0) {
                const goal_estimate found = value_at(search.judge(point));
                const double value = found.value.end();
                if (std::isfinite(value)) {
                    all.add(x, value);
                    const bool has = found.low || found.high;
                    places[search.judge(point).goal_state(g)].add(x, value,
                                                                  has ? found.low.value_or(ends.first) : NAN,
                                                                  has ? found.high.value_or(ends.second) : NAN);
                    if (!found.value.is_exact()) {
                        (found.value.is_upper_bound() ? at_most : at_least).add(x, value);
                    }
                }
            }
            if (!refused[point].empty()) {
                // At the lower end, as no run has shown anything there.
                places[verdict::not_possible].add(x, ends.first, NAN, NAN);
            }
        }
        panel.texts.push_back(
            {"bound: " + short_number(bound / unit.scale) + (unit.name.empty() ? "" : " " + unit.name), bound});
        if (all.x.empty()) {
            panel.texts.push_back({"no run had a value"});
        }
        panel.series = {answers, bounds, reference};
        if (m_x.is_numeric()) {
            panel.series.push_back(all);
        }
        panel.series.insert(panel.series.end(), {at_least, at_most});
        add_places(panel, std::move(places));
        return panel;
    }

    static void add_places(chart& panel, verdict_places places) {
        for (std::size_t v = 0; v < std::size(shown_verdicts); ++v) {
            if (const auto found = places.find(shown_verdicts[v]); found != places.end()) {
                found->second.name = name_of(shown_verdicts[v]);
                panel.add(std::move(found->second), v);
            }
        }
        panel.series.erase(std::remove_if(panel.series.begin(), panel.series.end(),
                                          [](const chart_series& each) { return each.x.empty(); }),
                           panel.series.end());
    }

    /// Two options: every place that was looked at, by its verdict, and the front.
    chart map() const {
        const swept_axis first(plan.runs, plan.runs.axes[0].keys.front());
        chart panel = panel_with("", chart_axis_of(first));
        panel.y.tics = first.axis();
        std::vector<std::pair<double, double>> front;
        for (const size_line& line : answer.lines) {
            if (line.place && (line.best || plan.asks_for_each())) {
                front.emplace_back(position(*line.place, m_x), position(*line.place, first));
            }
        }
        std::sort(front.begin(), front.end());
        const bool is_pareto = !plan.asks_for_each();
        chart_series steps = series_with(answer_line);
        chart_series rings = series_with(answer_ring, is_pareto ? "" : "answer");
        for (const auto& [x, y] : front) {
            // Between two places of the front the one that asks for less along the line holds, up to the other
            // one: a straight line between them would promise what lies below it.
            if (!rings.x.empty()) {
                const bool smallest = plan.wishes.back() == axis_wish::smallest;
                steps.add(smallest ? x : rings.x.back(), smallest ? rings.y.back() : y);
            }
            steps.add(x, y);
            rings.add(x, y);
        }
        if (is_pareto) {
            panel.series = {steps};
        }
        panel.series.push_back(rings);
        verdict_places places;
        for (std::size_t point = 0; point < plan.runs.points(); ++point) {
            if (is_shown(point)) {
                places[verdict_at(point)].add(position(point, m_x), position(point, first));
            }
        }
        add_places(panel, std::move(places));
        if (is_pareto && !front.empty()) {
            panel.series.push_back(series_with(front_entry, "Pareto front"));
        }
        return panel;
    }

    /// Panels of a curve are headed by their goals.
    std::string details(std::size_t headed) const {
        std::string text = plan.runs.configuration + (plan.runs.configuration.empty() ? "" : "; ");
        for (std::size_t g = headed; g < plan.goals.size(); ++g) {
            text += (headed == 0 ? "goal: " : "not drawn: ") + goal_title(plan.goals[g]) + "; ";
        }
        text += headed > 1 ? "points: verdicts about the panel's goal; " : "";
        for (const reference_answer& each : answer.references) {
            text += "reference " + plan.settings_text(each.point) + ": " +
                    measured_text(plan.goals[each.goal].metric, each.value.value) + "; ";
        }
        text += answer.unfinished == 0
                    ? ""
                    : how_many(answer.with_unfinished, "run") + " with unfinished transfers; ";
        return text + std::to_string(answer.runs) + " runs, " + number_text(100 * plan.limits.confidence) +
               " % confidence for all verdicts";
    }

    std::string title() const {
        std::string text;
        for (std::size_t a = 0; a < plan.wishes.size(); ++a) {
            text += (a == 0 ? "" : ", ") + std::string(name_of(plan.wishes[a])) + " " +
                    joined(plan.runs.axes[a].keys, ",");
        }
        text += ": ";
        if (plan.wishes.size() == 1 && plan.wishes[0] != axis_wish::each && answer.lines[0].place) {
            text += plan.value(*answer.lines[0].place, 0) + ", ";
        }
        text += state_text(plan, answer);
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
        return text;
    }

    const swept_axis m_x;
};

}  // namespace

std::optional<picture> size_picture(const finished_search& all) {
    if (all.answer.looked_at == 0) {
        return std::nullopt;
    }
    return size_drawing(all).draw();
}

}  // namespace weir::tb
