#include "tb/study/reproduce/paper_results.h"

#include <algorithm>
#include <boost/algorithm/cxx11/any_of.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "tb/study/points/seed_list.h"
#include "tb/study/reproduce/paper_pictures.h"
#include "tb/study/statements/judge_statement.h"
#include "tb/support/text/joined.h"

namespace weir::tb {

using boost::algorithm::any_of_equal;

namespace {

/// The one loss of a lossless class that does not end a run.
constexpr const char* lossless_drops = "drops.lossless_egress_full";

/// Returns why a run cannot be used: it has failed, or lost a frame that it must not lose. Empty if it can.
std::string fault_of(const sweep_results& results, std::size_t point, std::size_t seed) {
    const run_record& record = results.record(point, seed);
    if (record.state == run_record::states::failed) {
        return record.error.substr(0, record.error.find('\n'));
    }
    const std::vector<std::size_t> drops = results.metrics_like({lossless_drops});
    const nlohmann::ordered_json lost =
        drops.empty() ? nlohmann::ordered_json() : results.value(point, seed, drops.front());
    return lost.is_number() && lost != 0 ? "lost " + lost.dump() + " frames of lossless classes" : "";
}

class evaluation {
 public:
    evaluation(const paper& p, const paper_plan& plan, const campaign_layout& layout)
        : m_paper(p), m_plan(plan), m_layout(layout) {}

    paper_evaluation of(const std::vector<std::string>& figures) {
        paper_evaluation all{{&m_paper, m_plan.is_quick(), m_plan.seeds(), {}, {}}, {}};
        const bool recorded = m_plan.seeds() == recorded_seeds(m_paper, m_plan.is_quick());
        const std::vector<std::string> shown = with_runs(figures);
        const auto wanted = [&](const std::string& figure) { return any_of_equal(shown, figure); };
        const std::set<std::string> compared = m_paper.rows_for(shown);
        for (const paper_statement& s : m_paper.statements) {
            if (!wanted(s.figure) && compared.count(s.id) == 0) {
                continue;
            }
            judgement ours = judge(s);
            m_rows.emplace(s.id, ours);
            if (wanted(s.figure)) {
                all.results.statements.push_back(
                    compare_with_record(s, std::move(ours), m_plan.is_quick(), recorded));
            }
        }
        for (const paper_figure& f : m_paper.figures) {
            if (wanted(f.figure)) {
                draw(f, all);
            }
        }
        return all;
    }

 private:
    /// The figures that were asked for, and those all of whose runs an earlier call has made.
    std::vector<std::string> with_runs(const std::vector<std::string>& figures) const {
        std::vector<std::string> all;
        for (const std::string& figure : m_paper.figure_names()) {
            const bool asked = figures.empty() || any_of_equal(figures, figure);
            const std::vector<std::size_t> points = m_plan.points_of({figure});
            const auto is_made = [&](std::size_t point) {
                return std::all_of(m_plan.seeds().begin(), m_plan.seeds().end(), [&](std::uint64_t seed) {
                    const run_record::states state = m_layout.record(point, seed).state;
                    return state == run_record::states::done || state == run_record::states::failed;
                });
            };
            if (asked || std::all_of(points.begin(), points.end(), is_made)) {
                all.push_back(figure);
            }
        }
        return all;
    }

    const sweep_results& results_of(std::size_t experiment) {
        const auto known = m_results.find(experiment);
        return known != m_results.end() ? known->second
                                        : m_results.emplace(experiment, read(experiment)).first->second;
    }

    /// Only what tables ask for: a run has hundreds of numbers.
    sweep_results read(std::size_t experiment) const {
        std::vector<std::string> metrics{lossless_drops};
        const auto add = [&](const std::vector<std::string>& more) {
            metrics.insert(metrics.end(), more.begin(), more.end());
        };
        for (const paper_statement& s : m_paper.statements) {
            for (const statement_scope& scope : s.scopes) {
                if (scope.experiment == experiment) {
                    add(metrics_of(s));
                }
            }
        }
        for (const paper_figure& f : m_paper.figures) {
            if (f.experiment == experiment) {
                add(f.metrics);
            }
        }
        const paper_plan::experiment& e = m_plan.experiments()[experiment];
        return sweep_results(e.plan, m_layout.part(e.points), metric_filter(metrics));
    }

