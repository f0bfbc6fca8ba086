// Sources of the series in charts over time: a list of `run_data`, or columns of a table of the run.
//
//   series_source fill = &run_data::ingress;
//   series_source losses = table_columns{"drops.csv", {}, "*_frames"};   // egress_full, link_down, ...
#pragma once

#include <string>
#include <vector>

#include "tb/view/pictures/run_reader.h"

namespace weir::tb {

/// Columns of a table with a column `time_ns`, in the order of time. Units are those of the columns' names:
/// ns, B, bit/s, percent.
struct table_columns {
    const char* file;
    /// Columns whose texts name a series. Values of lines with the same time and the same texts are added up.
    std::vector<const char*> names;
    /// Column with the values; an empty cell is no value. `*_frames`: a series for each column that fits, which
    /// has its name from what `*` stands for.
    const char* value;

    /// Key of the series in `run_data::columns`.
    std::string key() const;
};

class series_source {
 public:
    series_source(std::vector<time_series> run_data::*list) : m_list(list) {}
    series_source(table_columns columns) : m_columns(std::move(columns)) {}

    const std::vector<time_series>& operator()(const run_data& run) const;
    /// Reads the columns if the run has the table and no other chart has read them. There is no series if a
    /// column is missing, as in runs of earlier versions. Mistakes go to `run.errors`; a table that has some
    /// already is not read.
    void read(run_data& run) const;
    /// Name of the table; null for a list of `run_data`.
    const char* file() const { return m_columns.file; }

 private:
    std::vector<time_series> run_data::*m_list = nullptr;
    table_columns m_columns{};
};

}  // namespace weir::tb
