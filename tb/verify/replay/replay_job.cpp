#include "tb/verify/replay/replay_job.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "tb/support/files/output_file.h"

namespace weir::tb {

namespace {

namespace fs = std::filesystem;

/// What forbids a file of this name to be written, or nothing.
std::string refuse_output(const fs::path& path) {
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    if (fs::is_directory(status)) {
        return "is a directory; expected the name of a file";
    }
    if (fs::is_block_file(status)) {
        return "is a disk; expected the name of a file";
    }
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        return "";
    }
    const fs::path target = link_target(path);
    const fs::path parent = target.has_parent_path() ? target.parent_path() : fs::path(".");
    if (!fs::is_directory(parent, ignored)) {
        return "cannot be written: '" + parent.string() +
               "' is not a directory; expected a name in a directory "
               "that exists";
    }
    return "";
}

}  // namespace

replay_job::replay_job(const replay_block& block, const std::vector<std::string>& args) {
    std::map<std::string, std::optional<std::string>> given;
    argument_list arguments;
    for (const replay_option& option : block.options) {
        arguments(option.name.c_str(), given[option.name], "VALUE");
    }
    m_errors = arguments.read(args);
    wants_help = arguments.wants_help();
    for (const replay_option& option : block.options) {
        if (const std::optional<std::string>& value = given[option.name]) {
            m_values[option.name] = *value;
            check(option, *value);
        } else if (option.required) {
            refuse(option.name, std::string("is missing; expected --") + option.name +
                                    (option.kind == replay_option_kind::number ? " N" : " FILE"));
        } else if (!option.default_text.empty()) {
            m_values[option.name] = option.default_text;
        }
    }
    check_files(block);
}

const std::string& replay_job::text(const std::string& name) const {
    static const std::string none;
    const auto value = m_values.find(name);
    return value == m_values.end() ? none : value->second;
}

void replay_job::check(const replay_option& option, const std::string& value) {
    const std::vector<std::string>& words = option.allowed;
    if (option.kind == replay_option_kind::word) {
        if (std::find(words.begin(), words.end(), value) == words.end()) {
            refuse(option.name, "'" + value + "' is unknown; expected " + joined(words, ", "));
        }
    } else if (option.kind == replay_option_kind::number) {
        const auto read = parse_whole_number(value);
        if (!read || *read < option.low || *read > option.high) {
            refuse(option.name, "'" + value + "' is " + (read ? "out of range" : "not a whole number") +
                                    "; expected " + std::to_string(option.low) + " to " +
                                    std::to_string(option.high));
        }
    } else if (value.empty()) {
        refuse(option.name, "is empty; expected --" + option.name + " FILE");
    }
}

void replay_job::check_files(const replay_block& block) {
    std::vector<const replay_option*> before;
    for (const replay_option& option : block.options) {
        const bool is_output = option.kind == replay_option_kind::output;
        if ((!is_output && option.kind != replay_option_kind::input) || text(option.name).empty()) {
            continue;
        }
        const fs::path path = text(option.name);
        if (is_output) {
            m_outputs[option.name];
            if (const std::string reason = refuse_output(path); !reason.empty()) {
                refuse(option.name, "'" + path.string() + "' " + reason);
            }
            for (const replay_option* other : before) {
                std::error_code ignored;
                const fs::path theirs = text(other->name);
                if (fs::weakly_canonical(link_target(path), ignored) ==
                    fs::weakly_canonical(link_target(theirs), ignored)) {
                    refuse(option.name,
                           "'" + path.string() + "' is --" + other->name + ", too; expected a different file");
                }
            }
        }
        before.push_back(&option);
    }
}

void replay_job::refuse(const std::string& name, const std::string& message) {
    m_errors.push_back({"", 0, "--" + name, message});
}

}  // namespace weir::tb
