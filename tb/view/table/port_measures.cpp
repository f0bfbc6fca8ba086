#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

#include "tb/support/files/input_file.h"
#include "tb/support/text/csv_file.h"
#include "tb/support/text/port_text.h"
#include "tb/view/table/run_measures.h"

namespace weir::tb {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

constexpr const char* expected_run = "the directory of a run of weir";

/// The fullest memory of a kind, and where it is.
struct port_mark {
    std::uint64_t bytes = 0;
    std::string place;

    void take(std::uint64_t seen, const std::string& where) {
        if (place.empty() || seen > bytes) {
            bytes = seen;
            place = where;
        }
    }
};

/// Behind all kinds of summary.json, which have their place there as rank.
constexpr std::uint8_t rank_of_ports = UINT8_MAX;

void add_place(measure_list& list, const std::string& key, const std::string& name, const port_mark& mark,
               measure_show show, std::uint8_t rank) {
    // Where nothing was ever held, no place was the fullest.
    list.add({key,
              measure_subject::watermarks,
              {name},
              {mark.bytes > 0 ? ordered_json(mark.place) : ordered_json()},
              show,
              false,
              rank});
}

std::uint8_t rank_of(const ordered_json& buffers, const std::string& kind) {
    return static_cast<std::uint8_t>(std::distance(buffers.begin(), buffers.find(kind)));
}

void add_mark(measure_list& list, const std::string& key, const std::string& name, const port_mark& mark,
              measure_show show) {
    list.add({key + "_bytes", measure_subject::watermarks, {name}, {mark.bytes}, show, false, rank_of_ports});
    add_place(list, key + "_at", name + ", where", mark, show, rank_of_ports);
}

struct port_marks {
    port_mark ingress;
    port_mark egress;
    port_mark nic;
};

port_marks read_port_marks(const fs::path& file, config_errors& errors) {
    port_marks marks;
    csv_file table(file.string(), errors, input_kind::any, expected_run);
    const std::vector<std::size_t> at =
        table.columns({"node", "port", "class", "ingress_max_bytes", "egress_max_bytes"});
    while (table.next()) {
        const bool is_nic = table.text(at[2]) == "all";
        const auto take = [&](std::size_t column, port_mark& mark, port_side side) {
            std::uint64_t bytes = 0;
            if (!table.text(column).empty() && table.number(column, bytes)) {
                mark.take(bytes, is_nic ? table.text(at[0])
                                        : port_text(table.text(at[0]), side, table.text(at[1])) + " class " +
                                              table.text(at[2]));
            }
        };
        if (is_nic) {
            take(at[4], marks.nic, port_side::egress);
        } else {
            take(at[3], marks.ingress, port_side::ingress);
            take(at[4], marks.egress, port_side::egress);
        }
    }
    return marks;
}

/// Of a shared memory: the first line of buffers.csv with the mark that summary.json has.
void add_shared_places(const fs::path& file, const ordered_json& buffers, measure_list& list,
                       config_errors& errors) {
    std::map<std::string, port_mark> marks;
    csv_file table(file.string(), errors, input_kind::any, expected_run);
    const std::vector<std::size_t> at =
        table.columns({"node", "what", "slice", "port", "class", "watermark_bytes"});
    while (table.next()) {
        std::uint64_t bytes = 0;
        const std::string& what = table.text(at[1]);
        if (!table.number(at[5], bytes) || !buffers.contains(what) ||
            buffers[what]["watermark_bytes"] != bytes) {
            continue;
        }
        // Groups are of what a port receives; queues, of what it sends.
        const port_side side = what == "queue" ? port_side::egress : port_side::ingress;
        std::string place = table.text(at[3]).empty() ? table.text(at[0])
                                                      : port_text(table.text(at[0]), side, table.text(at[3])) +
                                                            " class " + table.text(at[4]);
        place += table.text(at[2]).empty() ? "" : " slice " + table.text(at[2]);
        marks[what].take(bytes, place);
    }
    for (const auto& [kind, mark] : buffers.items()) {
        add_place(list, "buffers." + kind + ".watermark_at", kind + ", where", marks[kind],
                  measure_show::if_not_zero, rank_of(buffers, kind));
    }
}

void add_port_marks(const fs::path& directory, const ordered_json& summary, measure_list& list,
                    config_errors& errors) {
    if (!path_exists(directory / "ports.csv")) {
        return;
    }
    const ordered_json& buffers = summary.at("buffers");
    const port_marks marks = read_port_marks(directory / "ports.csv", errors);
    const auto add_side = [&](const char* side, const port_mark& mark) {
        const std::string name = side;
        // Memories of ports are in summary.json already; of a shared one this is what its groups and queues
        // held.
        const bool is_known = buffers.contains(name);
        add_mark(list, "ports." + name + "_max", name + " of a port", mark,
                 is_known ? measure_show::never : measure_show::if_not_zero);
        if (is_known) {
            add_place(list, "buffers." + name + ".watermark_at", name + ", where", mark,
                      measure_show::if_not_zero, rank_of(buffers, name));
        }
    };
    add_side("ingress", marks.ingress);
    add_side("egress", marks.egress);
    add_mark(list, "ports.nic_max", "NIC of a host", marks.nic, measure_show::if_not_zero);
    if (path_exists(directory / "buffers.csv")) {
        add_shared_places(directory / "buffers.csv", buffers, list, errors);
    }
}

// --- links -----------------------------------------------------------------------------------------------

constexpr std::size_t most_busiest = 3;

struct link_use {
    std::string name;
    double busy_percent;
};

/// `of`: how many there are; limits.csv leaves out those that were never used.
void add_links(measure_list& list, const std::string& kind, const std::string& name, double of,
               std::vector<link_use> links) {
    double sum = 0;
    for (const link_use& each : links) {
        sum += each.busy_percent;
    }
    std::stable_sort(links.begin(), links.end(),
                     [](const link_use& a, const link_use& b) { return a.busy_percent > b.busy_percent; });
    ordered_json busiest = ordered_json::array();
    for (std::size_t i = 0; i < std::min(most_busiest, links.size()); ++i) {
        busiest.push_back(links[i].name);
    }
    const std::string key = "utilisation." + kind;
    const auto add = [&](const char* end, const char* what, const ordered_json& value) {
        list.add({key + end, measure_subject::utilisation, {name + what}, {value}, measure_show::if_not_zero});
    };
    add(".mean_percent", ", mean", rounded(sum / of, 6));
    add(".max_percent", ", max", links.empty() ? 0.0 : links.front().busy_percent);
    add(".busiest", ", busiest", busiest);
}

void add_link_use(const fs::path& file, const ordered_json& summary, measure_list& list,
                  config_errors& errors) {
    std::map<std::string, std::vector<link_use>> links;
    csv_file table(file.string(), errors, input_kind::any, expected_run);
    const std::vector<std::size_t> at = table.columns({"node", "resource", "part", "busy_percent"});
    while (table.next()) {
        double busy = 0;
        if (table.number(at[3], busy)) {
            links[table.text(at[1])].push_back({table.text(at[0]) + "." + table.text(at[2]), busy});
        }
    }
    for (const auto& [kind, name] : {std::pair("link", "switch links"), std::pair("host_link", "host links")}) {
        const ordered_json& resources = summary.at("resources");
        const double of = resources.contains(kind) ? resources[kind]["of"].get<double>() : 0;
        if (of > 0) {
            add_links(list, kind, name, of, links[kind]);
        }
    }
}

}  // namespace

void add_port_measures(const fs::path& directory, const ordered_json& summary, measure_list& list,
                       config_errors& errors) {
    add_port_marks(directory, summary, list, errors);
    if (path_exists(directory / "limits.csv")) {
        add_link_use(directory / "limits.csv", summary, list, errors);
    }
}

}  // namespace weir::tb
