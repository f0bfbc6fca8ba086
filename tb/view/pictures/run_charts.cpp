#include "tb/view/pictures/run_charts.h"

#include <algorithm>
#include <set>
#include <utility>

#include "tb/support/text/text_format.h"
#include "tb/view/chart/figure.h"
#include "tb/view/chart/panel_plot.h"
#include "tb/view/pictures/cause_pictures.h"

namespace weir::tb {

namespace {

template <auto Member>
bool has_any(const run_data& run) {
    return !(run.*Member).empty();
}
bool has_tree(const run_data& run) {
    return run.tree.has_value();
}
constexpr const char* no_tree = "nothing was paused, or its causes were not recorded (pause_tree.json)";

/// Points of a line in the charts of single runs' ports, of which a page has many.
constexpr std::size_t most_folded_points = 800;

/// A panel for each view, and a row for each run that has series of any; views of nothing but 0 are left out.
chart_rows rows_over_time(const std::vector<time_view>& all, charted_runs& of) {
    std::vector<time_view> views;
    for (const time_view& view : all) {
        if (std::any_of(of.runs.begin(), of.runs.end(),
                        [&](const run_data& run) { return !shown_series(view, run).empty(); })) {
            views.push_back(view);
        } else {
            of.details += "; " + std::string(*view.part != '\0' ? view.part : view.what) + ": 0 in all runs";
        }
    }
    chart_rows rows = charts_over_time(views, of.runs);
    of.details = with_runs_without(of.details, of.runs, [&](const run_data& run) {
        return !rows[static_cast<std::size_t>(&run - of.runs.data())].empty();
    });
    return rows;
}

/// A line for each run: at each time the fill of the port that was fullest then. All ports of a run have the
/// same times.
chart fullest_chart(const std::vector<run_data>& runs, const time_view& view) {
    const auto has_ports = [&](const run_data& run) { return !view.series(run).empty(); };
    chart made = over_time(view.id, view.section, view.title + (", " + std::string(view.part)),
                           with_runs_without("of the port that was fullest at the time", runs, has_ports),
                           {view.what, view.kind});
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (has_ports(runs[i])) {
            time_series most = view.series(runs[i]).front();
            for (const time_series& port : view.series(runs[i])) {
                std::transform(most.values.begin(), most.values.end(), port.values.begin(), most.values.begin(),
                               [](double a, double b) { return std::max(a, b); });
            }
            made.add(line_of(runs[i].label, most.time_ns, most.values), i, true);
        }
    }
    return made;
}

/// On a page the ports of several runs are folded away, below the fullest port of each.
chart_rows occupancy_rows(charted_runs& of) {
    if (!of.is_page || of.runs.size() < 2) {
        return rows_over_time(occupancy_views, of);
    }
    const chart_rows by_port = charts_over_time(occupancy_views, of.runs, most_folded_points);
    chart_rows sides;
    for (std::size_t side = 0; side < occupancy_views.size(); ++side) {
        const time_view& view = occupancy_views[side];
        std::vector<chart>& row = sides.emplace_back();
        row.push_back(fullest_chart(of.runs, view));
        for (const std::vector<chart>& of_run : by_port) {
            if (!of_run.empty()) {
                row.push_back(of_run[side]);
                row.back().folded = "Ports of each run, " + std::string(view.part);
            }
        }
    }
    return sides;
}

/// A row for each tier in which anything was paused.
chart_rows pause_rows(charted_runs& of) {
    chart_rows rows;
    for (chart& tier : pause_charts(of.runs)) {
        if (tier.largest() > 0) {
            rows.push_back({std::move(tier)});
        } else {
            of.details += "; " + tier.heading.first + ": no pauses in any run";
        }
    }
    of.details = with_runs_without(of.details, of.runs, has_any<&run_data::pauses>);
    return rows;
}

chart_rows busy_link_rows(charted_runs& of) {
    of.details = with_runs_without(of.details, of.runs, has_any<&run_data::busy_links>);
    return {{share_chart("busy_links", "Links that are busy at the same time", "Busy links",
                         "Share of time (CDF)", of.runs, &run_data::busy_links)}};
}

chart_rows free_memory_rows(charted_runs& of) {
    constexpr const char* weights = "Share of full ports (CDF)";
    of.details = with_runs_without(of.details, of.runs, has_any<&run_data::free_one_hop>);
    return {{share_chart("free_one_hop", "Free egress memory one hop from full ports", "Free one hop away",
                         weights, of.runs, &run_data::free_one_hop),
             share_chart("free_two_hops", "Free egress memory within two hops of full ports",
                         "Free within two hops", weights, of.runs, &run_data::free_two_hops)}};
}

/// Adds the sum of all reasons to headings. Samples may not cover all losses of summary.json.
void add_sums(chart_rows& rows, const std::vector<run_data>& runs, const series_source& losses) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].empty()) {
            continue;
        }
        std::uint64_t sampled = 0;
        for (const time_series& reason : losses(runs[i])) {
            sampled += static_cast<std::uint64_t>(reason.sum());
        }
        std::uint64_t lost = 0;
        for (const auto& frames : runs[i].summary.value("drops", nlohmann::ordered_json::object())) {
            lost += frames.is_number_unsigned() ? frames.get<std::uint64_t>() : 0;
        }
        for (chart& each : rows[i]) {
            each.heading.second =
                ": " + count_text(sampled) + (sampled < lost ? " of " + count_text(lost) : "") + " frames";
        }
    }
}

