#include "tb/options/options_command.h"

#include "tb/options/command_line.h"
#include "tb/options/load_config.h"
#include "tb/options/option_help.h"
#include "tb/options/run_config.h"
#include "tb/process/exit_status.h"

namespace weir::tb {

int options_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    run_config defaults;
    const option_table table = make_option_table(defaults);
    command_syntax syntax;
    syntax.values = {"format"};
    syntax.flags = {"help"};
    command_arguments arguments = split_arguments(args, syntax, table);
    if (arguments.flags.count("help") != 0) {
        out << "weir options [--format=ini|md]\n\n"
               "Prints every option with unit, range, default and source: as text, as an INI file with all\n"
               "defaults, or as the page of docs/options.md.\n";
        return 0;
    }
    const std::vector<std::string> formats = arguments.values["format"];
    const std::string format = formats.empty() ? "text" : formats.back();
    if (format != "text" && format != "ini" && format != "md") {
        arguments.errors.push_back({{}, 0, "--format", "'" + format + "' is unknown; expected ini, md"});
    }
    if (!arguments.options.empty()) {
        arguments.errors.push_back(
            {{},
             0,
             arguments.options[0],
             "is not an argument of this command; expected --format=ini or --format=md"});
    }
    if (!arguments.errors.empty()) {
        return print_errors(arguments.errors, err);
    }
    if (format == "md") {
        write_reference(out, table);
    } else if (format == "ini") {
        write_ini(out, table);
    } else {
        write_help(out, table);
    }
    return 0;
}

}  // namespace weir::tb
