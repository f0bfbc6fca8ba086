#include <cmath>
#include <map>
#include <optional>
#include <tuple>

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
    percentiles times{completion_statistics::exact_group_samples};
    percentiles slowdowns{completion_statistics::exact_group_samples};
};

struct completion_samples {
    std::map<std::string, split_samples> by_tag;
    std::map<std::uint64_t, split_samples> by_priority;
};

/// The file as a stream: what is kept is bounded, however many lines it has.
completion_samples read_samples(csv_file& table, const completion_kind& kind) {
    completion_samples all;
    const std::size_t time_column = table.column(kind.measure);
    const std::size_t tag_column = table.column("tag");
    const std::size_t priority_column = table.column("priority");
    const std::optional<std::size_t> ideal_column = table.optional_column("ideal_ns");
    while (table.next()) {
        double time = 0;
        std::uint64_t priority = 0;
        const bool is_good = table.number(time_column, time);
        if (!table.number(priority_column, priority, 0, 7) || !is_good) {
            continue;
        }
        split_samples& of_tag = all.by_tag[table.text(tag_column)];
        split_samples& of_priority = all.by_priority[priority];
        const std::int64_t ps = std::llround(1000 * time);
        of_tag.times.add(ps);
        of_priority.times.add(ps);
        double ideal = 0;
        if (ideal_column && !table.text(*ideal_column).empty() && table.number(*ideal_column, ideal) &&
            ideal > 0) {
            const std::int64_t slowdown = std::llround(time / ideal * slowdowns_in_one);
            of_tag.slowdowns.add(slowdown);
            of_priority.slowdowns.add(slowdown);
        }
    }
    return all;
}

/// `p99_9`: of 10,000. 0: no percentile.
std::uint32_t share_of(const std::string& value) {
    static const std::map<std::string, std::uint32_t> shares{
        {"p50", 5'000}, {"p90", 9'000}, {"p99", 9'900}, {"p99_9", 9'990}};
    const auto at = shares.find(value);
    return at == shares.end() ? 0 : at->second;
}

ordered_json value_of(percentiles& samples, const std::string& value, bool are_slowdowns) {
    if (value == "count") {
        return samples.count();
    }
    const std::uint32_t share = share_of(value);
    if (samples.count() == 0 || (share > 0 && !has_percentile(samples.count(), share / 100.0))) {
        return nullptr;
    }
    const std::int64_t found = share > 0         ? samples.percentile(share)
                               : value == "mean" ? samples.mean()
                                                 : samples.max();
    return are_slowdowns ? ordered_json(static_cast<double>(found) / slowdowns_in_one)
                         : json_ns(picoseconds{found});
}

/// What measures of one set of samples share.
struct split_place {
    std::string key;
    std::vector<std::string> words;
    std::uint8_t rank;
    std::string split;
    std::string member;
};

void add_splits(percentiles& samples, const split_place& place, measure_subject subject, measure_list& list) {
    const bool are_slowdowns = subject == measure_subject::slowdown;
    // jobs.csv has no shortest times unless output.ideal_jobs asks for them.
    if (are_slowdowns && samples.count() == 0) {
        return;
    }
    for (const completion_value& each : completion_values) {
        run_measure measure;
        measure.key = place.key + "." + each.key;
        measure.subject = subject;
        measure.words = place.words;
        measure.words.emplace_back(each.name);
        measure.value = value_of(samples, each.key, are_slowdowns);
        measure.is_compared = each.is_time;
        measure.show = each.of_groups ? measure_show::if_not_zero : measure_show::never;
        measure.rank = place.rank;
        measure.split = place.split;
        measure.member = place.member;
        list.add(std::move(measure));
    }
}

void add_kind(const fs::path& file, const ordered_json& summary, const completion_kind& kind,
              measure_list& list, config_errors& errors) {
    std::error_code ignored;
    if (!fs::exists(file, ignored)) {
        return;
    }
    csv_file table(file.string(), errors, input_kind::any, "the directory of a run of weir");
    completion_samples all = read_samples(table, kind);
    table.expect_rows(summary.at(kind.measure).at("count").get<std::uint64_t>(), kind.name);
    const std::string what = kind.measure;
    const std::string slowdown = kind.slowdown;
    for (auto& [tag, samples] : all.by_tag) {
        const std::string key = "tags." + tag + ".";
        const std::string name = tag_text(tag);
        add_splits(samples.times, {key + what, {name, "", ""}, rank_of_tags, what + " by tag", tag},
                   kind.subject, list);
        add_splits(samples.slowdowns,
                   {key + slowdown, {kind.name, name, ""}, rank_of_tags, slowdown + " by tag", tag},
                   measure_subject::slowdown, list);
    }
    for (auto& [priority, samples] : all.by_priority) {
        const std::string member = std::to_string(priority);
        const std::string key = "priorities." + member + ".";
        add_splits(samples.times,
                   {key + what, {"all", "", member}, rank_of_priorities, what + " by priority", member},
                   kind.subject, list);
        add_splits(
            samples.slowdowns,
            {key + slowdown, {kind.name, "", member}, rank_of_priorities, slowdown + " by priority", member},
            measure_subject::slowdown, list);
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
