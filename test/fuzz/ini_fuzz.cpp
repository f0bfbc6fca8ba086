// INI files, without the values of their options.
#include <sstream>

#include "fuzz/fuzz_target.h"
#include "tb/options/ini_file.h"
#include "tb/options/run_config.h"
#include "tb/options/run_options.h"

namespace weir::test {

static const fuzz_target ini_target("ini", [](std::string_view input) {
    static tb::run_config config;
    static const tb::option_table table = tb::make_option_table(config);
    std::istringstream in{std::string(input)};
    const tb::settings read = tb::read_ini(in, "input", table);
    check(read.errors);
    check_texts(read.warnings);
});

}  // namespace weir::test
