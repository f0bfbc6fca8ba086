// INI files, without the values of their options.
#include <sstream>

#include "fuzz/fuzz_target.h"
#include "tb/run/fields/ini_file.h"
#include "tb/run/options/run_options.h"

namespace weir::test {

static const fuzz_target ini_target("ini", [](std::string_view input) {
    const tb::option_table& table = tb::known_options();
    std::istringstream in{std::string(input)};
    const tb::settings read = tb::read_ini(in, "input", table);
    check(read.errors);
    check_texts(read.warnings);
});

}  // namespace weir::test
