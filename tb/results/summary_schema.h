// JSON Schema (2020-12) of summary.json: tb/python/weir/schema/summary.schema.json. It follows from the metric
// catalogue and from rows whose values summary.json repeats.
#pragma once

#include <string>

namespace weir::tb {

/// One line per key of the document. Throws std::logic_error if a place lacks a description.
std::string summary_schema_text();

}  // namespace weir::tb
