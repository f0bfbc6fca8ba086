#include "tb/study/size/goal_checks.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>

#include "tb/run/checks/traffic_classes.h"
#include "tb/run/options/requested_metrics.h"
#include "tb/run/options/run_options.h"
#include "tb/run/samples/buffer_marks.h"
#include "tb/run/samples/fabric_totals.h"
#include "tb/support/text/joined.h"
#include "tb/support/text/text_format.h"
#include "weir/base/how_many.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/traffic/apps/workloads.h"

namespace weir::tb {

namespace {

std::set<std::string> tiers_of(const topology& plan) {
    std::set<std::string> tiers;
    for (std::uint32_t n = 0; n < plan.nodes(); ++n) {
        tiers.insert(tier_name(plan, plan.node_at(n)));
    }
    return tiers;
}

/// Adds what is wrong with the goal, if anything is.
void refuse(const size_goal& goal, const std::string& fault, config_errors& errors) {
    if (!fault.empty()) {
        errors.push_back({"", 0, "--goal", "'" + goal.claim() + "' " + fault});
    }
}

/// Fault of the goal `lossless`.
std::string fault_of_lossless(const run_config& config) {
    const bool off = config.flow_control.mode == flow_control_mode::none;
    if (!off && config.flow_control.losses == loss_action::counted) {
        return "needs runs that end at a loss, but with pfc.losses = count they go on; expected pfc.losses = "
               "end_run, or 'drops = 0'";
    }
    return has_lossless_traffic(config)
               ? ""
               : std::string("is met by every run here, because no class in use is lossless (") +
                     (off ? "pfc.mode = none" : "shared.lossless_classes, traffic.priorities") +
                     "); expected " +
                     (off ? "pfc.mode = pause or pfc" : "shared.lossless_classes with a class in use") +
                     ", or 'drops = 0'";
}

/// Fault of goals about `pfc.paused_ns.TIER` and `buffers.KIND.MEASURE`.
std::string fault_of_member(const std::string& metric, const prepared_run& run) {
    const std::string times = "pfc.paused_ns.";
    const std::set<std::string> tiers = tiers_of(run.topology.plan);
    const std::string tier = metric.rfind(times, 0) == 0 ? metric.substr(times.size()) : "total";
    if (tier != "total" && tiers.count(tier) == 0) {
        return "is about '" + tier + "', which this fabric does not have; expected " + joined(tiers, ", ") +
               ", total";
    }
    const switch_config& device = run.loaded.config.device;
    const std::vector<std::string> kinds = watermark_names(organisation_of(device));
    const std::string memory = "buffers.";
    const std::string kind =
        metric.rfind(memory, 0) == 0 ? measured_by(metric.substr(memory.size())) : kinds[0];
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end()
               ? ""
               : "is about '" + kind + "', which switch.buffer = " + name_of(device.buffer) +
                     " does not have; expected " + joined(kinds, ", ");
}

/// Fault of goals with a reference point.
std::string fault_of_loop(const prepared_run& run) {
    const run_config& config = run.loaded.config;
    const bool has_triggers = traffic::workloads()[config.traffic.kind].reads_trace &&
                              trace_feed(config, run.topology.plan).scan().triggered > 0;
    const std::string cause =
        has_triggers ? "traffic.file: flows wait for others (triggers)" : closed_loop_cause(config.traffic);
    return cause.empty() ? ""
                         : "compares two points, which do not see the same traffic of a closed loop (" + cause +
                               "); expected an open loop, such as traffic.kind = query or poisson, or a bound "
                               "without a reference point";
}

/// Names of the metrics in runs that came to their end; nothing if some run has a value for the goal, or if it
/// is `lossless`, which has none.
std::optional<std::vector<std::string>> names_without(const size_plan& plan, const size_search& search,
                                                      const campaign_layout& layout, std::size_t goal) {
    std::set<std::string> names;
    std::vector<wanted_run> whole;
    if (plan.goals[goal].is_lossless()) {
        return std::nullopt;
    }
    for (std::size_t point = 0; point < plan.runs.points(); ++point) {
        const place_judge& judge = search.judge(point);
        for (std::size_t i = 0; i < judge.runs(); ++i) {
            if (judge.outcome(i).values[goal]) {
                return std::nullopt;
            }
            if (judge.outcome(i).end == run_end::whole) {
                whole.push_back({point, i});
            }
        }
    }
    for (const wanted_run& run : whole) {
        for (const metric_value& each : metrics_of(layout.summary(run.point, plan.seed(run.index)))) {
            names.insert(each.name);
        }
    }
    return std::vector<std::string>(names.begin(), names.end());
}

}  // namespace

config_errors goal_errors(const std::vector<size_goal>& goals, const derived_metrics& definitions,
                          const prepared_run& run) {
    config_errors errors;
    for (const size_goal& goal : goals) {
        refuse(goal, goal.is_lossless() ? fault_of_lossless(run.loaded.config) : "", errors);
        refuse(goal, goal.is_relative() ? fault_of_loop(run) : "", errors);
        const derived_metric* const derived = find_derived(definitions, goal.metric);
        for (const std::string& metric :
             derived != nullptr ? derived->operands : std::vector<std::string>{goal.metric}) {
            refuse(goal, fault_of_member(metric, run), errors);
        }
    }
    return errors;
}

traffic_facts offered_traffic(const prepared_run& run) {
    run_config config = run.loaded.config;
    const topology& plan = run.topology.plan;
    traffic_facts facts{{"number of hosts", std::to_string(plan.hosts())}};
    if (config.traffic.offers_load()) {
        std::vector<double> rates = run.inputs.parts.up_rate;
        if (config.traffic.load_of == traffic::load_basis::host_link) {
            rates.clear();
            for (host_id h = 0; h < plan.hosts(); ++h) {
                rates.push_back(
                    static_cast<double>(plan.link(plan.ports(node_ref::of_host(h))[0]).rate.count()));
            }
        }
        facts["rate of the links that traffic.load is a share of"] =
            rate_text(std::llround(std::accumulate(rates.begin(), rates.end(), 0.0)));
    }
    const option_table table = make_option_table(config);
    for (const auto& each : table.options()) {
        if (each->block == "traffic" || each->key == "run.duration" || each->key == "run.warmup" ||
            each->key == "run.until") {
            facts[each->key] = each->value->text();
        }
    }
    return facts;
}

/// Returns those facts that another traffic does not share: `traffic.kind = query, traffic.rate = none`.
static std::string facts_unlike(const traffic_facts& other, traffic_facts facts) {
    for (const auto& [key, value] : other) {
        const auto [fact, is_missing] = facts.emplace(key, "none");
        if (!is_missing && fact->second == value) {
            facts.erase(fact);
        }
    }
    return joined(facts, ", ", [](const auto& fact) { return fact.first + " = " + fact.second; });
}

config_errors check_references(const size_plan& plan, const point_source& source,
                               const std::vector<traffic_facts>& offered, plan_check& found) {
    config_errors errors;
    for (const reference_set& set : plan.references) {
        std::vector<size_goal> goals;
        std::copy_if(plan.goals.begin(), plan.goals.end(), std::back_inserter(goals),
                     [&](const size_goal& goal) { return goal.reference == set.options; });
        std::vector<traffic_facts> traffic(set.runs.points());
        plan_check there = check_plan(source, set.runs, [&](const prepared_run& run, std::size_t point) {
            traffic[point] = offered_traffic(run);
            return goal_errors(goals, plan.runs.metrics, run);
        });
        const std::string name = "reference point " + set.options + ": ";
        for (const std::string& error : there.errors) {
            found.errors.push_back(name + error);
        }
        for (std::size_t point = 0; point < plan.runs.points(); ++point) {
            const std::size_t at = set.place(plan.runs, point);
            for (const std::string& error : there.refused[at]) {
                found.refused[point].push_back(name + error);
            }
            if (!found.refused[point].empty()) {
                continue;
            }
            if (offered[point] != traffic[at]) {
                refuse(goals.front(),
                       "compares runs with different traffic: " + facts_unlike(offered[point], traffic[at]) +
                           " at the reference point, and " + facts_unlike(traffic[at], offered[point]) +
                           " at " + plan.runs.describe(point) + "; expected the same offered traffic at both",
                       errors);
                break;
            }
        }
        std::copy_if(there.inputs.begin(), there.inputs.end(), std::back_inserter(found.inputs),
                     [&](const plan_input& input) {
                         return std::find(found.inputs.begin(), found.inputs.end(), input) ==
                                found.inputs.end();
                     });
    }
    return errors;
}

std::vector<std::string> goals_beyond_reach(const size_plan& plan, const size_search& fresh) {
    std::vector<std::string> lines;
    for (std::size_t g = 0; g < plan.goals.size(); ++g) {
        const auto least = fresh.judge(0).test(g).fewest_runs(verdict::met, size_plan::most_runs);
        if (!least || *least > plan.limits.runs) {
            lines.push_back("--goal: '" + plan.goals[g].text + "' needs " +
                            (least ? "at least " + how_many(*least, "run")
                                   : "more than " + how_many(size_plan::most_runs, "run")) +
                            ", but --max-runs is " + std::to_string(plan.limits.runs) +
                            ": no point can meet it");
        }
    }
    return lines;
}

std::vector<std::string> goals_without_value(const size_plan& plan, const size_search& search,
                                             const campaign_layout& layout, config_errors& errors) {
    std::vector<std::string> lines;
    for (std::size_t g = 0; g < plan.goals.size(); ++g) {
        const std::string& metric = plan.goals[g].metric;
        const derived_metric* const derived = find_derived(plan.runs.metrics, metric);
        const auto names = names_without(plan, search, layout, g);
        if (!names) {
            continue;
        }
        const std::vector<std::string> needed = derived != nullptr ? derived->operands : std::vector{metric};
        const bool is_wrong = std::any_of(needed.begin(), needed.end(), [&](const std::string& name) {
            return has_members(family_of(name)) && !meant_text(name, *names).empty();
        });
        if (is_wrong) {
            refuse(plan.goals[g], "cannot be judged: " + absent_text(metric, plan.runs.metrics, *names),
                   errors);
        } else {
            lines.push_back("no run at any point has a value for '" +
                            (derived != nullptr ? derived->text : plan.goals[g].claim()) + "'");
        }
    }
    return lines;
}

/// True for the mean of completion times or slowdowns.
static bool is_mean_of_completed(const std::string& metric) {
    const std::string times = measured_by(metric);
    const std::string measure = times.substr(times.rfind('.') + 1);
    return metric == times + ".mean" && measure.size() > 1 && measure.compare(1, 3, "ct_") == 0;
}

std::vector<std::string> goals_on_weak_values(const size_plan& plan, const size_search& search) {
    std::vector<std::string> lines;
    for (std::size_t g = 0; g < plan.goals.size(); ++g) {
        std::size_t few = 0;
        std::size_t bounds = 0;
        std::uint64_t unfinished = 0;
        std::size_t runs = 0;
        for (std::size_t point = 0; point < plan.runs.points(); ++point) {
            const place_judge& judge = search.judge(point);
            runs += judge.ended(run_end::whole);
            unfinished += judge.unfinished(1);
            for (std::size_t i = 0; i < judge.runs(); ++i) {
                few += judge.outcome(i).of_few.count(g);
                bounds += judge.outcome(i).values[g] && !judge.outcome(i).values[g]->is_exact() ? 1 : 0;
            }
        }
        if (few > 0) {
            lines.push_back("note: " + few_values_text(plan.goals[g].metric, few, runs) +
                            ", an upper bound of the percentile, and '" + plan.goals[g].claim() +
                            "' was judged by it");
        }
        if (unfinished > 0 && is_mean_of_completed(plan.goals[g].metric)) {
            lines.push_back("warning: " + std::to_string(unfinished) + " of " + std::to_string(runs) +
                            " runs have transfers that did not complete: " + plan.goals[g].metric +
                            " is the mean of completed ones, and '" + plan.goals[g].claim() +
                            "' was judged by it; a goal on a percentile counts all of them");
        }
        if (bounds > 0) {
            lines.push_back(
                "warning: " + lower_bounds_text(plan.goals[g].metric, bounds, runs) +
                (plan.goals[g].is_relative() ? ", or at the reference point" : "") + ", and '" +
                plan.goals[g].claim() +
                "' is undecided if the bound does not decide it; a longer run.duration may decide it");
        }
    }
    return lines;
}

}  // namespace weir::tb
