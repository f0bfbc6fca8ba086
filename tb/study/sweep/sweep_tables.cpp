#include "tb/study/sweep/sweep_tables.h"

#include <algorithm>

#include "tb/run/results/summary_writer.h"
#include "tb/study/sweep/point_rows.h"
#include "tb/support/files/run_directory.h"
#include "tb/support/record/record_table.h"
#include "tb/support/record/table_schema.h"
#include "tb/support/record/table_writers.h"
#include "tb/support/text/text_format.h"

namespace weir::tb {

struct named_pattern {
    const char* name;
    const char* unit;
};
constexpr named_pattern numbers_of_options[] = {
    {"<previous>_bytes", "B"}, {"<previous>_ns", "ns"}, {"<previous>_bps", "bit/s"}, {"<previous>_share", "1"}};
// The first pattern that matches counts.
constexpr named_pattern numbers_of_summary[] = {{".*\\.count", "1"}, {".*_percent(\\..*)?", "percent"},
                                                {".*_ns.*", "ns"},   {".*\\.bps|.*_bps", "bit/s"},
                                                {".*bytes", "B"},    {".*", "1"}};

// Columns of families in the schema (table_schema.h).
static column_schema family_column(const column_facts& facts, const char* type) {
    return {facts, type, true, {}, true};
}
static void add_columns(std::vector<column_schema>& all, const column_facts&, const option_cells&) {
    for (const auto& [name, unit] : numbers_of_options) {
        all.push_back(family_column(
            {name, "The varied option before it as a number.", unit, "the option is no number here"},
            "number"));
    }
    all.push_back(family_column(
        {"[^.]+\\.[^.]+", "A varied option, as the program writes it.", "", "the option is empty"}, "any"));
}
static void add_columns(std::vector<column_schema>& all, const column_facts&, const metric_cells&) {
    column_facts bound{".*_is_lower_bound", "Whether the number before it is only a lower bound.", "",
                       "the run is not done"};
    bound.yes = "true";
    bound.no = "false";
    all.push_back(family_column(bound, "boolean"));
    for (const auto& [name, unit] : numbers_of_summary) {
        all.push_back(
            family_column({name, "A number of summary.json, named by its keys with dots between them.", unit,
                           "the run is not done, or has no such value"},
                          "number"));
    }
}
static void add_columns(std::vector<column_schema>& all, const column_facts&, const interval_cells& cells) {
    for (const column_facts& column : cells.columns) {
        all.push_back(
            {column, column.unit == std::string_view("seeds") ? "integer" : "number", *column.absent != '\0'});
    }
}

std::string sweep_table_schemas() {
    return "[\n" + table_schema<sweep_row>().dump() + ",\n" + table_schema<means_row>().dump() + "\n]\n";
}

using nlohmann::ordered_json;

namespace {

std::string json_line(const ordered_json& row) {
    return row.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// A JSON document whose last member is a long list, written row by row.
class json_rows {
 public:
    json_rows(const std::filesystem::path& file, const ordered_json& head, const std::string& name)
        : m_file(file) {
        std::string text = head.dump(2, ' ', false, ordered_json::error_handler_t::replace);
        text.erase(text.find_last_of('}'));
        text.erase(text.find_last_not_of(" \n") + 1);
        m_file.write(text + ",\n  \"" + name + "\": [");
    }
    void add(const ordered_json& row) {
        m_file.write(m_first ? "\n    " : ",\n    ");
        m_file.write(json_line(row));
        m_first = false;
    }
    void finish() {
        m_file.write(m_first ? "]\n}\n" : "\n  ]\n}\n");
        m_file.finish();
    }

 private:
    output_file m_file;
    bool m_first = true;
};

ordered_json head_of(const sweep_results& results) {
    ordered_json head;
    head["version"] = results.plan().version;
    head["configuration"] = results.plan().configuration;
    head["complete"] = results.count(run_record::states::missing) == 0;
    head["runs_done"] = results.count(run_record::states::done);
    head["runs_failed"] = results.count(run_record::states::failed);
    head["runs_missing"] = results.count(run_record::states::missing);
    return head;
}

void write_runs(const sweep_results& results, const std::filesystem::path& directory) {
    const sweep_plan& plan = results.plan();
    sweep_row line;
    line.options = option_cells(plan, 0);
    for (std::size_t m = 0; m < results.metrics().size(); ++m) {
        line.metrics.names.push_back(results.metrics()[m]);
        if (results.any_lower_bound(m)) {
            line.metrics.names.push_back(lower_bound_key(results.metrics()[m]));
        }
    }
    record_table<sweep_row> csv(output_file(directory / "sweep.csv"), line);
    json_rows json(directory / "sweep.json", head_of(results), "runs");
    for (std::size_t point = 0; point < plan.points(); ++point) {
        line.point = point + 1;
        line.options = option_cells(plan, point);
        for (std::size_t s = 0; s < plan.seeds.size(); ++s) {
            const run_record& record = results.record(point, s);
            line.seed = plan.seeds[s];
            line.state = record.state;
            line.status.reset();
            line.error.reset();
            line.metrics.texts.clear();
            ordered_json row{{"point", line.point},
                             {"options", swept_options(plan, point)},
                             {"seed", line.seed},
                             {"state", name_of(record.state)}};
            if (record.state == run_record::states::failed) {
                row["status"] = line.status.emplace(record.status);
                row["error"] = line.error.emplace(record.error);
            }
            row["metrics"] = ordered_json::object();
            for (std::size_t m = 0; m < results.metrics().size(); ++m) {
                const ordered_json& value = results.value(point, s, m);
                line.metrics.texts.push_back(value.is_number() ? json_line(value) : std::string{});
                if (value.is_number()) {
                    row["metrics"][results.metrics()[m]] = value;
                }
                const bool is_bound = results.is_lower_bound(point, s, m);
                if (is_bound) {
                    row["metrics"][lower_bound_key(results.metrics()[m])] = true;
                }
                if (results.any_lower_bound(m)) {
                    const bool is_done = record.state == run_record::states::done;
                    line.metrics.texts.emplace_back(is_bound ? "true" : is_done ? "false" : "");
                }
            }
            csv.write(line);
            json.add(row);
        }
    }
    csv.finish();
    json.finish();
}

void write_means(const sweep_results& results, const table_options& options,
                 const std::filesystem::path& directory) {
    const sweep_plan& plan = results.plan();
    ordered_json head = head_of(results);
    head["confidence"] = options.confidence;
    means_row line;
    line.confidence = options.confidence;
    line.options = option_cells(plan, 0);
    record_table<means_row> csv(output_file(directory / "means.csv"), line);
    json_rows json(directory / "means.json", head, "points");
    for (std::size_t point = 0; point < plan.points(); ++point) {
        const std::size_t reference = reference_of(plan, point, options.against);
        line.point = point + 1;
        line.options = option_cells(plan, point);
        line.reference = reference + 1;
        ordered_json row{{"point", line.point}, {"options", swept_options(plan, point)}};
        row["reference_point"] = line.reference;
        row["metrics"] = ordered_json::object();
        for (std::size_t m = 0; m < results.metrics().size(); ++m) {
            line.metric = results.metrics()[m];
            line.mean.interval = results.mean(point, m, options.confidence);
            ordered_json values = json_of(*line.mean.interval);
            line.mean_is_lower_bound = line.mean.interval->is_lower_bound;
            if (line.mean_is_lower_bound) {
                values["mean_is_lower_bound"] = true;
            }
            line.difference_is_lower_bound = false;
            line.difference.interval.reset();
            if (reference != point) {
                line.difference.interval = results.difference(point, reference, m, options.confidence);
                line.difference_is_lower_bound = line.difference.interval->is_lower_bound;
                values["difference"] = json_of(*line.difference.interval);
                if (line.difference_is_lower_bound) {
                    values["difference_is_lower_bound"] = true;
                }
            }
            csv.write(line);
            row["metrics"][line.metric] = std::move(values);
        }
        json.add(row);
    }
    csv.finish();
    json.finish();
}

// --- for people ------------------------------------------------------------------------------------------

/// Places of the metrics that are named, in the order of their names. Without names: jobs where a run has some,
/// else transfers; then what was lost.
std::vector<std::size_t> shown_metrics(const sweep_results& results, const table_options& options) {
    std::vector<std::size_t> shown;
    for (const std::string& wanted : options.metrics) {
        for (const std::size_t m : results.metrics_like({wanted})) {
            if (std::find(shown.begin(), shown.end(), m) == shown.end()) {
                shown.push_back(m);
            }
        }
    }
    if (!shown.empty()) {
        return shown;
    }
    const std::vector<std::string>& names = results.metrics();
    const auto place = [&](const std::string& name) {
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    const std::size_t jobs = place("jct_ns.p50");
    bool any_jobs = false;
    for (std::size_t point = 0; jobs < names.size() && point < results.plan().points(); ++point) {
        any_jobs = any_jobs || results.mean(point, jobs, options.confidence).n > 0;
    }
    const std::string measure = any_jobs ? "jct_ns" : "fct_ns";
    std::vector<std::string> those{measure + ".p50", measure + ".p99", "frames.dropped"};
    for (const derived_metric& each : results.plan().metrics) {
        those.push_back(each.name);
    }
    for (const std::string& name : those) {
        if (place(name) < names.size()) {
            shown.push_back(place(name));
        }
    }
    return shown;
}

/// A percentile of too few values is their maximum: the table leaves it out, and says so.
void note_few_values(std::ostream& out, const sweep_results& results, std::size_t metric) {
    std::size_t few = 0;
    for (std::size_t point = 0; point < results.plan().points(); ++point) {
        for (std::size_t s = 0; s < results.plan().seeds.size(); ++s) {
            few += results.is_of_few_values(point, s, metric) ? 1 : 0;
        }
    }
    if (few > 0) {
        out << "note: "
            << few_values_text(results.metrics()[metric], few, results.count(run_record::states::done))
            << ", and left out here (sweep.csv has it)\n";
    }
}

}  // namespace

std::size_t reference_of(const sweep_plan& plan, std::size_t point, const std::string& against) {
    if (against.empty()) {
        return 0;
    }
    std::vector<std::size_t> at = plan.places(point);
    for (std::size_t a = 0; a < plan.axes.size(); ++a) {
        at[a] = plan.axes[a].has(against) ? 0 : at[a];
    }
    return plan.point(at);
}

void write_tables(const sweep_results& results, const table_options& options,
                  const std::filesystem::path& directory) {
    write_runs(results, directory);
    write_means(results, options, directory);
}

void print_means(std::ostream& out, const sweep_results& results, const table_options& options,
                 std::size_t most_rows) {
    const sweep_plan& plan = results.plan();
    const std::vector<std::size_t> shown = shown_metrics(results, options);
    data_table table({{"point", {}, column_part::name}});
    table.add_section("");
    table.begins_with_options = true;
    for (const std::string& key : plan.keys()) {
        table.columns.push_back({key, {}, column_part::option});
    }
    table.columns.push_back({"runs", {}, column_part::row});
    for (const std::size_t m : shown) {
        table.columns.push_back({results.metrics()[m], unit_of_metric(results.metrics()[m])});
    }
    for (std::size_t point = 0; point < std::min(plan.points(), most_rows); ++point) {
        std::vector<table_cell> cells{plan.name(point)};
        for (const auto& setting : plan.settings(point)) {
            cells.emplace_back(setting.second);
        }
        const std::size_t done = results.count(point, run_record::states::done);
        const std::size_t failed = results.count(point, run_record::states::failed);
        cells.emplace_back(std::to_string(done) +
                           (failed > 0 ? " (" + std::to_string(failed) + " failed)" : ""));
        for (const std::size_t m : shown) {
            const mean_interval mean = results.sound_mean(point, m, options.confidence);
            cells.emplace_back(mean.n > 0 ? plain_number(mean.mean) : ordered_json(), mean,
                               mean.is_lower_bound);
        }
        table.add_row(std::move(cells));
    }
    write_text(out, table);
    if (plan.points() > most_rows) {
        out << "... and " << plan.points() - most_rows << " more points: means.csv\n";
    }
    for (const std::size_t m : shown) {
        note_few_values(out, results, m);
    }
    out << results.unfinished_warning();
}

}  // namespace weir::tb
