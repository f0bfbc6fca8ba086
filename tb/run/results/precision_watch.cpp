#include "tb/run/results/precision_watch.h"

#include <algorithm>
#include <cmath>

#include "tb/run/samples/json_values.h"
#include "tb/support/text/text_format.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

constexpr picoseconds first_step{1us};
/// Looks at as many steps each, then steps are twice as long.
constexpr std::int64_t first_look_of_step = 4;
constexpr std::int64_t last_look_of_step = 7;

const char* const assumptions[] = {
    "a steady state from run.warmup on",
    "figures of batches (in the order of completion) nearly normal, correlated as a first-order autoregression",
    "transfers and jobs under way at the end, which tend to be long, few enough to be left out"};

/// `fct.p99`, `fct.query.p99_9`: dots end names of metrics.
std::string key_of_figure(const precision_goal& goal) {
    std::string figure = figure_name(goal);
    std::replace(figure.begin(), figure.end(), '.', '_');
    return name_of(goal.measure) + (goal.tag.empty() ? "" : "." + goal.tag) + "." + figure;
}

/// As a share of the figure.
double narrow_enough(const precision_goal& goal) {
    return goal.within / (1 + goal.within);
}

ordered_json number_of(const precision_goal& goal, double value) {
    return goal.measure == goal_measure::slowdown ? ordered_json(with_decimals(value / slowdowns_in_one))
                                                  : json_ns(picoseconds{std::llround(value)});
}

}  // namespace

precision_watch::precision_watch(const std::vector<precision_goal>& goals, picoseconds warmup,
                                 const std::vector<std::string>& tags)
    : m_warmup(warmup), m_step(first_step) {
    for (const precision_goal& goal : goals) {
        std::optional<std::uint8_t> tag;
        if (!goal.tag.empty()) {
            tag = static_cast<std::uint8_t>(std::find(tags.begin(), tags.end(), goal.tag) - tags.begin());
        }
        m_watched.push_back(
            {goal, tag, goal.percentile == 0 ? batch_means() : batch_means(goal.percentile), 0});
    }
    if (has_goals()) {
        m_next_look = m_warmup + first_look_of_step * m_step;
    }
}

void precision_watch::add_flow(std::uint8_t tag, const measured_time& t) {
    for (watched& each : m_watched) {
        if (each.goal.measure == goal_measure::jct || (each.tag && *each.tag != tag)) {
            continue;
        }
        if (each.goal.measure == goal_measure::fct) {
            each.series.add(t.time.count());
        } else if (t.has_slowdown()) {
            each.series.add(static_cast<std::int64_t>(t.slowdown()));
        }
    }
}

void precision_watch::add_job(std::uint8_t tag, picoseconds jct) {
    for (watched& each : m_watched) {
        if (each.goal.measure == goal_measure::jct && (!each.tag || *each.tag == tag)) {
            each.series.add(jct.count());
        }
    }
}

bool precision_watch::is_reached(watched& each) {
    const batch_estimate found = each.series.estimate(each.goal.confidence);
    return found.has_width() && found.is_independent() &&
           found.half_width <= narrow_enough(each.goal) * found.value;
}

bool precision_watch::is_reached() {
    return std::all_of(m_watched.begin(), m_watched.end(), [](watched& each) { return is_reached(each); });
}

// A look at nothing new is none, so it does not matter whether there was one.
bool precision_watch::look(picoseconds now) {
    while (m_next_look <= now) {
        const bool is_last_of_step = m_next_look == m_warmup + last_look_of_step * m_step;
        m_next_look += m_step;
        m_step *= is_last_of_step ? 2 : 1;
    }
    const bool has_news = std::all_of(m_watched.begin(), m_watched.end(), [](const watched& each) {
        return each.series.values() > each.values_before;
    });
    if (!has_news) {
        return false;
    }
    ++m_looks;
    for (watched& each : m_watched) {
        each.values_before = each.series.values();
    }
    const bool reached = is_reached();
    m_ended_run = reached && m_reached_before;
    m_reached_before = reached;
    return m_ended_run;
}

ordered_json precision_watch::summary() {
    ordered_json j;
    j["reached"] = is_reached();
    j["ended_run"] = m_ended_run;
    j["looks"] = m_looks;
    for (watched& each : m_watched) {
        const batch_estimate found = each.series.estimate(each.goal.confidence);
        const char* const unit = each.goal.measure == goal_measure::slowdown ? "" : "_ns";
        ordered_json& figure = j["figures"][key_of_figure(each.goal)];
        figure["goal"] = goal_text(each.goal);
        figure["reached"] = is_reached(each);
        figure["values"] = found.values;
        figure[std::string("estimate") + unit] = if_there(found.values > 0, number_of(each.goal, found.value));
        figure[std::string("half_width") + unit] =
            if_there(found.has_width(), number_of(each.goal, found.half_width));
        const std::optional<double> share = found.relative_half_width();
        figure["half_width_percent"] = if_there(share.has_value(), with_decimals(100 * share.value_or(0)));
        figure["confidence_percent"] = with_decimals(100 * each.goal.confidence);
        figure["batches"] = found.batches;
        figure["batch_values"] = found.batch_values;
        figure["lag1_correlation"] = if_there(found.has_width(), with_decimals(found.correlation));
        figure["lag1_limit"] = if_there(found.has_width(), with_decimals(found.correlation_limit));
    }
    j["assumed"] = assumptions;
    return j;
}

std::vector<std::string> precision_watch::shortcomings() {
    std::vector<std::string> all;
    for (watched& each : m_watched) {
        const batch_estimate found = each.series.estimate(each.goal.confidence);
        if (is_reached(each)) {
            continue;
        }
        const std::string values = std::to_string(found.values) + " values";
        std::string why;
        if (!found.has_width()) {
            why = values + " are too few; expected at least " +
                  std::to_string(batch_means::least_batches * found.batch_values);
        } else if (!found.is_independent()) {
            why = "batches of " + std::to_string(found.batch_values) + " values are still correlated (" +
                  decimal_text(found.correlation, 2) + ", expected at most " +
                  decimal_text(found.correlation_limit, 2) + ")";
        } else {
            why = "half width " + decimal_text(100 * found.relative_half_width().value_or(0), 2) + " % after " +
                  values + ", expected at most " + decimal_text(100 * narrow_enough(each.goal), 2) + " %";
        }
        all.push_back("run.until: '" + goal_text(each.goal) + "' was not reached: " + why);
    }
    return all;
}

}  // namespace weir::tb
