#include "tb/study/statements/statement_cells.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "tb/study/statements/statement_scope.h"
#include "tb/study/sweep/metrics.h"
#include "tb/study/sweep/swept_axis.h"
#include "tb/support/text/joined.h"

namespace weir::tb {

namespace {

using axis_places = std::vector<std::vector<std::size_t>>;

/// Returns one cell for each metric. `cells` has all metrics of the first place, then those of the next.
std::vector<statement_cell> reached_cells(const paper_statement& s, const choice& at, const sweep_plan& plan,
                                          const std::vector<statement_cell>& cells, std::size_t metrics) {
    const auto along =
        std::find_if(at.begin(), at.end(), [](const axis_choice& c) { return c.values.size() != 1; });
    const swept_axis axis(plan, along->key);
    const std::vector<std::size_t> chosen = chosen_places(plan, at)->at(axis.index());
    std::vector<statement_cell> all;
    for (std::size_t m = 0; m < metrics; ++m) {
        statement_cell cell = cells[m];
        cell.name.clear();
        for (std::size_t k = 0; k < cell.operands.size(); ++k) {
            for (std::size_t seed = 0; seed < cell.operands[k].size(); ++seed) {
                std::vector<double> x;
                std::vector<std::optional<double>> values;
                for (std::size_t i = 0; i < axis.size(); ++i) {
                    const auto place = std::find(chosen.begin(), chosen.end(), axis.in_order()[i]);
                    if (place != chosen.end()) {
                        const auto row = static_cast<std::size_t>(place - chosen.begin());
                        x.push_back(axis.position(i));
                        values.push_back(cells[row * metrics + m].operands[k][seed]);
                    }
                }
                const std::optional<bounded_reach> reach = reach_of(x, values, *s.bound);
                cell.operands[k][seed] = reach ? std::optional(reach->x) : std::nullopt;
                if (reach && reach->beyond != censoring::none) {
                    cell.beyond = reach->beyond;
                }
            }
        }
        all.push_back(std::move(cell));
    }
    return all;
}

}  // namespace

std::vector<statement_place> places_of(const statement_scope& scope, const sweep_plan& plan, bool all_of_at) {
    for (const axis_choice& one : scope.at) {
        const swept_axis axis(plan, one.key);
        const bool lacks_one = std::any_of(one.values.begin(), one.values.end(),
                                           [&](const std::string& value) { return !axis.place_of(value); });
        if (all_of_at && (lacks_one || (one.values.size() != 1 && axis.size() < 2))) {
            return {};
        }
    }
    const std::optional<axis_places> at = chosen_places(plan, scope.at);
    std::vector<axis_places> operands;
    for (const choice& operand : scope.operands) {
        choice whole = scope.at;
        whole.insert(whole.end(), operand.begin(), operand.end());
        const std::optional<axis_places> own = chosen_places(plan, whole);
        if (!at || !own) {
            return {};
        }
        operands.push_back(*own);
    }
    const auto moves = [&](std::size_t axis) { return operands.front()[axis].size() > 1; };
    const auto axis_of = [&](const std::string& key) { return swept_axis(plan, key).index(); };
    std::set<std::size_t> averaged;
    for (const std::string& key : scope.averaged) {
        averaged.insert(axis_of(key));
    }
    const auto first = std::find_if(scope.at.begin(), scope.at.end(), [&](const axis_choice& one) {
        return moves(axis_of(one.key)) && averaged.count(axis_of(one.key)) == 0;
    });
    // Axes along which all operands move together: first those that tell places apart.
    std::vector<std::size_t> moving;
    std::size_t count = 1;
    std::size_t points = 1;
    for (const bool is_averaged : {false, true}) {
        for (std::size_t a = 0; a < plan.axes.size(); ++a) {
            if (moves(a) && (averaged.count(a) != 0) == is_averaged) {
                moving.push_back(a);
                (is_averaged ? points : count) *= operands.front()[a].size();
            }
        }
    }
    std::vector<statement_place> all;
    for (std::size_t i = 0; i < count * points; ++i) {
        std::vector<std::size_t> step(plan.axes.size(), 0);
        std::size_t rest = i;
        for (auto a = moving.rbegin(); a != moving.rend(); ++a) {
            step[*a] = rest % operands.front()[*a].size();
            rest /= operands.front()[*a].size();
        }
        if (i % points == 0) {
            statement_place place;
            std::vector<std::string> names;
            std::vector<std::string> others;
            for (const std::size_t a : moving) {
                if (averaged.count(a) == 0) {
                    names.push_back(place_name(plan.axes[a], operands.front()[a][step[a]]));
                    if (first == scope.at.end() || a != axis_of(first->key)) {
                        others.push_back(names.back());
                    }
                }
            }
            place.name = joined(names, ", ");
            place.others = joined(others, ", ");
            place.along = first == scope.at.end() ? 0 : step[axis_of(first->key)];
            place.points.resize(operands.size());
            all.push_back(std::move(place));
        }
        for (std::size_t k = 0; k < operands.size(); ++k) {
            std::vector<std::size_t> where;
            for (std::size_t a = 0; a < operands[k].size(); ++a) {
                where.push_back(operands[k][a][operands[k][a].size() > 1 ? step[a] : 0]);
            }
            all.back().points[k].push_back(plan.point(where));
        }
    }
    return all;
}

seed_values sound_values(const sweep_results& results, std::size_t point, std::size_t metric) {
    seed_values values;
    for (std::size_t seed = 0; seed < results.plan().seeds.size(); ++seed) {
        values.push_back(results.sound_value(point, seed, metric));
    }
    return values;
}

std::optional<bounded_reach> reach_of(const std::vector<double>& x,
                                      const std::vector<std::optional<double>>& values, double bound) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (!values[i]) {
            return std::nullopt;
        }
        if (*values[i] > bound) {
            if (i == 0) {
                return bounded_reach{x[0], censoring::below};
            }
            const double share = (bound - *values[i - 1]) / (*values[i] - *values[i - 1]);
            return bounded_reach{x[i - 1] + share * (x[i] - x[i - 1]), censoring::none};
        }
    }
    return bounded_reach{x.back(), censoring::above};
}

