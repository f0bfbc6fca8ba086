#include "tb/table/run_measures.h"

#include <algorithm>
#include <iterator>

#include "tb/results/failed_run.h"
#include "tb/table/measure_list.h"

namespace weir::tb {

namespace fs = std::filesystem;

std::vector<run_measure> measure_list::take() {
    for (const auto& [key, value, is_lower_bound] : m_numbers) {
        if (m_used.count(key) == 0) {
            m_measures.push_back(
                {key, measure_subject::others, {key}, value, measure_show::never, false, 0, is_lower_bound});
        }
    }
    std::stable_sort(m_measures.begin(), m_measures.end(), [](const run_measure& a, const run_measure& b) {
        return std::pair(a.subject, a.rank) < std::pair(b.subject, b.rank);
    });
    return std::move(m_measures);
}

const run_measure* measured_run::find(const std::string& key) const {
    const auto at = places.find(key);
    return at == places.end() ? nullptr : &measures[at->second];
}

void measured_run::keep(const metric_filter& those) {
    measures.erase(std::remove_if(measures.begin(), measures.end(),
                                  [&](const run_measure& measure) { return !those.takes(measure.key); }),
                   measures.end());
    number();
}

void measured_run::number() {
    places.clear();
    for (std::size_t i = 0; i < measures.size(); ++i) {
        places.emplace(measures[i].key, i);
    }
}

/// Clears what a run without summary.json does not tell: completions, and the number of links that were never
/// used.
static void clear_unknown(std::vector<run_measure>& measures) {
    static const metric_filter means({"utilisation.*.mean_percent"});
    for (run_measure& each : measures) {
        if (each.subject <= measure_subject::slowdown || means.takes(each.key)) {
            each.value = nullptr;
        }
        each.show = each.value.is_null() ? measure_show::if_not_zero : each.show;
    }
}

measured_run read_measured_run(const fs::path& path, read_files which, config_errors& errors) {
    measured_run run;
    std::error_code ignored;
    run.directory = fs::is_directory(path, ignored) ? path : path.parent_path();
    const known_results read = read_known_results(path);
    if (!read.errors.empty()) {
        std::copy(read.errors.begin(), read.errors.end(), std::back_inserter(errors));
        return run;
    }
    run.is_complete = read.summary["complete"] == true;
    run.failure = read.failure;
    run.options = read_effective_options(run.directory / "effective.ini", errors);
    measure_list list(read.summary);
    add_summary_measures(read.summary, list);
    if (which == read_files::all) {
        add_completion_splits(run.directory, read.summary, list, errors);
        add_port_measures(run.directory, read.summary, list, errors);
    }
    run.measures = list.take();
    if (read.is_from_tables) {
        clear_unknown(run.measures);
    }
    for (run_measure& each : run.measures) {
        // Tag, size, priority, name.
        if (each.words.size() == 4) {
            each.words[1] = run.options.shown_size(each.words[1]);
        }
    }
    run.number();
    return run;
}

}  // namespace weir::tb
