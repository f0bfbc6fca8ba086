#include "tb/sweep/metrics.h"

#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "tb/results/percentile_rule.h"
#include "tb/results/summary_texts.h"
#include "tb/results/summary_writer.h"
#include "tb/sweep/quantity.h"
#include "tb/text/grouped_number.h"
#include "tb/text/text_format.h"
#include "weir/base/unit_text.h"

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

std::string word_of(const ordered_json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

void add_groups(const ordered_json& groups, std::vector<metric_value>& all) {
    for (const ordered_json& group : groups) {
        const std::string name = "groups." + word_of(group.at("tag")) + "." + word_of(group.at("bytes")) + "." +
                                 word_of(group.at("priority"));
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

bool matches(const std::string& name, const std::string& wanted) {
    return has_wildcard(wanted) ? ::fnmatch(wanted.c_str(), name.c_str(), 0) == 0
                                : begins(with_underscores(name), with_underscores(wanted));
}

/// Parts of summaries whose names depend on the run.
bool may_exist(const std::string& written) {
    const std::string wanted = with_underscores(written);
    return begins(wanted, "groups") || begins(wanted, "until") || begins(wanted, "segments") ||
           begins(wanted, "fairness") || wanted.rfind("detours.tags.", 0) == 0 ||
           begins(wanted, "pfc.paused_ns") || begins(wanted, "pfc.paused_percent") ||
           wanted.rfind("groups.", 0) == 0 || (has_wildcard(wanted) && wanted.find_first_of("*?[") < 7);
}

}  // namespace

std::uint64_t values_needed(const std::string& metric) {
    static constexpr std::pair<std::string_view, std::uint64_t> percentiles[] = {
        {".p90", least_values(90)}, {".p99", least_values(99)}, {".p99_9", least_values(99.9)}};
    for (const auto& [end, needed] : percentiles) {
        if (metric.size() > end.size() && metric.compare(metric.size() - end.size(), end.size(), end) == 0) {
            return needed;
        }
    }
    return 0;
}

std::string measured_by(const std::string& metric) {
    return metric.substr(0, metric.rfind('.'));
}

static std::vector<metric_value> metrics_of_all_kinds() {
    run_summary all;
    for (const buffer_kind kind : {buffer_kind::partitioned, buffer_kind::shared}) {
        for (const std::string& name : buffer_kinds(kind)) {
            all.buffers.push_back({name, 0, 0});
        }
    }
    for (unsigned kind = 0; kind < resource_kinds; ++kind) {
        all.resources.push_back({static_cast<resource_kind>(kind), 0, 0, {}, {}});
    }
    all.flows_unfinished = all.fct.unfinished = all.jct.unfinished = all.fct_slowdown.unfinished = 1;
    all.ecn_seen = 0;
    all.jct_slowdown = all.fct_slowdown;
    all.detours = detour_counts{};
    all.frames.reasons = all_reasons();
    all.extra["busy_links"] = {{"mean_percent", nullptr}, {"max_percent", nullptr}};
    all.extra["program"] = {
        {"ranks", 0}, {"ranks_done", 0}, {"time_ns", nullptr}, {"ideal_ns", 0}, {"slowdown", nullptr}};
    all.extra["full_queues"] = {
        {"samples", 0}, {"free_1_hop_percent", nullptr}, {"free_2_hops_percent", nullptr}};
    return metrics_of(to_json(all));
}

const std::vector<metric_value>& known_metrics() {
    static const std::vector<metric_value> known = metrics_of_all_kinds();
    return known;
}

std::vector<metric_value> metrics_of(const ordered_json& summary) {
    std::vector<metric_value> all;
    for (const auto& [key, value] : summary.items()) {
        if (key == "groups") {
            add_groups(value, all);
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

metric_unit unit_of_metric(const std::string& name) {
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
    switch (unit_of_metric(name)) {
        case metric_unit::time:
            return duration_text(picoseconds{std::llround(value * 1000)});
        case metric_unit::rate:
            return rate_text(std::llround(value));
        default:
            return grouped(decimal_text(rounded(value, 4)));
    }
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
                                           [&](const std::string& wanted) { return matches(name, wanted); });
}

std::vector<std::string> metric_filter::unused(const std::vector<std::string>& names) const {
    std::vector<std::string> left;
    std::copy_if(m_wanted.begin(), m_wanted.end(), std::back_inserter(left), [&](const std::string& wanted) {
        return std::none_of(names.begin(), names.end(),
                            [&](const std::string& name) { return matches(name, wanted); });
    });
    return left;
}

config_errors metric_filter::check(const std::string& key) const {
    const std::vector<metric_value>& known = known_metrics();
    config_errors errors;
    for (const std::string& wanted : m_wanted) {
        const bool exists = std::any_of(known.begin(), known.end(),
                                        [&](const metric_value& m) { return matches(m.name, wanted); });
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
