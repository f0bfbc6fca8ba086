#include "tb/study/size/size_answer.h"

#include <algorithm>
#include <map>
#include <utility>

#include "tb/support/text/joined.h"
#include "tb/view/chart/gnuplot.h"
#include "weir/base/how_many.h"

namespace weir::tb {

namespace {

/// Smaller is better: the place of a point's value on an axis, as its wish has it.
std::size_t rank_of(const size_plan& plan, std::size_t point, std::size_t axis) {
    const std::size_t place = plan.runs.places(point)[axis];
    return plan.wishes[axis] == axis_wish::largest ? plan.runs.axes[axis].values.size() - place : place;
}

/// The first axis is about the traffic.
bool is_traffic(const size_plan& plan) {
    const std::vector<std::string>& keys = plan.runs.axes[0].keys;
    return std::all_of(keys.begin(), keys.end(),
                       [](const std::string& key) { return key.rfind("traffic.", 0) == 0; });
}

void mark_best(const size_plan& plan, std::vector<size_line>& lines) {
    const bool front = plan.wishes.size() == 2 && !plan.asks_for_each();
    if (plan.asks_for_each() && is_traffic(plan)) {
        return;
    }
    const std::size_t along = plan.wishes.size() - 1;
    for (size_line& line : lines) {
        line.best =
            line.place.has_value() && std::none_of(lines.begin(), lines.end(), [&](const size_line& other) {
                if (!other.place || plan.wishes.back() == axis_wish::each) {
                    return false;
                }
                const std::size_t here = rank_of(plan, *line.place, along);
                const std::size_t there = rank_of(plan, *other.place, along);
                if (!front) {
                    return there < here;
                }
                const std::size_t here_first = rank_of(plan, *line.place, 0);
                const std::size_t there_first = rank_of(plan, *other.place, 0);
                return there <= here && there_first <= here_first && (there < here || there_first < here_first);
            });
    }
}

/// `12.3 ms (10.1 ms to 15 ms)`, with one end if no more is proven.
std::string estimate_text(const std::string& metric, const goal_estimate& value) {
    const std::string text = measured_text(metric, value.value);
    return value.low && value.high ? text + " (" + measured_text(metric, *value.low) + " to " +
                                         measured_text(metric, *value.high) + ")"
           : value.low  ? text + " (at least " + measured_text(metric, *value.low) + ")"
           : value.high ? text + " (at most " + measured_text(metric, *value.high) + ")"
                        : text;
}

/// Adds the reference points, and their runs.
void add_references(const size_plan& plan, const size_search& search, size_answer& all) {
    const auto runs_at = [&](std::size_t point) {
        return point < plan.runs.points() ? search.judge(point).runs() : 0;
    };
    // For each reference point and goal, the compared point with most runs.
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> longest;
    for (std::size_t tried = 0; tried < plan.runs.points(); ++tried) {
        for (std::size_t g = 0; g < plan.goals.size(); ++g) {
            if (const auto point = plan.reference(g, tried); point && runs_at(tried) > 0) {
                std::size_t& most = longest.emplace(std::pair(*point, g), tried).first->second;
                most = runs_at(tried) > runs_at(most) ? tried : most;
            }
        }
    }
    std::map<std::size_t, std::size_t> runs_of;
    for (const auto& [key, tried] : longest) {
        const auto [point, g] = key;
        const place_judge& judge = search.judge(tried);
        std::vector<std::optional<value_range>> values;
        for (std::size_t i = 0; i < judge.runs(); ++i) {
            values.push_back(judge.outcome(i).references[g]);
        }
        const goal_estimate value = estimate_of(values, plan.goals[g].wants_small(), judge.test(g));
        all.references.push_back({point, g, judge.runs(), value});
        runs_of[point] = std::max(runs_of[point], judge.runs());
    }
    for (const auto& [point, runs] : runs_of) {
        all.runs += runs - std::min(runs, runs_at(point));
        all.reference_points += point < plan.runs.points() ? 0 : 1;
    }
}

/// `lossless proven in 90% of runs: 66 runs, none missed it; proven: below 10 % of all runs miss it`
std::string proof_of(const size_plan& plan, const place_judge& judge, std::size_t g) {
    const share_interval share = judge.miss_share(g);
    const std::size_t misses = judge.misses(g);
    std::string text = plan.goals[g].text + ": " + how_many(judge.runs(), "run") + ", ";
    const std::size_t deadlocks = judge.ended(run_end::deadlock);
    text += misses == 0 ? "none missed it" : std::to_string(misses) + " missed it";
    text += judge.undecided(g) == 0 ? "" : ", " + std::to_string(judge.undecided(g)) + " undecided";
    text += deadlocks == 0 ? "" : " (" + how_many(deadlocks, "deadlock") + ")";
    if (share.high < 1) {
        text += "; proven: below " + number_text(percent_upwards(share.high)) + " % of all runs miss it";
    }
    return text;
}

class wording {
 public:
    wording(const size_plan& plan, const size_search& search, const size_answer& answer)
        : m_plan(plan), m_search(search), m_answer(answer) {}

