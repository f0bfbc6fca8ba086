#include "tb/replay/replay_job.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "tb/files/link_target.h"
#include "tb/text/csv_file.h"

namespace weir::tb {

namespace {

namespace fs = std::filesystem;

replay_option make_option(std::string name, replay_option_kind kind, std::string doc, std::string source = "") {
    replay_option option;
    option.name = std::move(name);
    option.kind = kind;
    option.doc = std::move(doc);
    option.source = std::move(source);
    return option;
}

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

replay_option input_option(std::string name, std::string doc) {
    return make_option(std::move(name), replay_option_kind::input, std::move(doc));
}

replay_option output_option(std::string name, std::string doc) {
    return make_option(std::move(name), replay_option_kind::output, std::move(doc));
}

replay_option number_option(std::string name, std::uint64_t value, std::uint64_t low, std::uint64_t high,
                            std::string doc, std::string source) {
    replay_option option =
        plain_number(std::move(name), low, high, std::move(doc), std::move(source)).optional();
    option.default_text = std::to_string(value);
    return option;
}

replay_option plain_number(std::string name, std::uint64_t low, std::uint64_t high, std::string doc,
                           std::string source) {
    replay_option option =
        make_option(std::move(name), replay_option_kind::number, std::move(doc), std::move(source));
    option.low = low;
    option.high = high;
    return option;
}

replay_option word_option(std::string name, std::vector<std::string> allowed, std::string doc,
                          std::string source) {
    replay_option option =
        make_option(std::move(name), replay_option_kind::word, std::move(doc), std::move(source)).optional();
    option.default_text = allowed.front();
    option.allowed = std::move(allowed);
    return option;
}

replay_option text_option(std::string name, std::string doc, std::string default_text, std::string source) {
    replay_option option =
        make_option(std::move(name), replay_option_kind::text, std::move(doc), std::move(source)).optional();
    option.default_text = std::move(default_text);
    return option;
}

replay_job::replay_job(const replay_block& block, argument_reader& given) {
    for (const replay_option& option : block.options) {
        if (option.kind == replay_option_kind::word) {
            m_values[option.name] = option.allowed[given.one_of(option.name, option.allowed)];
        } else if (const std::optional<std::string> value = given.once(option.name)) {
            m_values[option.name] = *value;
            check(option);
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

void replay_job::check(const replay_option& option) {
    const std::string& value = m_values[option.name];
    if (option.kind == replay_option_kind::number) {
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
