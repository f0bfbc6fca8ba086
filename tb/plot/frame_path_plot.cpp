#include "tb/plot/frame_path_plot.h"

#include <algorithm>
#include <map>

#include "tb/plot/page.h"
#include "tb/text/text_format.h"

namespace weir::tb {

namespace {

constexpr double nodes_left = 250;
constexpr double node_row_height = 46;
/// Line styles of what a frame does.
constexpr const char* waits = "lines lc rgb '#777777' lw 7 dt 1";
constexpr const char* goes = "lines lt 1 lw 2";
constexpr const char* leaves = "lines lt 2 lw 3 dt (12,5)";

/// The nodes of the path from the lowest row up, and each one's row.
std::vector<std::string> rows_of(const traced_path& path, std::map<std::string, std::size_t>& row) {
    std::vector<const path_stop*> order;
    for (const path_stop& stop : path.stops) {
        order.push_back(&stop);
    }
    std::stable_sort(order.begin(), order.end(), [](const path_stop* a, const path_stop* b) {
        return std::make_pair(a->tier, a->place) < std::make_pair(b->tier, b->place);
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
           " B: " + std::to_string(detours) + (detours == 1 ? " detour, " : " detours, ") +
           path.stops.back().event +
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
    double high = low;
    for (const path_stop& stop : path.stops) {
        high = std::max({high, stop.arrived_ns.value_or(low), stop.sent_ns.value_or(low)});
    }
    const axis_unit unit = time_unit(high - low);
    std::map<const char*, chart_series> lines;
    const auto add = [&](const char* look, double t1, const std::string& n1, double t2, const std::string& n2) {
        if (!lines[look].x.empty()) {
            lines[look].add(NAN, NAN);
        }
        lines[look].add(t1 - low, static_cast<double>(row.at(n1)));
        lines[look].add(t2 - low, static_cast<double>(row.at(n2)));
    };
    for (std::size_t i = 0; i < path.stops.size(); ++i) {
        const path_stop& stop = path.stops[i];
        if (stop.arrived_ns && stop.sent_ns) {
            add(waits, *stop.arrived_ns, stop.node, *stop.sent_ns, stop.node);
        }
        if (stop.sent_ns && i + 1 < path.stops.size() && path.stops[i + 1].arrived_ns) {
            const path_stop& next = path.stops[i + 1];
            add(stop.event == "detoured" ? leaves : goes, *stop.sent_ns, stop.node, *next.arrived_ns,
                next.node);
        }
    }
    page p(head.with("; " + summary_text(path) + (runs.size() > 1 ? "; run " + run->label : "")));
    p.legend({}, page::sample::line,
             {{waits, "waiting at a node"}, {goes, "to the next node"}, {leaves, "detoured"}});
    const double top = p.top() + 20;
    const double bottom = top + node_row_height * static_cast<double>(names.size());
    p.panel(nodes_left, page::width - 40, top, bottom);
    std::string tics;
    for (std::size_t i = 0; i < names.size(); ++i) {
        tics += (i > 0 ? ", " : "") + quoted(names[i]) + " " + std::to_string(i);
    }
    const axis_unit start = time_unit(low);
    const plot_axis x = time_axis(0, (high - low) / unit.scale);
    p.add("set ytics (" + tics +
          ") nomirror\nset yrange [-0.5:" + number_text(static_cast<double>(names.size()) - 0.5) + "]");
    p.x_axis(x,
             x.label("Time since the frame was sent, at " + number_text(low / start.scale) + " " + start.name,
                     unit.name));
    for (const char* const look : {waits, goes, leaves}) {
        if (lines.count(look) != 0) {
            const std::size_t block = p.block("time_" + unit.plain() + " row: " + look);
            p.rows(lines[look], unit, {});
            p.curve(block, "1:2", look);
        }
    }
    p.plot("the frame was lost at its source");
    return p.finish(static_cast<unsigned>(bottom + page::foot));
}

}  // namespace weir::tb
