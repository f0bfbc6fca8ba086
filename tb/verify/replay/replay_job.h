// What a block of `weir replay` is given and gives back: options with values, the text of result files,
// mistakes in the input. Nothing is written while there are mistakes.
//
//   const replay_block block{
//       "cam", "a CAM", "", {input_option("operations", "what is done")}, [](replay_job&) { ... }};
//   replay_job job(block, args);
//   csv_file file(job.text("operations"), job.errors());
//   auto answers = job.table<watchdog_row>("out");
//   answers.write(row);
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tb/run/arguments/argument_list.h"
#include "tb/support/record/record_reader.h"
#include "tb/support/record/record_table.h"
#include "tb/support/record/row_of.h"
#include "tb/support/text/joined.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// Most entries of a table that a trace is replayed against, be it TCAM, LPM or CAM.
inline constexpr std::uint32_t most_entries = 1U << 20;

enum class replay_option_kind : std::uint8_t {
    input,   ///< a file to read
    output,  ///< a file to write
    number,  ///< a whole number
    word,    ///< one of a few words
    text     ///< anything; the block checks it
};

/// `table, op (insert, overwrite, erase), index`: columns of a file, with what is said of them.
template <class Row>
std::string columns_text() {
    const Row row{};
    std::string text;
    for_each_column(row, [&](const column_facts& facts, const auto& value) {
        using type = std::decay_t<decltype(value)>;
        std::string note = facts.help;
        if constexpr (std::is_enum_v<type>) {
            note = joined(words_of<type>(), ", ") + (note.empty() ? "" : ": ") + note;
        } else if (std::is_same_v<type, bool> && *facts.yes != '1') {
            note = std::string(facts.yes) + ", " + facts.no + (note.empty() ? "" : ": ") + note;
        }
        text += (text.empty() ? "" : ", ") + (facts.name + (note.empty() ? "" : " (" + note + ")"));
    });
    return text;
}

/// A description as it is built; each call states one fact and returns the same object.
struct replay_option {
    /// Without dashes.
    std::string name;
    replay_option_kind kind = replay_option_kind::input;
    std::string doc;
    /// Where the default comes from; empty where it needs no source.
    std::string source{};
    bool required = true;
    /// Text of the value where none is given. Empty for a number: the block decides, as `doc` says.
    std::string default_text{};
    /// Of a number, both ends included.
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    /// Of a word.
    std::vector<std::string> allowed{};

    replay_option& optional(std::string otherwise = "") {
        return required = false, default_text = std::move(otherwise), *this;
    }
    /// Columns that a file has, always or with some options.
    template <class Row>
    replay_option& table(const std::string& when = "") {
        doc += " Columns" + (when.empty() ? "" : " with " + when + ":") + " " + columns_text<Row>() + ".";
        return *this;
    }
};

class replay_job;

/// One block: `weir replay NAME ...`.
struct replay_block {
    std::string name;
    /// One line.
    std::string summary;
    /// Paragraphs for its help.
    std::string about;
    std::vector<replay_option> options;
    void (*run)(replay_job&) = nullptr;
};

inline replay_option input_option(std::string name, std::string doc) {
    return {std::move(name), replay_option_kind::input, std::move(doc)};
}
inline replay_option output_option(std::string name, std::string doc) {
    return {std::move(name), replay_option_kind::output, std::move(doc)};
}
/// A number that has to be given, unless it is `optional`: then the block derives it.
inline replay_option plain_number(std::string name, std::uint64_t low, std::uint64_t high, std::string doc,
                                  std::string source = "") {
    return {
        std::move(name), replay_option_kind::number, std::move(doc), std::move(source), true, "", low, high};
}
/// A number with a default.
inline replay_option number_option(std::string name, std::uint64_t value, std::uint64_t low, std::uint64_t high,
                                   std::string doc, std::string source = "") {
    return plain_number(std::move(name), low, high, std::move(doc), std::move(source))
        .optional(std::to_string(value));
}
inline replay_option text_option(std::string name, std::string doc, std::string otherwise = "",
                                 std::string source = "") {
    return replay_option{std::move(name), replay_option_kind::text, std::move(doc), std::move(source)}.optional(
        std::move(otherwise));
}
/// The first word is the default.
inline replay_option word_option(std::string name, std::vector<std::string> allowed, std::string doc,
                                 std::string source = "") {
    replay_option option{std::move(name), replay_option_kind::word, std::move(doc), std::move(source)};
    option.allowed = std::move(allowed);
    return option.optional(option.allowed.front());
}

/// Lines of a file of results.
template <class Row>
using replay_table = record_table<Row, kept_lines&>;

class replay_job {
 public:
    /// Reads and checks the values of the block's options; `errors()` holds what is wrong.
    replay_job(const replay_block& block, const std::vector<std::string>& args);

    bool wants_help = false;
    bool given(const std::string& name) const { return m_values.count(name) != 0; }
    /// Value of a file, word or text.
    const std::string& text(const std::string& name) const;
    std::uint64_t number(const std::string& name, std::uint64_t otherwise = 0) const {
        return parse_whole_number(text(name)).value_or(otherwise);
    }
    cycles cycles_of(const std::string& name) const { return cycles{static_cast<std::int64_t>(number(name))}; }

    /// The file that this option names: its lines, or a table with its header.
    template <class Row>
    record_reader<Row> read(const std::string& name, input_kind kind = input_kind::any) {
        return {text(name), m_errors, kind};
    }
    template <class Row>
    replay_table<Row> table(const std::string& name) {
        return replay_table<Row>(given(name) ? m_outputs[name] : m_unwanted);
    }
    const std::map<std::string, kept_lines>& outputs() const { return m_outputs; }

    config_errors& errors() { return m_errors; }
    /// Said on standard error; the files are written all the same.
    std::vector<std::string>& notes() { return m_notes; }

 private:
    void check(const replay_option& option, const std::string& value);
    void check_files(const replay_block& block);
    void refuse(const std::string& name, const std::string& message);

    std::map<std::string, std::string> m_values;
    std::map<std::string, kept_lines> m_outputs;
    /// Lines of files that are not asked for.
    kept_lines m_unwanted;
    config_errors m_errors;
    std::vector<std::string> m_notes;
};

}  // namespace weir::tb
