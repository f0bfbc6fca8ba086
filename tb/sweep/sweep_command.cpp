#include "tb/sweep/sweep_command.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "tb/files/run_directory.h"
#include "tb/process/exit_status.h"
#include "tb/process/status_line.h"
#include "tb/results/summary_writer.h"
#include "tb/sweep/check_plan.h"
#include "tb/sweep/point_source.h"
#include "tb/sweep/resumable_command.h"
#include "tb/sweep/seed_list.h"
#include "tb/sweep/sweep_arguments.h"
#include "tb/sweep/sweep_directory.h"
#include "tb/sweep/sweep_plot_command.h"
#include "tb/sweep/sweep_results.h"
#include "tb/sweep/sweep_runner.h"
#include "tb/sweep/sweep_sessions.h"
#include "tb/sweep/sweep_tables.h"
#include "weir/base/processors.h"

namespace weir {

namespace fs = std::filesystem;

namespace {

using exit_status::bad_input;

class sweep {
 public:
    sweep(sweep_arguments arguments, std::string command_line, std::ostream& out, std::ostream& err)
        : m_arguments(std::move(arguments)),
          m_command_line(std::move(command_line)),
          m_out(out),
          m_err(err),
          m_source(m_arguments.file, m_arguments.overrides),
          m_layout(m_arguments.out, m_plan) {}

    int run() {
        if (!plan() || !check()) {
            return bad_input;
        }
        if (m_arguments.dry_run) {
            print_plan();
            return 0;
        }
        if (print(check_directory(m_arguments.out, sweep_kind()))) {
            return bad_input;
        }
        make_out_directory(m_arguments.out);
        const directory_lock lock = lock_sweep(m_arguments.out);
        if (lock.impossible()) {
            throw output_error(m_arguments.out, "cannot be locked", lock.reason());
        }
        if (!lock.held()) {
            return refuse_out(
                "is in use by another sweep; expected another --out, or this one after that sweep has ended");
        }
        sweep_sessions sessions(m_arguments.out);
        if (!goes_on(sessions)) {
            return bad_input;
        }
        return run_and_report(lock, sessions);
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
        m_plan.version = WEIR_VERSION;
        m_plan.configuration = m_source.title();
        m_plan.keep = m_arguments.keep;
        m_plan.axes = m_arguments.axes;
        const auto seeds = read_seeds(m_arguments.seeds.empty() ? "1" : m_arguments.seeds, m_base.run.seed);
        m_plan.seeds = seeds.value;
        if (!seeds) {
            errors.push_back({"", 0, "--seeds", seeds.error});
        }
        if (print(errors)) {
            return false;
        }
        m_plan.options = options_of(m_base, m_plan.keys());
        if (m_plan.points() > sweep_plan::most_runs || m_plan.runs() > sweep_plan::most_runs) {
            return !print({{"", 0, "--vary",
                            "makes too many runs; expected points x seeds of at most " +
                                std::to_string(sweep_plan::most_runs) + ""}});
        }
        return m_arguments.plots.empty() || !print(check_sweep_plot(m_plan, default_sweep_plot(m_plan)));
    }

    bool check() {
        plan_check found = check_plan(m_source, m_plan);
        for (const std::string& error : found.errors) {
            m_err << error << '\n';
        }
        if (!found.errors.empty()) {
            return false;
        }
        for (const std::string& warning : found.warnings) {
            m_err << "warning: " << warning << '\n';
        }
        m_plan.inputs = std::move(found.inputs);
        return true;
    }

    unsigned jobs() const {
        return m_arguments.jobs > 0 ? m_arguments.jobs
                                    : std::max(1U, usable_processors() / std::max(1U, m_base.run.threads));
    }

    void print_plan() {
        const auto count = [](std::size_t n, const char* what) {
            return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
        };
        m_out << count(m_plan.points(), "point") << " x " << count(m_plan.seeds.size(), "seed") << " = "
              << count(m_plan.runs(), "run") << ", " << jobs() << " at a time\n\nSeeds:";
        for (const std::uint64_t seed : m_plan.seeds) {
            m_out << ' ' << seed;
        }
        m_out << "\n\n";
        constexpr std::size_t most = 1000;
        for (std::size_t point = 0; point < std::min(m_plan.points(), most); ++point) {
            m_out << m_plan.describe(point) << '\n';
        }
        if (m_plan.points() > most) {
            m_out << "... and " << m_plan.points() - most << " more\n";
        }
    }

