#include "tb/view/page/report_tree.h"

#include <utility>

#include "tb/view/page/report_numbers.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

/// From the last to the first, so that a place is whole when it joins its parent.
ordered_json nested(const pause_tree& tree, const std::vector<std::size_t>& shown) {
    std::vector<std::vector<ordered_json>> below(tree.places.size());
    std::vector<ordered_json> roots;
    for (auto at = shown.rbegin(); at != shown.rend(); ++at) {
        const pause_tree::place& place = tree.places[*at];
        ordered_json made{{"name", place.queue}};
        if (place.parent == pause_tree::place::no_parent) {
            made["kind"] = place.kind;
        }
        made["own_ns"] = page_number(place.paused_ns);
        made["all_ns"] = page_number(place.all_ns);
        if (!below[*at].empty()) {
            made["below"] = ordered_json::array_t(below[*at].rbegin(), below[*at].rend());
        }
        (place.parent == pause_tree::place::no_parent ? roots : below[place.parent]).push_back(std::move(made));
    }
    ordered_json list = ordered_json::array();
    for (auto root = roots.rbegin(); root != roots.rend(); ++root) {
        list.push_back(std::move(*root));
    }
    return list;
}

}  // namespace

ordered_json report_trees(const std::vector<run_data>& runs) {
    ordered_json trees = ordered_json::array();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!runs[i].tree || runs[i].tree->paused_ns <= 0) {
            continue;
        }
        const pause_tree tree = with_classes_summed(*runs[i].tree);
        const std::vector<std::size_t> shown = longest_places(tree, most_report_places);
        ordered_json hops = ordered_json::array();
        for (const double ns : tree.hop_ns) {
            hops.push_back(page_number(ns));
        }
        trees.push_back({{"run", i},
                         {"paused_ns", page_number(tree.paused_ns)},
                         {"unknown_ns", page_number(tree.unknown_ns)},
                         {"left_out", tree.places.size() - shown.size()},
                         {"hops", std::move(hops)},
                         {"places", nested(tree, shown)}});
    }
    return trees;
}

}  // namespace weir::tb
