#include "tb/study/sweep/metrics.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "tb/run/fields/option_table.h"
#include "tb/run/options/requested_metrics.h"
#include "tb/run/summary/summary_texts.h"
#include "tb/support/text/joined.h"
#include "tb/support/text/name_pattern.h"
#include "tb/support/text/nearest_name.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

ordered_json sum_of(const ordered_json& parts) {
    ordered_json sum = 0;
    for (const ordered_json& part : parts) {
        if (part.is_number()) {
            sum = part.is_number_float() || sum.is_number_float()
                      ? ordered_json(sum.get<double>() + part.get<double>())
                      : ordered_json(sum.get<std::uint64_t>() + part.get<std::uint64_t>());
        }
    }
    return sum;
}

void add_numbers(const std::string& name, const ordered_json& value, std::vector<metric_value>& all) {
    if (value.is_object()) {
        for (const auto& [key, inner] : value.items()) {
            add_numbers(name.empty() ? key : name + "." + key, inner, all);
            if (inner.is_number() || inner.is_null()) {
                all.back().is_lower_bound = is_lower_bound(value, key);
                all.back().leaves_out_unfinished = key == "mean" && value.contains("unfinished");
                all.back().is_of_few =
                    inner.is_number() && value.contains("count") && started_of(value) < values_needed(key);
            }
        }
        if (name == "drops" || name == "pfc.paused_ns") {
            all.push_back({name + ".total", sum_of(value)});
        }
    } else if (value.is_number() || value.is_null()) {
        all.push_back({name, value});
    }
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

/// Members of the family in runs with these metrics, with quotes where names have them. Groups tell the tags,
/// sizes and priorities of all traffic.
std::set<std::string> members_in(const std::string& family, const std::vector<std::string>& names) {
    std::set<std::string> members;
    for (const std::string& name : names) {
        const std::string group = group_of(name);
        if (group.empty()) {
            const metric_entry* const entry = family_of(name) == family ? find_metric_entry(name) : nullptr;
            members.insert(entry != nullptr ? std::string(entry->member_in(name)) : "");
            continue;
        }
        const std::string bytes_and_tag = measured_by(group);
        const std::string head = measured_by(bytes_and_tag);
        const std::string tag = head.substr(std::min(head.size(), family_of(head).size() + 1));
        members.insert(family == "groups"       ? group.substr(family.size() + 1)
                       : family == "tags"       ? quoted_member(tag)
                       : family == "sizes"      ? bytes_and_tag.substr(head.size() + 1)
                       : family == "priorities" ? group.substr(bytes_and_tag.size() + 1)
                                                : "");
    }
    members.erase("");
    return members;
}

}  // namespace

std::optional<metric_range> metric_value::values() const {
    if (!value.is_number()) {
        return range;
    }
    const auto number = value.get<double>();
    return metric_range{number, is_lower_bound ? HUGE_VAL : number};
}

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

std::vector<std::string> known_metrics() {
    std::vector<std::string> names;
    for (const metric_entry& entry : metric_catalogue()) {
        if (!entry.title.empty() && !entry.is_family()) {
            names.push_back(entry.key);
        }
    }
    return names;
}

/// Adds the metric unless an operand is missing. Its value is null if that of an operand is, if it divides by
/// 0, or if operands are lower bounds that leave the result without one but 0.
static void add_derived(const derived_metric& metric, std::vector<metric_value>& all) {
    metric_value made{metric.name, nullptr};
    std::vector<metric_range> ranges;
    for (const std::string& name : metric.operands) {
        static const metric_value zero{"", 0};
        const metric_value* const found = find_metric(name, all);
        if (found == nullptr && !is_zero_if_absent(name)) {
            return;
        }
        const metric_value& operand = found != nullptr ? *found : zero;
        made.is_of_few = made.is_of_few || operand.is_of_few;
        made.leaves_out_unfinished = made.leaves_out_unfinished || operand.leaves_out_unfinished;
        if (const std::optional<metric_range> values = operand.values()) {
            ranges.push_back(*values);
        }
    }
    const auto result = ranges.size() == metric.operands.size() ? metric.evaluate(ranges) : std::nullopt;
    const bool is_bound = result && result->high == HUGE_VAL && result->low != 0;
    if (result && std::isfinite(result->low) && (is_bound || result->high == result->low)) {
        made.value = plain_number(result->low);
        made.is_lower_bound = is_bound;
    } else {
        made.range = result;
    }
    made.is_of_few = made.is_of_few && !made.value.is_null();
    all.push_back(std::move(made));
}

std::vector<metric_value> metrics_of(const ordered_json& summary, const derived_metrics& definitions) {
    std::vector<metric_value> all;
    for (const auto& [key, value] : summary.items()) {
        if (key == "groups") {
            add_groups(value, all);
        } else if (is_split_family(key)) {
            for (const auto& [member, times] : value.items()) {
                add_numbers(key + "." + quoted_member(member), times, all);
            }
        } else if (key != "seed" && key != "averaged_from_ns") {
            add_numbers(key, value, all);
        }
    }
    for (const derived_metric& each : definitions) {
        add_derived(each, all);
    }
    return all;
}

