#include "tb/run/arguments/commands.h"

#include <algorithm>
#include <exception>
#include <iomanip>
#include <vector>

#include "tb/support/files/output_file.h"
#include "tb/support/process/error_text.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/text/joined.h"
#include "tb/support/text/wrapped_text.h"
#include "tb/verify/replay/replay_blocks.h"

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

/// All files or none: each gets its name only when all have been written. What has its name is synchronised.
void write_all(const replay_job& job) {
    std::vector<output_file> files;
    try {
        for (const auto& output : job.outputs()) {
            try {
                files.emplace_back(job.text(output.first));
            } catch (const output_error& error) {
                throw refused_path(error, "--" + output.first, "a file that can be written");
            }
        }
        auto file = files.begin();
        for (const auto& output : job.outputs()) {
            file->write(output.second.text());
            file++->complete();
        }
        for (output_file& f : files) {
            f.finish();
        }
        for (const output_file& f : files) {
            f.synchronise_name();
        }
    } catch (const std::exception&) {
        for (output_file& f : files) {
            f.discard();
        }
        throw;
    }
}

int replay(const replay_block& block, const std::vector<std::string>& args, std::ostream& out,
           std::ostream& err) {
    replay_job job(block, args);
    if (job.wants_help) {
        write_replay_help(out, block);
        return 0;
    }
    if (!job.errors().empty()) {
        return print_errors(job.errors(), err);
    }
    const auto is_empty = [](const auto& file) {
        const std::string_view text = file.second.text();
        return std::count(text.begin(), text.end(), '\n') < 2;
    };
    try {
        block.run(job);
        if (!job.errors().empty()) {
            return print_errors(job.errors(), err);
        }
        if (std::all_of(job.outputs().begin(), job.outputs().end(), is_empty)) {
            job.notes().push_back("the stimuli had no result: only headers are written");
        }
        for (const std::string& note : job.notes()) {
            err << "note: " << note << '\n';
        }
        write_all(job);
    } catch (const std::exception& error) {
        return print_failure("weir replay", failure_of(error), err);
    }
    return exit_status::success;
}

}  // namespace

int replay_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    const std::vector<replay_block> blocks = replay_blocks();
    if (!args.empty() && (args[0] == "--help" || args[0] == "-h")) {
        write_replay_help(out, blocks);
        return 0;
    }
    const std::string names = joined(blocks, ", ", [](const replay_block& b) { return b.name; });
    if (args.empty()) {
        return print_errors({{"", 0, "BLOCK", "is missing; expected " + names}}, err);
    }
    const auto block =
        std::find_if(blocks.begin(), blocks.end(), [&](const replay_block& b) { return b.name == args[0]; });
    if (block == blocks.end()) {
        return print_errors({{"", 0, args[0], "is not a block; expected " + names}}, err);
    }
    return replay(*block, {args.begin() + 1, args.end()}, out, err);
}

}  // namespace weir::tb