run_chart_entry drops_chart() {
    time_view view =
        column_view({"drops.csv", {}, "*_frames"}, "losses", "Frames lost", axis_kind::count, sampling::sums);
    view.most = most_curves;
    run_chart_entry made =
        chart_over_time("drops", "Frames lost over time",
                        "by reason, hosts and switches together; behind each reason the sum", {view});
    made.traits.make = [lines = std::move(made.traits.make), losses = view.series](charted_runs& of) {
        chart_rows rows = lines(of);
        add_sums(rows, of.runs, losses);
        return rows;
    };
    made.traits.why_not = "no run has lost a frame";
    made.traits.is_asked = [losses = view.series](const run_data& run) { return !losses(run).empty(); };
    return made;
}

}  // namespace

registry<run_chart, run_chart_traits>& charts() {
    static registry<run_chart, run_chart_traits> list{
        {"occupancy",
         "Buffer occupancy over time",
         {"the four fullest ports of each run and side (rx: ingress, tx: egress)", "occupancy.csv",
          occupancy_rows, nullptr, "no run has samples of occupancy (occupancy.csv)"}},
        {"pauses",
         "Transmitters paused by flow control",
         {"by tier, each with a scale of its own; a transmitter is one class of one port", "pauses.csv",
          pause_rows, nullptr, "no run has pauses (pauses.csv)"}},
        chart_over_time("xoffs", "XOFFs sent over time", "by tier of the node that sent them",
                        {column_view({"pauses.csv", {"tier"}, "xoff_sent"}, "pauses", "XOFFs sent",
                                     axis_kind::count, sampling::sums)}),
        drops_chart(),
        chart_over_time("windows", "Congestion windows over time",
                        "a line per transfer over TCP, sender > receiver; #: number of the flow where they "
                        "have several",
                        window_views, "windows.csv"),
        chart_over_time("progress", "Bytes confirmed over time",
                        "the four transfers over TCP with most bytes; a flat piece is a stall",
                        {column_view({"windows.csv", {"host", "dst", "flow"}, "confirmed_bytes"}, "senders",
                                     "Bytes confirmed", axis_kind::bytes, sampling::levels)}),
        chart_over_time("rates", "Rates of senders over time",
                        "a line per rate limiter or queue pair, while it has a rate of its own", rate_views,
                        "rates.csv"),
        chart_over_time("port_memory", "Memory of ports and classes over time",
                        "the four nearest to their limits; dashed: threshold (ingress), class limit (egress), "
                        "capacity",
                        port_memory_views, "port_series.csv"),
        chart_over_time("port_throughput", "Throughput of ports and classes over time",
                        "the four largest, averaged over stretches of time; a short stretch can exceed the "
                        "link's rate",
                        port_throughput_views, "port_series.csv"),
        chart_over_time("port_pauses", "Pauses of ports and classes over time",
                        "the four with most; XOFFs, and dashed XONs, summed up; shares averaged over stretches "
                        "of time",
                        port_pause_views, "port_series.csv"),
        chart_over_time("pool_memory", "Pools of shared memories over time",
                        "the four nearest to their sizes; dashed: what one group may hold, capacity",
                        pool_views, "pool_series.csv"),
        {"pause_tree",
         "Why transmitters were paused",
         {"tree of pauses from their roots", "pause_tree.json", nullptr, nullptr, no_tree, has_tree,
          pause_tree_picture, true}},
        {"pause_hops",
         "Paused time by hops from its root",
         {"1: paused by the congested switch or the adapter itself", "pause_tree.json", nullptr, nullptr,
          no_tree, has_tree, pause_hops_picture}},
        {"frame_path",
         "Path of a frame",
         {"node by node over time", "frame_path.csv", nullptr, nullptr, "",
          [](const run_data& run) { return run.path.has_value(); }, frame_path_picture, true}},
        {"busy_links",
         "Links that are busy at the same time",
         {"share of all transmitters that were busy for at least output.busy_links of an interval",
          "busy_links.csv", busy_link_rows}},
        {"free_memory",
         "Free egress memory near full queues",
         {"at each sample, for each full egress port", "full_queues.csv", free_memory_rows}}};
    return list;
}

