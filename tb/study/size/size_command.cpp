#include "tb/run/arguments/commands.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tb/run/options/requested_metrics.h"
#include "tb/study/campaign/campaign.h"
#include "tb/study/points/check_plan.h"
#include "tb/study/points/quantity.h"
#include "tb/study/points/sweep_axis.h"
#include "tb/study/size/goal_checks.h"
#include "tb/study/size/search_demand.h"
#include "tb/study/size/size_answer.h"
#include "tb/study/size/size_plan.h"
#include "tb/study/size/size_plot.h"
#include "tb/support/files/run_directory.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/text/joined.h"
#include "tb/view/chart/draw_pictures.h"
#include "weir/base/how_many.h"

namespace weir::tb {

namespace {

struct size_arguments : point_arguments {
    static constexpr command_text command{
        "weir size [CONFIG.ini ...] --goal GOAL [--goal ...] --smallest KEY=VALUES [--key=value ...] --out "
        "DIR\n"
        "weir size [CONFIG.ini ...] --goal GOAL [--goal ...] --each KEY=VALUES --largest KEY=VALUES ... --out "
        "DIR\n"
        "\nFinds the smallest (or largest) value of an option for which all goals are met, or the Pareto front "
        "of two\noptions. At each point (a value, or a pair of values) it runs one seed after another until "
        "each goal is met,\nnot met, or not decided after --max-runs. The same command again goes on where it "
        "was stopped or killed.\n\n",
        30};

    /// Texts of --smallest, --largest and --each.
    std::vector<std::string> smallest;
    std::vector<std::string> largest;
    std::vector<std::string> each;
    /// Definitions of metrics.
    std::vector<std::string> metrics;
    std::vector<sweep_axis> axes;
    /// A wish for each axis.
    std::vector<axis_wish> wishes;
    std::vector<size_goal> goals;
    std::uint64_t max_runs = size_search::limits{}.runs;
    /// Nothing: as the number of axes says.
    std::optional<std::uint64_t> curve;
    std::optional<std::uint64_t> curve_runs;
    size_search::limits limits;

