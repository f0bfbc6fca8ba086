#include "tb/view/pictures/run_reader.h"

#include <filesystem>
#include <tuple>
#include <utility>

#include "tb/run/summary/failed_run.h"
#include "tb/run/summary/summary_reader.h"
#include "tb/run/summary/summary_texts.h"
#include "tb/support/files/input_file.h"
#include "tb/support/record/record_reader.h"
#include "tb/support/record/row_of.h"
#include "tb/view/chart/picture_directory.h"
#include "tb/view/pictures/series_reader.h"

namespace weir::tb {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

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
    const ordered_json& simulated = read.summary["simulated_ns"];
    run.simulated_ns = simulated.is_number() ? simulated.get<double>() : 0;
    run.failure = std::move(read.failure);
    run.is_from_tables = read.is_from_tables;
    run.summary = std::move(read.summary);
}

/// True for a run of a sweep with `--keep summary`, or of a search.
bool kept_summary_only(const fs::path& directory) {
    return whole_path(directory).parent_path().parent_path().filename() == "points" &&
           !path_exists(directory / "nodes.csv");
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

constexpr auto node_cells = std::tuple(cell<std::string>("node"), cell<std::string>("tier"));
constexpr auto stop_cells =
    std::tuple(cell<std::uint64_t>("copy"), cell<std::uint64_t>("flow"), cell<std::uint64_t>("offset"),
               cell<std::string>("node"), cell<std::optional<double>>("arrived_ns").absent("it is the source"),
               cell<std::optional<double>>("sent_ns").absent("it did not leave"), cell<std::string>("event"));

/// By name: the tier, and the number of the line.
std::map<std::string, std::pair<std::string, std::size_t>> read_nodes(const fs::path& path, run_data& run) {
    std::map<std::string, std::pair<std::string, std::size_t>> places;
    record_reader<row_of<node_cells>> table(path.string(), run.errors, input_kind::any, written_table);
    while (const auto* const row = table.next()) {
        const auto& [node, tier] = row->cells;
        places.emplace(node, std::pair(tier, places.size()));
    }
    return places;
}

void read_frame_path(const fs::path& base, run_data& run) {
    if (!path_exists(base / "frame_path.csv")) {
        return;
    }
    const auto places = read_nodes(base / "nodes.csv", run);
    record_reader<row_of<stop_cells>> table((base / "frame_path.csv").string(), run.errors, input_kind::any,
                                            written_table);
    traced_path path;
    while (const auto* const row = table.next()) {
        const auto& [copy, flow, offset, node, arrived, sent, event] = row->cells;
        const auto known = places.find(node);
        if (known == places.end()) {
            table.refuse_text("node", "is no node; expected those of nodes.csv");
        } else if (copy < path.copies) {
            table.refuse_text("copy", "is out of range; expected copies in order");
        } else {
            path.flow = flow;
            path.offset = offset;
            path.copies = copy;
            if (copy == 1) {
                path.stops.push_back({node, known->second.first, known->second.second, arrived, sent, event});
            }
        }
    }
    if (!path.stops.empty()) {
        run.path = std::move(path);
    }
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
    if (kept_summary_only(base) && !run.is_from_tables) {
        run.errors.push_back({"", 0, directory,
                              "has no tables, because the sweep kept summaries only; expected a run of a sweep "
                              "with --keep all, or a run of weir run"});
        return run;
    }
    completion_reader completed(filter, run.completed, run.errors);
    if (!run.without_jobs && !run.is_from_tables) {
        completed.read_jobs(base / "jobs.csv", count_of(run.summary["jct_ns"]));
        completed.read_unfinished(base / "unfinished_jobs.csv", true, unfinished_of(run.summary["jct_ns"]));
    }
    if (!run.without_flows && !run.is_from_tables) {
        completed.read_transfers(base / "flows.csv", count_of(run.summary["fct_ns"]));
        completed.read_unfinished(base / "unfinished.csv", false, unfinished_of(run.summary["fct_ns"]));
    }
    read_series(run);
    run.tree = read_pause_tree(directory, run.errors);
    read_frame_path(base, run);
    if (run.errors.empty()) {
        check_samples(run);
    }
    return run;
}

std::vector<run_data> read_runs(const std::vector<std::string>& directories,
                                const std::vector<std::string>& labels, const run_filter& filter,
                                bool shows_failed, config_errors& errors) {
    std::vector<run_data> runs;
    for (std::size_t i = 0; i < directories.size(); ++i) {
        runs.push_back(read_run(directories[i], filter, shows_failed));
        runs.back().label = labels[i];
        errors.insert(errors.end(), runs.back().errors.begin(), runs.back().errors.end());
    }
    return runs;
}

}  // namespace weir::tb
