#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "tb/run/completions/completion_statistics.h"
#include "tb/run/options/requested_metrics.h"
#include "tb/run/results/summary_writer.h"
#include "tb/run/summary/summary_texts.h"
#include "tb/support/files/input_file.h"
#include "tb/support/text/csv_file.h"
#include "tb/view/table/run_measures.h"
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

/// By rank, which is that of tags or of priorities, and member.
using completion_samples = std::map<std::pair<std::uint8_t, std::string>, split_samples>;

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
            visit(line_samples{&all[{rank_of_tags, table.text(tag_column)}],
                               &all[{rank_of_priorities, std::to_string(priority)}]},
                  time);
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
        if (each.is_of_few || (are_slowdowns && each.is_lower_bound)) {
            each.value = nullptr;
        }
    }
    return values;
}

/// Adds the measures of one set of samples. `shared`: what they share, with the beginnings of key and words.
void add_splits(observed_times& samples, const run_measure& shared, measure_list& list) {
    const bool are_slowdowns = shared.subject == measure_subject::slowdown;
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
        run_measure measure = shared;
        measure.key += std::string(".") + each.key;
        if (list.find(measure.key) != nullptr) {
            continue;  // output.metrics named it
        }
        measure.words.emplace_back(each.name);
        measure.cell = {found->value,
                        {},
                        found->is_lower_bound && !found->value.is_null(),
                        std::string_view(each.key) == "mean" && !samples.ages.empty()};
        measure.is_of_few = found->is_of_few;
        measure.show = each.of_groups ? measure_show::if_not_zero : measure_show::never;
        measure.is_compared = each.is_time();
        list.add(std::move(measure));
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
    for (auto& [of, samples] : all) {
        const auto& [rank, member] = of;
        const bool is_tag = rank == rank_of_tags;
        const std::string name = is_tag ? tag_text(member) : "";
        const std::string priority = is_tag ? "" : member;
        const auto shared = [&](const std::string& measure, measure_subject subject) {
            return run_measure{(is_tag ? "tags." : "priorities.") + quoted_member(member) + "." + measure,
                               subject,
                               {},
                               {},
                               measure_show::never,
                               false,
                               rank,
                               measure + (is_tag ? " by tag" : " by priority"),
                               member};
        };
        run_measure times = shared(kind.measure, kind.subject);
        times.words = {is_tag ? name : "all", "", priority};
        add_splits(samples.times, times, list);
        run_measure slowdowns = shared(kind.slowdown, measure_subject::slowdown);
        slowdowns.words = {kind.name, name, priority};
        add_splits(samples.slowdowns, slowdowns, list);
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
