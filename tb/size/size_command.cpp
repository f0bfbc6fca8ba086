#include "tb/size/size_command.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <stdexcept>

#include "tb/files/run_directory.h"
#include "tb/plot/draw_pictures.h"
#include "tb/process/exit_status.h"
#include "tb/process/status_line.h"
#include "tb/results/summary_writer.h"
#include "tb/size/goal_checks.h"
#include "tb/size/size_answer.h"
#include "tb/size/size_arguments.h"
#include "tb/size/size_plot.h"
#include "tb/size/size_runner.h"
#include "tb/size/size_tables.h"
#include "tb/sweep/check_plan.h"
#include "tb/sweep/resumable_command.h"
#include "tb/sweep/sweep_sessions.h"
#include "weir/base/processors.h"

namespace weir {

namespace fs = std::filesystem;

namespace {

using exit_status::bad_input;

const directory_kind& search_kind() {
    static const directory_kind kind{
        "search",
        "search.json",
        {"search.json", "run.json", "curve.csv", "runs.csv", "answer.json", "points", "plots"}};
    return kind;
}

class sizing {
 public:
    sizing(size_arguments arguments, std::string command_line, std::ostream& out, std::ostream& err)
        : m_arguments(std::move(arguments)),
          m_command_line(std::move(command_line)),
          m_out(out),
          m_err(err),
          m_source(m_arguments.file, m_arguments.overrides),
          m_directory(m_arguments.out),
          m_layout(m_arguments.out, m_plan.runs) {}

    int run() {
        if (!plan() || !check()) {
            return bad_input;
        }
        if (m_arguments.dry_run) {
            print_plan();
            return 0;
        }
        if (print(check_directory(m_directory, search_kind()))) {
            return bad_input;
        }
        make_out_directory(m_directory);
        const directory_lock lock = lock_sweep(m_directory);
        if (lock.impossible()) {
            throw output_error(m_directory, "cannot be locked", lock.reason());
        }
        if (!lock.held()) {
            return refuse_out(
                "is in use by another search; expected another --out, or this one after that search has ended");
        }
        sweep_sessions sessions(m_directory);
        return goes_on(sessions) ? search(lock, sessions) : bad_input;
    }

 private:
    /// Prints; returns whether there was anything.
    bool print(const config_errors& errors) {
        print_errors(errors, m_err);
        return !errors.empty();
    }
    int refuse_out(const std::string& what) {
        print({{"", 0, "--out", "'" + m_arguments.out + "' " + what}});
        return bad_input;
    }

    bool plan() {
        config_errors errors = m_arguments.errors;
        if (!m_source.why_not().empty()) {
            errors.push_back(
                {m_source.file(), 0, "", "cannot be read: " + m_source.why_not() + "; expected an INI file"});
        }
        const loaded_config base = m_source.base();
        m_base = base.config;
        std::copy_if(base.errors.begin(), base.errors.end(), std::back_inserter(errors),
                     [](const config_error& e) { return e.key == "run.seed"; });
        m_plan.runs.version = WEIR_VERSION;
        m_plan.runs.configuration = m_source.title();
        m_plan.runs.axes = m_arguments.axes;
        m_plan.runs.seeds = {m_base.run.seed};
        m_plan.wishes = m_arguments.wishes;
        m_plan.goals = m_arguments.goals;
        m_plan.limits = m_arguments.limits;
        if (m_base.run.seed > UINT64_MAX - size_plan::most_runs) {
            errors.push_back({"", 0, "run.seed", "leaves too few seeds after it; expected a smaller seed"});
        }
        if (print(errors)) {
            return false;
        }
        m_plan.runs.options = options_of(m_base, m_plan.runs.keys());
        if (m_plan.runs.points() > size_plan::most_places) {
            return !print(
                {{"", 0, "--" + std::string(to_text(m_plan.wishes.back())),
                  "makes too many points; expected at most " + std::to_string(size_plan::most_places)}});
        }
        return true;
    }