    void describe(argument_list& arguments) {
        arguments.files(config_files, 0, SIZE_MAX);
        arguments("goal", goals, "lossless", "no run loses a frame of a lossless class")
            .each_by(read_goal)
            .required("--goal lossless, --goal 'p99 fct <= 5ms', ...");
        const auto goal = [&](const char* form, const char* help) { arguments.form("goal", form, help); };
        goal("'drops = 0'", "no run loses any frame");
        goal("'p99.9 fct <= 10ms'",
             "in half of all runs: p50, p90, p99, p99.9, mean or max of fct (transfers) or jct\n(jobs); '... "
             "of query.8192.7' for a group");
        goal("'goodput >= 40Gbps'", "payload received by all hosts together, since the end of the warm-up");
        goal("'paused <= 5ms'", "also 'paused host <= 5ms', or any number in summary.json");
        goal("'p99 fct <= 1.1 x of switch.ingress_buffer=1GiB'",
             "the ratio to the value, with the same seed, at a reference point: these options over\nthe "
             "configuration. Any metric; KEY=VALUE,KEY=VALUE for several options. Refused for\nclosed-loop "
             "workloads");
        goal("'... in 90% of runs'", "require the goal, whichever it is, in another share of runs");
        goal("'... proven in 99% of runs'",
             "only for lossless and '= 0'. Without a share, one run that misses decides\nthat such a goal is "
             "not met; it is met when fewer than 1 % (default: 10 %) of all\nruns are proven to miss it");
        arguments("metric", metrics, definition_form, definition_help).repeated();
        arguments("smallest", smallest, "KEY=VALUES",
                  "the smallest of these values; VALUES as for weir sweep: A,B,C or LOW..HIGH:STEP or\n"
                  "LOW..HIGH:log:N; K1,K2=(A,B),(C,D) for options that vary together")
            .repeated();
        arguments("largest", largest, "KEY=VALUES", "the largest of these values").repeated();
        arguments("each", each, "KEY=VALUES",
                  "every value, each with its own answer\ntwo of these three options: the Pareto front, or an "
                  "answer for each value")
            .repeated();
        arguments("confidence", limits.confidence, "SHARE",
                  "probability that no verdict is wrong, over all points and goals (default 95%)")
            .share();
        arguments("max-runs", max_runs, "N", "most runs at one point (default 200)")
            .range(1, size_plan::most_runs);
        arguments("curve", curve, "N",
                  "number of points, spread over the values, that are always tested (default 9; 5 with\ntwo "
                  "options), to check whether the curve is monotone; 0: none")
            .range(0, size_plan::most_places);
        arguments("curve-runs", curve_runs, "N", "least number of runs at each of these points (default 8)")
            .range(1, size_plan::most_runs);
        arguments.options_of_run(overrides, "any option, for every point; run.seed is the first seed");
        describe_places(arguments, "where to write; new, empty or the same search");
        describe_checks(arguments, "check every point, print the plan, write nothing");
    }
    void complete(config_errors& found);
};

/// Reports values of the first key that do not rise: only rising values have a smallest one.
void check_order(const std::string& option, const sweep_axis& axis, const option_table& table,
                 config_errors& found) {
    const std::string& key = axis.keys.front();
    const quantity_kind kind = quantity_of(*table.find(split_key(key).key));
    double last = 0;
    for (std::size_t i = 0; i < axis.values.size(); ++i) {
        const std::string& text = axis.values[i].front();
        const auto read = read_quantity(kind, text);
        if (kind == quantity_kind::none || !read) {
            return add_error(found, option + " " + key,
                             "'" + text + "' is not a quantity; expected quantities, or --each " + key);
        }
        if (i > 0 && read.value <= last) {
            return add_error(found, option + " " + key,
                             "'" + text + "' is not above the value before it; expected ascending values");
        }
        last = read.value;
    }
}

void read_axes(size_arguments& given, config_errors& found) {
    const axis_options options(given);
    const auto read = [&](axis_wish wish, const std::vector<std::string>& texts) {
        const std::string option = std::string("--") + name_of(wish);
        for (const std::string& text : texts) {
            axis_result axis = read_axis(text, options.table(), option.c_str());
            if (axis.errors.empty() && wish != axis_wish::each) {
                check_order(option, axis.axis, options.table(), axis.errors);
            }
            found.add(std::move(axis.errors));
            given.axes.push_back(std::move(axis.axis));
            given.wishes.push_back(wish);
        }
    };
    read(axis_wish::each, given.each);
    read(axis_wish::smallest, given.smallest);
    read(axis_wish::largest, given.largest);
}

void size_arguments::complete(config_errors& found) {
    check_out(found);
    read_axes(*this, found);
    if (axes.size() > 2 || (axes.size() == 2 && wishes[1] == axis_wish::each)) {
        add_error(found, "--each",
                  "is given with too many of --smallest, --largest and --each; expected one of the three, or "
                  "two with at most one --each");
    }
    if (axes.empty()) {
        add_error(found, "--smallest", "is missing; expected --smallest KEY=VALUES, --largest or --each");
    }
    // Searched along is the longer one.
    if (axes.size() == 2 && wishes[0] != axis_wish::each && axes[0].values.size() > axes[1].values.size()) {
        std::swap(axes[0], axes[1]);
        std::swap(wishes[0], wishes[1]);
    }
    check_axes(axes, overrides, "searched", found);
    for (size_goal& goal : goals) {
        request_metrics({goal.metric}, overrides);
        if (goal.is_relative()) {
            found.add(read_reference(goal, axis_options(*this).table()));
        }
    }
    for (const std::string& metric : metrics) {
        if (!is_definition(metric)) {
            add_error(found, "--metric",
                      "'" + metric + "' is no definition; expected NAME = EXPRESSION, for goals");
        }
    }
    request_metrics(metrics, overrides);
    limits.runs = max_runs;
    limits.curve = curve.value_or(axes.size() > 1 ? 5 : limits.curve);
    limits.curve_runs = curve_runs.value_or(std::min(limits.curve_runs, limits.runs));
    if (limits.curve_runs > limits.runs) {
        add_error(found, "--curve-runs", "is above --max-runs; expected up to " + std::to_string(limits.runs));
    }
    if (limits.curve == 1) {
        add_error(found, "--curve", "one point makes no curve; expected 0, or at least 2");
    }
}

const directory_kind& search_kind() {
    static const directory_kind kind{"search", "search.json", {"curve.csv", "runs.csv", "answer.json"}};
    return kind;
}

class sizing : public campaign {
 public:
    sizing(size_arguments arguments, const campaign_call& call, std::ostream& out, std::ostream& err)
        : campaign(search_kind(), arguments, call, out, err),
          m_arguments(std::move(arguments)),
          m_source(m_arguments.config_files, m_arguments.overrides),
          m_runs(m_plan, m_source) {}

