#include "tb/sweep/sweep_tables.h"

#include <algorithm>
#include <cmath>

#include "tb/files/run_directory.h"
#include "tb/sweep/quantity.h"
#include "tb/sweep/swept_columns.h"
#include "tb/text/text_format.h"
#include "tb/text/text_table.h"

namespace weir::tb {

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
    output_file csv(directory / "sweep.csv");
    json_rows json(directory / "sweep.json", head_of(results), "runs");
    csv_line line;
    add_names(line.add_name("point"), swept_options(plan, 0));
    csv.write(line.add_names({"seed", "state", "status", "error"}).add_names(results.metrics()).end());
    for (std::size_t point = 0; point < plan.points(); ++point) {
        for (std::size_t s = 0; s < plan.seeds.size(); ++s) {
            const run_record& record = results.record(point, s);
            const bool has_failed = record.state == run_record::states::failed;
            ordered_json row{{"point", point + 1},
                             {"options", swept_options(plan, point)},
                             {"seed", plan.seeds[s]},
                             {"state", name_of(record.state)}};
            add_values(line.add(point + 1), row["options"]);
            line.add(plan.seeds[s]).add_name(name_of(record.state));
            line.add_name(has_failed ? std::to_string(record.status) : "");
            line.add_name(has_failed ? record.error : "");
            if (has_failed) {
                row["status"] = record.status;
                row["error"] = record.error;
            }
            row["metrics"] = ordered_json::object();
            for (std::size_t m = 0; m < results.metrics().size(); ++m) {
                const ordered_json& value = results.value(point, s, m);
                line.add_name(value.is_number() ? json_line(value) : std::string{});
                if (value.is_number()) {
                    row["metrics"][results.metrics()[m]] = value;
                }
            }
            csv.write(line.end());
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
    output_file csv(directory / "means.csv");
    json_rows json(directory / "means.json", head, "points");
    csv_line line;
    add_names(line.add_name("point"), swept_options(plan, 0));
    csv.write(line.add_names({"metric", "n", "mean", "low", "high", "reference_point", "difference_n",
                              "difference", "difference_low", "difference_high", "confidence"})
                  .end());
    for (std::size_t point = 0; point < plan.points(); ++point) {
        const std::size_t reference = reference_of(plan, point, options.against);
        ordered_json row{{"point", point + 1}, {"options", swept_options(plan, point)}};
        row["reference_point"] = reference + 1;
        row["metrics"] = ordered_json::object();
        for (std::size_t m = 0; m < results.metrics().size(); ++m) {
            ordered_json values = json_of(results.mean(point, m, options.confidence));
            add_values(line.add(point + 1), row["options"]);
            add_values(line.add_name(results.metrics()[m]), values);
            line.add(reference + 1);
            if (reference != point) {
                values["difference"] = json_of(results.difference(point, reference, m, options.confidence));
                add_values(line, values["difference"]);
            } else {
                line.add_nothing(4);
            }
            csv.write(line.add_name(decimal_text(options.confidence)).end());
            row["metrics"][results.metrics()[m]] = std::move(values);
        }
        json.add(row);
    }
    csv.finish();
    json.finish();
}

// --- for people ------------------------------------------------------------------------------------------

/// Jobs where a run has some, else transfers; then what was lost.
std::vector<std::size_t> shown_metrics(const sweep_results& results, double confidence) {
    const std::vector<std::string>& names = results.metrics();
    const auto place = [&](const std::string& name) {
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    const std::size_t jobs = place("jct_ns.p50");
    bool any_jobs = false;
    for (std::size_t point = 0; jobs < names.size() && point < results.plan().points(); ++point) {
        any_jobs = any_jobs || results.mean(point, jobs, confidence).n > 0;
    }
    const std::string measure = any_jobs ? "jct_ns" : "fct_ns";
    std::vector<std::size_t> shown;
    for (const std::string& name : {measure + ".p50", measure + ".p99", std::string("frames.dropped")}) {
        if (place(name) < names.size()) {
            shown.push_back(place(name));
        }
    }
    // Who chose other metrics sees the first of these.
    for (std::size_t m = 0; shown.empty() && m < std::min<std::size_t>(3, names.size()); ++m) {
        shown.push_back(m);
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
    std::size_t reference = 0;
    for (std::size_t a = 0; a < plan.axes.size(); ++a) {
        const std::vector<std::string>& keys = plan.axes[a].keys;
        const bool is_it = std::find(keys.begin(), keys.end(), against) != keys.end();
        reference = reference * plan.axes[a].values.size() + (is_it ? 0 : at[a]);
    }
    return reference;
}

void write_tables(const sweep_results& results, const table_options& options,
                  const std::filesystem::path& directory) {
    write_runs(results, directory);
    write_means(results, options, directory);
}

void print_means(std::ostream& out, const sweep_results& results, const table_options& options,
                 std::size_t most_rows) {
    const sweep_plan& plan = results.plan();
    const std::vector<std::size_t> shown = shown_metrics(results, options.confidence);
    text_table::row head = plan.keys();
    head.insert(head.begin(), "point");
    head.emplace_back("runs");
    for (const std::size_t m : shown) {
        head.push_back(results.metrics()[m]);
    }
    text_table table(head);
    for (std::size_t point = 0; point < std::min(plan.points(), most_rows); ++point) {
        text_table::row cells{plan.name(point)};
        for (const auto& setting : plan.settings(point)) {
            cells.push_back(setting.second);
        }
        std::size_t done = 0;
        std::size_t failed = 0;
        for (std::size_t s = 0; s < plan.seeds.size(); ++s) {
            done += results.record(point, s).state == run_record::states::done ? 1 : 0;
            failed += results.record(point, s).state == run_record::states::failed ? 1 : 0;
        }
        cells.push_back(std::to_string(done) + (failed > 0 ? " (" + std::to_string(failed) + " failed)" : ""));
        for (const std::size_t m : shown) {
            const mean_interval mean = results.sound_mean(point, m, options.confidence);
            cells.push_back(mean.n == 0 ? "-"
                                        : metric_text(results.metrics()[m], mean.mean) + width_text(mean));
        }
        table.add(cells);
    }
    table.print(out);
    if (plan.points() > most_rows) {
        out << "... and " << plan.points() - most_rows << " more points: means.csv\n";
    }
    for (const std::size_t m : shown) {
        note_few_values(out, results, m);
    }
    out << results.unfinished_warning();
}

}  // namespace weir::tb
