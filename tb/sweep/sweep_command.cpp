#include "tb/sweep/sweep_command.h"

#include <algorithm>
#include <numeric>

#include "tb/campaign/queued_campaign.h"
#include "tb/files/run_directory.h"
#include "tb/process/exit_status.h"
#include "tb/sweep/check_plan.h"
#include "tb/sweep/point_source.h"
#include "tb/sweep/seed_list.h"
#include "tb/sweep/sweep_arguments.h"
#include "tb/sweep/sweep_directory.h"
#include "tb/sweep/sweep_plot_command.h"
#include "tb/sweep/sweep_results.h"
#include "tb/sweep/sweep_tables.h"
#include "weir/base/how_many.h"

namespace weir::tb {

namespace {

class sweep : public queued_campaign {
 public:
    sweep(sweep_arguments arguments, const campaign_call& call, std::ostream& out, std::ostream& err)
        : queued_campaign(sweep_kind(), "sweep", arguments.retry_failed, arguments.campaign, call, out, err),
          m_arguments(std::move(arguments)),
          m_source(m_arguments.files, m_arguments.overrides),
          m_runs(m_plan, m_source) {}

 private:
    bool plan() override {
        config_errors errors = m_arguments.errors;
        const loaded_config base = base_of(m_source);
        errors.insert(errors.end(), base.errors.begin(), base.errors.end());
        m_threads = base.config.run.threads;
        m_progress = base.config.run.progress;
        m_plan.keep = m_arguments.keep;
        m_plan.axes = m_arguments.axes;
        const auto seeds =
            read_seeds(m_arguments.seeds.empty() ? "1" : m_arguments.seeds, base.config.run.seed);
        m_plan.seeds = seeds.value;
        if (!seeds) {
            errors.push_back({"", 0, "--seeds", seeds.error});
        }
        if (print(errors)) {
            return false;
        }
        fill_plan(m_plan, m_source, base.config);
        if (m_plan.points() > sweep_plan::most_runs || m_plan.runs() > sweep_plan::most_runs) {
            return !print({{"", 0, "--vary",
                            "makes too many runs; expected points x seeds of at most " +
                                std::to_string(sweep_plan::most_runs) + ""}});
        }
        m_points.resize(m_plan.points());
        std::iota(m_points.begin(), m_points.end(), std::size_t{0});
        if (m_arguments.points) {
            auto points = read_points(*m_arguments.points, m_plan.points());
            if (!points) {
                return !print({{"", 0, "--point", points.error}});
            }
            m_points = std::move(points.value);
        }
        return m_arguments.plots.empty() || !print(check_sweep_plot(m_plan, default_sweep_plot(m_plan)));
    }

    bool check() override {
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
        want(m_points, m_plan.seeds);
        return true;
    }

    void print_plan() override {
        m_out << how_many(m_plan.points(), "point") << " x " << how_many(m_plan.seeds.size(), "seed") << " = "
              << how_many(m_plan.runs(), "run") << ", " << jobs() << " at a time\n\nSeeds:";
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

    std::size_t points() const override { return m_plan.points(); }
    nlohmann::ordered_json plan_json() const override { return to_json(m_plan); }

    config_errors differences(const std::string& there, const std::string& file) const override {
        const plan_result read = plan_from_json(there, file);
        return read.errors.empty() ? tb::differences(read.plan, m_plan, file, m_arguments.extend) : read.errors;
    }

    const run_list& runs() const override { return m_runs; }

    int report(int signal) override {
        if (shares()) {
            return report_part(signal);
        }
        const sweep_results results(m_plan, layout(), m_arguments.metrics);
        write_tables(results, m_arguments.tables, directory());
        synchronise(directory());
        if (signal != 0) {
            return *unfinished(signal);
        }
        if (results.without_groups()) {
            m_err << "note: more than " << most_shown_groups
                  << " groups, so the tables leave out their metrics; --metric groups adds them\n";
        }
        for (const std::string& name : m_arguments.metrics.unused(results.metrics())) {
            m_err << "warning: --metric: no run has '" << name << "'\n";
        }
        print_means(m_out, results, m_arguments.tables);
        m_out << "\nTables: " << (directory() / "sweep.csv").string() << ", "
              << (directory() / "means.csv").string() << '\n';
        const int drawn = m_arguments.plots.empty() ? 0
                                                    : draw_sweep(m_plan, layout(), m_arguments.plots,
                                                                 m_arguments.tables.confidence, m_out, m_err);
        if (status().failed > 0) {
            m_err << "weir sweep: " << status().failed << " of " << status().total
                  << " runs failed: state and error in sweep.csv; --retry-failed runs them again\n";
        }
        return unfinished(signal).value_or(status().failed > 0 ? exit_status::verdict : drawn);
    }

    int report_part(int signal) {
        if (const std::optional<int> left = unfinished(signal)) {
            return *left;
        }
        m_out << how_many(status().done, "run") << " done, " << status().failed << " failed, of "
              << how_many(m_points.size(), "point") << " of " << m_plan.points()
              << "; --collect makes the tables\n";
        return status().failed > 0 ? exit_status::verdict : exit_status::success;
    }

    const sweep_arguments m_arguments;
    const point_source m_source;
    sweep_plan m_plan;
    const planned_runs m_runs;
    /// Those whose runs are made.
    std::vector<std::size_t> m_points;
};

}  // namespace

int sweep_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    sweep_arguments arguments = read_sweep_arguments(args);
    if (arguments.help) {
        out << sweep_help();
        return 0;
    }
    return run_campaign("sweep", args, err, [&](const campaign_call& call) {
        return sweep(std::move(arguments), call, out, err).run();
    });
}

}  // namespace weir::tb