    /// Whether this sweep can be put, or gone on with, where it is to be; writes nothing.
    bool goes_on(const sweep_sessions& sessions) {
        const std::string file = (fs::path(m_arguments.out) / "plan.json").string();
        m_there = read_plan_text(m_arguments.out);
        if (!m_there.empty()) {
            const plan_result there = plan_from_json(m_there, file);
            if (print(there.errors) || print(differences(there.plan, m_plan, file, m_arguments.extend))) {
                return false;
            }
        }
        m_found = take_inventory(m_plan, m_source, m_layout, m_arguments.retry_failed);
        constexpr std::size_t most = 10;
        if (m_found.foreign.size() > most) {
            m_found.foreign.resize(most);
        }
        if (print(m_found.foreign)) {
            return false;
        }
        const bool other_build =
            !sessions.program().empty() && sessions.program() != sweep_sessions::this_program();
        if (other_build && m_found.done + m_found.failed > 0 && !m_found.pending.empty() &&
            !m_arguments.mixed_builds) {
            return !print({{(fs::path(m_arguments.out) / "run.json").string(), 0, "program_crc64",
                            "the runs there were made by another build of weir; expected that build, "
                            "--mixed-builds, or another --out"}});
        }
        return true;
    }

    int run_and_report(const directory_lock& lock, sweep_sessions& sessions) {
        const fs::path directory = m_arguments.out;
        const std::string plan_text = to_text(to_json(m_plan));
        if (plan_text != m_there) {
            output_file file(directory / "plan.json");
            file.write(plan_text);
            file.finish();
            synchronise(directory);
        }
        sweep_status status{m_plan.runs(), m_found.done, m_found.failed, 0, 0};
        int signal = 0;
        if (!m_found.pending.empty()) {
            remove_tables(directory);
            sessions.begin(m_command_line, jobs());
            signal = run_pending(lock, status);
            const std::size_t ran = status.done + status.failed - m_found.done - m_found.failed;
            sessions.end(signal != 0 ? "interrupted" : "ended", ran);
        }
        return report(directory, status, signal);
    }

    int run_pending(const directory_lock& lock, sweep_status& status) {
        status_line line(m_err, m_base.run.progress);
        sweep_runner::options options;
        options.jobs = jobs();
        options.lock = lock.descriptor();
        options.note = [&](const std::string& text) { line.note(text); };
        options.progress = [&](const sweep_status& now) { line.show(progress_text(now)); };
        sweep_runner runner(m_plan, m_source, m_layout, options);
        const int signal = runner.run(m_found.pending, m_found.done, m_found.failed);
        status = runner.status();
        return signal;
    }

    /// Tables of an earlier call would look like this one's.
    static void remove_tables(const fs::path& directory) {
        for (const char* name : {"sweep.csv", "sweep.json", "means.csv", "means.json"}) {
            remove_file(directory / name);
        }
    }

    int report(const fs::path& directory, const sweep_status& status, int signal) {
        const sweep_results results(m_plan, m_layout, m_arguments.metrics);
        write_tables(results, m_arguments.tables, directory);
        synchronise(directory);
        if (signal != 0) {
            m_err << "weir sweep: interrupted; " << status.done << " of " << status.total
                  << " runs are done, the same command goes on\n";
            return exit_status::interrupted(signal);
        }
        if (results.without_groups()) {
            m_err << "note: more than " << sweep_results::most_groups
                  << " groups, so the tables leave out their metrics; --metrics groups adds them\n";
        }
        for (const std::string& name : m_arguments.metrics.unused(results.metrics())) {
            m_err << "warning: --metrics: no run has '" << name << "'\n";
        }
        print_means(m_out, results, m_arguments.tables);
        m_out << "\nTables: " << (directory / "sweep.csv").string() << ", "
              << (directory / "means.csv").string() << '\n';
        const int drawn = m_arguments.plots.empty() ? 0
                                                    : draw_sweep(m_plan, m_layout, m_arguments.plots,
                                                                 m_arguments.tables.confidence, m_out, m_err);
        if (status.failed > 0) {
            m_err << "weir sweep: " << status.failed << " of " << status.total
                  << " runs failed: state and error in sweep.csv; --retry-failed runs them again\n";
        }
        if (status.not_finished > 0) {
            m_err
                << "weir sweep: " << status.not_finished << " of " << status.total
                << " runs are not finished, for the reasons above, which are not the model's; the same command "
                   "runs them again\n";
            return exit_status::environment;
        }
        return status.failed > 0 ? exit_status::verdict : drawn;
    }

    const sweep_arguments m_arguments;
    const std::string m_command_line;
    std::ostream& m_out;
    std::ostream& m_err;
    const point_source m_source;
    sweep_plan m_plan;
    const sweep_layout m_layout;
    run_config m_base;
    sweep_inventory m_found;
    /// plan.json as it was found.
    std::string m_there;
};

}  // namespace

int sweep_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    sweep_arguments arguments = read_sweep_arguments(args);
    if (arguments.help) {
        out << sweep_usage;
        return 0;
    }
    return run_resumable("sweep", args, err, [&](const std::string& command_line) {
        return sweep(std::move(arguments), command_line, out, err).run();
    });
}

}  // namespace weir
