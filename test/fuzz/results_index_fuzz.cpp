// results.json of a reproduction.
#include "fuzz/fuzz_target.h"
#include "tb/study/reproduce/paper_results.h"

namespace weir::test {

static const fuzz_target results_index_target("results_index", [](std::string_view input) {
    const std::string directory = directory_with("results.json", input);
    config_errors errors;
    tb::results_index({directory}, errors);
    check(errors);
});

}  // namespace weir::test
