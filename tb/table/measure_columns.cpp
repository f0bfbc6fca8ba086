#include "tb/table/measure_columns.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "tb/text/nearest_name.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

const std::vector<table_section>& subject_sections() {
    static const std::vector<table_section> all{{"jobs", {"jobs", "size", "priority"}},
                                                {"transfers", {"transfers", "size", "priority"}},
                                                {"slowdown", {"slowdown", "tag", "priority"}},
                                                {"losses", {}},
                                                {"watermarks", {}},
                                                {"pauses", {}},
                                                {"use", {}},
                                                {"other metrics", {}}};
    return all;
}

/// Columns in the making.
struct merged_column {
    table_column column;
    std::uint8_t rank;
};

bool is_zero(const ordered_json& value) {
    return value.is_null() || (value.is_number() && value == 0) || (value.is_array() && value.empty());
}

/// Splits with one member say what their whole says.
std::set<std::string> single_splits(const std::vector<const measured_run*>& runs) {
    std::map<std::string, std::set<std::string>> members;
    for (const measured_run* run : runs) {
        for (const run_measure& measure : run->measures) {
            if (!measure.split.empty()) {
                members[measure.split].insert(measure.member);
            }
        }
    }
    std::set<std::string> single;
    for (const auto& [split, names] : members) {
        if (names.size() < 2) {
            single.insert(split);
        }
    }
    return single;
}

std::vector<merged_column> merged_columns(const std::vector<const measured_run*>& runs,
                                          const metric_filter& filter) {
    const std::set<std::string> single = single_splits(runs);
    std::vector<merged_column> merged;
    std::map<std::string, std::size_t> places;
    for (const measured_run* run : runs) {
        for (const run_measure& measure : run->measures) {
            if (!filter.takes(measure.key) || (filter.takes_all() && single.count(measure.split) != 0)) {
                continue;
            }
            const auto [at, is_new] = places.emplace(measure.key, merged.size());
            if (is_new) {
                merged.push_back(
                    {{measure.key, column_part::metric, static_cast<std::size_t>(measure.subject),
                      measure.words, unit_of_metric(measure.key), measure.is_compared, !filter.takes_all()},
                     measure.rank});
            }
            const bool is_shown = measure.show == measure_show::always ||
                                  (measure.show == measure_show::if_not_zero && !is_zero(measure.value));
            bool& is_printed = merged[at->second].column.is_printed;
            is_printed = is_printed || is_shown;
        }
    }
    // A group that only a later run has belongs before the sum over all of them.
    std::stable_sort(merged.begin(), merged.end(), [](const merged_column& a, const merged_column& b) {
        return std::pair(a.column.section, a.rank) < std::pair(b.column.section, b.rank);
    });
    return merged;
}

}  // namespace

void add_measures(data_table& table, const std::vector<const measured_run*>& runs, const metric_filter& filter,
                  const std::function<table_cell(std::size_t, const std::string&)>& cell_of) {
    std::vector<merged_column> merged = merged_columns(runs, filter);
    std::vector<std::string> keys;
    for (const merged_column& each : merged) {
        keys.push_back(each.column.key);
    }
    table.without_groups = filter.takes_all() && has_many_groups(keys);
    const std::size_t first = table.sections.size();
    table.sections.insert(table.sections.end(), subject_sections().begin(), subject_sections().end());
    for (merged_column& each : merged) {
        each.column.section += first;
        const std::string key = each.column.key;
        if (!table.without_groups || group_of(key).empty()) {
            table.add(std::move(each.column), [&](std::size_t row) { return cell_of(row, key); });
        }
    }
}

config_errors unknown_metrics(const metric_filter& filter, const std::vector<const measured_run*>& runs) {
    std::set<std::string> names;
    for (const measured_run* run : runs) {
        for (const run_measure& measure : run->measures) {
            names.insert(measure.key);
        }
    }
    config_errors errors;
    const std::vector<std::string> all(names.begin(), names.end());
    for (const std::string& name : filter.unused(all)) {
        const std::string near = nearest_name(name, all);
        errors.push_back({"", 0, "--metric",
                          "no run has '" + name + "'" + (near.empty() ? "" : "; did you mean " + near + "?") +
                              "; expected names such as jct_ns.p99, frames.dropped, fct_slowdown.p50, prefixes "
                              "(fct_ns), patterns ('*.p99'); --format=csv has all of them"});
    }
    return errors;
}

}  // namespace weir::tb
