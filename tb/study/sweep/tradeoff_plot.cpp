#include "tb/study/sweep/tradeoff_plot.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>

#include "tb/run/arguments/argument_list.h"
#include "tb/run/results/metric_catalogue.h"
#include "tb/study/sweep/mean_curves.h"
#include "tb/study/sweep/metric_title.h"
#include "tb/study/sweep/metrics.h"
#include "tb/study/sweep/swept_axis.h"
#include "tb/view/chart/figure.h"
#include "weir/base/how_many.h"

namespace weir::tb {

namespace {

/// Most points that have labels if there is no front; else only those of the front have one.
constexpr std::size_t most_labels = 24;

/// The title within a sentence: "Frames lost" becomes "frames lost"; "XOFF frames" stays.
std::string in_sentence(std::string title) {
    if (title.size() > 1 && std::islower(static_cast<unsigned char>(title[1])) != 0) {
        title[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(title[0])));
    }
    return title;
}

struct placed_point {
    std::size_t point;
    mean_interval x;
    mean_interval y;
    /// Transfers that did not complete make a coordinate a lower bound, or are missing in its mean.
    bool is_uncertain = false;
    bool is_of_front = false;
};

class tradeoff_drawing {
 public:
    tradeoff_drawing(const sweep_results& results, std::size_t metric, const sweep_plot_request& request)
        : m_results(results), m_plan(results.plan()), m_request(request), m_metric(metric) {
        const std::vector<std::string>& names = results.metrics();
        m_x = static_cast<std::size_t>(std::find(names.begin(), names.end(), x_name()) - names.begin());
        if (m_x == names.size()) {
            m_option.emplace(m_plan, x_name());
        }
        std::vector<std::string> shown = request.over;
        if (shown.size() == 1 && !m_plan.axes.empty()) {
            shown.push_back(default_sweep_plot(m_plan).over.back());
        }
        if (shown.back() != x_name() && swept_axis(m_plan, shown.back()).size() <= most_curves) {
            m_marks.emplace(m_plan, shown.back());
        }
        for (const std::size_t point : chosen_points(m_plan, request.where)) {
            place(point, m_plan.places(point));
        }
        find_front();
    }

    std::optional<tradeoff_picture> draw() const {
        if (m_points.empty()) {
            return std::nullopt;
        }
        chart made;
        made.kind = chart_kind::places;
        made.x = m_option ? chart_axis_of(*m_option) : axis_of(x_name(), &placed_point::x);
        made.y = axis_of(y_name(), &placed_point::y);
        if (m_request.scale != sweep_plot_request::scales::automatic) {
            made.y.logarithmic = m_request.scale == sweep_plot_request::scales::logarithmic;
        }
        add_series(made);
        for (const placed_point& p : m_points) {
            const auto is_there = [&](const placed_point& other) {
                return other.x.mean == p.x.mean && other.y.mean == p.y.mean;
            };
            const auto same = std::count_if(m_points.begin(), m_points.end(), is_there);
            const bool is_first = &*std::find_if(m_points.begin(), m_points.end(), is_there) == &p;
            const std::string label = label_of(p.point);
            if (is_first && !label.empty() &&
                (m_front.empty() ? m_points.size() <= most_labels : p.is_of_front)) {
                const std::string more = same > 1 ? " and " + std::to_string(same - 1) + " more" : "";
                made.texts.push_back({label + more, p.y.mean, p.x.mean});
            }
        }
        const std::string title =
            title_of(y_name()) + " against " + (m_option ? x_name() : in_sentence(title_of(x_name())));
        tradeoff_picture all{tb::draw({{sweep_picture_name(y_name(), m_request),
                                        m_request.title.empty() ? title : m_request.title, details()},
                                       {made},
                                       1,
                                       660}),
                             front_lines()};
        for (const std::string& line : all.front) {
            all.drawn.data += "# " + one_line(line) + "\n";
        }
        return all;
    }

 private:
    const std::string& x_name() const { return m_request.over[0]; }
    const std::string& y_name() const { return m_results.metrics()[m_metric]; }
    std::string title_of(const std::string& metric) const { return metric_title(metric, m_plan.metrics); }

