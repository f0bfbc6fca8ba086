// One table over several papers: each statement of their results.json with its verdict, in Markdown.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "weir/base/config_error.h"

namespace weir::tb {

/// `directories`: of finished reproductions. Adds what is wrong with one to `errors`.
std::string results_index(const std::vector<std::filesystem::path>& directories, config_errors& errors);

}  // namespace weir::tb
