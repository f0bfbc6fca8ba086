// What a summary says, as text for people: cells of tables, and what is compared between runs.
//
//   time_text(summary["jct_ns"]["p99"]);                          // 12.300 ms
//   time_text(value_of(summary["jct_ns"], completion_values[6]));      // 31.204 ms; - for too few values
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "tb/run/results/metric_catalogue.h"
#include "tb/support/record/column_format.h"

namespace weir::tb {

/// Null where the object has no such key: summaries of builds before do not have all.
nlohmann::ordered_json value_or_null(const nlohmann::ordered_json& object, const char* key);

/// `tier1 5.62 %`, of the time of all transmitters; before that their time, summed.
std::string paused_text(const nlohmann::ordered_json& pfc);
/// `link edge0.tx3, 66.8 % busy on average, full for 56.7 % of the time; 377 of 384 links were full at some
/// time`, for each kind of resource that limits the run.
std::string limits_text(const nlohmann::ordered_json& summary, const std::string& separator = "; ");

// Of groups, and of fct_ns and jct_ns in them.

/// `8KB`, `<= 8KB` of a bin of sizes.
std::string size_text(const nlohmann::ordered_json& group);
/// An empty cell would look like a fault of the table.
std::string tag_text(const std::string& tag);
/// Number of what has completed, of what has not, and of both.
std::uint64_t count_of(const nlohmann::ordered_json& times);
std::uint64_t unfinished_of(const nlohmann::ordered_json& times);
std::uint64_t started_of(const nlohmann::ordered_json& times);
/// Null where there are too few values for it.
nlohmann::ordered_json value_of(const nlohmann::ordered_json& times, const completion_value& column);
/// True if the percentile is only known to be at least its value.
bool is_lower_bound(const nlohmann::ordered_json& times, const std::string& percentile);
/// `warning: out/broken: 7,105 of 10,673 transfers did not complete; ...` and a line's end; empty where all
/// have completed.
std::string unfinished_warning(const nlohmann::ordered_json& summary, const std::string& run);
/// Jobs, or where a run has none that a user would wait for, transfers: `jct_ns`, `fct_ns`.
const char* measure_of(const nlohmann::ordered_json& summary);

}  // namespace weir::tb
