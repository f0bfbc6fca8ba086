#include "tb/run/summary/summary_reader.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "tb/run/results/metric_catalogue.h"
#include "tb/run/results/run_verdict.h"
#include "tb/run/results/summary_writer.h"
#include "tb/run/summary/summary_texts.h"
#include "tb/support/files/input_file.h"
#include "tb/support/files/json_file.h"
#include "tb/support/files/output_file.h"
#include "tb/support/files/run_directory.h"

namespace weir::tb {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

/// Keys that a command reads.
const std::vector<json_shape>& shapes() {
    static const std::vector<json_shape> all = [] {
        std::vector<json_shape> of_entries;
        for (const metric_entry& entry : metric_catalogue()) {
            // Members of a family have one place.
            if (!entry.place.empty() && (of_entries.empty() || of_entries.back().path != entry.shape.path)) {
                of_entries.push_back(entry.shape);
            }
        }
        return of_entries;
    }();
    return all;
}

/// Where something was counted there are times; what has only started has no mean.
void check_times(const ordered_json& times, const std::string& file, const std::string& place,
                 config_errors& errors) {
    for (const auto& [key, value] : times.items()) {
        const bool is_of_completed = key == "mean" || key == "variation_percent";
        if (value.is_null() && (is_of_completed ? count_of(times) : started_of(times)) > 0) {
            errors.push_back({file, 0, place + "." + key,
                              "is null, and " + std::to_string(started_of(times)) +
                                  " have started; expected a number from 0"});
        }
    }
}

config_errors check(const ordered_json& summary, const std::string& file) {
    config_errors errors = check_shape(summary, file, shapes());
    if (!errors.empty()) {
        return errors;
    }
    for (const ordered_json& kind : summary["limited_by"]) {
        if (!summary["resources"].contains(kind)) {
            errors.push_back({file, 0, "limited_by",
                              "has " + kind.dump() + ", which resources has not; expected names of resources"});
        }
    }
    for (const char* measure : {"fct_ns", "jct_ns"}) {
        check_times(summary[measure], file, measure, errors);
        for (std::size_t g = 0; g < summary["groups"].size(); ++g) {
            check_times(summary["groups"][g][measure], file, "groups[" + std::to_string(g) + "]." + measure,
                        errors);
        }
    }
    return errors;
}

}  // namespace

summary_file read_summary(const fs::path& path) {
    std::error_code error;
    const bool is_directory = fs::is_directory(path, error);
    if (is_directory) {
        if (const auto unfinished = unfinished_run(path)) {
            return {{}, {*unfinished}};
        }
    }
    const fs::path file = is_directory ? path / "summary.json" : path;
    const std::string why_not = open_input(file.string()).why_not;
    if (!why_not.empty()) {
        return {{},
                {{file.string(), 0, "",
                  "cannot be read: " + why_not + "; expected the directory of a run of weir"}}};
    }
    json_file read = read_json(file, "the summary.json of a run of weir");
    if (read.errors.empty() && !read.document.is_object()) {
        read.errors.push_back(
            {file.string(), 0, "", "is not the summary of a run; expected the summary.json of a run of weir"});
    } else if (read.errors.empty()) {
        read.errors = check(read.document, file.string());
    }
    return {std::move(read.document), std::move(read.errors), read.is_cut};
}

namespace {

/// `points/0001/seed_1`: the runs of a sweep or a search whose directories hold the file, in their order.
std::vector<std::string> runs_with(const fs::path& directory, const std::string& file) {
    std::vector<std::string> runs;
    std::error_code error;
    for (fs::directory_iterator point(directory / "points", error); !error && point != fs::directory_iterator();
         point.increment(error)) {
        std::error_code ignored;
        for (fs::directory_iterator run(point->path(), ignored); !ignored && run != fs::directory_iterator();
             run.increment(ignored)) {
            if (run->path().extension() != partial_suffix && fs::exists(run->path() / file, ignored)) {
                runs.push_back(fs::path(run->path()).lexically_relative(directory).string());
            }
        }
    }
    std::sort(runs.begin(), runs.end());
    return runs;
}

/// ` of 6`; empty where the plan does not say how many runs there are, as that of a search.
std::string of_all_runs(const fs::path& directory) {
    const fs::path file = directory / "plan.json";
    if (!path_exists(file)) {
        return {};
    }
    const json_file read = read_json(file, "the plan.json of a sweep");
    const bool good =
        read.errors.empty() &&
        check_shape(read.document, file.string(), {{"points", json_kind::count}, {"seeds[]", json_kind::seed}})
            .empty();
    return good ? " of " + std::to_string(read.document["points"].get<std::uint64_t>() *
                                          read.document["seeds"].size())
                : "";
}

constexpr campaign_kind campaigns[] = {{"plan.json", "sweep", "sweep", true},
                                       {"reproduction.json", "reproduction", "reproduce", true},
                                       {"search.json", "search", "size", false}};

}  // namespace

const campaign_kind* campaign_in(const fs::path& directory) {
    const auto* const found =
        std::find_if(std::begin(campaigns), std::end(campaigns),
                     [&](const campaign_kind& each) { return path_exists(directory / each.plan); });
    return found == std::end(campaigns) ? nullptr : found;
}

std::optional<config_error> without_done_runs(const fs::path& directory) {
    if (!runs_with(directory, "summary.json").empty()) {
        return std::nullopt;
    }
    const campaign_kind* const known = campaign_in(directory);
    const campaign_kind& words = known != nullptr ? *known : campaigns[2];
    const std::size_t failed = runs_with(directory, "failure.json").size();
    return config_error{
        directory.string(), 0, "",
        "0" + of_all_runs(directory) + " runs are done" +
            (failed > 0 ? ", " + std::to_string(failed) + " failed" : "") + "; the same `weir " +
            words.command + "` command" +
            (words.repeats_failed && failed > 0 ? " with --retry-failed repeats those" : " goes on with them") +
            "; expected a " + words.name + " with runs that are done"};
}

std::optional<config_error> unfinished_run(const fs::path& directory) {
    std::error_code error;
    if (fs::exists(directory / "summary.json", error)) {
        return std::nullopt;
    }
    if (const campaign_kind* const kind = campaign_in(directory)) {
        if (auto none = without_done_runs(directory)) {
            return none;
        }
        return config_error{directory.string(), 0, "",
                            std::string("is the directory of a ") + kind->name +
                                ", not of a run; expected the directory of a run, such as " +
                                runs_with(directory, "summary.json").front() + " in it"};
    }
    // The name that says most: a table that was being written, else the first of what there is.
    std::string there;
    for (fs::directory_iterator entry(directory, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        const auto rank = [](const std::string& n) {
            return std::pair(n.size() < 8 || n.substr(n.size() - 8) != ".partial", n);
        };
        if (is_run_file(name) && (there.empty() || rank(name) < rank(there))) {
            there = name;
        }
    }
    if (fs::exists(directory / "failure.json", error)) {
        const std::optional<run_failure> failure =
            parse_failure(read_whole(directory / "failure.json", "a failure.json of weir"));
        const std::string verdict =
            failure && failure->verdict ? std::string(name_of(*failure->verdict)) : "failure";
        return config_error{directory.string(), 0, "",
                            "holds a run that ended with a verdict (" + verdict +
                                "; failure.json says more); expected a run that came to its end"};
    }
    if (there.empty()) {
        return std::nullopt;
    }
    return config_error{
        directory.string(), 0, "",
        "holds a run that has not ended (it has " + there +
            ", but no summary.json); expected a run that has ended (the same command runs it again)"};
}

}  // namespace weir::tb
