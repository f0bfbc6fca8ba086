// Value change dump: IEEE 1364-2005, clause 18. No date: equal runs write the same bytes.
#pragma once

#include <memory>

#include "tb/files/output_file.h"
#include "tb/wave/wave_file.h"

namespace weir::tb {

std::unique_ptr<wave_file> create_vcd_file(output_file file);

}  // namespace weir::tb
