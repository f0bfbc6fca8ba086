// What this program was built from, and with what: for `weir --version` and run.json.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace weir::tb {

struct build_facts {
    std::string version;
    /// Of the repository, abbreviated; ends in `-dirty` where files were changed. `unknown` outside a
    /// repository.
    std::string commit;
    /// Compiler with version, build type, flags, instruction set, most ports, sanitizers.
    std::string build;
    /// Name and version.
    std::vector<std::pair<std::string, std::string>> libraries;
};

const build_facts& this_build();

}  // namespace weir::tb
