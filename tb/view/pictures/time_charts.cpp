#include "tb/view/pictures/time_charts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "tb/support/text/text_format.h"
#include "tb/view/chart/plot_axis.h"

namespace weir::tb {

namespace {

constexpr const char* of_ports = "the ports with the largest mean";
constexpr const char* of_classes = "Ports and classes";
constexpr const char* of_senders = "numbers of hosts: from > to; those with the largest sums";
constexpr const char* of_means = "the four largest, averaged over stretches of time";

}  // namespace

const std::vector<time_view> occupancy_views{
    {&run_data::ingress, "occupancy_ingress", "occupancy", "Buffer occupancy", "ingress", of_ports, "Occupancy",
     axis_kind::bytes, sampling::levels, "", 4, true},
    {&run_data::egress, "occupancy_egress", "occupancy", "Buffer occupancy", "egress", of_ports, "Occupancy",
     axis_kind::bytes, sampling::levels, "", 4, true}};
const std::vector<time_view> window_views{{&run_data::windows, "windows", "senders", "Congestion windows", "",
                                           of_senders, "Window", axis_kind::bytes, sampling::levels, "",
                                           most_styles, true}};
const std::vector<time_view> rate_views{{&run_data::rates, "rates", "senders", "Rates of senders", "",
                                         of_senders, "Rate", axis_kind::rate, sampling::levels, "", most_styles,
                                         true}};
const std::vector<time_view> port_memory_views{
    {&run_data::port_ingress, "port_memory_ingress", "occupancy", of_classes, "counted at ingress",
     "the four nearest to their thresholds", "Memory", axis_kind::bytes, sampling::levels, "threshold"},
    {&run_data::port_egress, "port_memory_egress", "occupancy", of_classes, "egress",
     "the four nearest to what they may hold", "Memory", axis_kind::bytes, sampling::levels, "limit"}};
const std::vector<time_view> port_throughput_views{
    {&run_data::port_received, "port_received", "occupancy", of_classes, "received", of_means, "Rate",
     axis_kind::rate, sampling::means},
    {&run_data::port_sent, "port_sent", "occupancy", of_classes, "sent", of_means, "Rate", axis_kind::rate,
     sampling::means}};
const std::vector<time_view> port_pause_views{
    {&run_data::port_announced, "port_announced", "pauses", of_classes, "XOFFs and XONs sent",
     "the four with most XOFFs, summed up", "Sent so far", axis_kind::count, sampling::counts, "XON"},
    {&run_data::port_paused, "port_paused", "pauses", of_classes, "paused", of_means, "Paused",
     axis_kind::percent, sampling::means}};
const std::vector<time_view> pool_views{
    {&run_data::pools, "pool_memory", "occupancy", "Pools of shared memories", "",
     "the four nearest to their sizes; threshold: what one group of the pool may hold", "Memory",
     axis_kind::bytes, sampling::levels, "threshold"}};

namespace {

/// A limit that is more times the largest value than this would flatten what is below it.
constexpr double farthest_limit = 4;

std::string size_text(double bytes) {
    const axis_unit unit = byte_unit(bytes);
    return short_number(bytes / unit.scale) + " " + unit.name;
}

/// ` per 40 us` if the values are sums over stretches of time.
std::string interval_of_sums(const time_view& view, const std::vector<time_series>& shown) {
    if (view.curves != sampling::sums || shown.empty()) {
        return "";
    }
    const double length = shown.front().time_ns[1] - shown.front().time_ns[0];
    const axis_unit unit = value_unit(axis_kind::time, length, length, false);
    return " per " + short_number(length / unit.scale) + " " + unit.name;
}

/// Where counts change, and the last time.
chart_series steps_of(const std::string& name, const std::vector<double>& time_ns,
                      const std::vector<double>& counts, std::size_t most) {
    chart_series steps{name};
    for (const std::size_t at : envelope(counts, most)) {
        if (steps.y.empty() || counts[at] != steps.y.back()) {
            steps.add(time_ns[at], counts[at]);
        }
    }
    steps.x.push_back(time_ns.back());
    return steps;
}

/// The end of an axis that shows all values, and the nearest limit unless it flattens them.
double top_of(const std::vector<time_series>& shown, sampling curves) {
    double top = 0;
    double limit = HUGE_VAL;
    for (const time_series& s : shown) {
        top = std::max(top, s.largest());
        for (const double each : s.limits) {
            limit = each > 0 ? std::min(limit, each) : limit;
            top = curves == sampling::counts ? std::max(top, each) : top;
        }
    }
    return limit <= farthest_limit * top ? std::max(top, 1.05 * limit) : top;
}

/// Adds the curves of one run, and dashed in the same colours what limits them.
void add_curves(chart& to, const time_view& view, const std::vector<time_series>& shown,
                const std::vector<std::size_t>& looks, std::size_t most) {
    const auto curve_of = [&](const std::string& name, const std::vector<double>& time,
                              const std::vector<double>& values) {
        return view.curves == sampling::counts   ? steps_of(name, time, values, most)
               : view.curves == sampling::levels ? line_of(name, time, values, most)
                                                 : chart_series{name, 0, false, time, values};
    };
    const double top = top_of(shown, view.curves);
    double largest = 0;
    for (const time_series& s : shown) {
        largest = std::max(largest, s.largest());
    }
    std::map<double, const time_series*> capacities;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const time_series& s = shown[i];
        const bool has_capacity = !std::isnan(s.capacity);
        const std::string more = has_capacity ? " of " + size_text(s.capacity)
                                 : view.curves == sampling::sums
                                     ? ": " + count_text(static_cast<std::uint64_t>(s.sum()))
                                     : "";
        to.add(curve_of(s.name + more, s.time_ns, s.values), looks[i]);
        if (has_capacity && s.capacity <= farthest_limit * largest) {
            capacities.emplace(s.capacity, &s);
        }
        chart_series limit;
        for (std::size_t at = 0; at < s.limits.size(); ++at) {
            if (s.limits[at] <= top) {
                limit.add(s.time_ns[at], s.limits[at]);
            }
        }
        if (!limit.y.empty()) {
            to.add(curve_of(s.name + ", " + view.limit, limit.x, limit.y), looks[i] + most_styles);
            to.series.back().is_beside = true;
        }
    }
    std::size_t look = shown.size() + most_styles;
    for (const auto& [capacity, of] : capacities) {
        chart_series line{"capacity " + size_text(capacity)};
        line.add(of->time_ns.front(), capacity);
        line.add(of->time_ns.back(), capacity);
        to.add(std::move(line), look++);
        to.series.back().is_beside = true;
    }
}

/// Null where the run has none of that tier.
const time_series* find_tier(const run_data& run, const std::string& tier) {
    const auto found = std::find_if(run.pauses.begin(), run.pauses.end(),
                                    [&](const time_series& s) { return s.name == tier; });
    return found == run.pauses.end() ? nullptr : &*found;
}

/// `hosts`, `tier 1`
std::string tier_title(const std::string& tier) {
    const std::string number = tier.rfind("tier", 0) == 0 ? tier.substr(4) : tier;
    return tier == "0" || tier == "host" ? "hosts" : "tier " + number;
}

chart_series cumulative(std::vector<weighted_share> shares) {
    std::sort(shares.begin(), shares.end(),
              [](const weighted_share& a, const weighted_share& b) { return a.percent < b.percent; });
    double all = 0;
    for (const weighted_share& each : shares) {
        all += each.weight;
    }
    chart_series curve;
    curve.add(shares.front().percent, 0);
    double sum = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        sum += shares[i].weight;
        if (i + 1 == shares.size() || shares[i + 1].percent > shares[i].percent) {
            curve.add(shares[i].percent, sum / all);
        }
    }
    curve.x.push_back(curve.x.back());  // the last step has no width
    return curve;
}

}  // namespace

