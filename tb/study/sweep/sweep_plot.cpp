#include "tb/study/sweep/sweep_plot.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "tb/run/options/run_config.h"
#include "tb/study/campaign/campaign_directory.h"
#include "tb/study/sweep/mean_curves.h"
#include "tb/study/sweep/metric_title.h"
#include "tb/study/sweep/swept_axis.h"
#include "tb/support/text/joined.h"
#include "tb/view/chart/figure.h"

namespace weir::tb {

namespace {

std::size_t curve_count(const sweep_plan& plan, const sweep_plot_request& request) {
    return request.curves.empty() ? swept_axis(plan, request.over[1]).size() : request.curves.size();
}

class sweep_drawing {
 public:
    sweep_drawing(const sweep_results& results, const sweep_plot_request& request)
        : m_results(results), m_plan(results.plan()), m_request(request), m_x(m_plan, request.over[0]) {}

    /// Where some point has a value of the metric.
    void add_panel(std::size_t metric) {
        using scales = sweep_plot_request::scales;
        chart made = chart_over(m_x);
        made.series = curves_of(metric);
        if (made.series.empty()) {
            return;
        }
        const std::string& name = m_results.metrics()[metric];
        made.y = m_request.reference ? chart_axis{metric_title(name) + ", relative"}
                                     : chart_axis{metric_title(name), metric_axis_kind(name)};
        made.y.logarithmic = m_request.scale == scales::logarithmic ||
                             (m_request.scale == scales::automatic && are_far_apart(made.series));
        m_panels.push_back(std::move(made));
        m_metrics.push_back(metric);
    }

    std::optional<picture> draw() const {
        if (m_panels.empty()) {
            return std::nullopt;
        }
        const std::string& first = m_results.metrics()[m_metrics.front()];
        return tb::draw(
            {{m_request.name.empty() ? sweep_picture_name(first, m_request) : m_request.name,
              m_request.title.empty() ? metric_title(first, m_plan.metrics) : m_request.title, details()},
             m_panels,
             1,
             m_panels.size() == 1 ? 660.0 : 420.0});
    }

 private:
    std::vector<chart_series> curves_of(std::size_t metric) {
        std::vector<std::size_t> at;
        const auto chosen = chosen_places(m_plan, m_request.where);
        for (const std::vector<std::size_t>& places : *chosen) {
            at.push_back(places.empty() ? 0 : places.front());
        }
        m_fixed = at;
        std::optional<swept_axis> family;
        std::vector<std::string> labels{""};
        std::vector<std::size_t> places = m_request.curves;
        if (m_request.over.size() > 1) {
            family.emplace(m_plan, m_request.over[1]);
            places.resize(curve_count(m_plan, m_request));
            if (m_request.curves.empty()) {
                std::iota(places.begin(), places.end(), 0);
            }
            labels.clear();
            for (const std::size_t place : places) {
                labels.push_back(family->setting(place));
            }
        }
        return curves_over(m_x, labels, [&](std::size_t place, std::size_t curve) {
            at[m_x.index()] = place;
            if (family) {
                at[family->index()] = places[curve];
            }
            count_runs(m_plan.point(at), metric);
            return drawn_mean(m_results, m_request, at, metric);
        });
    }

    void count_runs(std::size_t point, std::size_t metric) {
        few_values& counted = m_few[metric];
        counted.runs += m_results.count(point, run_record::states::done);
        for (std::size_t s = 0; s < m_plan.seeds.size(); ++s) {
            counted.few += m_results.is_of_few_values(point, s, metric) ? 1 : 0;
        }
        // Every panel has the same runs.
        if (m_panels.empty()) {
            m_results.add_runs(point, m_runs);
        }
    }

    std::string details() const {
        std::string text = caption_of(m_plan, m_request.confidence);
        if (m_request.reference) {
            const swept_axis family(m_plan, m_request.over.back());
            text += "; divided by " + family.setting(*m_request.reference) + ", seed by seed";
        }
        for (std::size_t a = 0; a < m_plan.axes.size(); ++a) {
            const sweep_axis& axis = m_plan.axes[a];
            const bool drawn = std::any_of(m_request.over.begin(), m_request.over.end(),
                                           [&](const std::string& key) { return axis.has(key); });
            for (std::size_t k = 0; k < axis.keys.size() && !drawn; ++k) {
                text += "; " + axis.keys[k] + " = " + axis.values[m_fixed[a]][k];
            }
        }
        for (const std::size_t metric : m_metrics) {
            const few_values& counted = m_few.at(metric);
            if (counted.few > 0) {
                text += "; " + few_values_text(m_results.metrics()[metric], counted.few, counted.runs) +
                        ", and left out";
            }
        }
        const std::string failed = m_runs.text();
        return text + (failed.empty() ? "" : "; " + failed);
    }

    struct few_values {
        std::size_t few = 0;
        std::size_t runs = 0;
    };

