// Tables of runs, and their columns: options, and what is known of each run, side by side.
//
//   data_table table = run_table(runs, {"baseline", "detail"}, metric_filter{});
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tb/study/sweep/metrics.h"
#include "tb/support/record/data_table.h"
#include "tb/view/table/run_measures.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// Several runs side by side, the first one being what the others are compared to. `labels`: of the runs, in
/// their order. The options in which the runs differ stand before the results.
data_table run_table(const std::vector<measured_run>& runs, const std::vector<std::string>& labels,
                     const metric_filter& filter);

/// Title and headings of each subject, in the order of `measure_subject`.
const std::vector<table_section>& subject_sections();

/// Options as columns: each as it is written, and behind it for programs, where it is a quantity with a unit,
/// the bare number: `switch.ingress_buffer`, `switch.ingress_buffer_bytes`, as tables of sweeps have it.
/// `text_of`: value of an option in a row; null where there is no such option.
void add_option_columns(
    data_table& table, std::size_t section, const std::vector<std::string>& keys,
    const std::function<const std::string*(std::size_t row, const std::string& key)>& text_of);

/// Adds a section for each subject, in the order of `measure_subject`, and a column for each measure that some
/// run has. `filter`: which metrics; without names all, but for groups where there are more than
/// `most_shown_groups`. What a filter names is shown to people, too. `cell_of`: cell of a row and a measure.
void add_measures(data_table& table, const std::vector<const measured_run*>& runs, const metric_filter& filter,
                  const std::function<table_cell(std::size_t row, const std::string& key)>& cell_of);

/// Names that a filter wants and no run has: errors of `option`. `advice` says where all names are.
config_errors unknown_metrics(const metric_filter& filter, const derived_metrics& definitions,
                              const std::vector<const measured_run*>& runs, const char* option = "--metric",
                              const std::string& advice = "--format=csv has all of them");

// Victims of a fault: transfers that completed in one run and, of the same traffic, not in another, by tag and
// by the switch of their hosts.
//
//   data_table table = victims_table("out/healthy", "out/broken", {"h7"}, errors);

/// `without`: names of hosts; transfers that start or end there are left out. Errors: files that cannot be
/// read; runs whose traffic, seed or length differ; a transfer that is another one in the second run; a name
/// that is no host.
data_table victims_table(const std::filesystem::path& healthy, const std::filesystem::path& broken,
                         const std::vector<std::string>& without, config_errors& errors);

}  // namespace weir::tb
