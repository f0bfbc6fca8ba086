#include "tb/run/fields/ini_file.h"

#include <boost/program_options/errors.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <map>
#include <sstream>
#include <string_view>

#include "weir/base/trimmed.h"

namespace weir::tb {

namespace {

namespace po = boost::program_options;

/// The rest of a file with more mistakes is not read: it is most likely no INI file.
constexpr std::size_t most_errors = 20;

/// As much of a line as a message has room for.
std::string abridged(const std::string& text) {
    constexpr std::size_t most = 200;
    return text.size() > most ? text.substr(0, most) + "..." : text;
}

class ini_reader {
 public:
    ini_reader(const std::string& name, const option_table& table) : m_name(name), m_table(table) {}

    void read_line(std::string line) {
        ++m_line;
        if (m_line == 1 && line.compare(0, 3, "\xEF\xBB\xBF") == 0) {
            line.erase(0, 3);  // byte order mark
        }
        note_end(std::string(trimmed(line)));
        const std::string text(trimmed(std::string_view(line).substr(0, line.find('#'))));
        if (text.empty()) {
            return;
        }
        if (text.front() == '[') {
            open_section(text);
        } else {
            read_setting(text);
        }
    }

    /// `unterminated`: the last line has no line feed.
    void end(bool unterminated) {
        if (m_is_effective && m_last != effective_end) {
            fail("", "is incomplete: its last line is not `" + std::string(effective_end) +
                         "`; expected a complete effective.ini, or one without its first line");
        } else if (unterminated && m_last != effective_end) {
            m_found.warnings.push_back({m_name, m_line, "",
                                        "the file ends without a line feed; if it was truncated, its last "
                                        "value may be incomplete, and lines may be missing"});
        }
    }
    settings take() { return std::move(m_found); }
    void fail(const std::string& key, const std::string& message) {
        m_found.errors.push_back(
            {m_name, m_line, abridged(key),
             message + (m_found.errors.size() + 1 == most_errors ? " (the rest is not read)" : "")});
    }
    bool goes_on() const { return m_found.errors.size() < most_errors; }

 private:
    enum class section_state { none, known, unknown };

    void note_end(std::string text) {
        m_is_effective = m_is_effective || (m_line == 1 && text == effective_head);
        if (!text.empty()) {
            m_last = std::move(text);
        }
    }

    void open_section(const std::string& text) {
        m_section = text.back() == ']' ? trimmed(std::string_view(text).substr(1, text.size() - 2)) : "";
        m_state = m_table.has_block(m_section) ? section_state::known : section_state::unknown;
        if (m_section.empty()) {
            fail("", "'" + abridged(text) + "' is not a section; expected [name]");
        } else if (m_state == section_state::unknown) {
            fail("[" + m_section + "]", "unknown section" + m_table.block_hint(m_section));
        }
    }

    void read_setting(const std::string& text) {
        if (m_state == section_state::unknown) {
            return;
        }
        const std::string section = m_state == section_state::known ? m_section + "." : std::string{};
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos) {
            return text.front() == ';'
                       ? fail("", "'" + abridged(text) + "' is not a comment; expected '#' before a comment")
                       : fail(section + text, "has no '='; expected key = value");
        }
        const auto [name, adds] = split_key(trimmed(std::string_view(text).substr(0, equals)));
        if (name.empty()) {
            return fail("", "'" + abridged(text) + "' has no key; expected key = value");
        }
        if (m_state == section_state::none) {
            const bool known = m_table.find(name) != nullptr;
            const std::string where =
                known ? "[" + name.substr(0, name.find('.')) + "]" : std::string("its [section]");
            return fail(name, "is not in a section; expected it below " + where);
        }
        const option* const known = m_table.find(section + name);
        if (known == nullptr) {
            return fail(section + name, "unknown option" + m_table.hint(section + name));
        }
        if (known->key != with_underscores(section + name)) {
            m_found.warnings.push_back({m_name, m_line, section + name, renamed(*known)});
        }
        if (const std::string refused = adds ? refusal_to_add(*known) : std::string{}; !refused.empty()) {
            return fail(section + name, refused);
        }
        std::istringstream line("[" + known->block + "]\n" + known->name + text.substr(equals) + "\n");
        try {
            // Boost compares with each option that it knows, so it gets the one that is in question.
            po::options_description one;
            one.add_options()(known->key.c_str(), po::value<std::vector<std::string>>());
            for (const po::option& found : po::parse_config_file(line, one, false).options) {
                keep(found, *known, adds);
            }
        } catch (const po::error& error) {
            fail(section + name, std::string(error.what()) + "; expected key = value");
        }
    }

    void keep(const po::option& found, const option& known, bool adds) {
        const auto [first, is_new] = m_lines.emplace(found.string_key, m_line);
        if (!is_new && !known.value->repeatable()) {
            return fail(found.string_key,
                        "given twice, first in line " + std::to_string(first->second) + "; expected once");
        }
        m_found.values.push_back(
            {found.string_key, found.value.empty() ? "" : found.value.front(), m_line, m_name, adds});
    }

    std::string m_name;
    const option_table& m_table;
    settings m_found;
    std::map<std::string, int> m_lines;
    std::string m_section;
    section_state m_state = section_state::none;
    int m_line = 0;
    bool m_is_effective = false;
    /// The last line that is not empty.
    std::string m_last;
};

}  // namespace

std::string renamed(const option& now) {
    return "is called " + now.key + " now; the old name still works";
}

written_key split_key(std::string_view text) {
    const bool adds = !text.empty() && text.back() == '+';
    return {std::string(adds ? trimmed(text.substr(0, text.size() - 1)) : text), adds};
}

std::string refusal_to_add(const option& target) {
    return target.value->repeatable()
               ? ""
               : "'+=' adds to an option that may be given several times; expected " + target.name + " = value";
}

settings read_ini(std::istream& in, const std::string& name, const option_table& table) {
    ini_reader reader(name, table);
    std::string line;
    bool unterminated = false;
    while (reader.goes_on() && std::getline(in, line)) {
        unterminated = in.eof();
        reader.read_line(line);
    }
    if (reader.goes_on()) {
        reader.end(unterminated);
    }
    return reader.take();
}

}  // namespace weir::tb
