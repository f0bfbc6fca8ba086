#include "tb/view/table/sweep_table.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>

#include "tb/run/summary/failed_run.h"
#include "tb/study/points/sweep_plan.h"
#include "tb/support/files/input_file.h"
#include "tb/support/files/json_file.h"
#include "tb/support/files/output_file.h"

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

std::optional<std::uint64_t> seed_of(const std::string& folder) {
    constexpr std::string_view start = "seed_";
    std::uint64_t seed = 0;
    if (folder.compare(0, start.size(), start) != 0) {
        return std::nullopt;
    }
    const char* const end = folder.data() + folder.size();
    const auto read = std::from_chars(folder.data() + start.size(), end, seed);
    return read.ec == std::errc{} && read.ptr == end ? std::optional(seed) : std::nullopt;
}

/// Every point of the plan, with every seed.
void take_planned(const sweep_plan& plan, campaign_runs& runs) {
    const campaign_layout layout(runs.directory, plan.points());
    for (std::size_t p = 0; p < plan.points(); ++p) {
        campaign_point point{plan.name(p), plan.settings(p), {}, {}, 0};
        for (const std::uint64_t seed : plan.seeds) {
            const run_record record = layout.record(p, seed);
            runs.failures.add(point.settings, seed, record);
            if (record.state == run_record::states::missing) {
                ++point.missing;
            } else {
                const bool is_done = record.state == run_record::states::done;
                (is_done ? point.done : point.failed).push_back(layout.run(p, seed));
            }
        }
        runs.points.push_back(std::move(point));
    }
}

/// Takes the results that are there. `plan` has the settings of points.
void take_found(const sweep_plan& plan, campaign_runs& runs) {
    for (const fs::path& folder : folders_in(runs.directory / "points")) {
        campaign_point point{folder.filename().string(), {}, {}, {}, 0};
        point.is_reference = runs.has_keys;
        for (std::size_t p = 0; p < plan.points(); ++p) {
            if (plan.name(p) == point.name) {
                point.settings = plan.settings(p);
                point.is_reference = false;
            }
        }
        for (const fs::path& run : folders_in(folder)) {
            std::error_code ignored;
            const std::optional<std::uint64_t> seed = seed_of(run.filename().string());
            const bool has_failed = fs::exists(run / "failure.json", ignored);
            if (!seed || !(has_failed || fs::exists(run / "summary.json", ignored))) {
                continue;
            }
            (has_failed ? point.failed : point.done).push_back(run);
            const run_failure failure = has_failed ? failure_in(run).value_or(run_failure{}) : run_failure{};
            runs.failures.add(point.settings, *seed,
                              {failure, has_failed ? run_record::states::failed : run_record::states::done});
        }
        if (point.failed.size() + point.done.size() > 0) {
            runs.points.push_back(std::move(point));
        }
    }
}

}  // namespace

std::vector<fs::path> folders_in(const fs::path& directory) {
    std::error_code error;
    std::vector<fs::path> found;
    for (fs::directory_iterator at(directory, error); !error && at != fs::directory_iterator();
         at.increment(error)) {
        found.push_back(at->path());
    }
    std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
        return std::pair(a.native().size(), a) < std::pair(b.native().size(), b);
    });
    return found;
}

std::optional<std::string> campaign_name(const fs::path& directory) {
    const campaign_kind* const kind = campaign_in(directory);
    return kind == nullptr ? std::nullopt : std::optional(std::string("a ") + kind->name);
}

bool are_campaigns(const std::vector<std::string>& directories, config_errors& errors) {
    const auto is_campaign = [](const std::string& each) { return campaign_name(each).has_value(); };
    const auto first = std::find_if(directories.begin(), directories.end(), is_campaign);
    if (first == directories.end()) {
        return false;
    }
    for (const std::string& directory : directories) {
        if (is_campaign(directory)) {
            continue;
        }
        errors.push_back(
            {directory, 0, "",
             path_exists(directory)
                 ? "is not a sweep, but " + *first + " is " + *campaign_name(*first) +
                       "; expected only runs or only sweeps (" + *first + "/points/0001/seed_1 is a run)"
                 : "cannot be read: No such file or directory; expected the directory of a sweep, as " +
                       *first});
    }
    return true;
}

campaign_runs read_campaign_runs(const fs::path& directory, config_errors& errors) {
    campaign_runs runs;
    runs.directory = directory;
    const std::string file = campaign_in(directory)->plan;
    const std::size_t before = errors.size();
    sweep_plan plan;
    if (file == "plan.json") {
        plan = read_plan(directory, errors);
    } else if (file == "search.json") {
        const std::string path = (directory / file).string();
        plan_result read = search_plan(read_json(path, "the search.json of a search"), path);
        plan = std::move(read.plan);
        errors.add(read.errors);
    }
    if (errors.size() != before) {
        return runs;
    }
    runs.has_keys = file != "reproduction.json";
    runs.keys = plan.keys();
    runs.metrics = plan.metrics;
    file == "plan.json" ? take_planned(plan, runs) : take_found(plan, runs);
    if (!runs.failures.any()) {
        if (const std::optional<config_error> none = without_done_runs(directory)) {
            errors.push_back(*none);
        }
    }
    return runs;
}

}  // namespace weir::tb
