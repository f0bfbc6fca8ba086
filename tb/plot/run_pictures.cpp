#include "tb/plot/run_pictures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "tb/plot/completion_pictures.h"
#include "tb/plot/frame_path_plot.h"
#include "tb/plot/occupancy_plot.h"
#include "tb/plot/pause_plot.h"
#include "tb/plot/pause_tree_plot.h"
#include "tb/plot/picture_list.h"
#include "tb/plot/runs_without.h"
#include "tb/plot/sender_plot.h"
#include "tb/plot/series_plot.h"
#include "tb/plot/share_plot.h"
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

std::vector<limited_series> drawn_lines(const series_source& source, const run_data& run) {
    const std::vector<limited_series> lines = source.foremost_of(run);
    return source.column.kind == axis_kind::bytes ? peaks(lines) : lines;
}

/// A column for each source, and a row for each run that has them.
template <const series_source&... Sources>
std::optional<picture> draw_series(const picture_head& head, const runs_to_draw& runs) {
    std::vector<series_row> rows;
    for (const run_data& run : runs) {
        if ((!Sources.all(run).empty() || ...)) {
            rows.push_back({run.label, {drawn_lines(Sources, run)...}});
        }
    }
    return series_picture(head, {Sources.column...}, rows);
}

template <std::vector<sender_series> run_data::*Senders, const chart_axis& Shown>
std::optional<picture> draw_senders(const picture_head& head, const runs_to_draw& runs) {
    return sender_picture(head, Shown, Senders, runs);
}

std::optional<picture> draw_occupancy(const picture_head& head, const runs_to_draw& runs) {
    const std::size_t ports = ports_per_panel(runs);
    const std::string more =
        (ports == 1 ? "the fullest port" : "the " + std::to_string(ports) + " fullest ports") +
        " of each run and side (rx: ingress, tx: egress); a port looks the same in all panels";
    return occupancy_picture(
        head.with(
            with_runs_without(more, "no samples", runs, [](const run_data& run) { return run.has_occupancy; })),
        runs);
}

/// All but those of completion times.
const run_picture described[] = {
    {"occupancy", "Buffer occupancy over time", "", draw_occupancy, every_run,
     "no run has samples of occupancy (occupancy.csv)"},
    {"pauses", "Transmitters paused by flow control",
     "by tier, each with a scale of its own; a transmitter is one class of one port", pause_picture, every_run,
     "no run has pauses (pauses.csv)"},
    {"windows", "Congestion windows over time",
     "a line per transfer over TCP, sender > receiver; #: number of the flow where they have several",
     draw_senders<&run_data::windows, window_axis>, every_run},
    {"rates", "Rates of senders over time",
     "a line per rate limiter or queue pair, while it has a rate of its own",
     draw_senders<&run_data::rates, rate_axis>, every_run},
    {"port_memory", "Memory of ports and classes over time",
     "the four nearest to their limits, as peaks; dashed: threshold (ingress), class limit (egress); dotted: "
     "capacity",
     draw_series<port_ingress, port_egress>, has_any<&run_data::ports>},
    {"port_throughput", "Throughput of ports and classes over time",
     "the four largest, averaged over stretches of time; a short stretch can exceed the link's rate",
     draw_series<port_received, port_sent>, has_any<&run_data::ports>},
    {"port_pauses", "Pauses of ports and classes over time",
     "the four with most; XOFFs, and dashed XONs, summed up; shares averaged over stretches of time",
     draw_series<port_announced, port_paused>, has_any<&run_data::ports>},
    {"pool_memory", "Pools of shared memories over time",
     "the four nearest to their sizes, as peaks; dashed: what one group may hold; dotted: capacity",
     draw_series<pool_memory>, has_any<&run_data::pools>},
    {"pause_tree", "Why transmitters were paused", "tree of pauses from their roots", pause_tree_picture,
     has_tree, no_tree, true},
    {"pause_hops", "Paused time by hops from its root",
     "1: paused by the congested switch or the adapter itself", pause_hops_picture, has_tree, no_tree},
    {"frame_path", "Path of a frame", "node by node over time", frame_path_picture,
     [](const run_data& run) { return run.path.has_value(); }, "", true},
    {"busy_links", "Links that are busy at the same time",
     "share of all transmitters that were busy for at least output.busy_links of an interval",
     [](const picture_head& head, const runs_to_draw& runs) {
         return std::optional(share_picture(
             head, runs, {share_chart("Busy links", "Share of time (CDF)", runs, &run_data::busy_links)}));
     },
     has_any<&run_data::busy_links>},
    {"free_memory", "Free egress memory near full queues", "at each sample, for each full egress port",
     [](const picture_head& head, const runs_to_draw& runs) {
         const char* const weights = "Share of full ports (CDF)";
         return std::optional(
             share_picture(head, runs,
                           {share_chart("Free one hop away", weights, runs, &run_data::free_one_hop),
                            share_chart("Free within two hops", weights, runs, &run_data::free_two_hops)}));
     },
     has_any<&run_data::free_one_hop>}};

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
