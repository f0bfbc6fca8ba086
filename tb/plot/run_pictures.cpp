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

/// Builds the pictures of a set of runs.
class picture_book : public picture_list {
 public:
    using picture_list::picture_list;

    std::vector<picture> draw() {
        add_completion_pictures(*this);
        const std::size_t ports = ports_per_panel(runs());
        const std::string sides =
            (ports == 1 ? "the fullest port" : "the " + std::to_string(ports) + " fullest ports") +
            " of each run and side (rx: ingress, tx: egress); a port looks the same in all panels";
        const std::string shown = with_runs_without(sides, "no samples", runs(),
                                                    [](const run_data& run) { return run.has_occupancy; });
        keep("occupancy",
             occupancy_picture(file("occupancy"), title("Buffer occupancy over time"),
                               details("Buffer occupancy over time", shown), runs()),
             "no run has samples of occupancy (occupancy.csv)");
        keep("pauses",
             pause_picture(
                 file("pauses"), title("Transmitters paused by flow control"),
                 details("Transmitters paused by flow control",
                         "by tier, each with a scale of its own; a transmitter is one class of one port"),
                 runs()),
             "no run has pauses (pauses.csv)");
        draw_senders();
        draw_series();
        draw_causes();
        draw_path();
        draw_hot_spots();
        return take();
    }

 private:
    /// Without a message where no run was asked for them.
    share_panel panel_of(const char* label, std::vector<weighted_share> run_data::*shares) const {
        share_panel panel{label, {}};
        for (const run_data& r : runs()) {
            panel.runs.push_back({r.label, r.*shares});
        }
        return panel;
    }
    bool any_have(std::vector<weighted_share> run_data::*shares) const {
        return std::any_of(runs().begin(), runs().end(),
                           [shares](const run_data& r) { return !(r.*shares).empty(); });
    }
    /// Of runs that were asked for them.
    void draw_hot_spots() {
        if (any_have(&run_data::busy_links)) {
            const std::string shown = "Links that are busy at the same time";
            add(share_picture(
                file("busy_links"), title(shown),
                details(shown,
                        "share of all transmitters that were busy for at least output.busy_links of an "
                        "interval"),
                "Share of time (CDF)", {panel_of("Busy links", &run_data::busy_links)}));
        }
        if (any_have(&run_data::free_one_hop)) {
            const std::string shown = "Free egress memory near full queues";
            add(share_picture(file("free_memory"), title(shown),
                              details(shown, "at each sample, for each full egress port"),
                              "Share of full ports (CDF)",
                              {panel_of("Free one hop away", &run_data::free_one_hop),
                               panel_of("Free within two hops", &run_data::free_two_hops)}));
        }
    }

    /// Likewise.
    void draw_senders() {
        const auto draw = [this](const char* name, sender_quantity quantity, const std::string& shown,
                                 const std::string& more) {
            if (auto p = sender_picture(file(name), title(shown), details(shown, more), quantity, runs())) {
                add(std::move(*p));
            }
        };
        draw("windows", sender_quantity::window, "Congestion windows over time",
             "a line per transfer over TCP, sender > receiver; #: number of the flow where they have several");
        draw("rates", sender_quantity::rate, "Rates of senders over time",
             "a line per rate limiter or queue pair, while it has a rate of its own");
    }

