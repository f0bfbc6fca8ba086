#include "tb/plot/pause_tree.h"

#include <filesystem>
#include <utility>
#include <vector>

#include "tb/results/json_file.h"

namespace weir {

namespace {

using nlohmann::ordered_json;

/// Far more than a fabric has switches in a row.
constexpr unsigned most_hops = 1000;

class tree_reader {
 public:
    tree_reader(std::string file, config_errors& errors) : m_file(std::move(file)), m_errors(errors) {}

    std::optional<pause_tree> read() {
        const json_file read = read_json(m_file, "the file of a run with trace.pause_causes");
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
        if (depth > most_hops) {
            m_errors.push_back({m_file, 0, "pauses",
                                "has more hops than " + std::to_string(most_hops) +
                                    "; expected the file of a run with trace.pause_causes"});
            return false;
        }
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

}  // namespace

std::optional<pause_tree> read_pause_tree(const std::string& directory, config_errors& errors) {
    const std::string name = (std::filesystem::path(directory) / "pause_tree.json").string();
    std::error_code ignored;
    return std::filesystem::exists(name, ignored) ? tree_reader(name, errors).read() : std::nullopt;
}

}  // namespace weir
