// Command lines: each line of the input is an argument.
#include <sstream>

#include "fuzz/fuzz_target.h"
#include "tb/run/fields/command_line.h"
#include "tb/run/options/run_options.h"

namespace weir::test {

static const fuzz_target command_line_target("command_line", [](std::string_view input) {
    const tb::option_table& table = tb::known_options();
    std::istringstream in{std::string(input)};
    std::vector<std::string> arguments;
    for (std::string line; std::getline(in, line);) {
        arguments.push_back(line);
    }
    tb::command_syntax syntax;
    syntax.values = {"out", "vary"};
    syntax.flags = {"dry-run", "help"};
    syntax.max_files = 2;
    const tb::command_arguments given = tb::split_arguments(arguments, syntax, table);
    check(given.errors);
    const tb::settings read = tb::read_command_line(given.options, table);
    check(read.errors);
});

}  // namespace weir::test