std::vector<std::size_t> envelope(const std::vector<double>& values, std::size_t most) {
    const std::size_t n = values.size();
    std::vector<std::size_t> places;
    if (n <= most) {
        places.resize(n);
        std::iota(places.begin(), places.end(), std::size_t{0});
        return places;
    }
    const std::size_t stretches = most / 2 - 1;
    places.push_back(0);
    for (std::size_t i = 0; i < stretches; ++i) {
        const auto from = values.begin() + static_cast<std::ptrdiff_t>(n * i / stretches);
        const auto to = values.begin() + static_cast<std::ptrdiff_t>(n * (i + 1) / stretches);
        const auto ends = std::minmax_element(from, to);
        const auto low = static_cast<std::size_t>(ends.first - values.begin());
        const auto high = static_cast<std::size_t>(ends.second - values.begin());
        places.push_back(std::min(low, high));
        places.push_back(std::max(low, high));
    }
    places.push_back(n - 1);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

chart_series line_of(const std::string& name, const std::vector<double>& time_ns,
                     const std::vector<double>& values, std::size_t most) {
    double step = HUGE_VAL;
    for (std::size_t i = 1; i < time_ns.size(); ++i) {
        step = std::min(step, time_ns[i] - time_ns[i - 1]);
    }
    chart_series line{name};
    std::size_t before = 0;
    for (const std::size_t at : envelope(values, most)) {
        const auto missing = static_cast<double>(at - before) * step * 1.5;
        if (at > 0 && time_ns[at] - time_ns[before] > missing) {
            line.add(NAN, NAN);
        }
        line.add(time_ns[at], values[at]);
        before = at;
    }
    return line;
}

chart_series stretches_of(const time_series& series, bool are_sums, std::size_t most) {
    const std::vector<double>& t = series.time_ns;
    const double start = std::max(0.0, t.size() > 1 ? 2 * t[0] - t[1] : 0.0);
    const std::size_t from = t[0] > start ? 0 : 1;
    const std::size_t samples = t.size() - from;
    // Sums are compared, so their stretches are equally long but for the last.
    const std::size_t most_samples = (samples + most - 1) / most;
    const std::size_t stretches =
        are_sums && samples > 0 ? (samples + most_samples - 1) / most_samples : std::min(samples, most);
    chart_series steps{series.name};
    steps.x.push_back(start);
    double last = start;
    std::size_t at = are_sums ? 0 : from;
    for (std::size_t i = 1; i <= stretches; ++i) {
        double all = 0;
        const std::size_t end = are_sums ? std::min(samples, most_samples * i) : samples * i / stretches;
        for (; at < from + end; ++at) {
            all += series.values[at] * (are_sums ? 1 : t[at] - last);
            last = t[at];
        }
        steps.y.push_back(are_sums ? all : all / (last - steps.x.back()));
        steps.x.push_back(last);
    }
    return steps;
}

chart over_time(std::string id, const char* section, std::string title, std::string note, chart_axis y) {
    chart made{std::move(id), section, std::move(title), std::move(note)};
    made.x = {"Time", axis_kind::time};
    made.y = std::move(y);
    made.is_over_time = true;
    return made;
}

std::vector<time_series> shown_series(const time_view& view, const run_data& run) {
    std::vector<time_series> all;
    for (const time_series& s : view.series(run)) {
        if (s.largest() > 0) {
            all.push_back(s);
            if (view.curves == sampling::means || view.curves == sampling::sums) {
                const bool are_sums = view.curves == sampling::sums;
                chart_series steps = stretches_of(s, are_sums);
                // A point at the end of each stretch.
                all.back().time_ns.assign(std::next(steps.x.begin(), are_sums ? 0 : 1), steps.x.end());
                all.back().values = std::move(steps.y);
                all.back().limits.clear();
            }
        }
    }
    std::vector<const time_series*> order = largest_of(all, view.most, [&](const time_series& s) {
        return std::pair(s.share, view.is_by_sum ? s.sum() : s.largest());
    });
    std::sort(order.begin(), order.end());
    std::vector<time_series> shown;
    std::transform(order.begin(), order.end(), std::back_inserter(shown),
                   [](const time_series* s) { return *s; });
    return shown;
}

std::vector<std::vector<chart>> charts_over_time(const std::vector<time_view>& views,
                                                 const std::vector<run_data>& runs, std::size_t most) {
    std::vector<std::vector<std::vector<time_series>>> shown(runs.size());
    std::map<std::string, std::size_t> looks;
    bool any_limits = false;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        for (const time_view& view : views) {
            for (const time_series& s : shown[i].emplace_back(shown_series(view, runs[i]))) {
                looks.emplace(s.key, looks.size());
            }
            any_limits = any_limits || *view.limit != '\0';
        }
    }
    const bool are_enough = looks.size() <= (any_limits ? most_styles : most_curves);
    std::vector<std::vector<chart>> charts(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const bool has_any = std::any_of(views.begin(), views.end(),
                                         [&](const time_view& view) { return !view.series(runs[i]).empty(); });
        for (std::size_t v = 0; has_any && v < views.size(); ++v) {
            const time_view& view = views[v];
            const std::string part = (*view.part == '\0' ? "" : ", ") + std::string(view.part);
            chart& made = charts[i].emplace_back(
                over_time(view.id + ("_" + std::to_string(i)), view.section,
                          view.title + part + (runs.size() > 1 ? ": " + runs[i].label : ""), view.note,
                          {view.what + interval_of_sums(view, shown[i][v]), view.kind}));
            made.heading = {runs[i].label, part};
            made.kind = view.curves == sampling::counts || view.curves == sampling::sums ? chart_kind::steps
                                                                                         : chart_kind::lines;
            std::vector<std::size_t> of_series;
            for (const time_series& s : shown[i][v]) {
                of_series.push_back(are_enough ? looks.at(s.key) : of_series.size());
            }
            add_curves(made, view, shown[i][v], of_series, most);
        }
    }
    return charts;
}

