// The arguments of a command, declared once: its help, what it accepts and what it says of the rest follow.
//
//   static const command_declaration declared{
//       "weir draw [CONFIG.ini] --out DIR\n\nDraws.\n\n",
//       14,
//       {{"out", "DIR", "where to write"}, {"quick", nullptr, "draw less"}},
//   };
//   argument_reader given(declared, args);
//   const std::string out = given.text("out");
//   const bool quick = given.has("quick");
//   if (!given.errors.empty()) { ... }
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tb/options/command_line.h"
#include "weir/base/config_error.h"

namespace weir::tb {

struct declared_argument {
    /// Without the dashes. One whose values take several forms is declared several times. One with `=` is for
    /// the help only.
    const char* name;
    /// What the help calls its value; null: it is a flag.
    const char* value;
    /// Lines, divided by `\n`; null: the help does not list it.
    const char* help;
};

struct command_declaration {
    /// The calls, and what the command does; ends with an empty line.
    const char* usage;
    /// Where the help of arguments begins. Unit: characters.
    std::size_t column = 0;
    /// `--help` is one of every command.
    std::vector<declared_argument> arguments;
    std::size_t min_files = 0;
    std::size_t max_files = 0;
    /// What a file is called in messages, and several.
    const char* file = "file";
    const char* files = "files";
};
std::string help_of(const command_declaration& command);

class argument_reader {
 public:
    /// `table`: options that are taken besides; it is not kept.
    argument_reader(const command_declaration& command, const std::vector<std::string>& args,
                    const option_table& table = {});

    bool wants_help() const { return has("help"); }
    bool has(const char* flag) const { return m_given.flags.count(flag) != 0; }
    bool is_given(const char* name) const { return m_given.values.count(name) != 0; }
    const std::vector<std::string>& files() const { return m_given.files; }
    /// The n-th; empty where there is none.
    std::string file(std::size_t n) const {
        return n < m_given.files.size() ? m_given.files[n] : std::string{};
    }
    /// Options of the table, each as one `--key=value`.
    const std::vector<std::string>& options() const { return m_given.options; }
    /// Every value of an argument that may be repeated.
    std::vector<std::string> all(const std::string& name) const;
    /// The same, each a list with commas: their parts.
    std::vector<std::string> list(const std::string& name) const;

    // What follows adds to `errors` where it is given more than once.
    std::optional<std::string> once(const std::string& name) { return m_given.once(name, errors); }
    std::string text(const std::string& name) { return once(name).value_or(""); }
    /// A whole number from `least` to `most`.
    std::uint64_t count(const std::string& name, std::uint64_t otherwise, std::uint64_t least,
                        std::uint64_t most);
    /// A share above 0 and below 1, as `95%`.
    double share(const std::string& name, double otherwise);
    /// One of some words; returns its place.
    std::size_t one_of(const std::string& name, const std::vector<std::string>& words,
                       std::size_t otherwise = 0);

    void fail(const std::string& key, const std::string& message) { errors.push_back({"", 0, key, message}); }
    void add(const config_errors& more) { errors.insert(errors.end(), more.begin(), more.end()); }

    config_errors errors;

 private:
    command_arguments m_given;
};

/// A whole number from `least` to `most`; else an error with the key.
std::uint64_t read_count(const std::string& key, const std::string& text, std::uint64_t least,
                         std::uint64_t most, config_errors& errors);
/// `KEY` of `--KEY=VALUE` or `--KEY+=VALUE`.
std::string key_of_option(const std::string& option);

}  // namespace weir::tb
