// `weir compare`: two files of events, and waivers; the first line has further arguments.
#include <sstream>

#include "fuzz/fuzz_target.h"
#include "tb/run/arguments/commands.h"

namespace weir::test {

static const fuzz_target compare_target("compare", [](std::string_view input) {
    const auto parts = parts_of(input, 4);
    std::vector<std::string> arguments{file_of(parts[1], 1), file_of(parts[2], 2)};
    if (!parts[3].empty()) {
        arguments.push_back("--waivers=" + file_of(parts[3], 3));
    }
    std::istringstream more{std::string(parts[0])};
    for (std::string word; more >> word && arguments.size() < 20;) {
        // Files are those above.
        if (word.find('/') == std::string::npos) {
            arguments.push_back(word);
        }
    }
    std::ostringstream out;
    std::ostringstream err;
    tb::compare_command(arguments, out, err);
});

}  // namespace weir::test
