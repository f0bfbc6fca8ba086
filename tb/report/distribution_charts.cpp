#include <sstream>
#include <string>
#include <utility>

#include "tb/plot/completion_pictures.h"
#include "tb/plot/picture_list.h"
#include "tb/plot/time_charts.h"
#include "tb/report/report_charts.h"

namespace weir::tb {

namespace {

/// Panels of a picture as charts. A page has both views of a distribution in any case, and a view of one part
/// of the jobs or transfers is folded away.
void add_figure(std::vector<chart>& charts, const figure& of) {
    const bool is_of_all = of.panels.front().kind == chart_kind::distribution && !of.panels.front().nines;
    for (std::size_t i = 0; i < (is_of_all ? 1 : of.panels.size()); ++i) {
        chart made = of.panels[i];
        made.id = of.head.name + (is_of_all ? "" : "_" + std::to_string(i));
        made.section = "completion";
        made.note = of.head.details;
        made.folded = made.nines ? of.head.title : "";
        made.title = of.head.title + (made.title.empty() ? "" : ": " + made.title);
        made.nines = false;
        charts.push_back(std::move(made));
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
    const run_picture_request all;
    std::ostringstream notes;
    picture_list pictures(all, runs, notes);
    for (const figure& each : completion_figures(pictures)) {
        add_figure(charts, each);
    }
    add_shares(charts, "busy_links", "Links that are busy at the same time",
               share_chart("Busy links", "Share of time", runs, &run_data::busy_links));
    add_shares(charts, "free_one_hop", "Free egress memory one hop from full ports",
               share_chart("Free memory", "Share of full ports", runs, &run_data::free_one_hop));
    add_shares(charts, "free_two_hops", "Free egress memory within two hops of full ports",
               share_chart("Free memory", "Share of full ports", runs, &run_data::free_two_hops));
}

}  // namespace weir::tb
