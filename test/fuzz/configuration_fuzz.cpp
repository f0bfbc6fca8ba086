// INI files with the values of their options, and all checks between them.
#include <sstream>

#include "fuzz/fuzz_target.h"
#include "tb/run/options/load_config.h"

namespace weir::test {

static const fuzz_target configuration_target("configuration", [](std::string_view input) {
    std::istringstream in{std::string(input)};
    static tb::config_loader loader;
    const tb::loaded_config loaded = loader.load({}, {{"input", &in}});
    check(loaded.errors);
    check_texts(loaded.warnings);
});

}  // namespace weir::test
