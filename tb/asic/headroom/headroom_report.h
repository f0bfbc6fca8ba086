// Prints a headroom budget: term by term for people, as CSV or JSON for programs.
#pragma once

#include <ostream>
#include <vector>

#include "tb/asic/headroom/verify.h"
#include "weir/model/flow_control/headroom_budget.h"

namespace weir::tb {

/// Every term in bytes, ns and bit times with its source, the rounding, the total.
void print_budget(std::ostream& out, const headroom_budget& budget);

/// What the simulation found: the most memory after XOFF, the margin to the first drop, which terms bind, the
/// waste.
void print_verdict(std::ostream& out, const headroom_budget& budget, const headroom_verdict& verdict);

/// One line per budget: `headroom_bytes`, `xon_bytes`, `size_bytes`.
void print_budget_table(std::ostream& out, const std::vector<headroom_budget>& budgets);

/// One line per budget and term.
void write_budget_csv(std::ostream& out, const std::vector<headroom_budget>& budgets);

/// An array, one object per budget; `verdict` of the first one, or null.
void write_budget_json(std::ostream& out, const std::vector<headroom_budget>& budgets,
                       const headroom_verdict* verdict = nullptr);

}  // namespace weir::tb
