// summary.json of a run, and what is shown of it.
#include "fuzz/fuzz_target.h"
#include "tb/run/summary/summary_reader.h"
#include "tb/study/sweep/metrics.h"

namespace weir::test {

static const fuzz_target summary_target("summary", [](std::string_view input) {
    const std::string file = directory_with("summary.json", input) + "/summary.json";
    const tb::summary_file read = tb::read_summary(file);
    check(read.errors);
    if (read.errors.empty()) {
        tb::metrics_of(read.summary);
    }
});

}  // namespace weir::test
