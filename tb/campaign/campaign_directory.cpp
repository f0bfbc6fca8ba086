#include "tb/campaign/campaign_directory.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <iterator>
#include <optional>
#include <utility>

#include "tb/files/input_file.h"
#include "tb/files/json_file.h"
#include "tb/files/output_file.h"
#include "tb/files/run_directory.h"
#include "tb/options/load_options.h"
#include "tb/process/exit_status.h"
#include "tb/results/summary_reader.h"
#include "tb/results/summary_writer.h"

namespace weir::tb {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

constexpr std::string_view summary_files[] = {"summary.json", "effective.ini", "run.json", "failure.json"};
/// Beside the plan and the tables.
constexpr std::string_view other_entries[] = {"run.json", "points", "plots", directory_lock::file};

bool is_entry(std::string_view name, const directory_kind& kind) {
    if (name.size() > partial_suffix.size() &&
        name.substr(name.size() - partial_suffix.size()) == partial_suffix) {
        name.remove_suffix(partial_suffix.size());
    }
    const auto any_of = [&](const auto& names) {
        return std::find(std::begin(names), std::end(names), name) != std::end(names);
    };
    return name == kind.plan || any_of(other_entries) || any_of(kind.tables);
}

}  // namespace

config_errors check_directory(const fs::path& path, const directory_kind& kind) {
    std::error_code error;
    const auto refuse = [&](const std::string& what) {
        return config_errors{{"", 0, "--out", "'" + path.string() + "' " + what}};
    };
    const std::string a_kind = std::string("a ") + kind.name;
    const std::string allowed = "; expected a directory that is new, empty or holds " + a_kind;
    const std::string plan = kind.plan;
    if (path.empty() || (fs::exists(path, error) && !fs::is_directory(path, error))) {
        return refuse("is not a directory" + allowed);
    }
    if (!fs::exists(path, error) || fs::is_empty(path, error)) {
        return check_run_directory(path);
    }
    std::string first_foreign;
    bool has_plan = false;
    bool has_more = false;
    for (fs::directory_iterator entry(path, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        has_plan = has_plan || name == plan;
        const bool is_left = name == plan + ".partial" || name == directory_lock::file ||
                             (name == "points" && fs::is_empty(entry->path(), error));
        has_more = has_more || !is_left;
        if (!is_entry(name, kind) && (first_foreign.empty() || name < first_foreign)) {
            first_foreign = name;
        }
    }
    if (error) {
        throw output_error(path, "cannot be read", error);
    }
    if (!first_foreign.empty()) {
        return refuse("holds '" + first_foreign + "', which no " + kind.name + " has written" + allowed);
    }
    if (has_more && !has_plan) {
        return refuse("has files but no " + plan + allowed);
    }
    if (::access(path.c_str(), W_OK | X_OK) != 0) {
        throw output_error(path, "cannot be written", {errno, std::generic_category()});
    }
    return {};
}

std::string read_if_there(const fs::path& file) {
    return path_exists(file) ? read_whole(file.string(), "a file that a sweep wrote") : std::string{};
}

// --- layout ----------------------------------------------------------------------------------------------

std::string point_name(std::size_t point, std::size_t points) {
    const std::string number = std::to_string(point + 1);
    const std::size_t width = std::max<std::size_t>(4, std::to_string(points).size());
    return std::string(width - number.size(), '0') + number;
}

fs::path campaign_layout::run(std::size_t point, std::uint64_t seed) const {
    const std::size_t number = m_part.empty() ? point : m_part[point];
    return m_path / "points" / point_name(number, m_points) / ("seed_" + std::to_string(seed));
}

fs::path campaign_layout::partial_run(std::size_t point, std::uint64_t seed) const {
    fs::path path = run(point, seed);
    path += partial_suffix;
    return path;
}

/// Null where there is none, or one that is cut. Throws `command_error` where it was changed or damaged
/// otherwise.
static ordered_json summary_in(const fs::path& run) {
    if (!path_exists(run / "summary.json")) {
        return {};
    }
    summary_file read = read_summary(run / "summary.json");
    if (!read.errors.empty() && !read.is_cut) {
        std::string text;
        for (const std::string& line : error_lines(read.errors)) {
            text += (text.empty() ? "" : "\n") + line;
        }
        throw command_error(text, exit_status::bad_input);
    }
    return read.errors.empty() && read.summary["complete"] == true ? std::move(read.summary) : ordered_json();
}

ordered_json campaign_layout::summary(std::size_t point, std::uint64_t seed) const {
    return summary_in(run(point, seed));
}

run_record campaign_layout::record(std::size_t point, std::uint64_t seed) const {
    const fs::path path = run(point, seed);
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
        return {};
    }
    const std::string failure = read_if_there(path / "failure.json");
    if (!failure.empty()) {
        std::optional<run_failure> read = parse_failure(failure);
        return read ? run_record{std::move(*read), run_record::states::failed} : run_record{};
    }
    run_record found;
    found.state = summary(point, seed).is_null() ? run_record::states::missing : run_record::states::done;
    return found;
}

