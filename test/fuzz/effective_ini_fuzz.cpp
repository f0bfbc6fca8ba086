// effective.ini of a run.
#include "fuzz/fuzz_target.h"
#include "tb/run/summary/effective_options.h"

namespace weir::test {

static const fuzz_target effective_ini_target("effective_ini", [](std::string_view input) {
    const std::string file = directory_with("effective.ini", input) + "/effective.ini";
    config_errors errors;
    const tb::effective_options read = tb::read_effective_options(file, errors);
    check(errors);
    tb::differing_options({&read, &read});
});

}  // namespace weir::test
