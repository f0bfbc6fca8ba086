// `weir --man-page`: the manual page weir(1), with the help of every command and the reference of all options.
#pragma once

#include <ostream>
#include <vector>

#include "tb/arguments/argument_help.h"

namespace weir::tb {

/// In the macros of man(7).
void write_man_page(std::ostream& out, const std::vector<command_help>& commands);

}  // namespace weir::tb
