// GTKWave's FST, written by its own library (fstapi), whose source comes with Verilator.
#pragma once

#include <filesystem>
#include <memory>

#include "tb/wave/wave_file.h"

namespace weir::tb {

/// Whether this program can write FST.
bool fst_is_supported();
/// Where it can. Throws output_error.
std::unique_ptr<wave_file> create_fst_file(const std::filesystem::path& name);

}  // namespace weir::tb