    /// Likewise.
    void draw_series() {
        std::vector<series_row> memory;
        std::vector<series_row> traffic;
        std::vector<series_row> pauses;
        std::vector<series_row> pools;
        for (const run_data& r : runs()) {
            if (!r.ports.empty()) {
                memory.push_back(
                    {r.label, {peaks(foremost(r.ports.ingress)), peaks(foremost(r.ports.egress))}});
                traffic.push_back(
                    {r.label, {foremost(averaged(r.ports.received)), foremost(averaged(r.ports.sent))}});
                pauses.push_back({r.label, {foremost(r.ports.announced), foremost(averaged(r.ports.paused))}});
            }
            if (!r.pools.empty()) {
                pools.push_back({r.label, {peaks(foremost(r.pools))}});
            }
        }
        const auto draw = [this](const char* name, const std::string& shown, const std::string& more,
                                 const std::vector<series_column>& columns,
                                 const std::vector<series_row>& rows) {
            if (auto p = series_picture(file(name), title(shown), details(shown, more), columns, rows)) {
                add(std::move(*p));
            }
        };
        draw("port_memory", "Memory of ports and classes over time",
             "the four nearest to their limits, as peaks; dashed: threshold (ingress), class limit (egress); "
             "dotted: capacity",
             {{"ingress", "counted", series_unit::bytes}, {"egress", "occupancy", series_unit::bytes}}, memory);
        draw("port_throughput", "Throughput of ports and classes over time",
             "the four largest, averaged over stretches of time; a short stretch can exceed the link's rate",
             {{"received", "rate", series_unit::rate}, {"sent", "rate", series_unit::rate}}, traffic);
        draw("port_pauses", "Pauses of ports and classes over time",
             "the four with most; XOFFs, and dashed XONs, summed up; shares averaged over stretches of time",
             {{"XOFF and XON", "sent so far", series_unit::count},
              {"paused", "share of time", series_unit::percent}},
             pauses);
        draw("pool_memory", "Pools of shared memories over time",
             "the four nearest to their sizes, as peaks; dashed: what one group may hold; dotted: capacity",
             {{"", "occupancy", series_unit::bytes}}, pools);
    }

    void draw_causes() {
        const auto with_tree = [](const run_data& r) { return r.tree.has_value(); };
        if (std::none_of(runs().begin(), runs().end(), with_tree)) {
            return;
        }
        const char* const nothing = "nothing was paused, or its causes were not recorded (pause_tree.json)";
        const std::string tree = "Why transmitters were paused";
        keep("pause_tree",
             pause_tree_picture(file("pause_tree"), title(tree),
                                details(tree, "tree of pauses from their roots"), runs()),
             nothing);
        if (std::count_if(runs().begin(), runs().end(), with_tree) > 1) {
            err() << "note: pause_tree: drawn for the first run that has one; others: one weir plot each\n";
        }
        const std::string hops = "Paused time by hops from its root";
        keep("pause_hops",
             pause_hops_picture(file("pause_hops"), title(hops),
                                details(hops, "1: paused by the congested switch or the adapter itself"),
                                runs()),
             nothing);
    }

    /// Likewise.
    void draw_path() {
        const auto with_path = [](const run_data& r) { return r.path.has_value(); };
        const auto count = std::count_if(runs().begin(), runs().end(), with_path);
        if (count == 0) {
            return;
        }
        const std::string shown = "Path of a frame";
        keep("frame_path",
             frame_path_picture(file("frame_path"), title(shown), details(shown, "node by node over time"),
                                runs()),
             "");
        if (count > 1) {
            err() << "note: frame_path: drawn for the first run that has one; others: one weir plot each\n";
        }
    }
};

}  // namespace

const std::vector<std::string>& run_picture_names() {
    static const std::vector<std::string> names{"job_completion_cdf",
                                                "job_completion_cdf_by_size",
                                                "job_completion_cdf_by_class",
                                                "transfer_completion_cdf",
                                                "transfer_completion_cdf_by_class",
                                                "percentiles_by_size",
                                                "slowdown_cdf",
                                                "slowdown_cdf_by_class",
                                                "slowdown_by_size",
                                                "occupancy",
                                                "pauses",
                                                "windows",
                                                "rates",
                                                "port_memory",
                                                "port_throughput",
                                                "port_pauses",
                                                "pool_memory",
                                                "pause_tree",
                                                "pause_hops",
                                                "frame_path",
                                                "busy_links",
                                                "free_memory"};
    return names;
}

std::string list_text(const std::set<std::string>& items) {
    return joined(items, ", ");
}

std::string sizes_text(const std::set<std::uint64_t>& sizes) {
    return joined(sizes, ", ", byte_text);
}

std::vector<picture> run_pictures(const run_picture_request& request, const std::vector<run_data>& runs,
                                  std::ostream& err) {
    return picture_book(request, runs, err).draw();
}

}  // namespace weir::tb
