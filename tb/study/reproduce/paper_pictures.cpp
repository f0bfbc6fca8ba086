#include "tb/study/reproduce/paper_pictures.h"

#include <algorithm>
#include <sstream>

#include "tb/study/reproduce/effects_picture.h"
#include "tb/study/sweep/metric_title.h"
#include "tb/study/sweep/swept_axis.h"
#include "tb/support/process/error_text.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/record/table_writers.h"
#include "tb/support/text/csv_file.h"
#include "tb/view/chart/distribution_plot.h"
#include "tb/view/pictures/run_pictures.h"
#include "tb/view/pictures/run_reader.h"

namespace weir::tb {

namespace {

/// Adds the completion times of the group's jobs, `groups.TAG.BYTES.PRIORITY.jct_ns`, or of all.
void add_jobs(const std::filesystem::path& run, const std::string& metric, std::vector<double>& values) {
    config_errors errors;
    csv_file table((run / "jobs.csv").string(), errors, input_kind::any, "a table of a run of weir");
    const auto columns = table.columns({"tag", "bytes", "priority", "jct_ns"});
    const bool all = metric == "jct_ns";
    while (table.next()) {
        if (all || "groups." + table.text(columns[0]) + "." + table.text(columns[1]) + "." +
                           table.text(columns[2]) + ".jct_ns" ==
                       metric) {
            double value = 0;
            if (table.number(columns[3], value)) {
                values.push_back(value);
            }
        }
    }
    if (!errors.empty()) {
        throw command_error(format_error(errors.front()), exit_status::bad_input);
    }
}

/// `scheme = dibs`
std::string curve_label(const sweep_plan& plan, const std::string& key, std::size_t point) {
    const swept_axis family(plan, key);
    return family.setting(plan.places(point)[family.index()]);
}

std::optional<picture> pooled_distribution(const paper_figure& f, const sweep_results& results,
                                           const campaign_layout& layout) {
    const sweep_plan& plan = results.plan();
    std::vector<labelled_values> runs;
    bool any = false;
    for (const std::size_t point : points_of_figure(f, plan)) {
        labelled_values& curve = runs.emplace_back();
        if (!f.curves.empty()) {
            curve.label = curve_label(plan, f.curves.front().key, point);
        }
        for (std::size_t seed = 0; seed < plan.seeds.size(); ++seed) {
            if (results.record(point, seed).state == run_record::states::done) {
                add_jobs(layout.run(point, plan.seeds[seed]), f.metrics.front(), curve.values);
            }
        }
        std::sort(curve.values.begin(), curve.values.end());
        any = any || !curve.values.empty();
    }
    if (!any) {
        return std::nullopt;
    }
    const std::string seeds =
        plan.seeds.size() == 1 ? "one seed" : std::to_string(plan.seeds.size()) + " seeds together";
    std::string details = plan.configuration + "; " + f.metrics.front() + "; " + seeds;
    for (const auto& [key, value] : plan.settings(points_of_figure(f, plan).front())) {
        const bool is_drawn = !f.curves.empty() &&
                              swept_axis(plan, key).index() == swept_axis(plan, f.curves.front().key).index();
        details += is_drawn ? "" : "; " + key + " = " + value;
    }
    return draw(distribution_figure({f.name, f.title, details + marks_text(runs)}, runs,
                                    f.scale != sweep_plot_request::scales::linear));
}

/// The picture that `weir plot` draws of the first seed's runs.
std::optional<picture> picture_of_runs(const paper_figure& f, const sweep_results& results,
                                       const campaign_layout& layout) {
    const sweep_plan& plan = results.plan();
    std::vector<run_data> runs;
    for (const std::size_t point : points_of_figure(f, plan)) {
        if (results.record(point, 0).state != run_record::states::done) {
            continue;
        }
        runs.push_back(read_run(layout.run(point, plan.seeds.front()).string(), {}));
        if (!runs.back().errors.empty()) {
            throw command_error(format_error(runs.back().errors.front()), exit_status::bad_input);
        }
        runs.back().label = f.curves.empty() ? "seed " + std::to_string(plan.seeds.front())
                                             : curve_label(plan, f.curves.front().key, point);
    }
    std::ostringstream notes;
    const std::string prefix = f.name.substr(0, f.name.size() - f.metrics.front().size());
    std::vector<picture> drawn = run_pictures({{}, f.title, prefix}, runs, notes);
    const auto found =
        std::find_if(drawn.begin(), drawn.end(), [&](const picture& each) { return each.name == f.name; });
    return found != drawn.end() ? std::optional(std::move(*found)) : std::nullopt;
}

/// `1.52 +-0.04`: with half the width of the interval.
std::string mean_text(const mean_interval& mean, double unit) {
    if (mean.n == 0) {
        return "-";
    }
    return short_number(mean.mean / unit) +
           (mean.has_width() ? " +-" + short_number(mean.half_width / unit) : std::string{});
}

}  // namespace

std::optional<picture> paper_picture(const paper_figure& f, const paper_plan::experiment& e,
                                     const sweep_results& results, const campaign_layout& layout,
                                     double confidence) {
    if (points_of_figure(f, e.plan).empty()) {
        return std::nullopt;
    }
    if (f.is_distribution()) {
        return pooled_distribution(f, results, layout);
    }
    if (f.is_of_runs()) {
        return picture_of_runs(f, results, layout);
    }
    if (f.has_effects()) {
        return effects_picture(f, results, confidence);
    }
    sweep_plot_request request = f.request(e.plan);
    request.confidence = confidence;
    return sweep_picture(results, results.metrics_like(f.metrics), request);
}

std::string figure_numbers(const paper_figure& f, const sweep_results& results, double confidence) {
    const sweep_plan& plan = results.plan();
    if (!f.has_axis() || points_of_figure(f, plan).empty()) {
        return {};
    }
    if (f.has_effects()) {
        return effects_numbers(f, results, confidence);
    }
    const std::vector<std::vector<std::size_t>> drawn = *f.places(plan);
    const swept_axis x(plan, f.x);
    std::vector<std::size_t> curves{0};
    std::vector<std::size_t> at;
    for (const std::vector<std::size_t>& places : drawn) {
        at.push_back(places.front());
    }
    std::optional<swept_axis> family;
    if (!f.curves.empty()) {
        family.emplace(plan, f.curves.front().key);
        curves = drawn[family->index()];
    }
    sweep_plot_request request = f.request(plan);
    request.confidence = confidence;
    std::string text;
    for (const std::size_t metric : results.metrics_like(f.metrics)) {
        std::vector<std::vector<mean_interval>> rows;
        double high = 0;
        for (const std::size_t place : x.in_order()) {
            rows.emplace_back();
            at[x.index()] = place;
            for (const std::size_t curve : curves) {
                if (family) {
                    at[family->index()] = curve;
                }
                rows.back().push_back(drawn_mean(results, request, at, metric));
                high = std::max(high, rows.back().back().mean);
            }
        }
        const std::string& name = results.metrics()[metric];
        const axis_unit unit = request.reference ? axis_unit{} : metric_axis_unit(name, 0, high, false);
        text += metric_title(name);
        if (request.reference) {
            text += " divided by that of " + swept_axis(plan, request.over.back()).setting(*request.reference);
        }
        text += (unit.name.empty() ? "" : " [" + unit.name + "]") + ":\n\n";
        data_table table({{x.label()}});
        for (const std::size_t curve : curves) {
            table.columns.push_back({family ? family->text(curve) : "mean"});
        }
        for (std::size_t i = 0; i < rows.size(); ++i) {
            std::vector<table_cell> cells{x.text(x.in_order()[i])};
            for (const mean_interval& mean : rows[i]) {
                cells.emplace_back(mean_text(mean, unit.scale));
            }
            table.add_row(std::move(cells));
        }
        text += markdown_of(table) + "\n";
    }
    return text;
}

}  // namespace weir::tb
