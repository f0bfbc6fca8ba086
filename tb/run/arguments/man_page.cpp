#include "tb/run/arguments/argument_help.h"

#include <string>

#include "tb/run/options/run_options.h"

namespace weir::tb {

namespace {

/// roff takes a backslash, a hyphen, and a dot or quote at the beginning of a line for something else.
std::string as_roff(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        const bool begins = safe.empty() || safe.back() == '\n';
        safe += c == '\\'                           ? "\\e"
                : c == '-'                          ? "\\-"
                : begins && (c == '.' || c == '\'') ? std::string("\\&") + c
                                                    : std::string(1, c);
    }
    return safe;
}

/// Lines as they are.
void write_verbatim(std::ostream& out, const std::string& text) {
    out << ".nf\n" << as_roff(text) << (text.empty() || text.back() != '\n' ? "\n" : "") << ".fi\n";
}

void write_option(std::ostream& out, const option& each) {
    out << ".TP\n.B " << as_roff("--" + each.key + " = " + each.default_text) << '\n'
        << as_roff(each.doc) << '\n';
    const std::string range = each.value->range();
    out << as_roff("Unit: " + each.value->unit() + "." + (range.empty() ? "" : " Allowed: " + range + "."))
        << '\n';
    for (const auto& [name, doc] : each.value->choices()) {
        out << ".br\n" << as_roff(name + ": " + doc) << '\n';
    }
}

}  // namespace

void write_man_page(std::ostream& out, const std::vector<command_help>& commands) {
    const option_table& table = known_options();
    out << ".\\\" Made by `weir --man-page`.\n.TH WEIR 1 \"\" \"weir " << WEIR_VERSION
        << "\"\n.SH NAME\nweir \\- cycle\\-approximate model of datacenter Ethernet switch fabrics\n"
           ".SH SYNOPSIS\n.B weir\n.I COMMAND\n[ARGUMENT ...]\n.SH COMMANDS\n";
    for (const command_help& command : commands) {
        // A run's help goes on with all options, which are below.
        const std::string text = command.text.substr(0, command.text.find("One block, option or scheme: "));
        out << ".SS " << as_roff("weir " + command.command) << '\n';
        write_verbatim(out, text);
    }
    out << ".SH OPTIONS OF A RUN\nIn an INI file as key = value below [block], on the command line as "
           "\\-\\-block.key=value, which takes precedence.\n";
    for (const option_block& block : table.blocks()) {
        out << ".SS [" << as_roff(block.name) << "]\n" << as_roff(block.doc) << '\n';
        for (const auto& each : table.options()) {
            if (each->block == block.name) {
                write_option(out, *each);
            }
        }
    }
    out << ".SH SCHEMES\nDefaults that switch.scheme sets.\n";
    for (const scheme_entry& scheme : schemes().entries()) {
        std::string settings;
        for (const scheme_setting& setting : scheme.traits.settings) {
            settings += ".br\n" + as_roff(setting.key + " = " + setting.value) + '\n';
        }
        out << ".TP\n.B " << as_roff(scheme.name) << '\n' << as_roff(scheme.doc) << '\n' << settings;
    }
    out << ".SH EXIT STATUS\n0: success. 1: a verdict of the model or of a comparison. 2: bad input, nothing "
           "was written. 3: the environment failed. 130, 143: interrupted.\n";
}

}  // namespace weir::tb
