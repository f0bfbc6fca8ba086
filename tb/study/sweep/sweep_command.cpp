#include "tb/run/arguments/commands.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "tb/run/options/requested_metrics.h"
#include "tb/study/campaign/campaign.h"
#include "tb/study/points/check_plan.h"
#include "tb/study/points/point_source.h"
#include "tb/study/points/seed_list.h"
#include "tb/study/points/sweep_axis.h"
#include "tb/study/points/sweep_plan.h"
#include "tb/study/sweep/metrics.h"
#include "tb/study/sweep/sweep_plot.h"
#include "tb/study/sweep/sweep_results.h"
#include "tb/study/sweep/sweep_tables.h"
#include "tb/support/files/run_directory.h"
#include "tb/support/process/exit_status.h"
#include "weir/base/how_many.h"

namespace weir::tb {

namespace {

struct sweep_arguments : point_arguments, table_options {
    static constexpr command_text command{
        "weir sweep [CONFIG.ini ...] --vary KEY=VALUES [--vary ...] [--seeds LIST] [--key=value ...] --out "
        "DIR\n"
        "weir sweep [CONFIG.ini ...] --vary KEY=VALUES [--vary ...] [--seeds LIST] [--key=value ...] "
        "--dry-run\n\n"
        "Runs every combination of the varied options with every seed, in parallel processes, and writes the\n"
        "results into one table. The same command again goes on where it was stopped or killed.\n\n",
        30};

    /// Texts of `--vary`, and what they say.
    std::vector<std::string> vary;
    std::vector<sweep_axis> axes;
    /// Text of --seeds. Without one, the seed is the configuration's run.seed.
    std::optional<std::string> seeds;
    /// Text of --point. Without one, all points run.
    std::optional<std::string> points;
    kept_files keep = kept_files::summary;
    /// An option, as given.
    std::optional<std::string> against_option;
    /// Metrics to draw.
    std::vector<std::string> plots;
    bool extend = false;
    bool retry_failed = false;