    std::vector<std::string> all() {
        for (const size_line& line : m_answer.lines) {
            say(line);
        }
        if (m_plan.wishes.size() == 2) {
            m_plan.asks_for_each() && is_traffic(m_plan) ? say_need() : say_best();
        }
        if (m_plan.asks_for_each()) {
            m_lines.push_back(state_text(m_plan, m_answer));
        }
        for (const reference_answer& each : m_answer.references) {
            const std::string& metric = m_plan.goals[each.goal].metric;
            m_lines.push_back("reference " + m_plan.settings_text(each.point) + ": " + metric + " " +
                              estimate_text(metric, each.value) + ", " + how_many(each.runs, "run"));
        }
        say_limits();
        return std::move(m_lines);
    }

 private:
    std::string value(std::size_t point) const { return m_plan.value(point, m_plan.wishes.size() - 1); }
    std::size_t runs(std::size_t point) const { return m_search.judge(point).runs(); }
    bool is_each() const { return m_plan.wishes.back() == axis_wish::each; }

    void say(const size_line& line) {
        std::string head = line.of.empty() ? "" : line.of + ": ";
        if (!is_each()) {
            head += std::string(name_of(m_plan.wishes.back())) + " " + m_plan.searched_keys() + ": ";
        }
        if (line.state == verdict::not_possible) {
            m_lines.push_back(head + "not possible");
        } else if (!line.place) {
            m_lines.push_back(head + name_of(line.state));
        } else {
            m_lines.push_back(head + (is_each() ? "" : value(*line.place) + ", ") + "met (" +
                              how_many(runs(*line.place), "run") + ")");
        }
        if (!is_each() && line.state != verdict::not_possible) {
            line.place ? say_place(line) : say_without_place(line);
        }
        if (!is_each() && line.early_met) {
            m_lines.push_back("  the curve is not monotone: " + value(*line.early_met) + " meets the goals, " +
                              value(*line.late_miss) + " does not");
        }
    }

    void say_without_place(const size_line& line) {
        // If the curve is monotone, the goals are easiest to meet here.
        const bool is_largest = m_plan.wishes.back() == axis_wish::smallest;
        const std::string far = is_largest ? "the largest possible value" : "the smallest possible value";
        if (line.early_met) {
            m_lines.push_back("  " + value(*line.early_met) + " meets the goals, but " + far +
                              " does not: search another range of values");
        } else if (line.state == verdict::not_met) {
            m_lines.push_back("  " + far +
                              " does not meet the goals, and no tested value is proven to meet them");
        } else {
            m_lines.push_back("  " + far + " is not decided after " + how_many(m_plan.limits.runs, "run") +
                              ": a larger --max-runs may decide it" +
                              (m_answer.undecided > 0 ? ", or a longer run.duration" : ""));
        }
    }

    void say_place(const size_line& line) {
        if (m_plan.wishes.size() == 1) {
            const place_judge& judge = m_search.judge(*line.place);
            for (std::size_t g = 0; g < m_plan.goals.size(); ++g) {
                m_lines.push_back("  " + proof_of(m_plan, judge, g));
            }
        }
        if (line.sharp) {
            m_lines.push_back(line.refuted ? "  the next value, " + value(*line.refuted) +
                                                 ", does not meet the goals (" +
                                                 how_many(runs(*line.refuted), "run") + ")"
                                           : "  no further value is possible");
        } else {
            m_lines.push_back(line.refuted
                                  ? "  a better value may lie between it and " + value(*line.refuted) +
                                        ", which does not meet the goals: the values between are not decided"
                                  : "  a better value may lie beyond it: the values there are not decided");
        }
    }

    void say_best() {
        std::string text;
        for (const size_line& line : m_answer.lines) {
            if (line.best) {
                text += (text.empty() ? "" : "; ") + line.of +
                        (is_each() ? "" : " with " + m_plan.searched_keys() + "=" + value(*line.place));
            }
        }
        const bool front = !m_plan.asks_for_each();
        m_lines.push_back((front ? "Pareto front: " : "best: ") + (text.empty() ? "none" : text));
    }