    const sweep_results& m_results;
    const sweep_plan& m_plan;
    const sweep_plot_request& m_request;
    swept_axis m_x;
    std::vector<std::size_t> m_fixed;
    std::vector<chart> m_panels;
    /// Metric that each of them shows.
    std::vector<std::size_t> m_metrics;
    /// By metric, of what is drawn.
    std::map<std::size_t, few_values> m_few;
    failed_runs m_runs;
};

}  // namespace

std::string sweep_picture_name(const std::string& metric, const sweep_plot_request& request) {
    std::string name = metric + "_over_" + joined(request.over, "_");
    for (char& c : name) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '.' || c == '_' || c == '-';
        c = plain ? c : '-';
    }
    return name;
}

sweep_plot_request default_sweep_plot(const sweep_plan& plan) {
    sweep_plot_request request;
    std::vector<std::string> first_keys;
    for (const sweep_axis& axis : plan.axes) {
        first_keys.push_back(axis.keys.front());
    }
    const auto numeric = std::find_if(first_keys.begin(), first_keys.end(), [&](const std::string& key) {
        return swept_axis(plan, key).is_numeric();
    });
    const std::string x = numeric != first_keys.end() ? *numeric : first_keys.front();
    request.over.push_back(x);
    for (const std::string& key : first_keys) {
        if (key != x && request.over.size() == 1) {
            request.over.push_back(key);
        }
    }
    return request;
}

config_errors check_sweep_plot(const sweep_plan& plan, const sweep_plot_request& request, bool all_fixed) {
    config_errors errors;
    const auto fail = [&](const char* key, const std::string& message) {
        errors.push_back({"", 0, key, message});
    };
    std::set<std::size_t> drawn;
    const std::string varied = joined(plan.keys(), ", ");
    const auto known = [&](const char* option, const std::string& key) {
        if (plan.varies(key)) {
            return true;
        }
        fail(option, "the sweep does not vary '" + key + "'; expected " +
                         (varied.empty() ? "nothing" : varied) +
                         (option == std::string("--over") ? ", or a metric such as fct_ns.p99" : ""));
        return false;
    };
    for (const std::string& key : request.over) {
        if (known("--over", key) && !drawn.insert(swept_axis(plan, key).index()).second) {
            fail("--over",
                 "'" + key +
                     "' varies together with the other option; expected options of two different --vary");
        }
    }
    if (!errors.empty()) {
        return errors;
    }
    if (!request.over.empty()) {
        const swept_axis x(plan, request.over[0]);
        std::set<std::string> places;
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (!places.insert(x.raw_text(i)).second) {
                fail("--over", "'" + request.over[0] + "' has the value " + x.raw_text(i) +
                                   " more than once; expected another option of the same --vary");
            }
        }
    }
    if (request.over.size() > 1 && curve_count(plan, request) > most_curves) {
        fail("--over", "'" + request.over[1] + "' makes " + std::to_string(curve_count(plan, request)) +
                           " curves; expected at most " + std::to_string(most_curves));
    }
    std::set<std::size_t> fixed;
    for (const auto& [key, values, place] : request.where) {
        if (!known("--where", key)) {
            continue;
        }
        const swept_axis axis(plan, key);
        fixed.insert(axis.index());
        if (drawn.count(axis.index()) != 0) {
            fail("--where", "'" + key + "' is already in --over; expected another option");
        } else if (!axis.place_of(values.front())) {
            fail("--where",
                 "'" + key + "' never has the value '" + values.front() + "'; expected " + axis.all_texts());
        }
    }
    if (errors.empty() && !chosen_places(plan, request.where)) {
        fail("--where",
             "no point has all these values; expected values that options of one --vary have together");
    }
    for (std::size_t a = 0; all_fixed && a < plan.axes.size(); ++a) {
        if (drawn.count(a) == 0 && fixed.count(a) == 0 && plan.axes[a].values.size() > 1) {
            const std::string& key = plan.axes[a].keys.front();
            fail("--where", "'" + key + "' is also varied; expected --where " + key + "=VALUE, one of " +
                                swept_axis(plan, key).all_texts());
        }
    }
    return errors;
}

mean_interval drawn_mean(const sweep_results& results, const sweep_plot_request& request,
                         const std::vector<std::size_t>& at, std::size_t metric) {
    const sweep_plan& plan = results.plan();
    if (!request.reference) {
        return results.sound_mean(plan.point(at), metric, request.confidence);
    }
    std::vector<std::size_t> there = at;
    there[swept_axis(plan, request.over.back()).index()] = *request.reference;
    return results.sound_ratio(plan.point(at), plan.point(there), metric, request.confidence);
}

std::optional<picture> sweep_picture(const sweep_results& results, const std::vector<std::size_t>& metrics,
                                     const sweep_plot_request& request) {
    sweep_drawing drawing(results, request);
    for (const std::size_t metric : metrics) {
        drawing.add_panel(metric);
    }
    return drawing.draw();
}

}  // namespace weir::tb