std::string metric_text(const std::string& name, double value) {
    return people_text(plain_number(value), unit_of_metric(name));
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

std::string few_values_text(const std::string& metric, std::size_t few, std::size_t runs) {
    const std::string these = std::to_string(few) + " of " + std::to_string(runs) + " runs have ";
    const std::uint64_t needed = values_needed(metric);
    return needed == 0 ? these + "too few values for a percentile in " + metric
                       : these + "fewer than " + std::to_string(needed) + " values of " + measured_by(metric) +
                             ", so their " + metric + " is the maximum";
}

std::string lower_bounds_text(const std::string& percentile, std::size_t bounds, std::size_t runs) {
    return std::to_string(bounds) + " of " + std::to_string(runs) +
           " runs have work that did not complete: " + percentile + " is only a lower bound there";
}

std::string only_few_values_text(const std::string& percentile) {
    return values_needed(percentile) == 0
               ? "no run to draw has enough values for its percentiles"
               : "no run to draw has " + std::to_string(values_needed(percentile)) + " values of " +
                     measured_by(percentile) + ": " + percentile + " is their maximum";
}

std::string meant_text(const std::string& name, const std::vector<std::string>& names) {
    const std::string family = family_of(name);
    const std::set<std::string> members = members_in(family, names);
    if (!has_members(family) || family == name) {
        const std::string nearest = nearest_name(name, names);
        return nearest.empty() ? "" : "; did you mean " + nearest + "?";
    }
    const metric_entry* const entry = find_metric_entry(name);
    const std::string key = entry != nullptr ? entry->key : family + ".*";
    const auto is_there = [&](const std::string& member) { return is_named(with_part(key, member), name); };
    if (members.empty() || std::any_of(members.begin(), members.end(), is_there)) {
        return "";
    }
    const std::string begin = name.substr(family.size() + 1);
    const std::string member(entry != nullptr ? entry->member_in(name) : begin.substr(0, begin.find('.')));
    const std::string nearest = nearest_name(member, {members.begin(), members.end()});
    if (!nearest.empty() && family != "priorities") {
        return "; did you mean " + with_part(key, nearest) + "?";
    }
    constexpr std::size_t most = 8;
    const std::vector<std::string> first(
        members.begin(),
        std::next(members.begin(), static_cast<std::ptrdiff_t>(std::min(most, members.size()))));
    return "; the " + family + " are " + joined(first, ", ") + (members.size() > most ? ", ..." : "");
}

std::string absent_text(const std::string& name, const derived_metrics& definitions,
                        const std::vector<std::string>& names, const std::string& expected) {
    if (const derived_metric* const derived = find_derived(definitions, name)) {
        const auto missing =
            std::find_if(derived->operands.begin(), derived->operands.end(), [&](const std::string& operand) {
                return std::find(names.begin(), names.end(), operand) == names.end() &&
                       !is_zero_if_absent(operand);
            });
        const std::string text = "no run has all operands of '" + derived->text + "'";
        return missing == derived->operands.end()
                   ? text + (expected.empty() ? "" : "; " + expected)
                   : text + ": " + absent_text(*missing, definitions, names, expected);
    }
    const std::string meant = meant_text(name, names);
    const char* const before = meant.empty() || meant.back() != '?' ? "; " : " ";
    return "no run has '" + name + "'" + meant + (expected.empty() ? "" : before + expected);
}

metric_filter::metric_filter(std::vector<std::string> wanted) : m_wanted(std::move(wanted)) {
    for (std::string& each : m_wanted) {
        each = is_definition(each) ? name_of_definition(each) : normal_metric(each);
    }
}

bool metric_filter::takes(const std::string& name) const {
    return m_wanted.empty() || is_named(name, m_wanted);
}

std::vector<std::string> metric_filter::unused(const std::vector<std::string>& names) const {
    std::vector<std::string> left;
    std::copy_if(m_wanted.begin(), m_wanted.end(), std::back_inserter(left), [&](const std::string& wanted) {
        return std::none_of(names.begin(), names.end(),
                            [&](const std::string& name) { return is_named(name, wanted); });
    });
    return left;
}

config_errors metric_filter::check(const std::string& key, const derived_metrics& definitions) const {
    config_errors errors;
    for (const std::string& wanted : m_wanted) {
        const std::string fault = find_derived(definitions, wanted) == nullptr ? fault_of_metric(wanted) : "";
        if (!fault.empty()) {
            errors.push_back({"", 0, key, "'" + wanted + "' " + fault});
        }
    }
    return errors;
}

std::vector<std::string> absent_requests(const std::vector<std::string>& requested,
                                         const ordered_json& summary) {
    if (requested.empty()) {
        return {};
    }
    std::vector<std::string> names;
    for (const metric_value& each : metrics_of(summary)) {
        names.push_back(each.name);
    }
    std::vector<std::string> warnings;
    const std::vector<std::string> wanted = with_operands(requested);
    for (const std::string& name : wanted.empty() ? wanted : metric_filter(wanted).unused(names)) {
        warnings.push_back("output.metrics: the run has no '" + name + "'" + meant_text(name, names));
    }
    return warnings;
}

}  // namespace weir::tb
