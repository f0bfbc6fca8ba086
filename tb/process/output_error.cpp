#include "tb/process/output_error.h"

namespace weir::tb {

namespace fs = std::filesystem;

output_error::output_error(const fs::path& name, const std::string& what, std::error_code reason)
    : output_error(name.string() + ": " + what + ": " + reason.message(), reason) {}

}  // namespace weir::tb