    /// A place whose configuration is refused is not possible; one that is refused everywhere is bad input.
    bool check() {
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

    unsigned jobs() const {
        return m_arguments.jobs > 0 ? m_arguments.jobs
                                    : std::max(1U, usable_processors() / std::max(1U, m_base.run.threads));
    }

    static std::string fewest(const share_test& test, verdict v) {
        const auto runs = test.fewest_runs(v, size_plan::most_runs);
        return runs ? std::to_string(*runs) : "more than " + std::to_string(size_plan::most_runs);
    }

    void print_plan() {
        for (const size_goal& goal : m_plan.goals) {
            m_out << "goal: " << goal.text
                  << (goal.rule.strict ? "; one run that misses it decides that it is not met\n" : "\n");
        }
        for (std::size_t a = 0; a < m_plan.wishes.size(); ++a) {
            m_out << to_text(m_plan.wishes[a]) << ' ' << detail::join(m_plan.runs.axes[a].keys, ",") << ": "
                  << m_plan.runs.axes[a].values.size() << " values\n";
        }
        const size_search fresh = make_search();
        for (std::size_t g = 0; g < m_plan.goals.size(); ++g) {
            const share_test& test = fresh.judge(0).test(g);
            m_out << "goal " << g + 1 << " is met after " << fewest(test, verdict::met)
                  << " runs at the earliest, and not met after " << fewest(test, verdict::not_met) << "; "
                  << m_plan.limits.runs << " runs are made at most\n";
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

    /// Whether this search can be put, or gone on with, where it is to be; writes nothing.
    bool goes_on(const sweep_sessions& sessions) {
        const fs::path file = m_directory / search_kind().plan;
        m_there = read_if_there(file);
        if (!m_there.empty() && print(search_differences(m_there, m_plan, file.string()))) {
            return false;
        }
        const bool other_build =
            !sessions.program().empty() && sessions.program() != sweep_sessions::this_program();
        if (other_build && !m_arguments.mixed_builds) {
            return !print({{(m_directory / "run.json").string(), 0, "program_crc64",
                            "the runs there were made by another build of weir; expected that build, "
                            "--mixed-builds, or another --out"}});
        }
        return true;
    }

    int search(const directory_lock& lock, sweep_sessions& sessions) {
        const std::string text = to_text(to_json(m_plan));
        if (text != m_there) {
            output_file file(m_directory / search_kind().plan);
            file.write(text);
            file.finish();
            synchronise(m_directory);
        }
        remove_tables();
        sessions.begin(m_command_line, jobs());
        size_search search = make_search();
        status_line line(m_err, m_base.run.progress);
        size_runner::options options;
        options.jobs = jobs();
        options.lock = lock.descriptor();
        options.progress = [&](const std::string& now) { line.show(now); };
        size_runner runner(m_plan, m_source, m_layout, options);
        const int signal = runner.run(search);
        sessions.end(signal != 0 ? "interrupted" : "ended", runner.made());
        if (signal != 0) {
            m_err << "weir size: interrupted; the same command goes on\n";
            return exit_status::interrupted(signal);
        }
        remove_uncounted_runs(m_plan, search, m_layout);
        return report(search);
    }

    /// Those of an earlier call would look like this one's.
    void remove_tables() const {
        for (const char* name : {"curve.csv", "runs.csv", "answer.json"}) {
            remove_file(m_directory / name);
        }
    }

    int report(const size_search& search) {
        const size_answer answer = answer_of(m_plan, search);
        write_size_tables(m_plan, search, answer, m_refused, m_directory);
        synchronise(m_directory);
        print_places(m_out, m_plan, search, answer, m_refused);
        m_out << '\n';
        for (const std::string& line : answer_lines(m_plan, search, answer)) {
            m_out << line << '\n';
        }
        for (const std::string& line : groups_never_seen(m_plan, search, m_layout)) {
            m_out << line << '\n';
        }
        for (const std::string& line : goals_on_few_values(m_plan, search)) {
            m_out << line << '\n';
        }
        const auto drawn = size_picture(m_plan, search, answer, m_refused);
        const int status = drawn ? draw_pictures({*drawn}, {size_picture_name}, {"png", "svg"},
                                                 (m_directory / "plots").string(), m_out, m_err)
                                 : 0;
        return answer.state != verdict::met ? exit_status::verdict : status;
    }

    const size_arguments m_arguments;
    const std::string m_command_line;
    std::ostream& m_out;
    std::ostream& m_err;
    const point_source m_source;
    const fs::path m_directory;
    size_plan m_plan;
    const sweep_layout m_layout;
    run_config m_base;
    refusals m_refused;
    /// search.json as it was found.
    std::string m_there;
};

}  // namespace

int size_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    size_arguments arguments = read_size_arguments(args);
    if (arguments.help) {
        out << size_usage;
        return 0;
    }
    return run_resumable("size", args, err, [&](const std::string& command_line) {
        return sizing(std::move(arguments), command_line, out, err).run();
    });
}

}  // namespace weir
