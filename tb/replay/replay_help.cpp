#include "tb/replay/replay_help.h"

#include <algorithm>
#include <iomanip>
#include <string>

#include "tb/text/joined.h"
#include "tb/text/wrapped_text.h"

namespace weir::tb {

namespace {

std::string value_name(const replay_option& option) {
    const bool is_file = option.kind == replay_option_kind::input || option.kind == replay_option_kind::output;
    return is_file ? "FILE" : option.kind == replay_option_kind::number ? "N" : "WORD";
}

std::string usage(const replay_block& block) {
    std::string text = "weir replay " + block.name;
    for (const replay_option& o : block.options) {
        if (o.required) {
            text += " --" + o.name + " " + value_name(o);
        }
    }
    return text;
}

std::string description(const replay_option& o) {
    std::string text = o.doc;
    if (o.kind == replay_option_kind::number) {
        text += " Range: " + std::to_string(o.low) + " to " + std::to_string(o.high) + ".";
    }
    if (o.kind == replay_option_kind::word) {
        text += " One of: " + joined(o.allowed, ", ") + ".";
    }
    if (!o.default_text.empty()) {
        text += " Default: " + o.default_text + ".";
    }
    if (!o.source.empty()) {
        text += " Source: " + o.source + ".";
    }
    return text;
}

}  // namespace

void write_replay_help(std::ostream& out, const std::vector<replay_block>& blocks) {
    out << "weir replay BLOCK --option value ...\n\n"
           "Drives one block with stimulus files and writes its outputs, in the formats of the golden traces\n"
           "(test/golden, docs/replay.md). Stimulus columns are found by their names; answer columns are\n"
           "ignored and written anew.\n\n";
    for (const replay_block& b : blocks) {
        out << "  " << std::left << std::setw(8) << b.name << b.summary << '\n';
    }
    out << '\n';
    for (const replay_block& b : blocks) {
        write_wrapped(out, "  ", std::string(6, ' '), usage(b));
    }
    out << "\nweir replay BLOCK --help says more. Exit status: 0 success, 3 a file could not be written, 2 "
           "bad\n"
           "input, nothing written.\n";
}

void write_replay_help(std::ostream& out, const replay_block& block) {
    write_wrapped(out, "", std::string(4, ' '),
                  usage(block) + (block.options.empty() ? "" : " [--option value ...]"));
    out << '\n' << block.about << '\n';
    std::size_t width = 0;
    for (const replay_option& o : block.options) {
        width = std::max(width, o.name.size() + value_name(o).size() + 7);
    }
    for (const replay_option& o : block.options) {
        std::string head = "  --" + o.name + " " + value_name(o);
        head.resize(width, ' ');
        write_wrapped(out, head, std::string(width, ' '), description(o));
    }
}

}  // namespace weir::tb
