#include "tb/study/campaign/campaign_directory.h"

#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>

#include "tb/run/fields/load_options.h"
#include "tb/run/samples/json_values.h"
#include "tb/run/summary/failed_run.h"
#include "tb/run/summary/run_facts.h"
#include "tb/run/summary/summary_reader.h"
#include "tb/support/files/directory_lock.h"
#include "tb/support/files/input_file.h"
#include "tb/support/files/json_file.h"
#include "tb/support/files/output_file.h"
#include "tb/support/files/run_directory.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/text/joined.h"
#include "weir/base/how_many.h"

namespace weir::tb {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

/// Beside the plan and the tables.
constexpr std::string_view other_entries[] = {"run.json", "points", "plots", directory_lock::file};

bool is_entry(std::string_view name, const directory_kind& kind) {
    const std::string_view whole = without_partial(name);
    const auto any_of = [&](const auto& names) {
        return std::find(std::begin(names), std::end(names), whole) != std::end(names);
    };
    return whole == kind.plan || any_of(other_entries) || any_of(kind.tables);
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
    bool has_more = false;
    for (const fs::path& entry : entries_of(path)) {
        const std::string name = entry.filename().string();
        if (!is_entry(name, kind)) {
            return refuse("holds '" + name + "', which no " + kind.name + " has written" + allowed);
        }
        const bool is_left = name == plan + ".partial" || name == directory_lock::file ||
                             (name == "points" && fs::is_empty(entry, error));
        has_more = has_more || !is_left;
    }
    if (has_more && !path_exists(path / plan)) {
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

fs::path campaign_layout::partial_run(const pending_run& what) const {
    return run(what.point, what.seed) += partial_suffix;
}

ordered_json campaign_layout::summary_in(const fs::path& run) {
    if (!path_exists(run / "summary.json")) {
        return {};
    }
    summary_file read = read_summary(run / "summary.json");
    if (!read.errors.empty() && !read.is_cut) {
        throw command_error(joined(error_lines(read.errors), "\n"), exit_status::bad_input);
    }
    return read.errors.empty() && read.summary["complete"] == true ? std::move(read.summary) : ordered_json();
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

static std::string without_comments(const std::string& text) {
    std::istringstream lines(text);
    std::string kept;
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && line.front() != '#') {
            kept += line + '\n';
        }
    }
    return kept;
}

bool same_values(const std::string& a, const std::string& b) {
    return without_comments(a) == without_comments(b);
}

void failed_runs::add(const settings& varied, std::optional<std::uint64_t> seed, const run_record& record) {
    ++m_runs;
    m_missing += record.state == run_record::states::missing ? 1 : 0;
    if (record.state != run_record::states::failed) {
        return;
    }
    std::string name = joined(varied, ", ", [](const auto& each) { return each.first + "=" + each.second; });
    if (seed) {
        name += (name.empty() ? "" : ", ") + ("seed " + std::to_string(*seed));
    }
    m_failed.push_back(name + ": " + verdict_text(record));
}

std::string failed_runs::text() const {
    constexpr std::size_t most_named = 8;
    std::string text;
    const std::string of_all = " of " + how_many(m_runs, "run");
    if (any()) {
        const auto named = static_cast<std::ptrdiff_t>(std::min(m_failed.size(), most_named));
        text = std::to_string(m_failed.size()) + of_all + " failed (" +
               joined(std::vector<std::string>(m_failed.begin(), m_failed.begin() + named), "; ") +
               (m_failed.size() > most_named ? "; and " + std::to_string(m_failed.size() - most_named) + " more"
                                             : "") +
               ")";
    }
    if (m_missing > 0) {
        text += (any() ? "; " : "") + std::to_string(m_missing) + (any() ? "" : of_all) +
                (m_missing == 1 ? " is" : " are") + " missing";
    }
    return text;
}

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

build_ledger::build_ledger(std::filesystem::path directory) : m_directory(std::move(directory)) {
    read();
}

void build_ledger::read() {
    m_file = json_or_discarded(read_if_there(m_directory / "run.json"));
    if (!m_file.is_object() || !m_file.contains("program_crc64") || !m_file.contains("sessions") ||
        !m_file["sessions"].is_array() || !m_file["program_crc64"].is_string()) {
        m_file = ordered_json::object();
    }
}

std::string build_ledger::program() const {
    return m_file.empty() ? std::string{} : m_file.at("program_crc64").get<std::string>();
}

std::string build_ledger::this_program() {
    static const std::string crc64 = [] {
        const auto print = fingerprint_of("/proc/self/exe");
        return print ? print->crc64 : std::string{};
    }();
    return crc64;
}

void build_ledger::begin(const std::string& command_line, unsigned jobs) {
    m_file["program_crc64"] = this_program();
    if (!m_file.contains("sessions")) {
        m_file["sessions"] = ordered_json::array();
    }
    const run_facts facts = run_stopwatch().facts();
    m_started = now();
    m_session = m_file["sessions"].size();
    m_file["sessions"].push_back({{"date", facts.date},
                                  {"machine", facts.machine},
                                  {"program_crc64", m_file["program_crc64"]},
                                  {"jobs", jobs},
                                  {"command_line", command_line},
                                  {"outcome", nullptr},
                                  {"runs", nullptr},
                                  {"wall_seconds", nullptr}});
    write();
}

void build_ledger::end(const std::string& outcome, std::size_t runs) {
    read();
    if (!m_file.contains("sessions") || m_file["sessions"].size() <= m_session ||
        !m_file["sessions"][m_session].is_object()) {
        return;  // somebody has changed it
    }
    ordered_json& session = m_file["sessions"][m_session];
    session["outcome"] = outcome;
    session["runs"] = runs;
    session["wall_seconds"] = std::round((now() - m_started) * 1000) / 1000;
    write();
}

void build_ledger::write() const {
    write_file(m_directory / "run.json", to_text(m_file));
    synchronise(m_directory);
}

}  // namespace weir::tb
