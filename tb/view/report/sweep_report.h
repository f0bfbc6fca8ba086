// Sweeps, searches and reproductions as a report: which runs failed, a line per point, and curves over the
// options that a sweep varies.
//
//   report_document document = collect_sweep_report("Buffers", {"out/buffers"}, {"buffers"}, std::cerr);
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "tb/view/report/report_document.h"

namespace weir::tb {

/// The document has the parts of a report of runs (`collect_report`), without runs. Errors: a directory that is
/// damaged, in which no run has ended, or that varies other options than the first one. Warns on `err`, and on
/// the page, of transfers that did not complete.
report_document collect_sweep_report(const std::string& title, const std::vector<std::string>& directories,
                                     const std::vector<std::string>& labels, std::ostream& err);

}  // namespace weir::tb
