#include "tb/view/table/sweep_table.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "tb/run/samples/resources.h"
#include "tb/study/sweep/sweep_statistics.h"
#include "tb/support/text/joined.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

/// What a row is made of.
struct read_point {
    std::size_t sweep;
    const campaign_point* point;
    std::vector<measured_run> runs;
};

/// People are shown all that tables of runs show of these, if it has one form.
constexpr measure_subject judged_subjects[] = {measure_subject::losses, measure_subject::watermarks,
                                               measure_subject::pauses, measure_subject::utilisation};

/// Said once, in another unit, by its neighbour; or by a run's configuration.
bool is_said_elsewhere(const std::string& key) {
    static const metric_filter repeated(
        {"*.watermark_percent", "pfc.paused_ns", "pfc.frames_sent", "simulated_ns"});
    return repeated.takes(key);
}

std::vector<read_point> read_points(const std::vector<campaign_runs>& sweeps,
                                    const sweep_table_request& request, const derived_metrics& definitions,
                                    config_errors& errors) {
    // A name that is none of summary.json's may be in tables with a line per transfer or port.
    const bool is_of_summary = request.filter.takes_all() || request.filter.check("", definitions).empty();
    const read_files which = is_of_summary ? read_files::summary : read_files::all;
    std::vector<std::string> names({"flows", "jct_ns", "fct_ns", "frames.dropped", "drops", "ecn",
                                    "detours.detoured_percent", "buffers", "pfc", "goodput.bps", "limited_by",
                                    "resources.*.busy_percent", "program"});
    for (const derived_metric& each : definitions) {
        names.push_back(each.name);
    }
    const metric_filter kept(std::move(names));
    const bool keeps_few = request.filter.takes_all() && !request.is_complete;
    std::vector<read_point> points;
    for (std::size_t s = 0; s < sweeps.size(); ++s) {
        for (const campaign_point& point : sweeps[s].points) {
            points.push_back({s, &point, {}});
            for (const std::filesystem::path& directory : point.done) {
                measured_run run = read_measured_run(directory, which, errors, definitions);
                if (keeps_few) {
                    run.measures.keep(kept);
                }
                points.back().runs.push_back(std::move(run));
            }
        }
    }
    return points;
}

/// Of sweeps without a plan of axes: what differs between their runs, but for the seed.
std::vector<std::string> found_keys(const std::vector<read_point>& points) {
    std::vector<const effective_options*> all;
    for (const read_point& point : points) {
        for (const measured_run& run : point.runs) {
            all.push_back(&run.options);
        }
    }
    std::vector<std::string> keys = differing_options(all);
    keys.erase(std::remove(keys.begin(), keys.end(), "run.seed"), keys.end());
    return keys;
}

void check_keys(const std::vector<campaign_runs>& sweeps, config_errors& errors) {
    const auto sorted = [](const campaign_runs& sweep) {
        return std::set<std::string>(sweep.keys.begin(), sweep.keys.end());
    };
    const auto text = [](const campaign_runs& sweep) {
        return !sweep.has_keys      ? std::string("several experiments")
               : sweep.keys.empty() ? std::string("nothing")
                                    : joined(sweep.keys, ", ");
    };
    for (const campaign_runs& sweep : sweeps) {
        if (sorted(sweep) != sorted(sweeps[0]) || sweep.has_keys != sweeps[0].has_keys) {
            errors.push_back({sweep.directory.string(), 0, "",
                              "varies " + text(sweep) + ", and " + sweeps[0].directory.string() + " varies " +
                                  text(sweeps[0]) + "; expected sweeps that vary the same options"});
        }
    }
}

/// All kinds of resources in these lists, in the order of their enumeration.
ordered_json union_of(const std::vector<ordered_json>& lists) {
    ordered_json all = ordered_json::array();
    for (unsigned kind = 0; kind < resource_kinds; ++kind) {
        const ordered_json name = name_of(static_cast<resource_kind>(kind));
        if (std::any_of(lists.begin(), lists.end(), [&](const ordered_json& list) {
                return std::find(list.begin(), list.end(), name) != list.end();
            })) {
            all.push_back(name);
        }
    }
    return all;
}

/// A mean of numbers, which is a lower bound where one of them is; a value that all runs have; the union of
/// lists.
table_cell cell_of(const std::vector<measured_run>& runs, const std::string& key, double confidence) {
    std::vector<double> numbers;
    std::vector<ordered_json> values;
    bool is_lower_bound = false;
    for (const measured_run& run : runs) {
        const run_measure* const measure = run.find(key);
        const table_cell none = is_zero_if_absent(key) ? table_cell{0} : table_cell{};
        const table_cell cell = measure != nullptr ? measure->cell : none;
        const ordered_json& value = cell.value;
        is_lower_bound = is_lower_bound || cell.is_lower_bound;
        if (value.is_number()) {
            numbers.push_back(value.get<double>());
        }
        values.push_back(value);
    }
    const bool all_same =
        std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
    if (numbers.empty()) {
        const bool are_lists = !values.empty() && values[0].is_array();
        return {values.empty() ? ordered_json()
                : all_same     ? values[0]
                : are_lists    ? union_of(values)
                               : ordered_json(),
                {}};
    }
    const mean_interval interval = interval_of(numbers, confidence);
    // One run's value has all its digits.
    const auto only = std::find_if(values.begin(), values.end(), [](const auto& v) { return v.is_number(); });
    return {numbers.size() == 1 ? *only : plain_number(interval.mean),
            is_lower_bound ? interval.as_lower_bound() : interval, is_lower_bound};
}

