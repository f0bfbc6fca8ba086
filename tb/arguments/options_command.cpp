#include "tb/arguments/options_command.h"

#include "tb/arguments/argument_reader.h"
#include "tb/options/option_help.h"
#include "tb/options/run_options.h"
#include "tb/process/error_text.h"

namespace weir::tb {

static const command_declaration declared{
    "weir options [--format=ini|md]\n\n"
    "Prints every option with unit, range, default and source: as text, as an INI file with all\n"
    "defaults, or as the page of docs/options.md.\n",
    0,
    {{"format", "FORMAT", nullptr}},
};

int options_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    argument_reader given(declared, args);
    if (given.wants_help()) {
        out << help_of(declared);
        return 0;
    }
    const std::size_t format = given.one_of("format", {"text", "ini", "md"});
    if (!given.errors.empty()) {
        return print_errors(given.errors, err);
    }
    run_config defaults;
    void (*const writers[])(std::ostream&, const option_table&) = {write_help, write_ini, write_reference};
    writers[format](out, make_option_table(defaults));
    return 0;
}

}  // namespace weir::tb
