// Rows of a sweep's tables, which are JSON objects first: lines of CSV files have the same values.
//
//   nlohmann::ordered_json options = swept_options(plan, point);
//   add_names(line, options);        // switch.ingress_buffer,switch.ingress_buffer_bytes
//   add_values(line, options);       // 64KiB,65536
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "tb/sweep/sweep_plan.h"
#include "tb/sweep/sweep_statistics.h"
#include "tb/text/text_format.h"

namespace weir::tb {

/// The swept options of a point: each text, and beside it the number where the text has a unit.
nlohmann::ordered_json swept_options(const sweep_plan& plan, std::size_t point);

/// `n`, `mean`, `low` and `high`; null where there is none.
nlohmann::ordered_json json_of(const mean_interval& interval);

/// ` +-11.2%`: half of the interval as a share of the mean; empty where there is none.
std::string width_text(const mean_interval& interval);

/// Cells with the names of an object's members.
void add_names(csv_line& line, const nlohmann::ordered_json& object);
/// Cells with the values of an object's members; null is an empty cell.
void add_values(csv_line& line, const nlohmann::ordered_json& object);

}  // namespace weir::tb
