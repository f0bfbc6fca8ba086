// Fabrics in the project's own format.
#include <sstream>

#include "fuzz/fuzz_target.h"
#include "weir/model/topology/topology_files.h"

namespace weir::test {

static const fuzz_target topology_target("topology", [](std::string_view input) {
    std::istringstream in{std::string(input)};
    const auto read = model::parse_topology(in, "input");
    check(read.errors);
    if (read.errors.empty()) {
        model::write_topology(read.fabric);
    }
});

}  // namespace weir::test
