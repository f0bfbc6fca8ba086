#include "tb/run/arguments/commands.h"

#include <algorithm>
#include <filesystem>

#include "tb/run/arguments/argument_list.h"
#include "tb/run/options/load_config.h"
#include "tb/run/options/requested_metrics.h"
#include "tb/run/options/run_options.h"
#include "tb/run/results/derived_metric.h"
#include "tb/run/summary/summary_reader.h"
#include "tb/study/points/sweep_plan.h"
#include "tb/study/sweep/sweep_plot.h"
#include "tb/study/sweep/tradeoff_plot.h"
#include "tb/support/files/input_file.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/text/joined.h"
#include "tb/view/chart/draw_pictures.h"
#include "tb/view/chart/picture_directory.h"

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_pictures = 32;

parse_result<axis_choice> read_fixed(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
        return {{}, "'" + text + "' has no '='; expected KEY=VALUE"};
    }
    return {{text.substr(0, equals), {text.substr(equals + 1)}}, {}};
}

struct sweep_plot_arguments : picture_arguments, sweep_plot_request {
    static constexpr command_text command{
        "weir plot SWEEP_DIR --metric METRIC --over KEY[,KEY] --out DIR\n"
        "weir plot SWEEP_DIR --metric METRIC --over METRIC[,KEY] --out DIR\n\n"
        "Draws metrics of a sweep over one varied option, or over one with a curve for each value of a second "
        "one:\nmeans over the seeds with their confidence intervals. Over another metric: all points of the "
        "sweep, and the\nPareto front, the points that no other point beats.\n\n",
        23};

    std::vector<std::string> directories;
    std::vector<std::string> metrics;
    bool pareto = false;

    void describe(argument_list& arguments) {
        arguments.files(directories, 1, 1, "directory");
        arguments("metric", metrics, "METRIC",
                  "a number in summary.json (fct_ns.p99, drops.total), a prefix (jct_ns) or a pattern\n"
                  "('*.p99'); may be repeated. One picture per metric")
            .repeated()
            .required("a number in summary.json, such as fct_ns.p99");
        arguments.form("metric", definition_form, definition_help);
        arguments("over", over, "KEY[,KEY]",
                  "option or metric of the horizontal axis, and option with one curve per value (up to 16)");
        arguments("pareto", pareto,
                  "draw points and Pareto front over an option in bytes, too; a metric in --over implies it");
        arguments(
            "where", where, "KEY=VALUE",
            "fixes another varied option at this value; may be repeated. Over a metric: draws points with\n"
            "this value alone")
            .each_by(read_fixed);
        describe_out(arguments);
        arguments("confidence", confidence, "SHARE", "confidence level of the intervals (default 95%)").share();
        arguments("scale", scale, "SCALE", "scale of the vertical axis: linear, log, auto (default)");
        arguments("title", title, "TEXT", "title of all pictures (default: what each one shows)");
        describe_format(arguments);
    }
    void complete(config_errors& errors) {
        errors.add(check_picture_directory(out));
        metrics = metrics_in(metrics);
        errors.add(check_over(*this));
        if (over.empty() || over.size() > 2) {
            add_error(errors, "--over",
                      (over.empty() ? "is missing" : "names more than two options") +
                          std::string("; expected KEY or KEY,KEY or METRIC or METRIC,KEY"));
        }
    }
};

struct drawn_metrics {
    std::vector<picture> pictures;
    /// Of all that was asked for.
    std::vector<std::string> names;
    /// Metrics without any value to draw, and why.
    std::vector<std::pair<std::string, std::string>> empty;
    /// Points of Pareto fronts, for people.
    std::vector<std::string> fronts;
    config_errors errors;
};

constexpr const char* expected_in_table = "expected a metric that is in sweep.csv";

void note_empty(const drawn_metrics& drawn, std::ostream& err) {
    for (const auto& [name, why] : drawn.empty) {
        err << "note: " << name << ": not drawn, because " << why << '\n';
    }
}

