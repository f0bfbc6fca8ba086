// Texts made from the table of options: help, reference, INI files.
#pragma once

#include <ostream>
#include <set>

#include "tb/run/fields/option_table.h"
#include "tb/run/options/run_config.h"

namespace weir::tb {

/// Options to show; none: all of them, with what stands around them.
using option_choice = std::set<const option*>;

/// `--help`: by block, each option with default, unit, range, source and the schemes that set it.
void write_help(std::ostream& out, const option_table& table);

/// The same without the schemes, of another table than a run's, or of some options.
void write_blocks(std::ostream& out, const option_table& table, const option_choice& chosen = {});

/// What a scheme stands for, and the defaults that it sets.
void write_scheme(std::ostream& out, const scheme_entry& scheme);

/// `weir options --format=md`: the reference page, or the tables of some options. Equal for equal tables.
void write_reference(std::ostream& out, const option_table& table, const option_choice& chosen = {});

/// `weir options --format=ini`: each option with its present value, doc and range as comments.
void write_ini(std::ostream& out, const option_table& table, const option_choice& chosen = {});

/// effective.ini: every option that results depend on, as used, with its doc. Reading it back gives the
/// same values, whatever `switch.scheme` is, and from any directory.
void write_effective_ini(std::ostream& out, const run_config& config);

}  // namespace weir::tb
