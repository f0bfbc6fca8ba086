// Traces of liballprof: those of two ranks.
#include <sstream>

#include "fuzz/fuzz_target.h"
#include "weir/traffic/goal/allprof_trace.h"

namespace weir::test {

static const fuzz_target allprof_target("allprof", [](std::string_view input) {
    traffic::allprof_reader reader(2, 8);
    for (const std::string_view part : parts_of(input, 2)) {
        std::istringstream in{std::string(part)};
        reader.read_rank(in, "input");
    }
    check(reader.take().errors);
});

}  // namespace weir::test
