// All that a report shows, as one JSON document.
//
//   report_document document = collect_report("Buffers", runs);
//   if (document.errors.empty()) { write_file("report.html", report_page(document.content)); }
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tb/view/pictures/run_reader.h"
#include "weir/base/config_error.h"

namespace weir::tb {

struct report_document {
    /// `title`, `made_by`, `styles` (of curves), `verdicts` of runs that failed, `runs`, `configuration`,
    /// `tables`, `charts`, `trees`. It has no date, no directory and no time that it took: equal runs under
    /// equal labels have equal documents.
    nlohmann::ordered_json content;
    /// A table or a file that is broken.
    config_errors errors;
};

/// The parts that every report has: `title`, `made_by`, `styles`, `few_styles`.
nlohmann::ordered_json report_frame(const std::string& title);

/// A text of the section that begins the page; `is_fault`: it says what is wrong.
nlohmann::ordered_json page_verdict(const std::string& title, const std::string& text, bool is_fault);

/// The runs were read without errors, and have their labels. Range: 1 to most_curves runs.
report_document collect_report(const std::string& title, const std::vector<run_data>& runs);

}  // namespace weir::tb
