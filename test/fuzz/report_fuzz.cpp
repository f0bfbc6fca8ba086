// What `weir report` reads of a run: run.json, summary.json, effective.ini.
#include "fuzz/fuzz_target.h"
#include "tb/view/pictures/run_reader.h"
#include "tb/view/report/report_document.h"

namespace weir::test {

static const fuzz_target report_target("report", [](std::string_view input) {
    const auto parts = parts_of(input, 3);
    directory_with("run.json", parts[0]);
    directory_with("summary.json", parts[1]);
    const std::string directory = directory_with("effective.ini", parts[2]);
    const tb::run_data run = tb::read_run(directory, {});
    check(run.errors);
    if (run.errors.empty()) {
        check(tb::collect_report("report", {run}).errors);
    }
});

}  // namespace weir::test
