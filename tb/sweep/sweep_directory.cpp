#include "tb/sweep/sweep_directory.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <utility>

#include "tb/results/run_directory.h"
#include "tb/results/summary_writer.h"

namespace weir {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

constexpr std::string_view partial_suffix = ".partial";
constexpr std::string_view summary_files[] = {"summary.json", "effective.ini", "run.json", "failure.json"};

bool is_entry(std::string_view name, const directory_kind& kind) {
    if (name.size() > partial_suffix.size() &&
        name.substr(name.size() - partial_suffix.size()) == partial_suffix) {
        name.remove_suffix(partial_suffix.size());
    }
    return std::find(kind.entries.begin(), kind.entries.end(), name) != kind.entries.end();
}

[[noreturn]] void fail_on(const fs::path& name, const char* what, const std::error_code& error) {
    throw output_error(name.string() + ": " + what + ": " + error.message());
}

void remove_tree(const fs::path& path) {
    std::error_code error;
    fs::remove_all(path, error);
    if (error) {
        fail_on(path, "cannot be removed", error);
    }
}

}  // namespace

void synchronise(const fs::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool done = descriptor >= 0 && (::fsync(descriptor) == 0 || errno == EINVAL);
    const int reason = errno;
    if (descriptor >= 0) {
        ::close(descriptor);
    }
    if (!done) {
        fail_on(path, "cannot be written", {reason, std::generic_category()});
    }
}

const char* to_text(run_record::states state) {
    switch (state) {
        case run_record::states::done:
            return "done";
        case run_record::states::failed:
            return "failed";
        default:
            return "missing";
    }
}

const directory_kind& sweep_kind() {
    static const directory_kind kind{
        "sweep",
        "plan.json",
        {"plan.json", "run.json", "sweep.csv", "sweep.json", "means.csv", "means.json", "points", "plots"}};
    return kind;
}

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
        has_more = has_more || name != plan + ".partial";
        if (!is_entry(name, kind) && (first_foreign.empty() || name < first_foreign)) {
            first_foreign = name;
        }
    }
    if (error) {
        return refuse("cannot be read: " + error.message());
    }
    if (!first_foreign.empty()) {
        return refuse("holds '" + first_foreign + "', which no " + kind.name + " has written" + allowed);
    }
    if (has_more && !has_plan) {
        return refuse("has files but no " + plan + allowed);
    }
    if (::access(path.c_str(), W_OK | X_OK) != 0) {
        return refuse("cannot be written: " + std::generic_category().message(errno));
    }
    return {};
}

std::string read_whole(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string read_plan_text(const fs::path& directory) {
    return read_whole(directory / "plan.json");
}

// --- layout ----------------------------------------------------------------------------------------------

fs::path sweep_layout::run(std::size_t point, std::uint64_t seed) const {
    return m_path / "points" / m_plan.name(point) / ("seed_" + std::to_string(seed));
}

fs::path sweep_layout::partial_run(std::size_t point, std::uint64_t seed) const {
    fs::path path = run(point, seed);
    path += partial_suffix;
    return path;
}

ordered_json sweep_layout::summary(std::size_t point, std::uint64_t seed) const {
    ordered_json summary = ordered_json::parse(read_whole(run(point, seed) / "summary.json"), nullptr, false);
    return summary.is_object() && summary.value("complete", false) ? summary : ordered_json();
}

run_record sweep_layout::record(std::size_t point, std::uint64_t seed) const {
    const fs::path path = run(point, seed);
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
        return {};
    }
    const std::string failure = read_whole(path / "failure.json");
    if (!failure.empty()) {
        const ordered_json j = ordered_json::parse(failure, nullptr, false);
        try {
            return {run_record::states::failed, j.at("status").get<int>(), j.at("error").get<std::string>(),
                    j.at("final").get<bool>()};
        } catch (const ordered_json::exception&) {
            return {};
        }
    }
    run_record found;
    found.state = summary(point, seed).is_null() ? run_record::states::missing : run_record::states::done;
    return found;
}

// --- lock ------------------------------------------------------------------------------------------------

directory_lock lock_sweep(const fs::path& directory) {
    using namespace std::chrono_literals;
    return directory_lock(directory, 2s);
}

// --- runs ------------------------------------------------------------------------------------------------

void run_store::prepare(std::size_t point, std::uint64_t seed) const {
    remove_tree(m_layout.run(point, seed));
    discard(point, seed);
    std::error_code error;
    const fs::path above = m_layout.run(point, seed).parent_path();
    fs::create_directories(above, error);
    if (error) {
        fail_on(above, "cannot be created", error);
    }
}

bool run_store::ended_unnamed(std::size_t point, std::uint64_t seed) const {
    const fs::path path = m_layout.partial_run(point, seed);
    // run.json is a run's last file.
    const ordered_json summary = ordered_json::parse(read_whole(path / "summary.json"), nullptr, false);
    return summary.is_object() && summary.value("complete", false) &&
           ordered_json::parse(read_whole(path / "run.json"), nullptr, false).is_object();
}

void run_store::accept(std::size_t point, std::uint64_t seed) const {
    keep_and_name(point, seed);
}

void run_store::accept_failure(std::size_t point, std::uint64_t seed, const run_record& failure) const {
    const fs::path path = m_layout.partial_run(point, seed);
    std::error_code ignored;
    fs::create_directories(path, ignored);
    ordered_json j;
    j["status"] = failure.status;
    j["error"] = failure.error;
    j["final"] = failure.final;
    output_file file(path / "failure.json");
    file.write(to_text(j));
    file.finish();
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
        fail_on(partial, "cannot be read", error);
    }
    for (const fs::path& file : all) {
        if (m_keep == kept_files::summary && std::find(std::begin(summary_files), std::end(summary_files),
                                                       file.filename().string()) == std::end(summary_files)) {
            remove_tree(file);
        } else {
            synchronise(file);
        }
    }
    synchronise(partial);
    fs::rename(partial, name, error);
    if (error) {
        fail_on(name, "cannot be named so", error);
    }
    synchronise(name.parent_path());
    synchronise(name.parent_path().parent_path());
}

}  // namespace weir
