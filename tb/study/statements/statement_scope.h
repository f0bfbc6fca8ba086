// The points of a statement, as the columns `at`, `of` and `against` of statements.csv name them.
#pragma once

#include <string>
#include <vector>

#include "tb/study/statements/paper_table.h"
#include "tb/study/statements/statement_table.h"

namespace weir::tb {

/// Reads the points of `scope` in the experiment of this plan, and the ranks of an order. `at` may have `*`
/// (all options that no other column names), `mean(KEY)` and `mean(seeds)`. Returns false, with an error in the
/// table, if the columns do not name points of the experiment.
bool read_scope(paper_table& table, paper_statement& s, const sweep_plan& plan, statement_scope& scope);

/// The parts of `a|b|c`, without blanks around them; one empty part of an empty text.
std::vector<std::string> split_at(const std::string& text, char mark);

}  // namespace weir::tb
