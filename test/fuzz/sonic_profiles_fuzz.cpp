// SONiC's pg_profile_lookup.ini.
#include <sstream>

#include "fuzz/fuzz_target.h"
#include "tb/asic/headroom/profile_file.h"

namespace weir::test {

static const fuzz_target sonic_profiles_target("sonic_profiles", [](std::string_view input) {
    std::istringstream in{std::string(input)};
    const tb::profile_file read = tb::read_profile_file(in, "input");
    check(read.errors);
    if (read.errors.empty()) {
        std::ostringstream out;
        tb::write_profile_file(out, read.rows, "fuzz");
    }
});

}  // namespace weir::test
