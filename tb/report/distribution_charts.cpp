#include <algorithm>
#include <string>
#include <utility>

#include "tb/plot/completion_times.h"
#include "tb/plot/percentile_plot.h"
#include "tb/plot/runs_without.h"
#include "tb/report/report_charts.h"
#include "tb/report/report_numbers.h"
#include "tb/report/time_chart.h"
#include "tb/text/joined.h"
#include "tb/text/text_format.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

/// Tags and classes that have a chart.
constexpr std::size_t most_groups_shown = 6;
/// Of a curve in the charts of single tags and classes, of which there are many.
constexpr std::size_t most_folded_values = 1000;

ordered_json distribution_series(const labelled_values& d, std::size_t run, std::size_t most) {
    ordered_json x = ordered_json::array();
    ordered_json rank = ordered_json::array();
    for (const std::size_t r : thinned_ranks(d.values.size(), most)) {
        x.push_back(page_number(d.values[r - 1]));
        rank.push_back(r);
    }
    ordered_json marks = ordered_json::array();
    for (const double p : marked_percentiles(d.values.size())) {
        marks.push_back({page_number(p), page_number(percentile(d.values, p))});
    }
    return {{"name", d.label}, {"run", run},   {"n", d.values.size()},
            {"x", x},          {"rank", rank}, {"marks", marks}};
}

/// Labels of the runs with so many values: one has no distribution.
std::string labels_with(const std::vector<labelled_values>& runs, std::size_t values, const char* what) {
    std::string names;
    for (const labelled_values& d : runs) {
        names += d.values.size() == values ? (names.empty() ? what : ", ") + d.label : "";
    }
    return names;
}

void add_distribution(ordered_json& charts, const char* id, const std::string& title, const std::string& note,
                      const std::vector<labelled_values>& runs, const axis_quantity& shown = completion_time,
                      std::size_t most = most_points) {
    ordered_json series = ordered_json::array();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (runs[i].values.size() > 1) {
            series.push_back(distribution_series(runs[i], i, most));
        }
    }
    if (!series.empty()) {
        std::string notes = note + labels_with(runs, 1, "; not drawn, with a single value: ") +
                            labels_with(runs, 0, "; no values: ");
        notes.erase(0, notes.find_first_not_of("; "));
        charts.push_back(
            {{"id", id},
             {"section", "completion"},
             {"title", title},
             {"note", notes},
             {"kind", "cdf"},
             {"x", {{"what", shown.name}, {"quantity", shown.is_time ? "time" : "count"}, {"log", true}}},
             {"y", {{"what", "Share completed"}, {"quantity", "share"}}},
             {"series", std::move(series)}});
    }
}

/// A chart for each tag and class with a curve per run, folded away, all with the same axes.
void add_groups(ordered_json& charts, const std::vector<run_data>& runs, const std::string& id,
                const std::string& title, completion_measure measure, const axis_quantity& shown) {
    const completion_groups groups = completions_by_group(runs, measure, most_groups_shown);
    // One group is what the chart of all transfers shows.
    if (groups.shown.size() < 2) {
        return;
    }
    const std::string note =
        groups.left_out.empty() ? "" : "the largest ones; not drawn: " + joined(groups.left_out, "; ");
    for (std::size_t i = 0; i < groups.shown.size(); ++i) {
        ordered_json chart = ordered_json::array();
        add_distribution(chart, (id + "_" + std::to_string(i)).c_str(), title + ": " + groups.shown[i].name,
                         note, groups.shown[i].runs, shown, most_folded_values);
        for (ordered_json& each : chart) {
            each["group"] = id;
            each["folded"] = title + " by tag and class";
            charts.push_back(std::move(each));
        }
    }
}