    /// Traffic is not chosen: what counts is the value with which all of it meets the goals.
    void say_need() {
        if (m_answer.state != verdict::met) {
            return;
        }
        const std::size_t along = m_plan.wishes.size() - 1;
        const auto [least, most] = std::minmax_element(
            m_answer.lines.begin(), m_answer.lines.end(), [&](const size_line& a, const size_line& b) {
                return rank_of(m_plan, *a.place, along) < rank_of(m_plan, *b.place, along);
            });
        const bool differ = value(*least->place) != value(*most->place);
        m_lines.push_back("for all of them: " + m_plan.searched_keys() + "=" + value(*most->place) +
                          (differ ? " (needed by " + most->of + ")" : ""));
    }

    void say_limits() {
        std::size_t places = 0;
        for (const size_line& line : m_answer.lines) {
            places += line.places;
        }
        const std::string share = number_text(rounded(100 * m_plan.limits.confidence, 6)) + " %";
        m_lines.push_back(how_many(m_answer.runs, "run") + " at " + std::to_string(m_answer.looked_at) +
                          " of " + how_many(places, "possible point") +
                          (m_answer.reference_points == 0
                               ? ""
                               : " and " + how_many(m_answer.reference_points, "reference point")) +
                          "; " + share + " confidence that no verdict is wrong");
        if (m_answer.unfinished > 0) {
            m_lines.push_back(how_many(m_answer.with_unfinished, "run") + " ended with " +
                              tally_text(m_answer.unfinished) +
                              (m_answer.unfinished == 1 ? " unfinished transfer" : " unfinished transfers") +
                              ", summed over all points");
        }
        if (!is_each() && m_answer.looked_at < places) {
            m_lines.push_back("assumed: untested values behave like their tested neighbours");
        }
    }

    const size_plan& m_plan;
    const size_search& m_search;
    const size_answer& m_answer;
    std::vector<std::string> m_lines;
};

}  // namespace

size_answer answer_of(const size_plan& plan, const size_search& search) {
    size_answer all;
    std::size_t refuted = 0;
    for (std::size_t l = 0; l < search.lines().size(); ++l) {
        const std::vector<std::size_t>& points = search.lines()[l];
        size_line line;
        static_cast<line_answer&>(line) = search.answer(l);
        line.places = points.size();
        if (plan.wishes.size() == 2 || plan.asks_for_each()) {
            const std::size_t along = plan.wishes.size() == 2 ? plan.runs.axes.back().values.size() : 1;
            line.of = joined(plan.runs.axes[0].keys, ",") + "=" + plan.value(l * along, 0);
        }
        for (const std::size_t point : points) {
            const place_judge& judge = search.judge(point);
            all.runs += judge.runs();
            all.unfinished += judge.unfinished();
            all.with_unfinished += judge.unfinished(1);
            for (std::size_t g = 0; g < plan.goals.size(); ++g) {
                all.undecided += judge.undecided(g);
            }
            line.looked_at += judge.runs() > 0 ? 1 : 0;
        }
        all.looked_at += line.looked_at;
        all.met += line.state == verdict::met ? 1 : 0;
        refuted += line.state == verdict::not_met || line.state == verdict::not_possible ? 1 : 0;
        all.lines.push_back(line);
    }
    const std::size_t lines = all.lines.size();
    const bool each = plan.asks_for_each();
    if (all.met >= (each ? lines : 1)) {
        all.state = verdict::met;
    } else if (refuted >= (each ? 1 : lines)) {
        all.state = verdict::not_met;
    }
    mark_best(plan, all.lines);
    add_references(plan, search, all);
    return all;
}

std::string state_text(const size_plan& plan, const size_answer& answer) {
    return plan.asks_for_each()
               ? std::to_string(answer.met) + " of " + std::to_string(answer.lines.size()) + " met"
               : name_of(answer.state);
}

std::string role_of(const size_plan& plan, const size_answer& answer, std::size_t point) {
    for (const size_line& line : answer.lines) {
        if (line.place == point) {
            return plan.wishes.back() == axis_wish::each ? "met"
                   : line.best && plan.wishes.size() == 2 && !plan.asks_for_each()
                       ? "front"
                       : name_of(plan.wishes.back());
        }
    }
    return {};
}

std::vector<std::string> answer_lines(const size_plan& plan, const size_search& search,
                                      const size_answer& answer) {
    return wording(plan, search, answer).all();
}

}  // namespace weir::tb
