#include "tb/plot/run_reader.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <string_view>
#include <utility>

#include "tb/files/input_file.h"
#include "tb/plot/check_samples.h"
#include "tb/results/failed_run.h"
#include "tb/results/summary_reader.h"
#include "tb/results/summary_texts.h"
#include "tb/text/csv_file.h"

namespace weir::tb {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* expected_file = "a table of a run of weir";

/// A table that the run may have written: calls take(table, columns, numbers) for each line that has numbers in
/// the first `Numbers` of the columns.
template <std::size_t Numbers, class Take>
void read_table(const fs::path& path, run_data& run, std::initializer_list<const char*> names, Take&& take) {
    if (!path_exists(path)) {
        return;
    }
    csv_file table(path, run.errors, input_kind::any, expected_file);
    const std::vector<std::size_t> columns = table.columns(names);
    while (table.next()) {
        std::array<double, Numbers> numbers{};
        bool good = true;
        for (std::size_t i = 0; i < Numbers; ++i) {
            good = table.number(columns[i], numbers[i]) && good;
        }
        if (good) {
            take(table, columns, numbers);
        }
    }
}

void take_summary(const fs::path& directory, bool shows_failed, run_data& run) {
    known_results read;
    if (shows_failed) {
        read = read_known_results(directory);
    } else {
        static_cast<summary_file&>(read) = read_summary(directory);
    }
    if (!read.errors.empty()) {
        run.errors = std::move(read.errors);
        return;
    }
    run.complete = read.summary["complete"].get<bool>();
    run.jobs = count_of(read.summary["jct_ns"]);
    run.flows = count_of(read.summary["fct_ns"]);
    run.unfinished_jobs = unfinished_of(read.summary["jct_ns"]);
    run.unfinished_flows = unfinished_of(read.summary["fct_ns"]);
    const ordered_json& simulated = read.summary["simulated_ns"];
    run.simulated_ns = simulated.is_number() ? simulated.get<double>() : 0;
    run.failure = std::move(read.failure);
    run.is_from_tables = read.is_from_tables;
    run.summary = std::move(read.summary);
}

/// And what they say of tables that are not there.
void take_options(const fs::path& directory, run_data& run) {
    run.options = read_effective_options(directory / "effective.ini", run.errors);
    if (run.is_from_tables) {
        return;
    }
    const auto is_off = [&](const char* table, const char* key) {
        const std::string* const value = run.options.find(key);
        return !path_exists(directory / table) && value != nullptr && *value == "false";
    };
    run.without_flows = is_off("flows.csv", "output.flows");
    run.without_jobs = is_off("jobs.csv", "output.jobs");
}

void read_occupancy(const fs::path& path, run_data& run) {
    std::map<std::pair<std::string, std::string>, std::size_t> known[2];
    std::vector<fill_series>* const sides[2] = {&run.ingress, &run.egress};
    const std::size_t before = run.errors.size();
    const auto take = [&](csv_file& table, const auto& columns, const auto& numbers) {
        const auto [time, fill] = numbers;
        std::size_t side_number = 0;
        if (!table.word(columns[4], side_number, {"ingress", "egress"})) {
            return;
        }
        std::vector<fill_series>& side = *sides[side_number];
        const auto key = std::make_pair(table.text(columns[2]), table.text(columns[3]));
        const auto place = known[side_number].emplace(key, side.size());
        if (place.second) {
            side.push_back({key.first, key.second, {}, {}});
        }
        fill_series& series = side[place.first->second];
        if (!series.time_ns.empty() && time < series.time_ns.back()) {
            table.refuse(columns[0], "goes back in time; expected rows in order of time");
            return;
        }
        series.time_ns.push_back(time);
        series.occupancy_bytes.push_back(fill);
    };
    read_table<2>(path, run, {"time_ns", "occupancy_bytes", "node", "port", "side"}, take);
    run.has_occupancy = run.errors.size() == before && !(run.ingress.empty() && run.egress.empty());
}

/// `host`, `tier1`, or a bare number as in files of earlier versions.
bool is_tier(std::string_view name) {
    if (name == "host") {
        return true;
    }
    name.remove_prefix(name.substr(0, 4) == "tier" ? 4 : 0);
    return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

void read_pauses(const fs::path& path, run_data& run) {
    std::map<std::string, pause_series> tiers;
    const auto take = [&](csv_file& table, const auto& columns, const auto& numbers) {
        const auto [time, paused] = numbers;
        const std::string& tier = table.text(columns[2]);
        double transmitters = 0;
        const std::optional<std::size_t> count_column = table.optional_column("transmitters");
        if (count_column && !table.number(*count_column, transmitters)) {
            return;
        }
        if (!is_tier(tier)) {
            table.refuse(columns[2], "'" + tier + "' is not a tier; expected host, tier0, tier1, ...");
            return;
        }
        pause_series& series = tiers[tier];
        if (!series.time_ns.empty() && time <= series.time_ns.back()) {
            table.refuse(columns[0],
                         "does not advance; expected one row per tier and time, in the order of time");
            return;
        }
        series.transmitters = transmitters;
        series.time_ns.push_back(time);
        series.paused_ns.push_back(paused);
    };
    read_table<2>(path, run, {"time_ns", "paused_ns", "tier"}, take);
    for (auto& [tier, series] : tiers) {
        series.tier = tier;
        run.pauses.push_back(std::move(series));
    }
    run.has_pauses = !run.pauses.empty();
}

struct node_place {
    std::string tier;
    std::size_t place;
};

std::map<std::string, node_place> read_nodes(const fs::path& path, run_data& run) {
    csv_file table(path, run.errors, input_kind::any, expected_file);
    const std::size_t node_column = table.column("node");
    const std::size_t tier_column = table.column("tier");
    std::map<std::string, node_place> places;
    while (table.next()) {
        places.emplace(table.text(node_column), node_place{table.text(tier_column), places.size()});
    }
    return places;
}

void read_frame_path(const fs::path& base, run_data& run) {
    if (!path_exists(base / "frame_path.csv")) {
        return;
    }
    const std::map<std::string, node_place> places = read_nodes(base / "nodes.csv", run);
    csv_file table(base / "frame_path.csv", run.errors, input_kind::any, expected_file);
    const std::vector<std::size_t> columns =
        table.columns({"copy", "flow", "offset", "node", "arrived_ns", "sent_ns", "event"});
    const auto time = [&](std::size_t column, std::optional<double>& into) {
        double value = 0;
        const bool is_good = table.number_or_none(column, value);
        into = table.text(column).empty() ? std::nullopt : std::optional(value);
        return is_good;
    };
    traced_path path;
    while (table.next()) {
        path_stop stop;
        if (!table.number(columns[0], path.copies, path.copies) || !table.number(columns[1], path.flow) ||
            !table.number(columns[2], path.offset) || !time(columns[4], stop.arrived_ns) ||
            !time(columns[5], stop.sent_ns)) {
            continue;
        }
        const auto known = places.find(table.text(columns[3]));
        if (known == places.end()) {
            table.refuse(columns[3],
                         "'" + table.text(columns[3]) + "' is no node; expected those of nodes.csv");
            continue;
        }
        stop.node = known->first;
        stop.tier = known->second.tier;
        stop.place = known->second.place;
        stop.event = table.text(columns[6]);
        if (path.copies == 1) {
            path.stops.push_back(std::move(stop));
        }
    }
    if (!path.stops.empty()) {
        run.path = std::move(path);
    }
}

void read_busy_links(const fs::path& path, run_data& run) {
    const auto take = [&run](csv_file&, const auto&, const auto& numbers) {
        const auto [start, end, of_switches, busy_switches, of_hosts, busy_hosts] = numbers;
        if (end > start && of_switches + of_hosts > 0) {
            run.busy_links.push_back(
                {100 * (busy_switches + busy_hosts) / (of_switches + of_hosts), end - start});
        }
    };
    read_table<6>(path, run,
                  {"start_ns", "end_ns", "switch_links", "busy_switch_links", "host_links", "busy_host_links"},
                  take);
}

void read_full_queues(const fs::path& path, run_data& run) {
    const auto take = [&run](csv_file&, const auto&, const auto& numbers) {
        run.free_one_hop.push_back({numbers[0], 1});
        run.free_two_hops.push_back({numbers[1], 1});
    };
    read_table<2>(path, run, {"free_1_hop_percent", "free_2_hops_percent"}, take);
}

/// Lines of one sender have the same text in the columns that follow the two numbers.
void read_senders(const fs::path& path, run_data& run, std::initializer_list<const char*> names,
                  std::vector<sender_series>& senders) {
    std::map<std::vector<std::string>, std::size_t> known;
    const auto take = [&](csv_file& table, const auto& columns, const auto& numbers) {
        std::vector<std::string> key;
        for (std::size_t i = numbers.size(); i < columns.size(); ++i) {
            key.push_back(table.text(columns[i]));
        }
        const auto [at, is_new] = known.emplace(key, senders.size());
        if (is_new) {
            const std::string hosts = key[0] + (key[1].empty() ? "" : " > " + key[1]);
            const bool is_alone = std::none_of(senders.begin(), senders.end(),
                                               [&](const sender_series& other) { return other.name == hosts; });
            senders.push_back({is_alone || key[2].empty() ? hosts : hosts + " #" + key[2], {}, {}});
        }
        senders[at->second].time_ns.push_back(numbers[0]);
        senders[at->second].values.push_back(numbers[1]);
    };
    read_table<2>(path, run, names, take);
}

}  // namespace

run_data read_run(const std::string& directory, const run_filter& filter, bool shows_failed) {
    run_data run;
    run.directory = directory;
    const fs::path base = directory;
    std::error_code ignored;
    if (!fs::is_directory(base, ignored)) {
        run.errors.push_back({"", 0, directory, "is not a directory; expected the directory of a run of weir"});
        return run;
    }
    take_summary(base, shows_failed, run);
    if (!run.errors.empty()) {
        return run;
    }
    take_options(base, run);
    completion_reader completed(filter, run.completed, run.errors);
    if (!run.without_jobs && !run.is_from_tables) {
        completed.read_jobs(base / "jobs.csv", run.jobs);
        completed.read_unfinished_jobs(base / "unfinished_jobs.csv", run.unfinished_jobs);
    }
    if (!run.without_flows && !run.is_from_tables) {
        completed.read_transfers(base / "flows.csv", run.flows);
        completed.read_unfinished_transfers(base / "unfinished.csv", run.unfinished_flows);
    }
    read_occupancy(base / "occupancy.csv", run);
    read_pauses(base / "pauses.csv", run);
    read_busy_links(base / "busy_links.csv", run);
    read_full_queues(base / "full_queues.csv", run);
    read_senders(base / "windows.csv", run, {"time_ns", "cwnd_bytes", "host", "dst", "flow"}, run.windows);
    read_senders(base / "rates.csv", run, {"time_ns", "rate_bps", "host", "dst", "flow", "class"}, run.rates);
    run.ports = read_port_series(directory, run.errors);
    run.pools = read_pool_series(directory, run.errors);
    run.tree = read_pause_tree(directory, run.errors);
    read_frame_path(base, run);
    if (run.errors.empty()) {
        check_samples(run);
    }
    return run;
}

}  // namespace weir::tb
