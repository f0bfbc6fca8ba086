// plan.json of a sweep.
#include "fuzz/fuzz_target.h"
#include "tb/study/points/sweep_plan.h"

namespace weir::test {

static const fuzz_target plan_target("plan", [](std::string_view input) {
    const tb::plan_result read = tb::plan_from_json(std::string(input), "input");
    check(read.errors);
    if (read.errors.empty()) {
        for (std::size_t p = 0; p < read.plan.points() && p < 100; ++p) {
            read.plan.settings(p);
            read.plan.describe(p);
        }
    }
});

}  // namespace weir::test
