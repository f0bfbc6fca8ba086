#include "tb/replay/replay_command.h"

#include <algorithm>

#include "tb/options/command_line.h"
#include "tb/options/load_config.h"
#include "tb/replay/replay_blocks.h"
#include "tb/replay/replay_help.h"
#include "tb/results/run_directory.h"

namespace weir {

namespace {

int print(const config_errors& errors, std::ostream& err) {
    for (const config_error& error : errors) {
        err << format_error(error) << '\n';
    }
    return 2;
}

command_syntax syntax_of(const replay_block& block) {
    command_syntax syntax;
    for (const replay_option& option : block.options) {
        syntax.values.push_back(option.name);
    }
    syntax.flags = {"help"};
    return syntax;
}

/// All files or none: each gets its name only when all have been written.
int write_all(const replay_job& job, std::ostream& err) {
    std::vector<output_file> files;
    try {
        for (const auto& output : job.outputs()) {
            files.emplace_back(job.text(output.first));
        }
        auto file = files.begin();
        for (const auto& output : job.outputs()) {
            file->write(output.second);
            file++->complete();
        }
        for (output_file& f : files) {
            f.finish();
        }
    } catch (const output_error& error) {
        err << "weir replay: " << error.what() << '\n';
        for (output_file& f : files) {
            f.discard();
        }
        return 1;
    }
    return 0;
}

int replay(const replay_block& block, const std::vector<std::string>& args, std::ostream& out,
           std::ostream& err) {
    command_arguments given = split_arguments(args, syntax_of(block), option_table{});
    if (given.flags.count("help") != 0) {
        write_replay_help(out, block);
        return 0;
    }
    replay_job job(block, given.values);
    config_errors errors = given.errors;
    errors.insert(errors.end(), job.errors().begin(), job.errors().end());
    if (!errors.empty()) {
        return print(errors, err);
    }
    block.run(job);
    if (!job.errors().empty()) {
        return print(job.errors(), err);
    }
    const auto is_empty = [](const auto& file) {
        return std::count(file.second.begin(), file.second.end(), '\n') < 2;
    };
    if (std::all_of(job.outputs().begin(), job.outputs().end(), is_empty)) {
        job.notes().push_back("the stimuli had no result: only headers are written");
    }
    for (const std::string& note : job.notes()) {
        err << "note: " << note << '\n';
    }
    return write_all(job, err);
}

}  // namespace

int replay_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    const std::vector<replay_block> blocks = replay_blocks();
    if (!args.empty() && (args[0] == "--help" || args[0] == "-h")) {
        write_replay_help(out, blocks);
        return 0;
    }
    std::string names;
    for (const replay_block& b : blocks) {
        names += (names.empty() ? "" : ", ") + b.name;
    }
    if (args.empty()) {
        return print({{"", 0, "BLOCK", "is missing; expected " + names}}, err);
    }
    const auto block =
        std::find_if(blocks.begin(), blocks.end(), [&](const replay_block& b) { return b.name == args[0]; });
    if (block == blocks.end()) {
        return print({{"", 0, args[0], "is not a block; expected " + names}}, err);
    }
    return replay(*block, {args.begin() + 1, args.end()}, out, err);
}

}  // namespace weir