void add_completion(ordered_json& charts, const std::vector<run_data>& runs) {
    std::vector<labelled_values> jobs;
    std::vector<labelled_values> transfers;
    for (const run_data& run : runs) {
        jobs.push_back(completion_values_of(run, completion_measure::job_time));
        transfers.push_back(completion_values_of(run, completion_measure::transfer_time));
    }
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

void add_slowdowns(ordered_json& charts, const std::vector<run_data>& runs) {
    std::vector<labelled_values> all;
    for (const run_data& run : runs) {
        all.push_back(completion_values_of(run, completion_measure::transfer_slowdown));
    }
    add_distribution(charts, "slowdown_cdf", "Slowdown of transfers",
                     "completion time over the time in an empty fabric", all, slowdown);
}

void add_sizes(ordered_json& charts, const std::vector<run_data>& runs) {
    std::vector<sized_completions> all;
    for (const run_data& run : runs) {
        all.push_back({run.label, {}});
        for (const auto& by_kind : run.completed.jobs_by_kind) {
            all.back().values.insert(all.back().values.end(), by_kind.second.begin(), by_kind.second.end());
        }
    }
    const std::vector<std::vector<size_point>> curves = percentiles_by_size(all);
    for (std::size_t which = 0; which < percentiles_of_sizes.size(); ++which) {
        ordered_json series = ordered_json::array();
        for (std::size_t i = 0; i < curves.size(); ++i) {
            ordered_json x = ordered_json::array();
            ordered_json y = ordered_json::array();
            for (const size_point& point : curves[i]) {
                if (point.time_ns[which] > 0) {
                    x.push_back(page_number(point.bytes));
                    y.push_back(page_number(point.time_ns[which]));
                }
            }
            if (!x.empty()) {
                series.push_back({{"name", runs[i].label}, {"run", i}, {"x", x}, {"y", y}});
            }
        }
        if (series.empty()) {
            continue;
        }
        const std::string p = number_text(percentiles_of_sizes[which]);
        charts.push_back(
            {{"id", "percentile_" + std::to_string(which) + "_by_size"},
             {"section", "completion"},
             {"title", (p == "50" ? "Median" : p + "th percentile") + " of job completion time by size"},
             {"note", "of sizes with enough jobs"},
             {"kind", "points"},
             {"x", {{"what", "Size"}, {"quantity", "bytes"}, {"log", true}}},
             {"y", {{"what", "Completion time"}, {"quantity", "time"}, {"log", true}}},
             {"series", std::move(series)}});
    }
}

void add_shares(ordered_json& charts, const std::vector<run_data>& runs, const char* id, const char* title,
                const char* what, const char* weights, std::vector<weighted_share> run_data::*shares) {
    const auto has_samples = [&](const run_data& run) { return !(run.*shares).empty(); };
    ordered_json series = ordered_json::array();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!has_samples(runs[i])) {
            continue;
        }
        ordered_json x = ordered_json::array();
        ordered_json y = ordered_json::array();
        for (const cumulative_share& each : cumulative(runs[i].*shares)) {
            x.push_back(page_number(each.percent));
            y.push_back(page_number(each.share));
        }
        x.push_back(x.back());  // the last step has no width
        series.push_back({{"name", runs[i].label}, {"run", i}, {"x", x}, {"y", y}});
    }
    if (!series.empty()) {
        charts.push_back({{"id", id},
                          {"section", "hot_spots"},
                          {"title", title},
                          {"note", with_runs_without("", "no samples", runs, has_samples)},
                          {"kind", "steps"},
                          {"x", {{"what", what}, {"quantity", "percent"}}},
                          {"y", {{"what", weights}, {"quantity", "share"}}},
                          {"series", std::move(series)}});
    }
}

}  // namespace

ordered_json distribution_charts(const std::vector<run_data>& runs) {
    ordered_json charts = ordered_json::array();
    add_completion(charts, runs);
    add_sizes(charts, runs);
    add_slowdowns(charts, runs);
    add_groups(charts, runs, "slowdown_cdf_by_class", "Slowdown of transfers",
               completion_measure::transfer_slowdown, slowdown);
    add_shares(charts, runs, "busy_links", "Links that are busy at the same time", "Busy links",
               "Share of time", &run_data::busy_links);
    add_shares(charts, runs, "free_one_hop", "Free egress memory one hop from full ports", "Free memory",
               "Share of full ports", &run_data::free_one_hop);
    add_shares(charts, runs, "free_two_hops", "Free egress memory within two hops of full ports", "Free memory",
               "Share of full ports", &run_data::free_two_hops);
    return charts;
}

}  // namespace weir::tb
