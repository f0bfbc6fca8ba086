#include "tb/replay/replay_command.h"

#include <algorithm>
#include <exception>
#include <vector>

#include "tb/arguments/argument_reader.h"
#include "tb/files/output_file.h"
#include "tb/process/error_text.h"
#include "tb/process/exit_status.h"
#include "tb/replay/replay_blocks.h"
#include "tb/replay/replay_help.h"
#include "tb/text/joined.h"

namespace weir::tb {

namespace {

command_declaration declaration_of(const replay_block& block) {
    command_declaration declared;
    declared.usage = "";
    for (const replay_option& option : block.options) {
        declared.arguments.push_back({option.name.c_str(), "VALUE", nullptr});
    }
    return declared;
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
    argument_reader given(declaration_of(block), args);
    if (given.wants_help()) {
        write_replay_help(out, block);
        return 0;
    }
    replay_job job(block, given);
    given.add(job.errors());
    if (!given.errors.empty()) {
        return print_errors(given.errors, err);
    }
    try {
        block.run(job);
    } catch (const std::exception& error) {
        return print_failure("weir replay", failure_of(error), err);
    }
    if (!job.errors().empty()) {
        return print_errors(job.errors(), err);
    }
    const auto is_empty = [](const auto& file) {
        const std::string_view text = file.second.text();
        return std::count(text.begin(), text.end(), '\n') < 2;
    };
    if (std::all_of(job.outputs().begin(), job.outputs().end(), is_empty)) {
        job.notes().push_back("the stimuli had no result: only headers are written");
    }
    for (const std::string& note : job.notes()) {
        err << "note: " << note << '\n';
    }
    try {
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
