// Texts made from the table of options: help, reference, INI files.
#pragma once

#include <ostream>

#include "tb/options/option_table.h"
#include "tb/options/run_config.h"

namespace weir::tb {

/// `--help`: by block, each option with default, unit, range, source and the schemes that set it.
void write_help(std::ostream& out, const option_table& table);

/// The same without the schemes, for another table than a run's.
void write_blocks(std::ostream& out, const option_table& table);

/// `weir options --format=md`: the reference page. Equal for equal tables.
void write_reference(std::ostream& out, const option_table& table);

/// `weir options --format=ini`: every option with its present value, doc and range as comments.
void write_ini(std::ostream& out, const option_table& table);

/// effective.ini: every option that results depend on, as used, with its doc. Reading it back gives the
/// same values, whatever `switch.scheme` is, and from any directory.
void write_effective_ini(std::ostream& out, const run_config& config);

}  // namespace weir::tb