// --- lock ------------------------------------------------------------------------------------------------

directory_lock lock_campaign(const fs::path& directory, directory_lock::kind how) {
    using namespace std::chrono_literals;
    return directory_lock(directory, 2s, how);
}

std::unique_ptr<directory_lock> lock_plan(const fs::path& directory) {
    using namespace std::chrono_literals;
    return std::make_unique<directory_lock>(make_directory(directory / "points"), 60s);
}

// --- runs ------------------------------------------------------------------------------------------------

void run_store::prepare(std::size_t point, std::uint64_t seed) const {
    remove_tree(m_layout.run(point, seed));
    discard(point, seed);
    make_directory(m_layout.run(point, seed).parent_path());
}

bool run_store::is_being_made(std::size_t point, std::uint64_t seed) const {
    const fs::path path = m_layout.partial_run(point, seed);
    std::error_code ignored;
    return fs::is_directory(path, ignored) && directory_lock(path).in_use();
}

bool run_store::is_whole(std::size_t point, std::uint64_t seed) const {
    const fs::path path = m_layout.partial_run(point, seed);
    // run.json is a run's last file.
    return !summary_in(path).is_null() && json_or_discarded(read_if_there(path / "run.json")).is_object();
}

void run_store::accept(std::size_t point, std::uint64_t seed) const {
    keep_and_name(point, seed);
}

bool run_store::has_verdict(std::size_t point, std::uint64_t seed) const {
    return parse_failure(read_if_there(m_layout.partial_run(point, seed) / "failure.json")).has_value();
}

void run_store::accept_failure(std::size_t point, std::uint64_t seed, run_failure& failure) const {
    const fs::path path = make_directory(m_layout.partial_run(point, seed));
    if (const std::optional<run_failure> left = parse_failure(read_if_there(path / "failure.json"))) {
        failure.verdict = left->verdict;
        failure.error = "weir run: " + left->error;  // a launcher may keep what the run has printed to itself
    }
    write_file(path / "failure.json", to_text(failure));
    keep_and_name(point, seed);
}

void run_store::discard(std::size_t point, std::uint64_t seed) const {
    remove_tree(m_layout.partial_run(point, seed));
}

void run_store::keep_and_name(std::size_t point, std::uint64_t seed) const {
    const fs::path partial = m_layout.partial_run(point, seed);
    const fs::path name = m_layout.run(point, seed);
    std::error_code error;
    std::vector<fs::path> all;
    for (fs::directory_iterator entry(partial, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        all.push_back(entry->path());
    }
    if (error) {
        throw output_error(partial, "cannot be read", error);
    }
    const kept_files keep = m_runs.kept(point);
    const auto stays = [&](const std::string& file) {
        return keep == kept_files::all || (keep == kept_files::jobs && file == "jobs.csv") ||
               std::find(std::begin(summary_files), std::end(summary_files), file) != std::end(summary_files);
    };
    for (const fs::path& file : all) {
        if (stays(file.filename().string())) {
            synchronise(file);
        } else {
            remove_tree(file);
        }
    }
    synchronise(partial);
    name_whole(partial, name);
    synchronise(name.parent_path());
    synchronise(name.parent_path().parent_path());
}

}  // namespace weir::tb