    void place(std::size_t point, const std::vector<std::size_t>& at) {
        m_results.add_runs(point, m_runs);
        mean_interval x{1};
        if (m_option) {
            x.mean = m_option->position_of(at[m_option->index()]);
        } else {
            x = m_results.sound_mean(point, m_x, m_request.confidence);
        }
        const mean_interval y = m_results.sound_mean(point, m_metric, m_request.confidence);
        if (x.n > 0 && y.n > 0) {
            m_points.push_back({point, x, y,
                                x.is_lower_bound || y.is_lower_bound ||
                                    m_results.leaves_out_unfinished(point, m_metric) ||
                                    (!m_option && m_results.leaves_out_unfinished(point, m_x))});
        } else {
            ++m_without;
        }
    }

    void find_front() {
        const metric_direction x = m_option ? metric_direction::lower : direction_of(x_name());
        const metric_direction y = direction_of(y_name());
        m_better = {x == metric_direction::higher, y == metric_direction::higher};
        if (x == metric_direction::neither || y == metric_direction::neither) {
            m_without_direction = x == metric_direction::neither ? x_name() : y_name();
            return;
        }
        std::vector<placed_point*> exact;
        std::vector<std::pair<double, double>> means;
        for (placed_point& p : m_points) {
            if (!p.is_uncertain) {
                exact.push_back(&p);
                means.emplace_back(p.x.mean, p.y.mean);
            }
        }
        for (const std::size_t i : pareto_front(means, m_better)) {
            exact[i]->is_of_front = true;
            m_front.push_back(exact[i]);
        }
    }

    chart_axis axis_of(const std::string& name, mean_interval placed_point::*place) const {
        chart_axis axis{metric_title(name), metric_axis_kind(name)};
        chart_series all;
        for (const placed_point& each : m_points) {
            all.add(0, (each.*place).mean);
        }
        axis.logarithmic = are_far_apart({all});
        return axis;
    }

    void add_series(chart& to) const {
        // Nothing is better than a point of the front from its x towards worse ones, up to the next point.
        const chart_line steps = m_better.higher_x ? chart_line::steps_up_first : chart_line::steps;
        chart_series front = series_with({steps, chart_mark::none, "#777777", 2, 0, "12,6"}, "Pareto front");
        for (const placed_point* const p : m_front) {
            front.add(p->x.mean, p->y.mean);
        }
        std::vector<chart_series> marks(m_marks ? m_marks->size() : 1);
        chart_series bounds = series_with({chart_line::none, chart_mark::cross, "#000000", 2, 2.4},
                                          "transfers did not complete: not in the front");
        const auto high = [](const mean_interval& mean) { return mean.has_width() ? mean.high() : NAN; };
        for (const placed_point& p : m_points) {
            chart_series& mark = marks[m_marks ? m_plan.places(p.point)[m_marks->index()] : 0];
            mark.add(p.x.mean, p.y.mean, drawn_low(p.y), high(p.y));
            mark.x_low.push_back(drawn_low(p.x));
            mark.x_high.push_back(high(p.x));
            if (p.is_uncertain) {
                bounds.add(p.x.mean, p.y.mean);
            }
        }
        if (front.x.size() > 1) {
            to.series.push_back(std::move(front));
        }
        for (std::size_t mark = 0; mark < marks.size(); ++mark) {
            marks[mark].name = m_marks ? m_marks->setting(mark) : "points of the sweep";
            to.add(std::move(marks[mark]), mark);
        }
        to.series.push_back(std::move(bounds));
        to.series.erase(std::remove_if(to.series.begin(), to.series.end(),
                                       [](const chart_series& s) { return s.x.empty(); }),
                        to.series.end());
    }

    /// Settings that neither the horizontal axis nor the mark shows: `ingress_buffer=128KiB`.
    std::string label_of(std::size_t point) const {
        std::string label;
        for (const auto& [key, value] : m_plan.settings(point)) {
            const swept_axis axis(m_plan, key);
            const bool is_shown = (m_option && m_option->index() == axis.index()) ||
                                  (m_marks && m_marks->index() == axis.index());
            if (axis.size() > 1 && !is_shown) {
                label += (label.empty() ? "" : ", ") + axis.short_key() + "=" + value;
            }
        }
        return label;
    }

