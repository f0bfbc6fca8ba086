#include <algorithm>
#include <string>
#include <utility>

#include "tb/plot/completion_times.h"
#include "tb/plot/percentile_plot.h"
#include "tb/plot/share_plot.h"
#include "tb/report/report_charts.h"
#include "tb/text/joined.h"
#include "tb/text/text_format.h"

namespace weir::tb {

namespace {

/// Tags and classes that have a chart.
constexpr std::size_t most_groups_shown = 6;
/// Of a curve in the charts of single tags and classes, of which there are many.
constexpr std::size_t most_folded_values = 1000;

chart_series distribution_series(const labelled_values& d, std::size_t most) {
    chart_series made{d.label};
    for (const std::size_t r : thinned_ranks(d.values.size(), most)) {
        made.x.push_back(d.values[r - 1]);
        made.rank.push_back(r);
    }
    made.count = d.values.size();
    for (const double p : marked_percentiles(d.values.size())) {
        made.marks.emplace_back(p, percentile(d.values, p));
    }
    return made;
}

/// Labels of the runs with so many values: one has no distribution.
std::string labels_with(const std::vector<labelled_values>& runs, std::size_t values, const char* what) {
    std::string names;
    for (const labelled_values& d : runs) {
        names += d.values.size() == values ? (names.empty() ? what : ", ") + d.label : "";
    }
    return names;
}

void add_distribution(std::vector<chart>& charts, const std::string& id, const std::string& title,
                      const std::string& note, const std::vector<labelled_values>& runs,
                      const axis_quantity& shown = completion_time, std::size_t most = most_points) {
    std::string notes = note + labels_with(runs, 1, "; not drawn, with a single value: ") +
                        labels_with(runs, 0, "; no values: ");
    notes.erase(0, notes.find_first_not_of("; "));
    chart& made = charts.emplace_back(chart{id, "completion", title, notes, chart_kind::distribution});
    made.x = {shown.name, shown.is_time ? axis_kind::time : axis_kind::count, true};
    made.y = {"Share completed", axis_kind::share};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (runs[i].values.size() > 1) {
            made.add(distribution_series(runs[i], most), i, true);
        }
    }
}

/// A chart for each tag and class with a curve per run, folded away, all with the same axes.
void add_groups(std::vector<chart>& charts, const std::vector<run_data>& runs, const std::string& id,
                const std::string& title, completion_measure measure, const axis_quantity& shown) {
    const completion_groups groups = completions_by_group(runs, measure, most_groups_shown);
    // One group is what the chart of all transfers shows.
    if (groups.shown.size() < 2) {
        return;
    }
    const std::string note =
        groups.left_out.empty() ? "" : "the largest ones; not drawn: " + joined(groups.left_out, "; ");
    for (std::size_t i = 0; i < groups.shown.size(); ++i) {
        add_distribution(charts, id + "_" + std::to_string(i), title + ": " + groups.shown[i].name, note,
                         groups.shown[i].runs, shown, most_folded_values);
        charts.back().group = id;
        charts.back().folded = title + " by tag and class";
    }
}

void add_completion(std::vector<chart>& charts, const std::vector<run_data>& runs) {
    const std::vector<labelled_values> jobs = completion_values_of(runs, completion_measure::job_time);
    const std::vector<labelled_values> transfers =
        completion_values_of(runs, completion_measure::transfer_time);
    const bool equal = have_equal_values(jobs, transfers);
    add_distribution(charts, "job_completion_cdf", "Completion time of jobs",
                     equal ? "each job is one transfer" : "", jobs);
    if (!equal) {
        add_distribution(charts, "transfer_completion_cdf", "Completion time of transfers", "", transfers);
    }
    add_groups(charts, runs, "job_completion_cdf_by_class", "Completion time of jobs",
               completion_measure::job_time, completion_time);
    if (!equal) {
        add_groups(charts, runs, "transfer_completion_cdf_by_class", "Completion time of transfers",
                   completion_measure::transfer_time, completion_time);
    }
}

void add_sizes(std::vector<chart>& charts, const std::vector<run_data>& runs) {
    std::vector<sized_completions> all = jobs_by_size(runs);
    const std::vector<std::vector<size_point>> curves = percentiles_by_size(all);
    for (std::size_t which = 0; which < percentiles_of_sizes.size(); ++which) {
        const std::string p = number_text(percentiles_of_sizes[which]);
        chart& made = charts.emplace_back(
            chart{"percentile_" + std::to_string(which) + "_by_size", "completion",
                  (p == "50" ? "Median" : p + "th percentile") + " of job completion time by size",
                  "of sizes with enough jobs", chart_kind::points});
        made.x = {"Size", axis_kind::bytes, true};
        made.y = {"Completion time", axis_kind::time, true};
        for (std::size_t i = 0; i < curves.size(); ++i) {
            chart_series line{runs[i].label};
            for (const size_point& point : curves[i]) {
                if (point.time_ns[which] > 0) {
                    line.add(point.bytes, point.time_ns[which]);
                }
            }
            if (!line.x.empty()) {
                made.add(std::move(line), i, true);
            }
        }
    }
}

void add_shares(std::vector<chart>& charts, const char* id, const char* title, chart shares) {
    shares.id = id;
    shares.section = "hot_spots";
    shares.title = title;
    charts.push_back(std::move(shares));
}

}  // namespace

void add_distribution_charts(std::vector<chart>& charts, const std::vector<run_data>& runs) {
    add_completion(charts, runs);
    add_sizes(charts, runs);
    add_distribution(charts, "slowdown_cdf", "Slowdown of transfers",
                     "completion time over the time in an empty fabric",
                     completion_values_of(runs, completion_measure::transfer_slowdown), slowdown);
    add_groups(charts, runs, "slowdown_cdf_by_class", "Slowdown of transfers",
               completion_measure::transfer_slowdown, slowdown);
    add_shares(charts, "busy_links", "Links that are busy at the same time",
               share_chart("Busy links", "Share of time", runs, &run_data::busy_links));
    add_shares(charts, "free_one_hop", "Free egress memory one hop from full ports",
               share_chart("Free memory", "Share of full ports", runs, &run_data::free_one_hop));
    add_shares(charts, "free_two_hops", "Free egress memory within two hops of full ports",
               share_chart("Free memory", "Share of full ports", runs, &run_data::free_two_hops));
}

}  // namespace weir::tb