 private:
    bool plan() override {
        config_errors errors = m_arguments.errors;
        const loaded_config base = base_of(m_source);
        errors.insert(errors.end(), base.errors.begin(), base.errors.end());
        m_threads = base.config.run.threads;
        m_progress = base.config.run.progress;
        m_plan.runs.axes = m_arguments.axes;
        m_plan.runs.seeds = {base.config.run.seed};
        m_plan.wishes = m_arguments.wishes;
        m_plan.goals = m_arguments.goals;
        config_errors of_metrics;
        m_plan.runs.metrics = definitions_of(base, m_arguments.metrics, of_metrics);
        errors.add(of_metrics.empty() ? unknown_metrics(m_plan.goals, m_plan.runs.metrics) : of_metrics);
        m_plan.limits = m_arguments.limits;
        if (base.config.run.seed > UINT64_MAX - size_plan::most_runs) {
            errors.push_back({"", 0, "run.seed", "leaves too few seeds after it; expected a smaller seed"});
        }
        if (print(errors)) {
            return false;
        }
        fill_plan(m_plan.runs, m_source, base.config);
        m_plan.add_references();
        if (m_plan.runs.points() > size_plan::most_places) {
            return !print(
                {{"", 0, "--" + std::string(name_of(m_plan.wishes.back())),
                  "makes too many points; expected at most " + std::to_string(size_plan::most_places)}});
        }
        return true;
    }

    /// A place whose configuration is refused is not possible; one that is refused everywhere is bad input.
    bool check() override {
        std::vector<traffic_facts> traffic(m_plan.runs.points());
        plan_check found = check_plan(m_source, m_plan.runs, [&](const prepared_run& run, std::size_t point) {
            if (!m_plan.references.empty()) {
                traffic[point] = offered_traffic(run);
            }
            return goal_errors(m_plan.goals, m_plan.runs.metrics, run);
        });
        const auto any_possible = [&] {
            return std::any_of(found.refused.begin(), found.refused.end(),
                               [](const auto& errors) { return errors.empty(); });
        };
        const bool differs = any_possible() && print(check_references(m_plan, m_source, traffic, found));
        const bool possible = any_possible();
        for (const std::string& error : found.errors) {
            if (!possible) {
                m_err << error << '\n';
            }
        }
        // Those that name a value differ at every place.
        constexpr std::size_t most_warnings = 3;
        for (std::size_t i = 0; i < std::min(most_warnings, found.warnings.size()); ++i) {
            m_err << "warning: " << found.warnings[i] << '\n';
        }
        if (found.warnings.size() > most_warnings) {
            m_err << "... and " << found.warnings.size() - most_warnings << " more warnings\n";
        }
        m_refused = std::move(found.refused);
        m_plan.runs.inputs = std::move(found.inputs);
        if (differs || !possible) {
            return false;
        }
        m_plan.merge_equal_references(m_refused, m_runs);
        for (const std::string& line : goals_beyond_reach(m_plan, make_search())) {
            m_err << "warning: " << line << '\n';
        }
        return true;
    }

    static std::string fewest(const share_test& test, verdict v) {
        const auto runs = test.fewest_runs(v, size_plan::most_runs);
        return runs ? how_many(*runs, "run") : "more than " + how_many(size_plan::most_runs, "run");
    }

