#include "tb/sweep/metrics.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "tb/options/requested_metrics.h"
#include "tb/record/row_json.h"
#include "tb/record/table_schema.h"
#include "tb/results/metric_catalogue.h"
#include "tb/results/segment_tables.h"
#include "tb/results/summary_texts.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

void add_numbers(const std::string& name, const ordered_json& value, std::vector<metric_value>& all) {
    if (value.is_object()) {
        for (const auto& [key, inner] : value.items()) {
            add_numbers(name.empty() ? key : name + "." + key, inner, all);
            if (inner.is_number()) {
                all.back().is_lower_bound = is_lower_bound(value, key);
            }
        }
    } else if (value.is_number() || value.is_null()) {
        all.push_back({name, value});
    }
}

void add_total(const std::string& name, const ordered_json& parts, std::vector<metric_value>& all) {
    add_numbers(name, parts, all);
    ordered_json sum = 0;
    for (const ordered_json& part : parts) {
        if (!part.is_number()) {
            continue;
        }
        sum = part.is_number_float() || sum.is_number_float()
                  ? ordered_json(sum.get<double>() + part.get<double>())
                  : ordered_json(sum.get<std::uint64_t>() + part.get<std::uint64_t>());
    }
    all.push_back({name + ".total", sum});
}

void add_groups(const ordered_json& groups, std::vector<metric_value>& all) {
    for (const ordered_json& group : groups) {
        const std::string name = name_of_group(group);
        for (const char* measure : {"fct_ns", "jct_ns", "fct_slowdown", "jct_slowdown"}) {
            // Summaries have slowdowns of jobs where they were asked for, those of builds before have none. A
            // request that is no job has no job completion times, in no run.
            if (group.contains(measure) && group[measure].contains("count") && started_of(group[measure]) > 0) {
                add_numbers(name + "." + measure, group.at(measure), all);
            }
        }
    }
}

bool has_wildcard(const std::string& text) {
    return text.find_first_of("*?[") != std::string::npos;
}

bool begins(const std::string& name, const std::string& with) {
    return name.compare(0, with.size(), with) == 0 && (name.size() == with.size() || name[with.size()] == '.');
}

}  // namespace

std::uint64_t values_needed(const std::string& metric) {
    const std::string value = metric.substr(metric.rfind('.') + 1);
    const auto* const found = std::find_if(std::begin(completion_values), std::end(completion_values),
                                           [&](const completion_value& each) { return value == each.key; });
    return found != std::end(completion_values) && found->least_count > 1 ? found->least_count : 0;
}

std::string measured_by(const std::string& metric) {
    return metric.substr(0, metric.rfind('.'));
}

std::string name_of_group(const ordered_json& group) {
    return "groups." + plain_text(group.at("tag")) + "." + plain_text(group.at("bytes")) + "." +
           plain_text(group.at("priority"));
}

bool has_many_groups(const std::vector<std::string>& metrics) {
    std::set<std::string> groups{""};
    std::transform(metrics.begin(), metrics.end(), std::inserter(groups, groups.end()), group_of);
    return groups.size() > 1 + most_shown_groups;
}

std::string group_of(const std::string& metric) {
    return metric.rfind("groups.", 0) == 0 ? measured_by(measured_by(metric)) : "";
}

const std::vector<std::string>& known_metrics() {
    static const std::vector<std::string> known = [] {
        std::vector<std::string> names;
        for (const metric_entry& entry : metric_catalogue()) {
            if (!entry.title.empty() && !entry.is_family()) {
                names.push_back(entry.key);
            }
        }
        return names;
    }();
    return known;
}

/// Whether rows of `segments` and `fairness`, which runs have by tag, have that part.
static bool has_part(const std::string& name) {
    const std::string part = name.substr(name.rfind('.') + 1);
    if (begins(name, "fairness.")) {
        const std::vector<metric_entry>& all = metric_catalogue();
        return std::any_of(all.begin(), all.end(),
                           [&](const metric_entry& entry) { return entry.key == "fairness.*." + part; });
    }
    const std::vector<column_schema> columns = columns_of<segment_row>();
    return std::any_of(columns.begin(), columns.end(), [&](const column_schema& column) {
        return json_key(column.facts.name, "_segments") == part && part != "tag";
    });
}

bool is_possible_metric(const std::string& name) {
    const metric_entry* const entry = find_metric_entry(name);
    return entry != nullptr && !entry->title.empty() &&
           (entry->member != metric_member::part || has_part(name));
}

std::vector<metric_value> metrics_of(const ordered_json& summary) {
    std::vector<metric_value> all;
    for (const auto& [key, value] : summary.items()) {
        if (key == "groups") {
            add_groups(value, all);
        } else if (std::find(std::begin(split_families), std::end(split_families), key) !=
                   std::end(split_families)) {
            for (const auto& [member, times] : value.items()) {
                add_numbers(key + "." + quoted_member(member), times, all);
            }
        } else if (key == "drops") {
            add_total(key, value, all);
        } else if (key == "pfc") {
            for (const auto& [inner, number] : value.items()) {
                if (inner == "paused_ns") {
                    add_total(key + "." + inner, number, all);
                } else {
                    add_numbers(key + "." + inner, number, all);
                }
            }
        } else if (key != "seed" && key != "averaged_from_ns") {
            add_numbers(key, value, all);
        }
    }
    return all;
}

