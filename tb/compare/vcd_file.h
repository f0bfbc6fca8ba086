// Value change dump: IEEE 1364-2005, clause 18. Also GTKWave's strings (`s`), which Verilog simulators write.
#pragma once

#include <memory>
#include <string>

#include "tb/compare/waveform.h"

namespace weir::tb {

/// Nothing, and an error, where the file cannot be read.
std::unique_ptr<waveform> open_vcd(const std::string& path, config_errors& errors);

}  // namespace weir::tb