    void print_plan() override {
        for (const size_goal& goal : m_plan.goals) {
            m_out << "goal: " << goal.text
                  << (goal.rule.strict ? "; one run that misses it decides that it is not met\n" : "\n");
        }
        for (std::size_t a = 0; a < m_plan.wishes.size(); ++a) {
            m_out << name_of(m_plan.wishes[a]) << ' ' << joined(m_plan.runs.axes[a].keys, ",") << ": "
                  << how_many(m_plan.runs.axes[a].values.size(), "value") << '\n';
        }
        const size_search fresh = make_search();
        for (std::size_t g = 0; g < m_plan.goals.size(); ++g) {
            const share_test& test = fresh.judge(0).test(g);
            m_out << "goal " << g + 1 << " is met after " << fewest(test, verdict::met)
                  << " at the earliest, and not met after " << fewest(test, verdict::not_met) << "; at most "
                  << how_many(m_plan.limits.runs, "run") << '\n';
        }
        m_out << '\n';
        for (std::size_t point = 0; point < m_plan.runs.points(); ++point) {
            m_out << m_plan.runs.describe(point)
                  << (m_refused[point].empty() ? "" : ": not possible: " + m_refused[point].front()) << '\n';
        }
        for (const std::size_t point : m_plan.reference_points(m_refused)) {
            m_out << m_runs.describe(point) << (point < m_plan.runs.points() ? ", a reference point\n" : "\n");
        }
    }

    size_search make_search() const {
        std::vector<bool> refused;
        for (const auto& errors : m_refused) {
            refused.push_back(!errors.empty());
        }
        return {m_plan.lines(refused), m_plan.runs.points(), m_plan.goals, m_plan.limits};
    }

    std::size_t points() const override { return m_plan.runs.points(); }
    nlohmann::ordered_json plan_json() const override { return to_json(m_plan); }
    config_errors differences(const std::string& there, const std::string& file) const override {
        return search_differences(there, m_plan, file);
    }
    const run_list& runs() const override { return m_runs; }
    run_demand& demand(const std::function<void(const std::string&)>&) override {
        m_search.emplace(make_search());
        m_demand.emplace(m_plan, m_runs, layout(), *m_search);
        return *m_demand;
    }

    int report(int signal) override {
        if (signal != 0) {
            m_err << "weir size: interrupted; the same command goes on\n";
            return exit_status::interrupted(signal);
        }
        const size_search& search = *m_search;
        remove_uncounted_runs(m_plan, search, layout());
        config_errors unjudged;
        const std::vector<std::string> without = goals_without_value(m_plan, search, layout(), unjudged);
        if (print(unjudged)) {
            return exit_status::verdict;
        }
        const size_answer answer = answer_of(m_plan, search);
        std::vector<std::string> lines = answer_lines(m_plan, search, answer);
        for (const auto& more : {without, goals_on_weak_values(m_plan, search)}) {
            lines.insert(lines.end(), more.begin(), more.end());
        }
        const finished_search all{m_plan, search, answer, m_refused};
        write_size_tables(all, lines, directory());
        synchronise(directory());
        print_places(m_out, all);
        m_out << '\n';
        for (const std::string& line : lines) {
            m_out << line << '\n';
        }
        const auto drawn = size_picture(all);
        const int status = drawn ? draw_pictures({*drawn}, {size_picture_name}, {"png", "svg"},
                                                 (directory() / "plots").string(), m_out, m_err)
                                 : 0;
        return answer.state != verdict::met ? exit_status::verdict : status;
    }

    const size_arguments m_arguments;
    const point_source m_source;
    size_plan m_plan;
    const search_runs m_runs;
    refusals m_refused;
    std::optional<size_search> m_search;
    std::optional<search_demand> m_demand;
};

}  // namespace

int size_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    size_arguments arguments;
    if (read_arguments(arguments, args, out, arguments.errors)) {
        return exit_status::success;
    }
    return run_campaign("size", args, err, [&](const campaign_call& call) {
        return sizing(std::move(arguments), call, out, err).run();
    });
}

}  // namespace weir::tb