time_view column_view(table_columns from, const char* section, const char* what, axis_kind kind,
                      sampling curves) {
    time_view view{std::move(from)};
    view.section = section;
    view.what = what;
    view.kind = kind;
    view.curves = curves;
    view.is_by_sum = curves != sampling::levels;
    return view;
}

run_chart_entry chart_over_time(const char* name, const char* title, const char* details,
                                std::vector<time_view> views, const char* needs) {
    for (time_view& view : views) {
        view.id = view.id == nullptr ? name : view.id;
        view.title = view.title == nullptr ? title : view.title;
        view.note = view.note == nullptr ? details : view.note;
        needs = needs == nullptr ? view.series.file() : needs;
    }
    run_chart_traits traits{details, needs, [views](charted_runs& of) { return rows_over_time(views, of); }};
    traits.read = [views](run_data& run) {
        for (const time_view& view : views) {
            view.series.read(run);
        }
    };
    return {name, title, std::move(traits)};
}

std::vector<chart> page_charts(const std::vector<run_data>& runs) {
    std::vector<chart> all;
    std::set<std::string> ids;
    for (const auto& entry : charts().entries()) {
        if (!entry.traits.make) {
            continue;
        }
        charted_runs of{runs, true, entry.traits.details};
        std::size_t number = 0;
        for (std::vector<chart>& row : entry.traits.make(of)) {
            for (chart& each : row) {
                ++number;
                each.id = each.id.empty() ? entry.name + "_" + std::to_string(number) : each.id;
                while (!ids.insert(each.id).second) {
                    each.id += "_" + std::to_string(number);
                }
                each.title = each.title.empty() ? entry.doc : each.title;
                each.note = each.note.empty() ? of.details : each.note;
                all.push_back(std::move(each));
            }
        }
    }
    return all;
}

std::optional<picture> picture_of(const picture_head& head, const chart_rows& rows) {
    figure f{head};
    bool are_lines = true;
    bool any = false;
    for (const std::vector<chart>& row : rows) {
        f.columns = std::max(f.columns, row.size());
        for (const chart& each : row) {
            any = any || each.has_points();
            are_lines = are_lines && (each.kind == chart_kind::lines || each.kind == chart_kind::steps);
            f.panels.push_back(each);
            f.panels.back().title = each.heading.first + each.heading.second;
        }
    }
    return !any ? std::nullopt : are_lines ? panel_picture(head, rows) : std::optional(draw(f));
}

}  // namespace weir::tb
