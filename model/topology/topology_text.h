// What the readers of topology_files.h share: lines as words, numbers, and the place where errors go.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <istream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "weir/base/unit_text.h"
#include "weir/model/topology/topology_files.h"

namespace weir::model::detail {

/// A line that holds something, in words.
struct text_line {
    int number;
    std::vector<std::string> words;
};

/// `comment`: what starts one; 0 = the format has none.
inline std::vector<text_line> read_lines(std::istream& text, char comment, int& last_line) {
    std::vector<text_line> lines;
    std::string line;
    for (last_line = 0; std::getline(text, line);) {
        ++last_line;
        if (comment != 0) {
            line.erase(std::min(line.find(comment), line.size()));
        }
        std::istringstream in(line);
        text_line words{last_line, {}};
        for (std::string word; in >> word;) {
            words.words.push_back(word);
        }
        if (!words.words.empty()) {
            lines.push_back(std::move(words));
        }
    }
    return lines;
}

inline parse_result<std::uint64_t> parse_count(const std::string& text, std::uint64_t least,
                                               std::uint64_t most) {
    const std::string allowed =
        "; expected a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    std::uint64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure == std::errc::result_out_of_range) {
        return {0, "'" + text + "' is too large" + allowed};
    }
    if (failure != std::errc{} || end != text.data() + text.size()) {
        return {0, "'" + text + (text[0] == '-' ? "' is negative" : "' is not a whole number") + allowed};
    }
    if (value < least || value > most) {
        return {0, "'" + text + "' is out of range" + allowed};
    }
    return {value, {}};
}

inline parse_result<double> parse_probability(const std::string& text) {
    double value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc{} || end != text.data() + text.size() || !(value >= 0 && value < 1)) {
        return {0, "'" + text + "' is not a probability below 1; expected a number from 0 to below 1"};
    }
    return {value, {}};
}

template <class T>
parse_result<T> above_zero(parse_result<T> read, const std::string& text) {
    if (read && read.value <= T{0}) {
        read.error = "'" + text + "' is 0; expected above 0";
    }
    return read;
}

/// What all three readers need: where errors go, and which line each part came from.
class file_reader {
 public:
    file_reader(topology_file& out, const std::string& file) : m_out(out) { m_lines.file = file; }

    void fail(int line, std::string key, std::string message) {
        m_out.errors.push_back({m_lines.file, line, std::move(key), std::move(message)});
    }
    void warn(int line, const std::string& message) {
        m_out.warnings.push_back(m_lines.file + ":" + std::to_string(line) + ": " + message);
    }
    std::vector<text_line> lines_of(std::istream& text, char comment, int& last_line) {
        std::vector<text_line> lines = read_lines(text, comment, last_line);
        if (text.bad()) {
            fail(last_line, "file", "cannot be read any further");
            left_out();
        }
        return lines;
    }
    /// Something of the fabric could not be read, so that what seems to be missing may not be.
    void left_out() { m_lines.incomplete = true; }

    /// Takes a value, or reports why there is none.
    template <class T>
    bool take(parse_result<T> read, int line, const std::string& key, T& value) {
        if (!read) {
            fail(line, key, std::move(read.error));
            return false;
        }
        value = read.value;
        return true;
    }

    void host(int line, const std::string& name) {
        m_out.fabric.add_host(name);
        m_lines.hosts.push_back(line);
    }
    void fabric_switch(int line, const std::string& name, unsigned tier) {
        m_out.fabric.add_switch(name, tier);
        m_lines.switches.push_back(line);
    }
    void link(int line, node_ref a, node_ref b, const link_properties& properties, const std::string& name) {
        m_out.fabric.add_link(a, b, properties, name);
        m_lines.links.push_back(line);
    }
    /// The last step: tiers, addresses, and what only the whole shows.
    void finish() {
        m_out.fabric.finish();
        const config_errors more = m_out.fabric.validate(&m_lines);
        m_out.errors.insert(m_out.errors.end(), more.begin(), more.end());
        sort_errors();
    }
    void sort_errors() {
        std::stable_sort(m_out.errors.begin(), m_out.errors.end(),
                         [](const config_error& a, const config_error& b) { return a.line < b.line; });
    }

    topology_file& out() { return m_out; }

 private:
    topology_file& m_out;
    topology_lines m_lines;
};

}  // namespace weir::model::detail
