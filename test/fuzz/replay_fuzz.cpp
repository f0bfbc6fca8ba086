// Stimuli of `weir replay`. The first line names the block and has its arguments, with `--NAME=@` for each of
// its files, in their order; then come the files.
#include <algorithm>
#include <sstream>

#include "fuzz/fuzz_target.h"
#include "tb/verify/replay/replay_blocks.h"

namespace weir::test {

/// A replay takes as long as its scenarios say, up to 4e9 cycles: that is no hang, but nothing to wait for
/// here.
static bool is_long(std::string_view scenarios) {
    std::size_t digits = 0;
    return std::any_of(scenarios.begin(), scenarios.end(), [&](char c) {
        digits = c >= '0' && c <= '9' ? digits + 1 : 0;
        return digits > 5;
    });
}

static const fuzz_target replay_target("replay", [](std::string_view input) {
    static const std::vector<tb::replay_block> blocks = tb::replay_blocks();
    const auto parts = parts_of(input, 4);
    std::istringstream line{std::string(parts[0])};
    std::string name;
    line >> name;
    const auto block = std::find_if(blocks.begin(), blocks.end(),
                                    [&](const tb::replay_block& each) { return each.name == name; });
    const bool runs_cycles = name == "pfc-rx" || name == "pfc-tx" || name == "mac10g";
    if (block == blocks.end() || (runs_cycles && std::any_of(parts.begin() + 1, parts.end(), is_long))) {
        return;
    }
    std::vector<std::string> arguments;
    std::size_t part = 1;
    for (const tb::replay_option& option : block->options) {
        if (option.kind == tb::replay_option_kind::output) {
            arguments.push_back("--" + option.name + "=none_is_written_" + option.name);
        }
    }
    for (std::string word; line >> word && arguments.size() < 30;) {
        if (word.size() > 1 && word.substr(word.size() - 2) == "=@" && part < parts.size()) {
            word.replace(word.size() - 1, 1, file_of(parts[part], part));
            ++part;
        } else if (word.find('/') != std::string::npos) {
            continue;  // another file
        }
        arguments.push_back(word);
    }
    tb::replay_job job(*block, arguments);
    if (job.errors().empty()) {
        block->run(job);
    }
    check(job.errors());
});

}  // namespace weir::test
