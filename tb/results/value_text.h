// Values of a summary.json as people read them; `-` where there is none.
//
//   time_text(summary["jct_ns"]["p99"]);            // 15.161 ms
//   percent_text(summary["pfc"]["paused_percent"]["host"]);    // 12.76 %
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace weir::tb {

/// Unit of `ns`: ns, with decimals or without.
std::string time_text(const nlohmann::ordered_json& ns);
/// Thousands apart.
std::string number_text(const nlohmann::ordered_json& count);
std::string percent_text(const nlohmann::ordered_json& percent, int decimals = 2);

/// Null where it is not there: summaries of builds before do not have all keys.
nlohmann::ordered_json value_or_null(const nlohmann::ordered_json& object, const char* key);

/// Of a group of completion times: `8KB`, `<= 8KB` of a bin of sizes.
std::string size_text(const nlohmann::ordered_json& group);
/// An empty cell would look like a fault of the table.
std::string tag_text(const std::string& tag);

}  // namespace weir::tb
