// Collects what is known of a run.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tb/sweep/metrics.h"
#include "tb/table/run_measures.h"

namespace weir::tb {

class measure_list {
 public:
    /// The numbers of a summary: null where a percentile has too few values.
    explicit measure_list(const nlohmann::ordered_json& summary) {
        const std::vector<metric_value> metrics = metrics_of(summary);
        for (const metric_value& each : metrics) {
            const bool few = is_of_few_values(each.name, metrics);
            m_numbers.push_back(
                {each.name, few ? nlohmann::ordered_json() : each.value, each.is_lower_bound && !few});
        }
        for (std::size_t i = 0; i < m_numbers.size(); ++i) {
            m_places.emplace(m_numbers[i].name, i);
        }
    }

    void add(run_measure measure) {
        m_used.insert(measure.key);
        m_measures.push_back(std::move(measure));
    }
    /// A number of the summary. Summaries of builds before lack some: then it is null where it is always shown,
    /// and not added else.
    void add_number(run_measure measure) {
        const auto at = m_places.find(measure.key);
        const bool is_there = at != m_places.end();
        measure.value = is_there ? m_numbers[at->second].value : nlohmann::ordered_json();
        measure.is_lower_bound = is_there && m_numbers[at->second].is_lower_bound;
        measure.is_of_completed_only = is_there && leaves_out_unfinished(measure.key);
        if (is_there || measure.show == measure_show::always) {
            add(std::move(measure));
        }
    }
    /// The rest of the summary, and everything in its order.
    std::vector<run_measure> take();

 private:
    /// True for the mean of a distribution some of whose transfers or jobs have not completed.
    bool leaves_out_unfinished(const std::string& key) const {
        const std::string times = measured_by(key);
        return key == times + ".mean" && m_places.count(times + ".unfinished") > 0;
    }

    std::vector<metric_value> m_numbers;
    std::map<std::string, std::size_t> m_places;
    std::set<std::string> m_used;
    std::vector<run_measure> m_measures;
};

// Each adds what one kind of file has. Files that are not there are passed over.

/// Of summary.json.
void add_summary_measures(const nlohmann::ordered_json& summary, measure_list& list);
/// flows.csv and jobs.csv: slowdown, and times by tag and by priority.
void add_completion_splits(const std::filesystem::path& directory, const nlohmann::ordered_json& summary,
                           measure_list& list, config_errors& errors);
/// ports.csv, buffers.csv, limits.csv: the fullest ports and the busiest links.
void add_port_measures(const std::filesystem::path& directory, const nlohmann::ordered_json& summary,
                       measure_list& list, config_errors& errors);

}  // namespace weir::tb