const std::string* setting_of(const read_point& point, const std::string& key) {
    for (const auto& [name, value] : point.point->settings) {
        if (name == key) {
            return &value;
        }
    }
    return point.runs.empty() ? nullptr : point.runs[0].options.find_shown(key);
}

struct count_column {
    const char* key;
    std::size_t (*of)(const campaign_point& point);
    /// Shown where no point has any, too.
    bool is_always_printed;
};
constexpr count_column count_columns[] = {
    {"runs_done", [](const campaign_point& point) { return point.done.size(); }, true},
    {"runs_failed", [](const campaign_point& point) { return point.failed.size(); }, false},
    {"runs_missing", [](const campaign_point& point) { return point.missing; }, false}};

/// What people are shown unless they ask for something else: what `judged_subjects` have, and times of jobs, or
/// of transfers where no run has any job. Sections of subjects stand behind the first one.
void print_only_shown(data_table& table, const std::vector<read_point>& points,
                      const derived_metrics& definitions) {
    bool any_jobs = false;
    for (const read_point& point : points) {
        for (const measured_run& run : point.runs) {
            for (const char* const key : {"jct_ns.count", "jct_ns.unfinished"}) {
                const run_measure* const jobs = run.find(key);
                any_jobs = any_jobs || (jobs != nullptr && jobs->cell.value != 0);
            }
        }
    }
    const std::string times = any_jobs ? "jct_ns" : "fct_ns";
    std::set<std::string> shown{times + ".p50", times + ".p99", times + ".p99_9",
                                "resources.link.busy_percent"};
    for (const derived_metric& each : definitions) {
        shown.insert(each.name);
    }
    for (table_column& column : table.columns) {
        const bool is_judged = std::any_of(
            std::begin(judged_subjects), std::end(judged_subjects),
            [&](measure_subject subject) { return column.section == 1 + static_cast<std::size_t>(subject); });
        column.is_printed = column.part != column_part::metric
                                ? column.is_printed
                                : shown.count(column.key) != 0 ||
                                      (column.is_printed && is_judged && !is_said_elsewhere(column.key));
    }
}

/// Results of points are one section, with the names that metrics have.
void make_one_section(data_table& table) {
    table.sections = {{"", {}}};
    for (table_column& column : table.columns) {
        column.section = 0;
        column.words = {column.key};
        column.is_compared = false;
    }
}

}  // namespace

data_table sweep_table(const std::vector<campaign_runs>& sweeps, const std::vector<std::string>& labels,
                       const sweep_table_request& request, config_errors& errors) {
    data_table table;
    check_keys(sweeps, errors);
    if (!errors.empty()) {
        return table;
    }
    derived_metrics definitions;
    std::for_each(sweeps.rbegin(), sweeps.rend(), [&](const campaign_runs& sweep) {
        definitions.insert(definitions.end(), sweep.metrics.begin(), sweep.metrics.end());
    });
    add_definitions(request.metrics, definitions, errors);
    const std::vector<read_point> points = read_points(sweeps, request, definitions, errors);
    std::vector<const measured_run*> runs;
    for (const read_point& point : points) {
        for (const measured_run& run : point.runs) {
            runs.push_back(&run);
        }
    }
    if (errors.empty()) {
        errors = unknown_metrics(request.filter, definitions, runs);
    }
    if (!errors.empty()) {
        return table;
    }
    table.row_kind = "point";
    table.begins_with_options = true;
    table.confidence = request.confidence;
    table.add_section("");
    for (const read_point& point : points) {
        table.rows.push_back({point.point->name, ""});
    }
    const auto add = [&](column_part part, const char* key, bool is_printed, const auto& value_of) {
        table.add({key, {}, part, 0, {key}, false, is_printed},
                  [&](std::size_t r) -> table_cell { return {value_of(points[r])}; });
    };
    add(column_part::name, "sweep", request.names_sweeps,
        [&](const read_point& point) { return labels[point.sweep]; });
    add(column_part::name, "point", true, [](const read_point& point) { return point.point->name; });
    const auto is_reference = [](const read_point& point) { return point.point->is_reference; };
    if (std::any_of(points.begin(), points.end(), is_reference)) {
        add(column_part::name, "role", true,
            [&](const read_point& point) { return is_reference(point) ? "reference" : "tested"; });
    }
    add_option_columns(table, 0, sweeps[0].has_keys ? sweeps[0].keys : found_keys(points),
                       [&](std::size_t r, const std::string& key) { return setting_of(points[r], key); });
    for (const count_column& each : count_columns) {
        const auto count_of = [&](const read_point& point) { return each.of(*point.point); };
        const bool any = std::any_of(points.begin(), points.end(), count_of);
        add(column_part::row, each.key, each.is_always_printed || any, count_of);
    }
    add_measures(table, runs, request.filter, [&](std::size_t r, const std::string& key) {
        return cell_of(points[r].runs, key, request.confidence);
    });
    for (std::size_t s = 0; s < sweeps.size(); ++s) {
        if (sweeps[s].failures.any()) {
            table.verdicts.push_back((request.names_sweeps ? labels[s] + ": " : "") +
                                     sweeps[s].failures.text());
        }
    }
    if (request.filter.takes_all()) {
        print_only_shown(table, points, definitions);
    }
    make_one_section(table);
    return table;
}

}  // namespace weir::tb
