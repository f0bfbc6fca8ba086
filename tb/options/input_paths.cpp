#include "tb/options/input_paths.h"

#include <algorithm>

namespace weir::tb {

std::vector<std::string> input_paths(const option_table& table) {
    std::vector<std::string> paths;
    for (const auto& each : table.options()) {
        std::string path = each->is_path ? each->value->text() : std::string{};
        if (!path.empty() && std::find(paths.begin(), paths.end(), path) == paths.end()) {
            paths.push_back(std::move(path));
        }
    }
    return paths;
}

}  // namespace weir::tb
