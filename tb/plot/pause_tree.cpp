#include "tb/plot/pause_tree.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "tb/options/input_file.h"

namespace weir {

namespace {

using nlohmann::json;

void add_places(const json& list, std::size_t parent, unsigned depth, pause_tree& tree) {
    for (const json& item : list) {
        pause_tree::place place;
        place.queue = item.at("queue").get<std::string>();
        place.kind = depth == 0 ? item.at("kind").get<std::string>() : "";
        place.parent = parent;
        place.depth = depth;
        place.paused_ns = depth == 0 ? 0 : item.at("paused_ns").get<double>();
        place.all_ns = item.at("all_paused_ns").get<double>();
        const std::size_t self = tree.places.size();
        tree.places.push_back(std::move(place));
        if (item.contains("pauses")) {
            add_places(item.at("pauses"), self, depth + 1, tree);
        }
    }
}

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

std::optional<pause_tree> read_pause_tree(const std::string& directory, config_errors& errors) {
    const std::string name = (std::filesystem::path(directory) / "pause_tree.json").string();
    std::error_code ignored;
    if (!std::filesystem::exists(name, ignored)) {
        return std::nullopt;
    }
    input_file file = open_input(name);
    if (!file.why_not.empty()) {
        errors.push_back(
            {name, 0, "", "cannot be read: " + file.why_not + "; expected the file that a run wrote"});
        return std::nullopt;
    }
    const std::string text{std::istreambuf_iterator<char>(file.text), {}};
    try {
        const json read = json::parse(text);
        pause_tree tree;
        tree.paused_ns = read.at("paused_ns").get<double>();
        tree.unknown_ns = read.at("unknown_ns").get<double>();
        tree.events_left_out = read.at("events_left_out").get<std::uint64_t>();
        for (const json& hop : read.at("hops")) {
            tree.hop_ns.push_back(hop.at("paused_ns").get<double>());
        }
        add_places(read.at("roots"), pause_tree::place::no_parent, 0, tree);
        return tree;
    } catch (const json::exception& error) {
        errors.push_back({name, 0, "",
                          std::string("is no tree of pauses: ") + error.what() +
                              "; expected the file of a run with trace.pause_causes"});
        return std::nullopt;
    }
}

}  // namespace weir
