#include "tb/reproduce/paper_pictures.h"

#include <algorithm>

#include "tb/plot/distribution_plot.h"
#include "tb/process/error_text.h"
#include "tb/process/exit_status.h"
#include "tb/sweep/swept_axis.h"
#include "tb/text/csv_file.h"

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

std::optional<picture> pooled_distribution(const paper_figure& f, const sweep_results& results,
                                           const campaign_layout& layout) {
    const sweep_plan& plan = results.plan();
    std::vector<labelled_values> runs;
    bool any = false;
    for (const std::size_t point : points_of_figure(f, plan)) {
        labelled_values& curve = runs.emplace_back();
        if (!f.curves.empty()) {
            const swept_axis family(plan, f.curves.front().key);
            curve.label = family.short_key() + " = " + family.text(plan.places(point)[family.index()]);
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
    for (const axis_choice& one : f.at) {
        details += "; " + one.key + " = " + one.values.front();
    }
    return distribution_picture(f.name, f.title, details + marks_text(runs), runs,
                                f.scale != sweep_plot_request::scales::linear);
}

}  // namespace

std::optional<picture> paper_picture(const paper_figure& f, const paper_plan::experiment& e,
                                     const sweep_results& results, const campaign_layout& layout,
                                     double confidence) {
    if (points_of_figure(f, e.plan).empty()) {
        return std::nullopt;
    }
    if (f.is_distribution) {
        return pooled_distribution(f, results, layout);
    }
    std::vector<std::size_t> metrics;
    const metric_filter wanted(f.metrics);
    for (std::size_t m = 0; m < results.metrics().size(); ++m) {
        if (wanted.takes(results.metrics()[m])) {
            metrics.push_back(m);
        }
    }
    sweep_plot_request request = f.request(e.plan);
    request.confidence = confidence;
    return sweep_picture(results, metrics, request);
}

}  // namespace weir::tb
