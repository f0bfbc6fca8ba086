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

/// Digits of means and intervals: more than any of them deserves, fewer than different machines may differ in.
constexpr int digits = 12;

std::string mean_text(double value) {
    return decimal_text(rounded(value, digits));
}

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

void write_runs(const sweep_results& results, const swept_columns& swept,
                const std::filesystem::path& directory) {
    const sweep_plan& plan = results.plan();
    output_file csv(directory / "sweep.csv");
    json_rows json(directory / "sweep.json", head_of(results), "runs");
    csv_line line;
    line.add_name("point");
    swept.add_header(line);
    for (const char* name : {"seed", "state", "status", "error"}) {
        line.add_name(name);
    }
    for (const std::string& metric : results.metrics()) {
        line.add_name(metric);
    }
    csv.write(line.end());
    for (std::size_t point = 0; point < plan.points(); ++point) {
        for (std::size_t s = 0; s < plan.seeds.size(); ++s) {
            const run_record& record = results.record(point, s);
            ordered_json row{{"point", point + 1},
                             {"options", swept.json(point)},
                             {"seed", plan.seeds[s]},
                             {"state", name_of(record.state)}};
            line.add(point + 1);
            swept.add(line, point);
            line.add(plan.seeds[s]).add_name(name_of(record.state));
            if (record.state == run_record::states::failed) {
                line.add(static_cast<std::uint64_t>(record.status)).add_name(record.error);
                row["status"] = record.status;
                row["error"] = record.error;
            } else {
                line.add_nothing(2);
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

ordered_json json_number(double value) {
    const double short_value = rounded(value, digits);
    const bool whole = std::fabs(short_value) < 1e15 && short_value == std::floor(short_value);
    return whole ? ordered_json(static_cast<std::int64_t>(short_value)) : ordered_json(short_value);
}

void add_interval(csv_line& line, const mean_interval& interval) {
    if (interval.n == 0) {
        line.add_nothing(3);
        return;
    }
    line.add_name(mean_text(interval.mean));
    if (interval.has_width()) {
        line.add_name(mean_text(interval.low())).add_name(mean_text(interval.high()));
    } else {
        line.add_nothing(2);
    }
}

ordered_json json_of(const mean_interval& interval) {
    ordered_json j{{"n", interval.n}};
    j["mean"] = interval.n > 0 ? json_number(interval.mean) : ordered_json();
    j["low"] = interval.has_width() ? json_number(interval.low()) : ordered_json();
    j["high"] = interval.has_width() ? json_number(interval.high()) : ordered_json();
    return j;
}

void write_means(const sweep_results& results, const table_options& options, const swept_columns& swept,
                 const std::filesystem::path& directory) {
    const sweep_plan& plan = results.plan();
    ordered_json head = head_of(results);
    head["confidence"] = options.confidence;
    output_file csv(directory / "means.csv");
    json_rows json(directory / "means.json", head, "points");
    csv_line line;
    line.add_name("point");
    swept.add_header(line);
    for (const char* name : {"metric", "n", "mean", "low", "high", "reference_point", "difference_n",
                             "difference", "difference_low", "difference_high", "confidence"}) {
        line.add_name(name);
    }
    csv.write(line.end());
    for (std::size_t point = 0; point < plan.points(); ++point) {
        const std::size_t reference = reference_of(plan, point, options.against);
        ordered_json row{{"point", point + 1}, {"options", swept.json(point)}};
        row["reference_point"] = reference + 1;
        row["metrics"] = ordered_json::object();
        for (std::size_t m = 0; m < results.metrics().size(); ++m) {
            const mean_interval mean = results.mean(point, m, options.confidence);
            line.add(point + 1);
            swept.add(line, point);
            line.add_name(results.metrics()[m]).add(mean.n);
            add_interval(line, mean);
            ordered_json values = json_of(mean);
            line.add(reference + 1);
            if (reference != point) {
                const mean_interval difference = results.difference(point, reference, m, options.confidence);
                line.add(difference.n);
                add_interval(line, difference);
                values["difference"] = json_of(difference);
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

/// `1.246 ms +-11%`: half of the interval as a share of the mean.
std::string cell_of(const std::string& metric, const mean_interval& mean) {
    if (mean.n == 0) {
        return "-";
    }
    if (!mean.has_width() || mean.mean == 0) {
        return metric_text(metric, mean.mean);
    }
    const double percent = 100 * mean.half_width / std::fabs(mean.mean);
    csv_line text;
    text.add_decimal(percent, percent < 100 ? 1 : 0);
    std::string share{text.end()};
    share.back() = '%';
    return metric_text(metric, mean.mean) + " +-" + share;
}

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
    const swept_columns swept(results.plan());
    write_runs(results, swept, directory);
    write_means(results, options, swept, directory);
}

void print_means(std::ostream& out, const sweep_results& results, const table_options& options,
                 std::size_t most_rows) {
    const sweep_plan& plan = results.plan();
    const std::vector<std::size_t> shown = shown_metrics(results, options.confidence);
    text_table table;
    text_table::row head{"point"};
    for (const std::string& key : plan.keys()) {
        head.push_back(key);
    }
    head.emplace_back("runs");
    for (const std::size_t m : shown) {
        head.push_back(results.metrics()[m]);
    }
    table.add(head);
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
            cells.push_back(cell_of(results.metrics()[m], results.sound_mean(point, m, options.confidence)));
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
