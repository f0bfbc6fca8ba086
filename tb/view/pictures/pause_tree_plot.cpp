#include <algorithm>
#include <map>
#include <utility>

#include "tb/support/text/text_format.h"
#include "tb/view/chart/figure.h"
#include "tb/view/pictures/cause_pictures.h"

namespace weir::tb {

namespace {

/// Places that are shown.
constexpr std::size_t most_tree_rows = 40;

bool has_pauses(const run_data& run) {
    return run.tree && run.tree->paused_ns > 0;
}

/// How much of the tree is left out, and is not known.
std::string left_out(const pause_tree& tree, const std::vector<std::size_t>& shown, const axis_unit& unit) {
    std::string text;
    double most = 0;
    for (std::size_t i = 0; i < tree.places.size(); ++i) {
        most = std::binary_search(shown.begin(), shown.end(), i) ? most : std::max(most, tree.places[i].all_ns);
    }
    if (shown.size() < tree.places.size()) {
        text += "; " + count_text(tree.places.size() - shown.size()) + " more places, up to " +
                short_number(most / unit.scale) + " " + unit.name + " each";
    }
    if (tree.unknown_ns > 0) {
        text += "; " + short_number(100 * tree.unknown_ns / tree.paused_ns) + " % of unknown cause";
    }
    return text;
}

/// Names of the places, indented, with lines from each to its parent.
std::vector<std::string> names_of(const pause_tree& tree, const std::vector<std::size_t>& shown) {
    constexpr const char* blank = "\u2007";  // as wide as a line's character
    std::vector<std::string> names(shown.size());
    // By depth, from the last row up: whether a place below has the same parent.
    std::vector<bool> goes_on(most_tree_rows + 1, false);
    for (std::size_t row = shown.size(); row-- > 0;) {
        const pause_tree::place& place = tree.places[shown[row]];
        for (unsigned level = 1; level < place.depth; ++level) {
            names[row] += std::string(goes_on[level] ? "│" : blank) + blank;
        }
        if (place.depth > 0) {
            names[row] += goes_on[place.depth] ? "├ " : "└ ";
            goes_on[place.depth] = true;
        }
        std::fill(goes_on.begin() + place.depth + 1, goes_on.end(), false);
        names[row] += place.queue + (place.kind.empty() ? "" : ", " + place.kind);
    }
    return names;
}

/// Of its own, and with all below where that is more: `18 of 104 ms`.
std::string paused_text(const pause_tree::place& place, const axis_unit& unit) {
    const std::string all = short_number(place.all_ns / unit.scale);
    const std::string own = short_number(place.paused_ns / unit.scale);
    return (place.depth == 0 || own == all ? all : own + " of " + all) + " " + unit.name;
}

/// A pale bar for what a place has with all below, and one in its hop's style for its own.
chart tree_chart(const pause_tree& tree, const std::vector<std::size_t>& shown, double high,
                 const axis_unit& unit) {
    chart made;
    made.kind = chart_kind::bars;
    made.x = {"Time paused, all transmitters", axis_kind::time};
    made.x.unit = unit;
    // Room for the times behind the bars.
    made.x.tics = linear_axis(1.25 * high / unit.scale);
    made.y.names = names_of(tree, shown);
    chart_series& all = made.series.emplace_back(
        series_with({chart_line::none, chart_mark::none, "#999999"}, "with all that came of it"));
    std::map<unsigned, chart_series> hops;
    for (std::size_t row = 0; row < shown.size(); ++row) {
        const pause_tree::place& place = tree.places[shown[row]];
        const auto y = static_cast<double>(row);
        made.texts.push_back({paused_text(place, unit), y, place.all_ns});
        all.add(place.all_ns, y);
        if (place.depth > 0) {
            hops[place.depth].add(place.paused_ns, y);
        }
    }
    for (auto& [hop, bars] : hops) {
        bars.name = "hop " + std::to_string(hop);
        made.add(std::move(bars), hop - 1);
    }
    return made;
}

}  // namespace

std::optional<picture> pause_tree_picture(const picture_head& head, const std::vector<run_data>& runs) {
    const auto run = std::find_if(runs.begin(), runs.end(), has_pauses);
    if (run == runs.end() || run->tree->places.empty()) {
        return std::nullopt;
    }
    const pause_tree tree = with_classes_summed(*run->tree);
    const std::vector<std::size_t> shown = longest_places(tree, most_tree_rows);
    double high = 0;
    for (const std::size_t place : shown) {
        high = std::max(high, tree.places[place].all_ns);
    }
    const axis_unit unit = time_unit(high);
    return draw({head.with((runs.size() > 1 ? ", of run " + run->label : "") + left_out(tree, shown, unit)),
                 {tree_chart(tree, shown, high, unit)}});
}

std::optional<picture> pause_hops_picture(const picture_head& head, const std::vector<run_data>& runs) {
    if (std::none_of(runs.begin(), runs.end(), has_pauses)) {
        return std::nullopt;
    }
    std::size_t hops = 0;
    bool any_unknown = false;
    for (const run_data& run : runs) {
        hops = std::max(hops, has_pauses(run) ? run.tree->hop_ns.size() : 0);
        any_unknown = any_unknown || (has_pauses(run) && run.tree->unknown_ns > 0);
    }
    const auto count = static_cast<double>(runs.size());
    chart made;
    made.kind = chart_kind::bars;
    made.x = {"Hops from the root"};
    made.y = {"Share of paused time", axis_kind::percent};
    made.bar_width = std::min(0.8 / count, 0.5);
    for (std::size_t hop = 1; hop <= hops; ++hop) {
        made.x.names.push_back(std::to_string(hop));
    }
    if (any_unknown) {
        made.x.names.emplace_back("cause not known");
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const run_data& run = runs[i];
        chart_series bars{run.label + (has_pauses(run) ? "" : run.tree ? " (no pauses)" : " (no data)")};
        const double shift = (static_cast<double>(i) - (count - 1) / 2) * 0.8 / count;
        std::vector<double> times = has_pauses(run) ? run.tree->hop_ns : std::vector<double>{};
        times.resize(hops);
        times.push_back(has_pauses(run) ? run.tree->unknown_ns : 0);
        for (std::size_t place = 0; has_pauses(run) && place < made.x.names.size(); ++place) {
            bars.add(static_cast<double>(place) + shift, 100 * times[place] / run.tree->paused_ns);
        }
        made.add(std::move(bars), i, true);
    }
    return draw({head, {made}, 1, 520});
}

}  // namespace weir::tb