    std::string details() const {
        std::string text = caption_of(m_plan, m_request.confidence);
        for (const axis_choice& fixed : m_request.where) {
            text += "; " + fixed.key + " = " + fixed.values.front();
        }
        text += m_without == 0 ? "" : "; left out: " + how_many(m_without, "point") + " without both values";
        const auto uncertain = std::count_if(m_points.begin(), m_points.end(),
                                             [](const placed_point& p) { return p.is_uncertain; });
        text += uncertain == 0 ? ""
                               : "; transfers did not complete at " + std::to_string(uncertain) + " of " +
                                     how_many(m_points.size(), "point") + ", which are not in the front";
        text += m_front.empty() ? "; " + front_lines().front() : "";
        const std::string failed = m_runs.text();
        return text + (failed.empty() ? "" : "; " + failed);
    }

    std::vector<std::string> front_lines() const {
        if (m_front.empty()) {
            return {"no Pareto front: " +
                    (m_without_direction.empty()
                         ? std::string("at every point some transfers did not complete")
                         : "neither lower nor higher " + m_without_direction + " is better")};
        }
        std::vector<std::string> lines{
            std::string("Pareto front (") + (m_better.higher_y ? "higher " : "lower ") + y_name() +
            (m_better.higher_x ? ", higher " : ", lower ") + x_name() + "): " + std::to_string(m_front.size()) +
            " of " + how_many(m_points.size(), "point")};
        for (const placed_point* const p : m_front) {
            lines.push_back("  " + m_plan.describe(p->point) + ": " + metric_text(y_name(), p->y.mean) +
                            (m_option ? "" : ", " + metric_text(x_name(), p->x.mean)));
        }
        return lines;
    }

    const sweep_results& m_results;
    const sweep_plan& m_plan;
    const sweep_plot_request& m_request;
    std::size_t m_metric;
    /// The metric of the horizontal axis; with an option, none.
    std::size_t m_x = 0;
    std::optional<swept_axis> m_option;
    std::optional<swept_axis> m_marks;
    /// Points with both values, and the number of others.
    std::vector<placed_point> m_points;
    std::size_t m_without = 0;
    better_values m_better;
    /// First metric whose direction is not known; empty if both are known.
    std::string m_without_direction;
    /// In the order of x.
    std::vector<const placed_point*> m_front;
    failed_runs m_runs;
};

}  // namespace

std::vector<std::size_t> pareto_front(const std::vector<std::pair<double, double>>& points,
                                      const better_values& better) {
    const auto cost = [&](std::size_t i) {
        return std::pair(better.higher_x ? -points[i].first : points[i].first,
                         better.higher_y ? -points[i].second : points[i].second);
    };
    std::vector<std::size_t> order(points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return cost(a) < cost(b); });
    std::vector<std::size_t> front;
    for (const std::size_t i : order) {
        if (front.empty() || cost(i).second < cost(front.back()).second || points[i] == points[front.back()]) {
            front.push_back(i);
        }
    }
    if (better.higher_x) {
        std::reverse(front.begin(), front.end());
    }
    return front;
}

config_errors check_tradeoff(const sweep_plan& plan, const sweep_plot_request& request, bool is_over_metric) {
    sweep_plot_request options = request;
    options.over.erase(options.over.begin(), options.over.begin() + (is_over_metric ? 1 : 0));
    config_errors errors = check_sweep_plot(plan, options);
    if (errors.empty() && !is_over_metric) {
        const swept_axis axis(plan, request.over[0]);
        if (!axis.is_numeric() ||
            (axis.axis_quantity() != axis_kind::bytes && axis.axis_quantity() != axis_kind::decimal_bytes)) {
            add_error(errors, "--over",
                      "'" + axis.key() +
                          "' is no size, of which less is better; expected a metric, or an option in bytes");
        }
    }
    if (errors.empty() && request.over.size() > 1 && swept_axis(plan, request.over[1]).size() > most_curves) {
        add_error(errors, "--over",
                  "'" + request.over[1] + "' makes more marks than " + std::to_string(most_curves) +
                      "; expected another option");
    }
    return errors;
}

std::optional<tradeoff_picture> draw_tradeoff(const sweep_results& results, std::size_t metric,
                                              const sweep_plot_request& request) {
    return tradeoff_drawing(results, metric, request).draw();
}

}  // namespace weir::tb
