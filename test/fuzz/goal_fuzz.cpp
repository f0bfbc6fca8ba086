// GOAL schedules: text and binary files.
#include <sstream>

#include "fuzz/fuzz_target.h"
#include "weir/traffic/goal/goal_file.h"

namespace weir::test {

static const fuzz_target goal_target("goal", [](std::string_view input) {
    std::istringstream in{std::string(input)};
    check(traffic::read_goal(in, "input").errors);
});

}  // namespace weir::test