namespace {

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// True for numbers over transfers or jobs, of which a run counts those that did not complete.
bool is_of_completions(const std::string& metric) {
    const std::string times = measured_by(metric);
    return ends_with(times, "ct_ns") || ends_with(times, "ct_slowdown");
}

/// True if the metric is only a lower bound where this share did not complete.
bool hides(const std::string& metric, double unfinished) {
    const auto needed = static_cast<double>(values_needed(metric));
    return (needed > 0 && unfinished * needed >= 1) || (ends_with(metric, ".p50") && unfinished >= 0.5) ||
           (ends_with(metric, ".max") && unfinished > 0);
}

}  // namespace

std::vector<std::string> metrics_of(const paper_statement& s) {
    std::vector<std::string> all;
    for (const std::string& metric : s.metrics) {
        for (const std::string& part : split_at(metric, '/')) {
            all.push_back(part);
            if (is_of_completions(part)) {
                all.push_back(measured_by(part) + ".count");
                all.push_back(measured_by(part) + ".unfinished");
            }
        }
    }
    return all;
}

/// Places of the metrics that each part of a statement's metric stands for. Patterns of both parts of `A/B`
/// stand for the same names, in the same order.
static std::vector<std::vector<std::size_t>> found_parts(const std::string& metric,
                                                         const sweep_results& results) {
    std::vector<std::vector<std::size_t>> found;
    for (const std::string& part : split_at(metric, '/')) {
        found.push_back(results.metrics_like({part}));
    }
    return found;
}

std::vector<std::string> missing_metrics(const paper_statement& s, const sweep_results& results) {
    std::vector<std::string> missing;
    for (const std::string& metric : s.metrics) {
        const std::vector<std::vector<std::size_t>> parts = found_parts(metric, results);
        if (parts.front().empty() || parts.front().size() != parts.back().size()) {
            missing.push_back(metric);
        }
    }
    return missing;
}

