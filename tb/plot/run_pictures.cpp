#include "tb/plot/run_pictures.h"

#include <algorithm>
#include <optional>

#include "tb/plot/cause_pictures.h"
#include "tb/plot/completion_pictures.h"
#include "tb/plot/panel_plot.h"
#include "tb/plot/picture_list.h"
#include "tb/plot/time_charts.h"
#include "tb/text/joined.h"
#include "tb/text/text_format.h"

namespace weir::tb {

namespace {

using runs_to_draw = std::vector<run_data>;

/// A picture, described once: its names, what it shows, and who draws it.
struct run_picture {
    const char* name;
    const char* shown;
    const char* more;
    std::optional<picture> (*draw)(const picture_head& head, const runs_to_draw& runs);
    /// True if the run was asked for what the picture shows. There is no note about a picture that no run was
    /// asked for.
    bool (*is_asked)(const run_data& run);
    const char* why_not = "";
    bool shows_first_run = false;
};

bool every_run(const run_data& /*run*/) {
    return true;
}
template <auto Member>
bool has_any(const run_data& run) {
    return !(run.*Member).empty();
}
bool has_tree(const run_data& run) {
    return run.tree.has_value();
}
constexpr const char* no_tree = "nothing was paused, or its causes were not recorded (pause_tree.json)";

using panel_rows = std::vector<std::vector<chart>>;

/// The second line says which runs the rows show nothing of.
template <class Has>
std::optional<picture> draw_rows(const picture_head& head, const runs_to_draw& runs, const Has& has,
                                 const panel_rows& rows) {
    return panel_picture({head.name, head.title, with_runs_without(head.details, runs, has)}, rows);
}

/// A panel for each view, and a row for each run that has series of any; views of nothing but 0 are left out.
template <const std::vector<time_view>& Views>
std::optional<picture> draw_over_time(const picture_head& head, const runs_to_draw& runs) {
    std::vector<time_view> views;
    std::string left_out;
    for (const time_view& view : Views) {
        if (std::any_of(runs.begin(), runs.end(),
                        [&](const run_data& run) { return !shown_series(view, run).empty(); })) {
            views.push_back(view);
        } else {
            left_out += "; " + std::string(view.part) + ": 0 in all runs";
        }
    }
    const panel_rows rows = charts_over_time(views, runs);
    const auto has_row = [&](const run_data& run) { return !rows[&run - runs.data()].empty(); };
    return draw_rows(head.with(left_out), runs, has_row, rows);
}

/// A row for each tier in which anything was paused.
std::optional<picture> draw_pauses(const picture_head& head, const runs_to_draw& runs) {
    panel_rows rows;
    std::string left_out;
    for (const chart& tier : pause_charts(runs)) {
        if (tier.largest() > 0) {
            rows.push_back({tier});
        } else {
            left_out += "; " + tier.heading.first + ": no pauses in any run";
        }
    }
    return draw_rows(head.with(left_out), runs, has_any<&run_data::pauses>, rows);
}

std::optional<picture> draw_busy_links(const picture_head& head, const runs_to_draw& runs) {
    return draw_rows(head, runs, has_any<&run_data::busy_links>,
                     {{share_chart("Busy links", "Share of time (CDF)", runs, &run_data::busy_links)}});
}

std::optional<picture> draw_free_memory(const picture_head& head, const runs_to_draw& runs) {
    const char* const weights = "Share of full ports (CDF)";
    return draw_rows(head, runs, has_any<&run_data::free_one_hop>,
                     {{share_chart("Free one hop away", weights, runs, &run_data::free_one_hop),
                       share_chart("Free within two hops", weights, runs, &run_data::free_two_hops)}});
}

/// All but those of completion times.
const run_picture described[] = {
    {"occupancy", "Buffer occupancy over time",
     "the four fullest ports of each run and side (rx: ingress, tx: egress)", draw_over_time<occupancy_views>,
     every_run, "no run has samples of occupancy (occupancy.csv)"},
    {"pauses", "Transmitters paused by flow control",
     "by tier, each with a scale of its own; a transmitter is one class of one port", draw_pauses, every_run,
     "no run has pauses (pauses.csv)"},
    {"windows", "Congestion windows over time",
     "a line per transfer over TCP, sender > receiver; #: number of the flow where they have several",
     draw_over_time<window_views>, every_run},
    {"rates", "Rates of senders over time",
     "a line per rate limiter or queue pair, while it has a rate of its own", draw_over_time<rate_views>,
     every_run},
    {"port_memory", "Memory of ports and classes over time",
     "the four nearest to their limits; dashed: threshold (ingress), class limit (egress), capacity",
     draw_over_time<port_memory_views>, has_any<&run_data::port_sent>},
    {"port_throughput", "Throughput of ports and classes over time",
     "the four largest, averaged over stretches of time; a short stretch can exceed the link's rate",
     draw_over_time<port_throughput_views>, has_any<&run_data::port_sent>},
    {"port_pauses", "Pauses of ports and classes over time",
     "the four with most; XOFFs, and dashed XONs, summed up; shares averaged over stretches of time",
     draw_over_time<port_pause_views>, has_any<&run_data::port_sent>},
    {"pool_memory", "Pools of shared memories over time",
     "the four nearest to their sizes; dashed: what one group may hold, capacity", draw_over_time<pool_views>,
     has_any<&run_data::pools>},
    {"pause_tree", "Why transmitters were paused", "tree of pauses from their roots", pause_tree_picture,
     has_tree, no_tree, true},
    {"pause_hops", "Paused time by hops from its root",
     "1: paused by the congested switch or the adapter itself", pause_hops_picture, has_tree, no_tree},
    {"frame_path", "Path of a frame", "node by node over time", frame_path_picture,
     [](const run_data& run) { return run.path.has_value(); }, "", true},
    {"busy_links", "Links that are busy at the same time",
     "share of all transmitters that were busy for at least output.busy_links of an interval", draw_busy_links,
     has_any<&run_data::busy_links>},
    {"free_memory", "Free egress memory near full queues", "at each sample, for each full egress port",
     draw_free_memory, has_any<&run_data::free_one_hop>}};

}  // namespace

const std::vector<std::string>& run_picture_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all = completion_picture_names();
        for (const run_picture& each : described) {
            all.emplace_back(each.name);
        }
        return all;
    }();
    return names;
}

std::string sizes_text(const std::set<std::uint64_t>& sizes) {
    return joined(sizes, ", ", byte_text);
}

std::vector<picture> run_pictures(const run_picture_request& request, const std::vector<run_data>& runs,
                                  std::ostream& err) {
    picture_list list(request, runs, err);
    add_completion_pictures(list);
    for (const run_picture& each : described) {
        const auto asked = std::count_if(runs.begin(), runs.end(), each.is_asked);
        if (asked == 0) {
            continue;
        }
        list.keep(each.name, each.draw(list.head(each.name, each.shown, each.more), runs), each.why_not);
        if (each.shows_first_run && asked > 1) {
            err << "note: " << each.name
                << ": drawn for the first run that has one; others: one weir plot each\n";
        }
    }
    return list.take();
}

}  // namespace weir::tb