std::vector<chart> pause_charts(const std::vector<run_data>& runs) {
    // Numbers of tiers have as many digits.
    std::set<std::pair<std::size_t, std::string>> tiers;
    bool are_counted = true;
    for (const run_data& run : runs) {
        for (const time_series& s : run.pauses) {
            tiers.emplace(s.name.size(), s.name);
            // Without flow control a tier has no transmitters, and nothing to divide.
            are_counted = are_counted && (s.capacity > 0 || s.largest() == 0);
        }
    }
    std::vector<chart> charts;
    for (const auto& [digits, tier] : tiers) {
        const std::string title = tier_title(tier);
        const std::string note =
            with_runs_without("a transmitter is one class of one port", runs,
                              [&tier = tier](const run_data& run) { return find_tier(run, tier) != nullptr; });
        chart& made = charts.emplace_back(
            over_time("pauses_" + tier, "pauses", "Transmitters paused by flow control: " + title, note,
                      {(are_counted ? "Paused, " : "Paused transmitters, ") + title,
                       are_counted ? axis_kind::percent : axis_kind::count}));
        made.heading = {title, ""};
        made.kind = chart_kind::steps;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            if (const time_series* const found = find_tier(runs[i], tier)) {
                const double unit = are_counted && found->capacity > 0 ? 100 / found->capacity : 1;
                chart_series steps = stretches_of(*found, false);
                for (double& paused : steps.y) {
                    paused *= unit;
                }
                steps.name = runs[i].label + ": mean " +
                             short_number(stretches_of(*found, false, 1).largest() * unit) +
                             (are_counted ? " %" : "");
                made.add(std::move(steps), i, true);
            }
        }
    }
    return charts;
}

chart share_chart(const char* id, const char* title, const char* what, const char* weights,
                  const std::vector<run_data>& runs, std::vector<weighted_share> run_data::*shares) {
    const auto has_shares = [&](const run_data& run) { return !(run.*shares).empty(); };
    chart made;
    made.id = id;
    made.section = "hot_spots";
    made.title = title;
    made.note = with_runs_without("", runs, has_shares);
    made.kind = chart_kind::steps;
    made.x = {what, axis_kind::percent};
    made.y = {weights, axis_kind::share};
    made.heading = {what, ""};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (has_shares(runs[i])) {
            made.add(cumulative(runs[i].*shares), i, true);
            made.series.back().name = runs[i].label;
        }
    }
    return made;
}

}  // namespace weir::tb
