#include "tb/size/size_command.h"

#include <algorithm>
#include <optional>

#include "tb/campaign/campaign.h"
#include "tb/files/run_directory.h"
#include "tb/plot/draw_pictures.h"
#include "tb/process/exit_status.h"
#include "tb/size/goal_checks.h"
#include "tb/size/search_demand.h"
#include "tb/size/size_answer.h"
#include "tb/size/size_arguments.h"
#include "tb/size/size_plot.h"
#include "tb/size/size_tables.h"
#include "tb/sweep/check_plan.h"
#include "tb/text/joined.h"
#include "weir/base/how_many.h"

namespace weir::tb {

namespace {

const directory_kind& search_kind() {
    static const directory_kind kind{"search", "search.json", {"curve.csv", "runs.csv", "answer.json"}};
    return kind;
}

class sizing : public campaign {
 public:
    sizing(size_arguments arguments, const campaign_call& call, std::ostream& out, std::ostream& err)
        : campaign(search_kind(), arguments.campaign, call, out, err),
          m_arguments(std::move(arguments)),
          m_source(m_arguments.files, m_arguments.overrides),
          m_runs(m_plan.runs, m_source) {}

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
        m_plan.limits = m_arguments.limits;
        if (base.config.run.seed > UINT64_MAX - size_plan::most_runs) {
            errors.push_back({"", 0, "run.seed", "leaves too few seeds after it; expected a smaller seed"});
        }
        if (print(errors)) {
            return false;
        }
        fill_plan(m_plan.runs, m_source, base.config);
        if (m_plan.runs.points() > size_plan::most_places) {
            return !print(
                {{"", 0, "--" + std::string(name_of(m_plan.wishes.back())),
                  "makes too many points; expected at most " + std::to_string(size_plan::most_places)}});
        }
        return true;
    }

    /// A place whose configuration is refused is not possible; one that is refused everywhere is bad input.
    bool check() override {
        plan_check found = check_plan(m_source, m_plan.runs,
                                      [&](const prepared_run& run) { return goal_errors(m_plan.goals, run); });
        m_refused = std::move(found.refused);
        const bool possible =
            std::any_of(m_refused.begin(), m_refused.end(), [](const auto& errors) { return errors.empty(); });
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
        m_plan.runs.inputs = std::move(found.inputs);
        if (possible) {
            for (const std::string& line : goals_beyond_reach(m_plan, make_search())) {
                m_err << "warning: " << line << '\n';
            }
        }
        return possible;
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
        const size_answer answer = answer_of(m_plan, search);
        write_size_tables(m_plan, search, answer, m_refused, directory());
        synchronise(directory());
        print_places(m_out, m_plan, search, answer, m_refused);
        m_out << '\n';
        for (const std::string& line : answer_lines(m_plan, search, answer)) {
            m_out << line << '\n';
        }
        for (const std::string& line : groups_never_seen(m_plan, search, layout())) {
            m_out << line << '\n';
        }
        for (const std::string& line : goals_on_weak_values(m_plan, search)) {
            m_out << line << '\n';
        }
        const auto drawn = size_picture(m_plan, search, answer, m_refused);
        const int status = drawn ? draw_pictures({*drawn}, {size_picture_name}, {"png", "svg"},
                                                 (directory() / "plots").string(), m_out, m_err)
                                 : 0;
        return answer.state != verdict::met ? exit_status::verdict : status;
    }

    const size_arguments m_arguments;
    const point_source m_source;
    size_plan m_plan;
    const planned_runs m_runs;
    refusals m_refused;
    std::optional<size_search> m_search;
    std::optional<search_demand> m_demand;
};

}  // namespace

int size_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    size_arguments arguments = read_size_arguments(args);
    if (arguments.help) {
        out << size_help();
        return 0;
    }
    return run_campaign("size", args, err, [&](const campaign_call& call) {
        return sizing(std::move(arguments), call, out, err).run();
    });
}

}  // namespace weir::tb
