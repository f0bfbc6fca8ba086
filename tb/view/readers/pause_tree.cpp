#include "tb/view/readers/pause_tree.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

#include "tb/support/files/input_file.h"
#include "tb/support/files/json_file.h"

namespace weir::tb {

namespace {

using nlohmann::ordered_json;

/// Two for each hop: far more than a fabric has switches in a row.
constexpr int most_depth = 2000;

class tree_reader {
 public:
    tree_reader(std::string file, config_errors& errors) : m_file(std::move(file)), m_errors(errors) {}

    std::optional<pause_tree> read() {
        const json_file read = read_json(m_file, "the file of a run with trace.pause_causes", most_depth);
        m_errors.insert(m_errors.end(), read.errors.begin(), read.errors.end());
        const ordered_json& all = read.document;
        if (!read.errors.empty() || !check(all, "",
                                           {{"paused_ns", json_kind::number},
                                            {"unknown_ns", json_kind::number},
                                            {"events_left_out", json_kind::count},
                                            {"hops[].paused_ns", json_kind::number},
                                            {"roots[]", json_kind::any}})) {
            return std::nullopt;
        }
        m_tree.paused_ns = all["paused_ns"].get<double>();
        m_tree.unknown_ns = all["unknown_ns"].get<double>();
        m_tree.events_left_out = all["events_left_out"].get<std::uint64_t>();
        for (const ordered_json& hop : all["hops"]) {
            m_tree.hop_ns.push_back(hop["paused_ns"].get<double>());
        }
        const bool whole = add_places(all["roots"], pause_tree::place::no_parent, 0, "roots");
        return whole ? std::optional(std::move(m_tree)) : std::nullopt;
    }

 private:
    bool check(const ordered_json& document, const std::string& place, const std::vector<json_shape>& shapes) {
        const config_errors found = check_shape(document, m_file, shapes, place);
        m_errors.insert(m_errors.end(), found.begin(), found.end());
        return found.empty();
    }

    bool add_places(const ordered_json& list, std::size_t parent, unsigned depth, const std::string& where) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            const ordered_json& item = list[i];
            const std::string here = where + "[" + std::to_string(i) + "]";
            if (!check(item, here,
                       {{"queue", json_kind::text},
                        {depth == 0 ? "kind" : "queue", json_kind::text},
                        {depth == 0 ? "all_paused_ns" : "paused_ns", json_kind::number},
                        {"all_paused_ns", json_kind::number},
                        {"pauses[]", json_kind::any, false}})) {
                return false;
            }
            pause_tree::place place;
            place.queue = item["queue"].get<std::string>();
            place.kind = depth == 0 ? item["kind"].get<std::string>() : "";
            place.parent = parent;
            place.depth = depth;
            place.paused_ns = depth == 0 ? 0 : item["paused_ns"].get<double>();
            place.all_ns = item["all_paused_ns"].get<double>();
            const std::size_t self = m_tree.places.size();
            m_tree.places.push_back(std::move(place));
            if (item.contains("pauses") && !add_places(item["pauses"], self, depth + 1, here + ".pauses")) {
                return false;
            }
        }
        return true;
    }

    const std::string m_file;
    config_errors& m_errors;
    pause_tree m_tree;
};

constexpr const char* class_word = " class ";

/// Without its class.
std::string place_of(const std::string& queue) {
    return queue.substr(0, queue.rfind(class_word));
}

/// `0-5, 7`
std::string ranges_text(const std::set<unsigned>& numbers) {
    std::string text;
    for (auto first = numbers.begin(); first != numbers.end();) {
        auto last = first;
        while (std::next(last) != numbers.end() && *std::next(last) == *last + 1) {
            ++last;
        }
        text += (text.empty() ? "" : ", ") + std::to_string(*first) +
                (first == last ? "" : "-" + std::to_string(*last));
        first = std::next(last);
    }
    return text;
}

/// Sums siblings of one place, level by level.
class class_sum {
 public:
    explicit class_sum(const pause_tree& tree) : m_tree(tree), m_below(tree.places.size()), m_sum(tree) {
        m_sum.places.clear();
        std::vector<std::size_t> roots;
        for (std::size_t i = 0; i < tree.places.size(); ++i) {
            const std::size_t parent = tree.places[i].parent;
            (parent == pause_tree::place::no_parent ? roots : m_below[parent]).push_back(i);
        }
        add(roots, pause_tree::place::no_parent);
    }
    pause_tree take() { return std::move(m_sum); }

 private:
    struct group {
        pause_tree::place sum;
        std::set<unsigned> classes;
        std::vector<std::size_t> below;
    };

    void add(const std::vector<std::size_t>& siblings, std::size_t parent) {
        std::vector<group> groups;
        for (const std::size_t i : siblings) {
            const pause_tree::place& each = m_tree.places[i];
            const std::string name = place_of(each.queue);
            auto found = std::find_if(groups.begin(), groups.end(), [&](const group& g) {
                return g.sum.queue == name && g.sum.kind == each.kind;
            });
            if (found == groups.end()) {
                found = groups.insert(groups.end(), group{{name, each.kind, parent, each.depth, 0, 0}, {}, {}});
            }
            found->sum.paused_ns += each.paused_ns;
            found->sum.all_ns += each.all_ns;
            found->below.insert(found->below.end(), m_below[i].begin(), m_below[i].end());
            if (name != each.queue) {
                found->classes.insert(static_cast<unsigned>(
                    std::strtoul(each.queue.c_str() + name.size() + std::strlen(class_word), nullptr, 10)));
            }
        }
        std::stable_sort(groups.begin(), groups.end(),
                         [](const group& a, const group& b) { return a.sum.all_ns > b.sum.all_ns; });
        for (group& g : groups) {
            if (!g.classes.empty()) {
                g.sum.queue += (g.classes.size() == 1 ? class_word : " classes ") + ranges_text(g.classes);
            }
            const std::size_t self = m_sum.places.size();
            m_sum.places.push_back(std::move(g.sum));
            add(g.below, self);
        }
    }

    const pause_tree& m_tree;
    std::vector<std::vector<std::size_t>> m_below;
    pause_tree m_sum;
};

}  // namespace

pause_tree with_classes_summed(const pause_tree& tree) {
    return class_sum(tree).take();
}

std::vector<std::size_t> longest_places(const pause_tree& tree, std::size_t most) {
    std::vector<std::size_t> shown(tree.places.size());
    std::iota(shown.begin(), shown.end(), std::size_t{0});
    std::stable_sort(shown.begin(), shown.end(), [&](std::size_t a, std::size_t b) {
        return tree.places[a].all_ns > tree.places[b].all_ns;
    });
    shown.resize(std::min(shown.size(), most));
    std::sort(shown.begin(), shown.end());
    return shown;
}

std::optional<pause_tree> read_pause_tree(const std::string& directory, config_errors& errors) {
    const std::string name = (std::filesystem::path(directory) / "pause_tree.json").string();
    return path_exists(name) ? tree_reader(name, errors).read() : std::nullopt;
}

}  // namespace weir::tb
