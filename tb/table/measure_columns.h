// From what is known of single runs to the columns of a table: those of all runs, side by side.
//
//   measure_columns columns(runs, metric_filter{});
//   columns.add_to(table);
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tb/sweep/metrics.h"
#include "tb/table/data_table.h"
#include "tb/table/run_measures.h"

namespace weir::tb {

/// Most groups of equal tag, size and priority that are taken without being asked for.
inline constexpr std::size_t most_groups = 32;

class measure_columns {
 public:
    /// `filter`: which metrics; without names all, but for groups where there are more than `most_groups`. What
    /// a filter names is shown to people, too.
    measure_columns(const std::vector<const measured_run*>& runs, const metric_filter& filter);

    /// Groups were left out.
    bool without_groups() const { return m_without_groups; }
    std::size_t size() const { return m_columns.size(); }
    const table_column& column(std::size_t place) const { return m_columns[place]; }
    measure_subject subject_of(std::size_t place) const {
        return static_cast<measure_subject>(m_columns[place].section);
    }
    /// Subjects as sections, and the columns. Rows get their cells from `find`.
    void add_to(data_table& table) const;
    /// Null where the run does not have it.
    const run_measure* find(const measured_run& run, std::size_t place) const {
        return run.find(m_columns[place].key);
    }

 private:
    void take(const std::vector<const measured_run*>& runs, const metric_filter& filter, bool with_groups);

    std::vector<table_column> m_columns;
    bool m_without_groups = false;
};

/// Names that a filter wants and no run has: errors of `--metric`.
config_errors unknown_metrics(const metric_filter& filter, const std::vector<const measured_run*>& runs);

}  // namespace weir::tb