    void describe(argument_list& arguments) {
        constexpr const char* a_metric = "a number in summary.json, such as fct_ns.p99";
        arguments.files(config_files, 0, SIZE_MAX);
        arguments("vary", vary, "KEY=A,B,C", "a list; put a value that has commas into brackets: (0,7)")
            .repeated()
            .required("--vary KEY=VALUES, or --seeds", "seeds");
        arguments.form("vary", "KEY=LOW..HIGH:STEP", "LOW, LOW + STEP, ... HIGH; ends and step with units");
        arguments.form("vary", "KEY=LOW..HIGH:log:N",
                       "N values with equal ratios; lin instead of log: with equal distances");
        arguments.form("vary", "K1,K2=(A,B),(C,D)", "options that vary together");
        arguments.form("vary", "KEY+=A,B", "adds to the lines of an option that may be given several times");
        arguments("seeds", seeds, "N|LIST",
                  "N seeds from run.seed on, or a list such as 3,7,11 or 1..10; each point has the same");
        arguments.options_of_run(overrides, "any option, for every point; `weir run --help` lists them");
        describe_places(arguments, "where to write; new, empty or the same sweep");
        arguments("keep", keep, "summary|all",
                  "files kept of each run: summary.json, effective.ini and run.json (summary, the\n"
                  "default), or all");
        arguments("metric", metrics, "LIST",
                  "numbers from summary.json for the tables: names (fct_ns.p99, drops.total), "
                  "prefixes\n(jct_ns), patterns ('*.p99'); may be repeated; default: all")
            .repeated()
            .not_empty(a_metric);
        arguments("metrics", metrics, "LIST").repeated().not_empty(a_metric);  // its former name
        arguments.form("metric", definition_form, definition_help);
        arguments("confidence", confidence, "SHARE", "confidence level of the intervals (default 95%)").share();
        arguments("against", against_option, "KEY",
                  "compare each point with the point that has the first value of KEY and is otherwise\nequal "
                  "(default: with the first point)");
        arguments("plot", plots, "METRIC",
                  "draw METRIC over the first two varied options; may be repeated. `weir plot DIR\n"
                  "--metric METRIC --over KEY` does the same later, and more")
            .repeated()
            .excludes("point", "which has no tables; --collect makes them");
        arguments("point", points, "LIST",
                  "make the runs of these points alone: 3, 1,5 or 1..10, as the folders are numbered. "
                  "Any\nnumber of such commands may share DIR; no tables")
            .excludes("collect", "which makes no runs");
        arguments("collect", collects, "make no runs: tables and pictures of those that are there");
        arguments("extend", extend, "DIR may hold the same sweep with fewer seeds");
        arguments("retry-failed", retry_failed, "repeat the runs that failed");
        describe_checks(arguments, "check every point, print the plan, write nothing");
    }
    void complete(config_errors& found) {
        check_out(found);
        shares = points.has_value();
        const axis_options options(*this);
        for (const std::string& text : vary) {
            axis_result read = read_axis(text, options.table());
            found.add(std::move(read.errors));
            axes.push_back(std::move(read.axis));
        }
        check_axes(axes, overrides, "varied", found);
        const bool is_list = seeds && seeds->find_first_of(",.") != std::string::npos;
        const bool has_seed = std::any_of(overrides.begin(), overrides.end(),
                                          [](const std::string& o) { return o.rfind("--run.seed=", 0) == 0; });
        if (is_list && has_seed) {
            add_error(found, "--run.seed",
                      "has no effect beside a list of --seeds; expected only one of the two, or --seeds N");
        }
        metrics = metrics_in(metrics);
        request_metrics(metrics, overrides);
        request_metrics(plots, overrides);
        if (!plots.empty() && axes.empty()) {
            add_error(found, "--plot", "has no option for its horizontal axis; expected at least one --vary");
        }
        if (against_option) {
            against = options.table().key_of(*against_option);
            if (std::none_of(axes.begin(), axes.end(), [&](const auto& axis) { return axis.has(against); })) {
                add_error(found, "--against",
                          "'" + *against_option + "' is not varied; expected a key of --vary");
            }
        }
    }
};

class sweep : public queued_campaign {
 public:
    sweep(sweep_arguments arguments, const campaign_call& call, std::ostream& out, std::ostream& err)
        : queued_campaign(sweep_kind(), "sweep", arguments.retry_failed, arguments, call, out, err),
          m_arguments(std::move(arguments)),
          m_metrics(m_arguments.metrics),
          m_source(m_arguments.config_files, m_arguments.overrides),
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
        const auto seeds = read_seeds(m_arguments.seeds.value_or("1"), base.config.run.seed);
        m_plan.seeds = seeds.value;
        config_errors of_metrics;
        std::vector<std::string> given = m_arguments.metrics;
        given.insert(given.end(), m_arguments.plots.begin(), m_arguments.plots.end());
        m_plan.metrics = definitions_of(base, given, of_metrics);
        if (of_metrics.empty()) {
            of_metrics.add(m_metrics.check("--metric", m_plan.metrics));
            of_metrics.add(metric_filter(m_arguments.plots).check("--plot", m_plan.metrics));
        }
        errors.add(std::move(of_metrics));
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
                                std::to_string(sweep_plan::most_runs)}});
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
        const sweep_results results(m_plan, layout(), m_metrics);
        write_tables(results, m_arguments, directory());
        synchronise(directory());
        if (signal != 0) {
            return *unfinished(signal);
        }
        if (results.without_groups()) {
            m_err << "note: more than " << most_shown_groups
                  << " groups, so the tables leave out their metrics; --metric groups adds them\n";
        }
        for (const std::string& name : m_metrics.unused(results.metrics())) {
            m_err << "warning: --metric: " << absent_text(name, m_plan.metrics, results.seen()) << '\n';
        }
        print_means(m_out, results, m_arguments);
        m_out << "\nTables: " << (directory() / "sweep.csv").string() << ", "
              << (directory() / "means.csv").string() << '\n';
        const int drawn = m_arguments.plots.empty() ? 0
                                                    : draw_sweep(m_plan, layout(), m_arguments.plots,
                                                                 m_arguments.confidence, m_out, m_err);
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
    const metric_filter m_metrics;
    const point_source m_source;
    sweep_plan m_plan;
    const planned_runs m_runs;
    /// Those whose runs are made.
    std::vector<std::size_t> m_points;
};

}  // namespace

int sweep_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    sweep_arguments arguments;
    if (read_arguments(arguments, args, out, arguments.errors)) {
        return exit_status::success;
    }
    return run_campaign("sweep", args, err, [&](const campaign_call& call) {
        return sweep(std::move(arguments), call, out, err).run();
    });
}

}  // namespace weir::tb
