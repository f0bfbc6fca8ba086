// Arguments of a command: each is described once, beside the field that it sets. Reading, help and messages
// follow from the descriptions.
//
//   struct draw_arguments {
//       static constexpr command_text command{"weir draw [CONFIG.ini] --out DIR\n\nDraws.\n\n", 14};
//       std::string out;
//       unsigned jobs = 1;
//       bool quick = false;
//
//       void describe(argument_list& arguments) {
//           arguments("out", out, "DIR", "where to write").required("--out DIR");
//           arguments("jobs", jobs, "N", "number of threads").range(1, 64);
//           arguments("quick", quick, "draw less");
//       }
//       // Works out what follows from the fields, and reports what does not go together.
//       void complete(config_errors& errors) {}
//   };
//   draw_arguments given;
//   if (const std::optional<int> status = read_or_end(given, args, out, err)) {
//       return *status;      // help or mistakes were printed
//   }
#pragma once

#include <cstddef>
#include <istream>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tb/run/fields/command_line.h"
#include "tb/run/fields/option_value.h"
#include "tb/support/process/error_text.h"
#include "weir/base/config_error.h"

namespace weir::tb {

struct command_text {
    /// The calls, and what the command does; ends with an empty line.
    const char* usage;
    /// Where the help of arguments begins. Unit: characters.
    std::size_t column = 0;
    /// Writes the end of the help; null: there is nothing below the arguments.
    void (*write_end)(std::ostream& out) = nullptr;
};

/// One argument, or a line of the help that describes another form of one.
struct argument {
    argument(const char* its_name, const char* its_value, const char* its_help)
        : name(its_name), value(its_value), help(its_help) {}
    virtual ~argument() = default;
    virtual bool has_field() const { return false; }
    /// Reads one text into the field. Returns what is wrong with it.
    virtual std::string assign(const std::string&) { return {}; }

    /// Without the dashes.
    const char* name;
    /// Name of the value in the help; null if the argument is a flag.
    const char* value;
    /// Lines, divided by `\n`; null: the help does not list the argument.
    const char* help;
    /// Text of the error if the argument is empty or missing; null if it may be.
    const char* expected = nullptr;
    bool may_be_missing = true;
    /// Name of an argument that makes this one dispensable.
    const char* substitute = nullptr;
    const char* needed = nullptr;
    const char* excluded = nullptr;
    /// `which makes no runs`: the reason, for the message; may be null.
    const char* why_excluded = nullptr;
    bool may_repeat = false;
};

/// A description as it is built; each call states one fact and returns the same object.
template <class T>
class argument_of final : public argument {
 public:
    using element = typename field_element<T>::type;
    template <class Value>
    using parser = parse_result<Value> (*)(const std::string& text);

    argument_of(T& field, const char* its_name, const char* its_value, const char* its_help)
        : argument(its_name, its_value, its_help), m_field(field) {}

    /// Each value of a list is in the range.
    argument_of& range(element low, element high, range_ends ends = range_ends::included) {
        return m_limits.set_range({low, high, ends}), *this;
    }
    /// Above 0 and below 1, as `95%`.
    argument_of& share() { return m_is_share = true, range(0, 1, range_ends::both_excluded); }
    /// `what` is expected if neither this argument nor `instead` is given.
    argument_of& required(const char* what, const char* instead = nullptr) {
        return expected = what, may_be_missing = false, substitute = instead, *this;
    }
    /// `what` is expected if the argument is given without a value.
    argument_of& not_empty(const char* what) { return expected = what, *this; }
    argument_of& needs(const char* other) { return needed = other, *this; }
    argument_of& excludes(const char* other, const char* why = nullptr) {
        return excluded = other, why_excluded = why, *this;
    }
    /// The argument may be given several times. Each text is one value of the list.
    argument_of& repeated() { return may_repeat = true, *this; }
    /// The argument may be given several times. Each text is a list with commas.
    argument_of& repeated_lists() { return m_is_list_of_lists = true, repeated(); }
    /// A function that reads the whole text.
    argument_of& by(parser<T> parse) { return m_parse = parse, *this; }
    /// The argument may be given several times. The function reads each text; those with an error are left out.
    argument_of& each_by(parser<element> parse) { return m_parse_element = parse, repeated(); }

    bool has_field() const override { return true; }
    std::string assign(const std::string& text) override {
        if (m_parse != nullptr) {
            return keep(m_parse(text), m_field);
        }
        if constexpr (std::is_same_v<T, std::vector<std::string>>) {
            if (m_is_list_of_lists || !may_repeat) {
                const std::vector<std::string> parts = split_list(text);
                m_field.insert(m_field.end(), parts.begin(), parts.end());
                return {};
            }
        }
        if constexpr (std::is_same_v<T, std::vector<element>>) {
            if (may_repeat) {
                std::string error = m_parse_element != nullptr
                                        ? keep(m_parse_element(text), m_field.emplace_back())
                                        : assign_plain(text, m_field.emplace_back());
                m_field.resize(m_field.size() - (error.empty() ? 0 : 1));
                return error;
            }
        }
        return assign_plain(text, m_field);
    }

