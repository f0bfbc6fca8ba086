#include "tb/view/table/run_table.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "tb/run/options/requested_metrics.h"
#include "tb/run/options/run_options.h"
#include "tb/run/summary/failed_run.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

/// A number if the option has no unit, else its text.
ordered_json value_json(quantity_kind kind, const std::string& text) {
    std::uint64_t whole = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), whole);
    const bool is_whole = read.ec == std::errc{} && read.ptr == text.data() + text.size();
    if (kind == quantity_kind::count || kind == quantity_kind::number) {
        if (is_whole) {
            return whole;
        }
        if (const parse_result<double> number = read_quantity(quantity_kind::number, text)) {
            return number.value;
        }
    }
    return text;
}

/// Whole where it is whole; null where the text is no quantity, such as `auto`.
ordered_json number_json(quantity_kind kind, const std::string& text) {
    const parse_result<double> read = read_quantity(kind, text);
    return read ? plain_number(column_value(kind, read.value)) : ordered_json();
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
                merged.push_back({{measure.key, unit_of_metric(measure.key), column_part::metric,
                                   static_cast<std::size_t>(measure.subject), measure.words,
                                   measure.is_compared, !filter.takes_all()},
                                  measure.rank});
            }
            const bool is_shown = measure.show == measure_show::always ||
                                  (measure.show == measure_show::if_not_zero && !is_zero(measure.cell.value));
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

std::string mark_of(const measured_run& run) {
    return run.failure ? verdict_text(*run.failure) : run.is_complete ? "" : "incomplete";
}

ordered_json verdict_json(const std::optional<run_failure>& failure) {
    return failure && failure->verdict ? ordered_json(name_of(*failure->verdict)) : ordered_json();
}

}  // namespace

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

void add_option_columns(data_table& table, std::size_t section, const std::vector<std::string>& keys,
                        const std::function<const std::string*(std::size_t, const std::string&)>& text_of) {
    for (const std::string& key : keys) {
        const option* const known = known_options().find(key);
        // None for options that this version does not know.
        const quantity_kind kind = known == nullptr ? quantity_kind::none : quantity_of(*known);
        const auto add = [&](const std::string& name, bool is_printed,
                             ordered_json (*json_of)(quantity_kind, const std::string&)) {
            table.add({name, {}, column_part::option, section, {name}, false, is_printed},
                      [&](std::size_t row) -> table_cell {
                          const std::string* const text = text_of(row, key);
                          return {text != nullptr ? json_of(kind, *text) : ordered_json()};
                      });
        };
        add(key, true, value_json);
        if (!column_suffix(kind).empty()) {
            add(key + column_suffix(kind), false, number_json);
        }
    }
}

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

config_errors unknown_metrics(const metric_filter& filter, const derived_metrics& definitions,
                              const std::vector<const measured_run*>& runs, const char* option,
                              const std::string& advice) {
    std::set<std::string> names;
    for (const measured_run* run : runs) {
        for (const run_measure& measure : run->measures) {
            names.insert(measure.key);
        }
    }
    config_errors errors;
    const std::vector<std::string> all(names.begin(), names.end());
    for (const std::string& name : filter.unused(all)) {
        errors.push_back(
            {"", 0, option,
             absent_text(name, definitions, all,
                         std::string(is_on_request(name) && meant_text(name, all).empty()
                                         ? "only runs with --output.metrics=" + name + " have it; "
                                         : "") +
                             "expected names such as jct_ns.p99, frames.dropped, fct_slowdown.p50, prefixes "
                             "(fct_ns), patterns ('*.p99'); " +
                             advice)});
    }
    return errors;
}

data_table run_table(const std::vector<measured_run>& runs, const std::vector<std::string>& labels,
                     const metric_filter& filter) {
    data_table table;
    const std::size_t options = table.add_section("options");
    std::vector<const effective_options*> effective;
    std::vector<const measured_run*> all;
    bool any_failed = false;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        table.rows.push_back({labels[r], mark_of(runs[r])});
        effective.push_back(&runs[r].options);
        all.push_back(&runs[r]);
        if (runs[r].failure) {
            any_failed = true;
            table.verdicts.push_back(labels[r] + " failed (" + verdict_text(*runs[r].failure) +
                                     "): " + message_text(*runs[r].failure));
        }
    }
    // Tables for people begin with the row's name instead.
    const auto add = [&](const char* key, const auto& value_of) {
        table.add({key, {}, column_part::name, options, {key}, false, false},
                  [&](std::size_t r) -> table_cell { return {value_of(r)}; });
    };
    add("run", [&](std::size_t r) { return labels[r]; });
    add("directory", [&](std::size_t r) { return runs[r].directory.string(); });
    add("complete", [&](std::size_t r) { return runs[r].is_complete; });
    if (any_failed) {
        add("verdict", [&](std::size_t r) { return verdict_json(runs[r].failure); });
        add("error", [&](std::size_t r) {
            return runs[r].failure ? ordered_json(runs[r].failure->error) : ordered_json();
        });
    }
    add_option_columns(table, options, differing_options(effective),
                       [&](std::size_t r, const std::string& key) { return runs[r].options.find_shown(key); });
    add_measures(table, all, filter, [&](std::size_t r, const std::string& key) {
        const run_measure* const measure = runs[r].find(key);
        return measure == nullptr ? table_cell{} : measure->cell;
    });
    return table;
}

}  // namespace weir::tb
