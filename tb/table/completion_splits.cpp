#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

#include "tb/files/input_file.h"
#include "tb/results/completion_statistics.h"
#include "tb/results/percentile_rule.h"
#include "tb/results/summary_texts.h"
#include "tb/results/summary_writer.h"
#include "tb/sweep/quantity.h"
#include "tb/table/completion_words.h"
#include "tb/table/measure_list.h"
#include "tb/text/csv_file.h"
#include "weir/base/percentiles.h"

namespace weir::tb {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

/// Times in ps, and the same as multiples of the shortest ones.
struct split_samples {
    observed_times times{percentiles(completion_statistics::exact_group_samples), {}};
    observed_times slowdowns{percentiles(completion_statistics::exact_group_samples), {}};
};

struct completion_samples {
    std::map<std::string, split_samples> by_tag;
    std::map<std::uint64_t, split_samples> by_priority;
};

/// A slowdown above every other one.
constexpr std::int64_t unknown_slowdown = INT64_MAX;

/// Samples of a line's tag and of its priority.
using line_samples = std::array<split_samples*, 2>;

/// Reads a file as a stream: what is kept is bounded, however many lines it has. Calls visit(samples, ns) with
/// the time in `column`.
template <class Visit>
void read_lines(csv_file& table, const char* column, completion_samples& all, const Visit& visit) {
    const std::size_t time_column = table.column(column);
    const std::size_t tag_column = table.column("tag");
    const std::size_t priority_column = table.column("priority");
    while (table.next()) {
        double time = 0;
        std::uint64_t priority = 0;
        const bool is_good = table.number(time_column, time);
        if (table.number(priority_column, priority, 0, 7) && is_good) {
            visit(line_samples{&all.by_tag[table.text(tag_column)], &all.by_priority[priority]}, time);
        }
    }
}

void read_samples(csv_file& table, const completion_kind& kind, completion_samples& all) {
    const std::optional<std::size_t> ideal_column = table.optional_column("ideal_ns");
    read_lines(table, kind.measure, all, [&](const line_samples& splits, double time) {
        double ideal = 0;
        const bool has_ideal = ideal_column && !table.text(*ideal_column).empty() &&
                               table.number(*ideal_column, ideal) && ideal > 0;
        for (split_samples* const split : splits) {
            split->times.completed.add(std::llround(1000 * time));
            if (has_ideal) {
                split->slowdowns.completed.add(std::llround(time / ideal * slowdowns_in_one));
            }
        }
    });
}

/// Adds the ages of unfinished transfers or jobs. The file has no ideal times, so that each counts as slower
/// than any completed one.
void read_ages(csv_file& table, completion_samples& all) {
    read_lines(table, "age_ns", all, [](const line_samples& splits, double age) {
        for (split_samples* const split : splits) {
            split->times.ages.push_back(std::llround(1000 * age));
            split->slowdowns.ages.push_back(unknown_slowdown);
        }
    });
}

/// The numbers of `fct_ns` or `fct_slowdown`. Null: a percentile of too few values, or a slowdown that is not
/// known.
std::vector<metric_value> values_of(observed_times& samples, bool are_slowdowns) {
    std::vector<metric_value> values =
        metrics_of({{"times", are_slowdowns ? to_json(summarize<slowdown_ratio>(samples))
                                            : to_json(summarize<picoseconds>(samples))}});
    for (metric_value& each : values) {
        if (is_of_few_values(each.name, values) || (are_slowdowns && each.is_lower_bound)) {
            each.value = nullptr;
        }
    }
    return values;
}

/// What measures of one set of samples share.
struct split_place {
    std::string key;
    std::vector<std::string> words;
    std::uint8_t rank;
    std::string split;
    std::string member;
};

void add_splits(observed_times& samples, const split_place& place, measure_subject subject,
                measure_list& list) {
    const bool are_slowdowns = subject == measure_subject::slowdown;
    // jobs.csv has no shortest times unless output.ideal_jobs asks for them.
    if (are_slowdowns && samples.completed.count() == 0) {
        return;
    }
    const std::vector<metric_value> values = values_of(samples, are_slowdowns);
    for (const completion_value& each : completion_values) {
        const metric_value* const found = find_metric(std::string("times.") + each.key, values);
        if (found == nullptr) {
            continue;
        }
        std::vector<std::string> words = place.words;
        words.emplace_back(each.name);
        list.add({place.key + "." + each.key, subject, words, found->value,
                  each.of_groups ? measure_show::if_not_zero : measure_show::never, each.is_time(), place.rank,
                  found->is_lower_bound && !found->value.is_null(),
                  std::string_view(each.key) == "mean" && !samples.ages.empty(), place.split, place.member});
    }
}

void add_kind(const fs::path& file, const ordered_json& summary, const completion_kind& kind,
              measure_list& list, config_errors& errors) {
    if (!path_exists(file)) {
        return;
    }
    csv_file table(file.string(), errors, input_kind::any, "the directory of a run of weir");
    completion_samples all;
    read_samples(table, kind, all);
    table.expect_rows(summary.at(kind.measure).at("count").get<std::uint64_t>(), kind.name);
    if (const fs::path unfinished = file.parent_path() / kind.unfinished_file; path_exists(unfinished)) {
        csv_file ages(unfinished.string(), errors, input_kind::any, "the directory of a run of weir");
        read_ages(ages, all);
        ages.expect_rows(unfinished_of(summary.at(kind.measure)), kind.name);
    }
    const auto add = [&](split_samples& samples, const std::string& part, const char* by, std::uint8_t rank,
                         const std::string& member, const std::string& name, const std::string& priority) {
        const std::string what = kind.measure;
        const std::string slowdown = kind.slowdown;
        const std::string key = part + "." + member + ".";
        add_splits(samples.times,
                   {key + what, {rank == rank_of_tags ? name : "all", "", priority}, rank, what + by, member},
                   kind.subject, list);
        add_splits(samples.slowdowns,
                   {key + slowdown, {kind.name, name, priority}, rank, slowdown + by, member},
                   measure_subject::slowdown, list);
    };
    for (auto& [tag, samples] : all.by_tag) {
        add(samples, "tags", " by tag", rank_of_tags, tag, tag_text(tag), "");
    }
    for (auto& [priority, samples] : all.by_priority) {
        const std::string member = std::to_string(priority);
        add(samples, "priorities", " by priority", rank_of_priorities, member, "", member);
    }
}

}  // namespace

void add_completion_splits(const fs::path& directory, const ordered_json& summary, measure_list& list,
                           config_errors& errors) {
    for (const completion_kind& kind : {completion_of_jobs, completion_of_transfers}) {
        add_kind(directory / kind.file, summary, kind, list, errors);
    }
}

}  // namespace weir::tb