metric_unit unit_of_metric(const std::string& metric) {
    const metric_entry* const entry = find_metric_entry(metric);
    // A tag may end as a unit does.
    const std::string& name = entry != nullptr && entry->key.back() != '*' ? entry->key : metric;
    const auto ends_with = [&](std::string_view end) {
        return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
    };
    // Also `pfc.paused_percent.host`.
    const bool is_number = ends_with(".count") || ends_with(".unfinished");
    const bool is_percent = (name + ".").find("_percent.") != std::string::npos && !is_number;
    if (name.find("_ns") != std::string::npos && !is_percent && !is_number) {
        return metric_unit::time;
    }
    return ends_with(".bps") || ends_with("_bps") ? metric_unit::rate
           : ends_with("bytes")                   ? metric_unit::bytes
           : is_percent                           ? metric_unit::percent
                                                  : metric_unit::number;
}

std::string metric_text(const std::string& name, double value) {
    return people_text(plain_number(value), unit_of_metric(name));
}

bool is_of_few_values(const std::string& metric, const std::vector<metric_value>& metrics) {
    const std::uint64_t needed = values_needed(metric);
    const metric_value* const count =
        needed > 0 ? find_metric(measured_by(metric) + ".count", metrics) : nullptr;
    if (count == nullptr || !count->value.is_number()) {
        return false;
    }
    const metric_value* const unfinished = find_metric(measured_by(metric) + ".unfinished", metrics);
    return count->value.get<std::uint64_t>() +
               (unfinished != nullptr ? unfinished->value.get<std::uint64_t>() : 0) <
           needed;
}

bool is_zero_if_absent(const std::string& metric) {
    constexpr std::string_view end = ".unfinished";
    return metric.size() > end.size() && metric.rfind("groups.", 0) != 0 &&
           metric.compare(metric.size() - end.size(), end.size(), end) == 0;
}

const metric_value* find_metric(const std::string& name, const std::vector<metric_value>& metrics) {
    const auto found = std::find_if(metrics.begin(), metrics.end(),
                                    [&](const metric_value& each) { return each.name == name; });
    return found != metrics.end() ? &*found : nullptr;
}

std::string few_values_text(const std::string& percentile, std::size_t few, std::size_t runs) {
    return std::to_string(few) + " of " + std::to_string(runs) + " runs have fewer than " +
           std::to_string(values_needed(percentile)) + " values of " + measured_by(percentile) + ", so their " +
           percentile + " is the maximum";
}

std::string lower_bounds_text(const std::string& percentile, std::size_t bounds, std::size_t runs) {
    return std::to_string(bounds) + " of " + std::to_string(runs) +
           " runs have work that did not complete: " + percentile + " is only a lower bound there";
}

std::string only_few_values_text(const std::string& percentile) {
    return "no run to draw has " + std::to_string(values_needed(percentile)) + " values of " +
           measured_by(percentile) + ": " + percentile + " is their maximum";
}

bool metric_filter::takes(const std::string& name) const {
    return m_wanted.empty() || std::any_of(m_wanted.begin(), m_wanted.end(),
                                           [&](const std::string& wanted) { return is_named(name, wanted); });
}

std::vector<std::string> metric_filter::unused(const std::vector<std::string>& names) const {
    std::vector<std::string> left;
    std::copy_if(m_wanted.begin(), m_wanted.end(), std::back_inserter(left), [&](const std::string& wanted) {
        return std::none_of(names.begin(), names.end(),
                            [&](const std::string& name) { return is_named(name, wanted); });
    });
    return left;
}

/// True if a run may have such a member of a family, whose names depend on the run.
static bool may_exist(const std::string& written) {
    const std::string wanted = with_underscores(written);
    const std::vector<metric_entry>& all = metric_catalogue();
    return (has_wildcard(wanted) && wanted.find_first_of("*?[") < 7) ||
           std::any_of(all.begin(), all.end(), [&](const metric_entry& entry) {
               const std::string family = entry.key.substr(0, entry.key.find(".*"));
               return entry.is_family() && (begins(wanted, family) || begins(family, wanted));
           });
}

config_errors metric_filter::check(const std::string& key) const {
    const std::vector<std::string>& known = known_metrics();
    config_errors errors;
    for (const std::string& wanted : m_wanted) {
        const bool exists = std::any_of(known.begin(), known.end(),
                                        [&](const std::string& name) { return is_named(name, wanted); });
        if (!exists && !may_exist(wanted)) {
            errors.push_back(
                {"", 0, key,
                 "'" + wanted +
                     "' is not a number in summary.json; expected names such as fct_ns.p99, frames.dropped, "
                     "drops.total, pfc.paused_ns.total, prefixes (fct_ns), patterns (*.p99)"});
        }
    }
    return errors;
}

}  // namespace weir::tb