    judgement judge(const paper_statement& s) {
        if (s.kind == statement_kind::closed) {
            return judge_closed(s);
        }
        if (!s.rows.empty()) {
            return judge_rows(s);
        }
        std::vector<const sweep_results*> results;
        for (const statement_scope& scope : s.scopes) {
            const paper_plan::experiment& e = m_plan.experiments()[scope.experiment];
            results.push_back(&results_of(scope.experiment));
            const std::vector<statement_place> places = places_of(scope, e.plan, s.take == place_take::change);
            if (places.empty()) {
                return judgement::without("these runs have no points of it");
            }
            for (const statement_place& place : places) {
                for (const std::vector<std::size_t>& operand : place.points) {
                    if (std::string fault = fault_at(e, *results.back(), operand); !fault.empty()) {
                        return judgement::without(std::move(fault), paper_verdict::failed);
                    }
                }
            }
        }
        return judge_places(s, results, m_paper.facts.confidence);
    }

    /// The first fault of the runs at these points; empty if they have none.
    std::string fault_at(const paper_plan::experiment& e, const sweep_results& results,
                         const std::vector<std::size_t>& points) const {
        for (const std::size_t point : points) {
            for (std::size_t seed = 0; seed < m_plan.seeds().size(); ++seed) {
                if (const std::string fault = fault_of(results, point, seed); !fault.empty()) {
                    return m_plan.describe(e.points[point]) + ", seed " + std::to_string(m_plan.seeds()[seed]) +
                           ": " + fault;
                }
            }
        }
        return {};
    }

    judgement judge_closed(const paper_statement& s) const {
        if (!s.closed) {
            return judgement::without("no metric of a run has it");
        }
        judgement j = judge_series(s, {{"", {s.closed}, s.kind}}, m_paper.facts.confidence);
        j.sure = true;
        const bool agrees = j.verdict == paper_verdict::agrees;
        j.verdict = agrees ? paper_verdict::by_arithmetic : j.verdict;
        j.note = agrees ? "" : "by arithmetic";
        return j;
    }

    /// The first row's numbers less those of the others, seed by seed.
    judgement judge_rows(const paper_statement& s) const {
        std::vector<seed_values> rows;
        double tail = HUGE_VAL;
        for (const std::string& id : s.rows) {
            const auto known = m_rows.find(id);
            const judgement row = known != m_rows.end() ? known->second : judgement{};
            if (row.verdict == paper_verdict::failed) {
                return judgement::without(id + ": " + row.note, paper_verdict::failed);
            }
            rows.push_back(row.by_seed);
            tail = std::min(tail, row.tail);
        }
        if (rows.front().empty()) {
            return judgement::without("the rows that it compares have no number");
        }
        const seed_values less = by_seed(rows, [](const std::vector<double>& v) {
            return std::accumulate(v.begin() + 1, v.end(), v.front(), std::minus<>());
        });
        judgement j = judge_series(s, {{"", less, statement_kind::difference}}, m_paper.facts.confidence);
        add_note(j.note, tail_note(tail));
        return j;
    }

    void draw(const paper_figure& f, paper_evaluation& all) {
        const paper_plan::experiment& e = m_plan.experiments()[f.experiment];
        const sweep_results& results = results_of(f.experiment);
        auto drawn = paper_picture(f, e, results, m_layout.part(e.points), m_paper.facts.confidence);
        const bool has_points = !points_of_figure(f, e.plan).empty();
        const std::string why_not = drawn        ? ""
                                    : has_points ? "no run has " + joined(f.metrics, ", ")
                                                 : "these runs have no points of it";
        all.results.figures.push_back(
            {&f, drawn.has_value(), why_not, figure_numbers(f, results, m_paper.facts.confidence)});
        if (drawn) {
            all.pictures.push_back(std::move(*drawn));
        }
    }

    const paper& m_paper;
    const paper_plan& m_plan;
    const campaign_layout& m_layout;
    /// Results by experiment, of the experiments read so far.
    std::map<std::size_t, sweep_results> m_results;
    /// Verdicts by the row's id, for rows that compare rows.
    std::map<std::string, judgement> m_rows;
};

}  // namespace

paper_evaluation evaluate(const paper& p, const paper_plan& plan, const campaign_layout& layout,
                          const std::vector<std::string>& figures) {
    return evaluation(p, plan, layout).of(figures);
}

std::vector<std::uint64_t> recorded_seeds(const paper& p, bool quick) {
    return read_seeds(quick ? p.facts.quick_seeds : p.facts.seeds, 1).value;
}

}  // namespace weir::tb
