// Sweeps, searches and reproductions as a report: which runs failed, a line per point, and curves over the
// options that a sweep varies.
//
//   report_document document = collect_sweep_report("Buffers", {"out/buffers"}, {"buffers"});
#pragma once

#include <string>
#include <vector>

#include "tb/report/report_document.h"

namespace weir::tb {

/// The document has the parts of a report of runs (`collect_report`), without runs. Errors: a directory that is
/// damaged, in which no run has ended, or that varies other options than the first one.
report_document collect_sweep_report(const std::string& title, const std::vector<std::string>& directories,
                                     const std::vector<std::string>& labels);

}  // namespace weir::tb
