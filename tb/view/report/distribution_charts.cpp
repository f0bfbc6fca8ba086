#include <sstream>
#include <string>
#include <utility>

#include "tb/view/pictures/completion_pictures.h"
#include "tb/view/pictures/picture_list.h"
#include "tb/view/report/report_charts.h"

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

}  // namespace

void add_distribution_charts(std::vector<chart>& charts, const std::vector<run_data>& runs) {
    const run_picture_request all;
    std::ostringstream notes;
    picture_list pictures(all, runs, notes);
    for (const figure& each : completion_figures(pictures)) {
        add_figure(charts, each);
    }
}

}  // namespace weir::tb
