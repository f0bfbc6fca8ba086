// GTKWave's FST, read by its own library (fstapi), whose source comes with Verilator.
#pragma once

#include <memory>
#include <string>

#include "tb/compare/waveform.h"

namespace weir::tb {

/// Nothing, and an error, where the file cannot be read, or the program was built without FST.
std::unique_ptr<waveform> open_fst(const std::string& path, config_errors& errors);

}  // namespace weir::tb