void note_unknown(const std::vector<std::string>& keys, std::ostream& err) {
    const option_table& table = known_options();
    for (const std::string& key : keys) {
        if (table.find(key) == nullptr) {
            err << "note: " << key
                << ": its values are drawn as names, because this program has no such option; "
                << "--plugin LIB loads the plugin that has it\n";
        }
    }
}

/// Returns the error of `--scale log` if a mean to draw is 0 or below, which a logarithmic axis does not show.
config_errors check_scale(const sweep_results& results, std::size_t metric, const sweep_plot_request& request) {
    if (request.scale != sweep_plot_request::scales::logarithmic) {
        return {};
    }
    for (const std::size_t point : chosen_points(results.plan(), request.where)) {
        const mean_interval mean = results.sound_mean(point, metric, request.confidence);
        if (mean.n > 0 && mean.mean <= 0) {
            const std::string& name = results.metrics()[metric];
            return {{"", 0, "--scale",
                     "'log' does not show " + name + " = " + metric_text(name, mean.mean) + " of " +
                         results.plan().describe(point) + "; expected linear or auto"}};
        }
    }
    return {};
}

drawn_metrics draw_all(const sweep_results& results, const metric_filter& wanted,
                       const sweep_plot_request& request, bool is_tradeoff = false) {
    drawn_metrics drawn;
    for (std::size_t m = 0; m < results.metrics().size(); ++m) {
        if (!wanted.takes(results.metrics()[m]) || results.metrics()[m] == request.over[0]) {
            continue;
        }
        drawn.names.push_back(sweep_picture_name(results.metrics()[m], request));
        drawn.errors.add(check_scale(results, m, request));
        if (auto both = is_tradeoff ? draw_tradeoff(results, m, request) : std::nullopt) {
            drawn.pictures.push_back(std::move(both->drawn));
            drawn.fronts.insert(drawn.fronts.end(), both->front.begin(), both->front.end());
        } else if (auto p = is_tradeoff ? std::nullopt : sweep_picture(results, {m}, request)) {
            drawn.pictures.push_back(std::move(*p));
        } else {
            const std::string& name = results.metrics()[m];
            drawn.empty.emplace_back(name, results.any_of_few_values(m) ? only_few_values_text(name)
                                           : is_tradeoff
                                               ? "no point has a value of it and of " + request.over[0]
                                               : "no run has a value of it");
        }
    }
    return drawn;
}

}  // namespace

plot_subject subject_of_plot(const std::vector<std::string>& args) {
    plot_subject found = plot_subject::runs;
    bool is_value = false;
    for (const std::string& arg : args) {
        const bool is_option = arg.compare(0, 2, "--") == 0;
        const std::string name = arg.substr(0, arg.find('='));
        if (!is_option && !is_value && path_exists(fs::path(arg) / "plan.json")) {
            return plot_subject::sweep;
        }
        if (name == "--metric" || name == "--over") {
            found = plot_subject::metrics_of_runs;
        }
        // The options without a value are these two; a word behind any other option is its value.
        is_value = is_option && name == arg && arg != "--pareto" && arg != "--help";
    }
    return found;
}

int sweep_plot_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    sweep_plot_arguments read;
    if (const std::optional<int> status = read_or_end(read, args, out, err)) {
        return *status;
    }
    config_errors errors;
    const std::string& sweep = read.directories.front();
    sweep_plan plan = read_plan(sweep, errors);
    const metric_filter filter(read.metrics);
    if (errors.empty()) {
        add_definitions(read.metrics, plan.metrics, errors);
    }
    if (errors.empty()) {
        errors.add(filter.check("--metric", plan.metrics));
    }
    for (std::string& key : read.over) {
        key = plan.key_of(key);
    }
    const bool is_over_metric =
        !plan.varies(read.over[0]) && metric_filter({read.over[0]}).check("--over", plan.metrics).empty();
    const bool is_tradeoff = is_over_metric || read.pareto;
    for (axis_choice& one : read.where) {
        one.key = plan.key_of(one.key);
    }
    if (errors.empty()) {
        errors = is_tradeoff ? check_tradeoff(plan, read, is_over_metric) : check_sweep_plot(plan, read, true);
    }
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    if (const auto none = without_done_runs(sweep)) {
        return print_errors({*none}, err);
    }
    const campaign_layout layout(sweep, plan.points());
    std::vector<std::string> both = read.metrics;
    both.insert(both.end(), read.over.begin(), read.over.begin() + (is_over_metric ? 1 : 0));
    const sweep_results results(plan, layout, metric_filter(both));
    if (is_over_metric) {
        errors.add(name_over_metric(results, expected_in_table, read));
    }
    for (const std::string& name : filter.unused(results.metrics())) {
        add_error(errors, "--metric", absent_text(name, plan.metrics, results.seen(), expected_in_table));
    }
    return errors.empty() ? draw_metrics(results, filter, read, is_over_metric, is_tradeoff, read, out, err)
                          : print_errors(errors, err);
}

