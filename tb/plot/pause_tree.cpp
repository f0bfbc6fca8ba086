#include "tb/plot/pause_tree.h"

#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>

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

}  // namespace

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
                          std::string("is not a tree of pauses: ") + error.what() +
                              "; expected the file of a run with trace.pause_causes"});
        return std::nullopt;
    }
}

}  // namespace weir