 private:
    template <class Value>
    static std::string keep(parse_result<Value> read, Value& field) {
        field = std::move(read.value);
        return std::move(read.error);
    }
    template <class Value>
    std::string assign_plain(const std::string& text, std::optional<Value>& field) const {
        Value read{};
        std::string error = assign_plain(text, read);
        if (error.empty()) {
            field = std::move(read);
        }
        return error;
    }
    template <class Value>
    std::string assign_plain(const std::string& text, Value& field) const {
        if constexpr (has_text_form<element>::value) {
            return value_of(m_is_share, m_limits, field)->assign(text);
        } else {
            throw std::logic_error(std::string("argument ") + name + " has no function that reads it");
        }
    }
    std::string assign_plain(const std::string& text, std::string& field) const { return field = text, ""; }
    std::string assign_plain(const std::string&, bool& flag) const { return flag = true, ""; }

    T& m_field;
    field_limits<element> m_limits;
    bool m_is_share = false;
    parser<T> m_parse = nullptr;
    parser<element> m_parse_element = nullptr;
    bool m_is_list_of_lists = false;
};

/// The arguments of a command, in the order of its help. The fields must outlive the list.
class argument_list {
 public:
    template <class T>
    argument_of<T>& operator()(const char* name, T& field, const char* value, const char* help = nullptr) {
        auto made = std::make_unique<argument_of<T>>(field, name, value, help);
        argument_of<T>& described = *made;
        m_arguments.push_back(std::move(made));
        return described;
    }
    argument_of<bool>& operator()(const char* name, bool& field, const char* help = nullptr) {
        return (*this)(name, field, nullptr, help);
    }
    /// Another form of a value, for the help.
    void form(const char* name, const char* value, const char* help) {
        m_arguments.push_back(std::make_unique<argument>(name, value, help));
    }
    /// Arguments without dashes. `one`, `several`: what messages call them.
    void files(std::vector<std::string>& field, std::size_t least, std::size_t most, const char* one = "file",
               const char* several = "files");
    /// Options of a run, each as one `--key=value`.
    void options_of_run(std::vector<std::string>& field, const char* help = nullptr);

    /// The text of `--help` as far as the arguments.
    std::string help(const command_text& text) const;
    /// Sets the fields, and returns what is wrong. If help is asked for, sets no field.
    config_errors read(const std::vector<std::string>& args);
    /// Takes options of this table instead of a run's.
    config_errors read(const std::vector<std::string>& args, const option_table& table);
    /// Reads a record of words with blanks between, each once: `NAME=VALUE`, or the name of a flag. Returns
    /// what is wrong with them.
    std::vector<std::string> read_words(std::istream& words);
    bool wants_help() const { return m_given.count("help") != 0; }

 private:
    void check(const argument& one, const std::vector<std::string>& texts, config_errors& errors) const;

    std::vector<std::unique_ptr<argument>> m_arguments;
    std::vector<std::string>* m_files = nullptr;
    std::vector<std::string>* m_options = nullptr;
    command_syntax m_syntax;
    std::set<std::string> m_given;
};

/// Fills the struct; mistakes go to `errors`. Returns true if help was asked for and printed instead.
template <class Arguments>
bool read_arguments(Arguments& into, const std::vector<std::string>& args, std::ostream& out,
                    config_errors& errors) {
    argument_list arguments;
    into.describe(arguments);
    errors = arguments.read(args);
    if (!arguments.wants_help()) {
        into.complete(errors);
        return false;
    }
    out << arguments.help(Arguments::command);
    if (Arguments::command.write_end != nullptr) {
        Arguments::command.write_end(out);
    }
    return true;
}

/// Does the same, prints mistakes, and returns the exit status of a command that ends here.
template <class Arguments>
std::optional<int> read_or_end(Arguments& into, const std::vector<std::string>& args, std::ostream& out,
                               std::ostream& err) {
    config_errors errors;
    if (read_arguments(into, args, out, errors)) {
        return 0;
    }
    return errors.empty() ? std::nullopt : std::optional(print_errors(errors, err));
}

/// Adds an error of an argument or an option: `--out`.
inline void add_error(config_errors& errors, const std::string& key, const std::string& message) {
    errors.push_back({"", 0, key, message});
}
/// `KEY` of `--KEY=VALUE` or `--KEY+=VALUE`.
std::string key_of_option(const std::string& option);

}  // namespace weir::tb