config_errors check_over(const sweep_plot_request& request) {
    config_errors errors;
    for (const std::string& each : request.over) {
        if (is_definition(each)) {
            add_error(errors, "--over",
                      "'" + each + "' defines a metric; expected its name, '" + name_of_definition(each) +
                          "', and the definition in --metric");
        }
    }
    return errors;
}

config_errors name_over_metric(const sweep_results& results, const char* expected,
                               sweep_plot_request& request) {
    std::string& name = request.over[0];
    const std::vector<std::size_t> places = results.metrics_like({name});
    config_errors errors;
    if (places.size() == 1) {
        name = results.metrics()[places[0]];
    } else if (places.empty()) {
        add_error(errors, "--over", absent_text(name, results.plan().metrics, results.seen(), expected));
    } else {
        add_error(errors, "--over",
                  "'" + name + "' names " + std::to_string(places.size()) + " metrics; expected one, such as " +
                      results.metrics()[places[0]]);
    }
    return errors;
}

int draw_metrics(const sweep_results& results, const metric_filter& filter, const sweep_plot_request& request,
                 bool is_over_metric, bool is_tradeoff, const picture_arguments& files, std::ostream& out,
                 std::ostream& err) {
    const drawn_metrics drawn = draw_all(results, filter, request, is_tradeoff);
    config_errors errors = drawn.errors;
    if (drawn.names.empty()) {
        add_error(errors, "--metric", "is '" + request.over[0] + "', as --over is; expected another metric");
    }
    for (std::size_t i = 0; drawn.pictures.empty() && i < drawn.empty.size(); ++i) {
        const auto& [name, why] = drawn.empty[i];
        add_error(errors, "--metric",
                  "'" + name + "' is not drawn, because " + why + "; expected another metric");
    }
    if (drawn.pictures.size() > most_pictures) {
        add_error(errors, "--metric",
                  "makes " + std::to_string(drawn.pictures.size()) + " pictures; expected at most " +
                      std::to_string(most_pictures));
    }
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    err << results.unfinished_warning();
    note_empty(drawn, err);
    if (!results.plan().is_of_runs) {
        note_unknown({request.over.begin() + (is_over_metric ? 1 : 0), request.over.end()}, err);
    }
    for (const std::string& line : drawn.fronts) {
        out << line << '\n';
    }
    return draw_pictures(drawn.pictures, drawn.names, files.formats, files.out, out, err);
}

int draw_sweep(const sweep_plan& plan, const campaign_layout& layout, const std::vector<std::string>& metrics,
               double confidence, std::ostream& out, std::ostream& err) {
    sweep_plot_request request = default_sweep_plot(plan);
    request.confidence = confidence;
    const metric_filter filter(metrics);
    const sweep_results results(plan, layout, filter);
    drawn_metrics drawn = draw_all(results, filter, request);
    for (const std::string& name : filter.unused(results.metrics())) {
        drawn.empty.emplace_back(name, absent_text(name, plan.metrics, results.seen()));
    }
    note_empty(drawn, err);
    if (drawn.pictures.size() > most_pictures) {
        err << "note: the first " << most_pictures << " of " << drawn.pictures.size()
            << " pictures are drawn, the others are not\n";
        drawn.pictures.resize(most_pictures);
    }
    return draw_pictures(drawn.pictures, drawn.names, {"png", "svg"}, (layout.path() / "plots").string(), out,
                         err);
}

}  // namespace weir::tb