namespace {

/// A metric of the runs, or the quotient of two.
struct cell_metric {
    std::string name;
    std::vector<std::size_t> parts;
};

std::vector<cell_metric> cell_metrics(const paper_statement& s, const sweep_results& results) {
    std::vector<cell_metric> all;
    for (const std::string& metric : s.metrics) {
        const std::vector<std::vector<std::size_t>> found = found_parts(metric, results);
        for (std::size_t i = 0; i < found.front().size() && i < found.back().size(); ++i) {
            cell_metric& one = all.emplace_back(cell_metric{results.metrics()[found.front()[i]], {}});
            for (const std::vector<std::size_t>& each : found) {
                one.parts.push_back(each[i]);
            }
        }
    }
    return all;
}

/// The values of a metric at points, of which each is one that a mean is over.
class cell_values {
 public:
    cell_values(const sweep_results& results, const cell_metric& metric)
        : m_results(results), m_metric(metric) {}

    /// The mean over points, by seed; nothing where a point has no value.
    seed_values mean(const std::vector<std::size_t>& points) const {
        std::vector<seed_values> all;
        for (const std::size_t point : points) {
            std::vector<seed_values> parts;
            for (const std::size_t part : m_metric.parts) {
                parts.push_back(sound_values(m_results, point, part));
            }
            all.push_back(by_seed(parts, [](const std::vector<double>& v) {
                return v.size() == 1 ? std::optional(v[0])
                       : v[1] != 0   ? std::optional(v[0] / v[1])
                                     : std::nullopt;
            }));
        }
        return by_seed(all, mean_of_shares);
    }

    /// Largest share of transfers or jobs that did not complete, of the points' runs.
    double unfinished(const std::vector<std::size_t>& points) const {
        double largest = 0;
        for (const std::size_t point : points) {
            const std::vector<double> left = counts(".unfinished", point);
            const std::vector<double> done = counts(".count", point);
            for (std::size_t run = 0; run < std::min(left.size(), done.size()); ++run) {
                largest = left[run] > 0 ? std::max(largest, left[run] / (left[run] + done[run])) : largest;
            }
        }
        return largest;
    }

    /// Values beyond the percentile, over all seeds, of the point that has fewest.
    double tail(const std::vector<std::size_t>& points) const {
        const auto needed = static_cast<double>(values_needed(m_metric.name));
        double fewest = HUGE_VAL;
        for (const std::size_t point : points) {
            const std::vector<double> done = counts(".count", point);
            if (needed > 0 && !done.empty()) {
                fewest = std::min(fewest, std::accumulate(done.begin(), done.end(), 0.0) / needed);
            }
        }
        return fewest;
    }

 private:
    /// Transfers or jobs that the metric is over, by seed; empty if runs do not count them.
    std::vector<double> counts(const char* which, std::size_t point) const {
        const std::vector<std::size_t> found = m_results.metrics_like({measured_by(m_metric.name) + which});
        std::vector<double> all;
        for (const auto& value :
             found.empty() ? seed_values{} : sound_values(m_results, point, found.front())) {
            all.push_back(value.value_or(0));
        }
        return all;
    }

    const sweep_results& m_results;
    const cell_metric& m_metric;
};

}  // namespace

std::vector<statement_cell> cells_of(const paper_statement& s, const statement_scope& scope,
                                     const std::vector<statement_place>& places, const sweep_results& results) {
    const std::vector<cell_metric> metrics = cell_metrics(s, results);
    std::vector<statement_cell> all;
    for (const statement_place& place : places) {
        for (const cell_metric& metric : metrics) {
            statement_cell cell;
            cell.name = place.name;
            cell.others = place.others;
            cell.along = place.along;
            if (metrics.size() > 1) {
                cell.name += (cell.name.empty() ? "" : ", ") + metric.name;
                cell.others += (cell.others.empty() ? "" : ", ") + metric.name;
            }
            const cell_values values(results, metric);
            for (const std::vector<std::size_t>& points : place.points) {
                cell.operands.push_back(values.mean(points));
                cell.tail = std::min(cell.tail, values.tail(points));
                cell.unfinished = std::max(cell.unfinished, values.unfinished(points));
            }
            cell.is_lower_bound = hides(metric.name, cell.unfinished);
            all.push_back(std::move(cell));
        }
    }
    return s.bound ? reached_cells(s, scope.at, results.plan(), all, metrics.size()) : all;
}

}  // namespace weir::tb
