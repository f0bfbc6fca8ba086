#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "tb/support/text/text_format.h"
#include "tb/view/chart/figure.h"
#include "tb/view/pictures/cause_pictures.h"
#include "weir/base/how_many.h"

namespace weir::tb {

namespace {

/// Rows of the path's nodes, those of the highest tier on top.
std::vector<std::string> rows_of(const traced_path& path, std::map<std::string, std::size_t>& row) {
    std::vector<const path_stop*> order;
    for (const path_stop& stop : path.stops) {
        order.push_back(&stop);
    }
    std::stable_sort(order.begin(), order.end(), [](const path_stop* a, const path_stop* b) {
        return std::make_pair(a->tier, a->place) > std::make_pair(b->tier, b->place);
    });
    std::vector<std::string> names;
    for (const path_stop* stop : order) {
        if (row.emplace(stop->node, names.size()).second) {
            names.push_back(stop->node);
        }
    }
    return names;
}

std::string summary_text(const traced_path& path) {
    const auto detours = static_cast<std::size_t>(std::count_if(
        path.stops.begin(), path.stops.end(), [](const path_stop& s) { return s.event == "detoured"; }));
    return "flow " + std::to_string(path.flow) + ", offset " + count_text(path.offset) +
           " B: " + how_many(detours, "detour") + ", " + path.stops.back().event +
           (path.copies > 1 ? "; the first of " + std::to_string(path.copies) + " copies" : "");
}

}  // namespace

std::optional<picture> frame_path_picture(const picture_head& head, const std::vector<run_data>& runs) {
    const auto run =
        std::find_if(runs.begin(), runs.end(), [](const run_data& r) { return r.path.has_value(); });
    if (run == runs.end()) {
        return std::nullopt;
    }
    const traced_path& path = *run->path;
    std::map<std::string, std::size_t> row;
    const std::vector<std::string> names = rows_of(path, row);
    double low = path.stops.front().sent_ns.value_or(0);
    const axis_unit start = time_unit(low);
    chart made;
    made.x = {"Time since the frame was sent, at " + number_text(low / start.scale) + " " + start.name,
              axis_kind::time};
    made.y.names = names;
    using line = chart_line;
    using mark = chart_mark;
    made.series = {
        series_with({line::straight, mark::none, "#777777", 7}, "waiting at a node"),
        series_with({line::straight, mark::none, curve_styles()[0].colour}, "to the next node"),
        series_with({line::straight, mark::none, curve_styles()[1].colour, 3, 0, "12,5"}, "detoured")};
    const auto add = [&](chart_series& line, double t1, const std::string& n1, double t2,
                         const std::string& n2) {
        line.add(t1 - low, static_cast<double>(row.at(n1)));
        line.add(t2 - low, static_cast<double>(row.at(n2)));
        line.add(NAN, NAN);
    };
    for (std::size_t i = 0; i < path.stops.size(); ++i) {
        const path_stop& stop = path.stops[i];
        if (stop.arrived_ns && stop.sent_ns) {
            add(made.series[0], *stop.arrived_ns, stop.node, *stop.sent_ns, stop.node);
        }
        if (stop.sent_ns && i + 1 < path.stops.size() && path.stops[i + 1].arrived_ns) {
            const path_stop& next = path.stops[i + 1];
            add(made.series[stop.event == "detoured" ? 2 : 1], *stop.sent_ns, stop.node, *next.arrived_ns,
                next.node);
        }
    }
    figure f{head.with("; " + summary_text(path) + (runs.size() > 1 ? "; run " + run->label : "")), {made}};
    f.without = "the frame was lost at its source";
    return draw(f);
}

}  // namespace weir::tb
