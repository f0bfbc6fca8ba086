// about.md of a paper: what a reader of results.md who has not read the paper needs to know. Optional.
//
//     DeTail spreads packets over all paths ...          # stands below the title
//     ## 8                                               # what follows stands at Fig. 8
//     Servers ask each other at a steady rate ...
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "weir/base/config_error.h"

namespace weir::tb {

/// Markdown; each text ends with an empty line, or is empty.
struct about_text {
    std::string introduction;
    /// Text by the figure's name, as the tables have it.
    std::map<std::string, std::string> figures;
};

/// `figures`: the names that headings may have. Both are empty where the folder has no about.md.
about_text read_about(const std::filesystem::path& folder, const std::vector<std::string>& figures,
                      config_errors& errors);

}  // namespace weir::tb
