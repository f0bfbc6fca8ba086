#include "weir/traffic/goal/goal_file.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "weir/base/trimmed.h"
#include "weir/traffic/traces/flow_trace.h"

namespace weir::traffic {

namespace {

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_label(std::string_view text) {
    return !text.empty() && is_letter(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
    });
}

std::optional<goal_kind> kind_of(std::string_view word) {
    return word == "send"   ? std::optional{goal_kind::send}
           : word == "recv" ? std::optional{goal_kind::recv}
           : word == "calc" ? std::optional{goal_kind::calc}
                            : std::nullopt;
}

class goal_text_reader {
 public:
    goal_text_reader(std::istream& in, const std::string& file) : m_in(in), m_file(file) {}

    goal_file read() {
        while (!m_full && next_line()) {
            m_at = 0;
            while (m_at < m_words.size() && read_statement()) {
            }
        }
        finish();
        return {m_builder.take(), m_errors.list()};
    }

 private:
    struct open_requirement {
        int line;
        std::string waiting;
        std::string awaited;
        goal_event event;
    };

    bool next_line() {
        if (!std::getline(m_in, m_line)) {
            return false;
        }
        ++m_number;
        remove_comments();
        m_words.clear();
        const std::string_view line = m_line;
        std::size_t at = line.find_first_not_of(blanks);
        while (at != std::string_view::npos) {
            constexpr std::string_view marks = ":{}";
            const bool is_mark = marks.find(line[at]) != std::string_view::npos;
            const std::size_t end =
                is_mark ? at + 1 : std::min(line.find_first_of(" \t\r\n\v\f:{}", at), line.size());
            m_words.push_back(line.substr(at, end - at));
            at = line.find_first_not_of(blanks, end);
        }
        return true;
    }
    /// Those from `//` to the end of the line, and those between `/*` and `*/`, also over several lines.
    void remove_comments() {
        if (!m_in_comment && m_line.find('/') == std::string::npos) {
            return;
        }
        std::size_t at = 0;
        while (at < m_line.size()) {
            const std::size_t begin = m_in_comment ? at : m_line.find('/', at);
            if (begin == std::string::npos) {
                return;
            }
            if (m_in_comment || m_line.compare(begin, 2, "/*") == 0) {
                const std::size_t end = m_line.find("*/", m_in_comment ? begin : begin + 2);
                m_in_comment = end == std::string::npos;
                m_line.replace(begin, m_in_comment ? std::string::npos : end + 2 - begin, " ");
                at = begin + 1;
            } else if (m_line.compare(begin, 2, "//") == 0) {
                m_line.erase(begin);
            } else {
                at = begin + 1;
            }
        }
    }

    std::string_view take() { return m_at < m_words.size() ? m_words[m_at++] : std::string_view{}; }
    bool take(std::string_view wanted) {
        const bool is_it = m_at < m_words.size() && m_words[m_at] == wanted;
        m_at += is_it ? 1 : 0;
        return is_it;
    }
    bool error(std::string_view key, std::string message) {
        m_errors.add({m_file, m_number, std::string(key), std::move(message)});
        return false;
    }
    bool expect(std::string_view key, std::string_view wanted) {
        return take(wanted) || unexpected(key, in_quotes(wanted));
    }
    bool unexpected(std::string_view key, const std::string& wanted) {
        const std::string_view found = take();
        return error(key, (found.empty() ? "the line ends" : in_quotes(found) + " stands here") +
                              "; expected " + wanted);
    }
    bool read_number(std::string_view key, std::string_view text, std::uint64_t high, std::uint64_t& value) {
        const number_fault fault = parse_whole(text, high, value);
        return fault == number_fault::none || error(key, describe(fault, text, "0 to " + std::to_string(high)));
    }

    /// False: the rest of the line is not to be read.
    bool read_statement() {
        const std::string_view word = take();
        if (word == "num_ranks") {
            return read_ranks();
        }
        if (word == "rank") {
            return begin_rank();
        }
        if (word == "}") {
            return m_in_rank ? end_rank() : error(word, "ends no rank; expected rank N { before it");
        }
        if (!m_in_rank) {
            return error(word, "stands outside a rank; expected num_ranks N, or rank N {");
        }
        if (const auto kind = kind_of(word)) {
            return read_operation(*kind, word, {});
        }
        if (!is_label(word)) {
            return error(word,
                         "is neither an operation nor a label; expected send, recv, calc, or a letter and "
                         "letters, digits and _");
        }
        if (take(":")) {
            const std::string_view name = take();
            const auto kind = kind_of(name);
            return kind ? read_operation(*kind, name, word)
                        : error(word, in_quotes(name) + " is no operation; expected send, recv or calc");
        }
        if (take("requires")) {
            return read_requirement(word, goal_event::end);
        }
        if (take("irequires")) {
            return read_requirement(word, goal_event::start);
        }
        return unexpected(word, "a colon, requires or irequires");
    }

    bool read_ranks() {
        if (m_ranks != 0) {
            return error("num_ranks", "is given twice; expected once");
        }
        std::uint64_t value = 0;
        if (!read_number("num_ranks", take(), most_goal_ranks, value)) {
            return false;
        }
        m_ranks = static_cast<std::uint32_t>(value);
        return m_ranks > 0 || error("num_ranks", "is 0; expected 1 to " + std::to_string(most_goal_ranks));
    }

    bool begin_rank() {
        if (m_ranks == 0) {
            return error("rank", "stands before num_ranks; expected num_ranks N first");
        }
        if (m_in_rank) {
            error("rank", "begins within rank " + std::to_string(m_next_rank) + "; expected } before it");
            end_rank();
        }
        const std::string_view text = take();
        std::uint64_t value = 0;
        if (!read_number("rank", text, m_ranks - 1, value)) {
            return false;
        }
        if (value != m_next_rank) {
            error("rank", in_quotes(text) + " is out of order; expected " +
                              (m_next_rank < m_ranks ? std::to_string(m_next_rank) : "no further rank"));
        }
        m_next_rank = static_cast<std::uint32_t>(value);
        m_in_rank = true;
        m_builder.begin_rank();
        return expect("rank", "{");
    }

    bool end_rank() {
        m_in_rank = false;
        for (const open_requirement& each : m_open) {
            require(each.line, each.waiting, each.awaited, each.event);
        }
        if (const auto stuck = m_builder.end_rank()) {
            m_errors.add(
                {m_file, m_lines[*stuck], "requires",
                 "the operation waits for itself, over what it requires; expected requirements without "
                 "a circle"});
        }
        m_open.clear();
        m_labels.clear();
        m_lines.clear();
        ++m_next_rank;
        return true;
    }

    bool read_operation(goal_kind kind, std::string_view name, std::string_view label) {
        goal_operation read;
        read.kind = kind;
        const bool good = read_amount(name, read) && read_peer(name, read) && read_numbers(name, read);
        // One with a mistake stands for itself, or its label would be another one.
        const goal_index index = m_builder.add(read);
        m_lines.push_back(m_number);
        m_full = m_builder.full();
        if (!label.empty() && !m_labels.emplace(label, index).second) {
            return error(label, "labels an earlier operation; expected each label once per rank");
        }
        return good;
    }
    bool read_amount(std::string_view name, goal_operation& read) {
        std::string_view text = take();
        if (read.kind != goal_kind::calc) {
            const bool joined = !text.empty() && text.back() == 'b';
            if (!joined && !take("b")) {
                return error(name,
                             in_quotes(text) + " is no length; expected a number of bytes with b, such as 8b");
            }
            text.remove_suffix(joined ? 1 : 0);
        }
        return read_number(name, text, largest_goal_amount, read.amount);
    }
    bool read_peer(std::string_view name, goal_operation& read) {
        if (read.kind == goal_kind::calc) {
            return true;
        }
        const bool receives = read.kind == goal_kind::recv;
        if (!expect(name, receives ? "from" : "to")) {
            return false;
        }
        if (receives && take("-1")) {
            read.peer = any_rank;
            return true;
        }
        std::uint64_t peer = 0;
        const bool good = read_number(name, take(), m_ranks - 1, peer);
        read.peer = static_cast<std::uint32_t>(peer);
        return good;
    }
    bool read_numbers(std::string_view name, goal_operation& read) {
        while (m_at < m_words.size()) {
            std::uint64_t value = 0;
            if (read.kind != goal_kind::calc && take("tag")) {
                if (read.kind == goal_kind::recv && take("-1")) {
                    read.tag = any_tag;
                    continue;
                }
                if (!read_number("tag", take(), any_tag - 1, value)) {
                    return false;
                }
                read.tag = static_cast<std::uint32_t>(value);
                continue;
            }
            const bool is_cpu = take("cpu");
            if (!is_cpu && !take("nic")) {
                return unexpected(name, read.kind == goal_kind::calc ? "cpu or the end of the line"
                                                                     : "tag, cpu, nic or the end of the line");
            }
            if (!read_number(is_cpu ? "cpu" : "nic", take(), std::numeric_limits<std::uint8_t>::max(), value)) {
                return false;
            }
            (is_cpu ? read.cpu : read.nic) = static_cast<std::uint8_t>(value);
        }
        return true;
    }

    bool read_requirement(std::string_view waiting, goal_event event) {
        const std::string_view awaited = take();
        if (!is_label(awaited)) {
            return error(waiting, in_quotes(awaited) + " is no label; expected that of an operation");
        }
        if (m_at < m_words.size()) {
            return unexpected(waiting, "the end of the line");
        }
        const std::string first(waiting);
        const std::string second(awaited);
        if (m_labels.count(first) != 0 && m_labels.count(second) != 0) {
            return require(m_number, first, second, event);
        }
        m_open.push_back({m_number, first, second, event});
        return true;
    }
    bool require(int line, const std::string& waiting, const std::string& awaited, goal_event event) {
        for (const std::string& label : {waiting, awaited}) {
            if (m_labels.count(label) == 0) {
                m_errors.add({m_file, line, "requires",
                              in_quotes(label) + " is unknown; expected the label of an operation of rank " +
                                  std::to_string(m_next_rank)});
                return false;
            }
        }
        m_builder.require(m_labels[waiting], m_labels[awaited], event);
        m_full = m_builder.full();
        return true;
    }

    void finish() {
        if (m_full) {
            error("rank", "has too many operations or requirements; expected at most " +
                              std::to_string(most_goal_operations) + " operations in a file");
        } else if (m_in_comment) {
            error("/*", "has no end; expected */");
        } else if (m_in_rank) {
            error("rank", "has no end; expected }");
        } else if (m_ranks == 0 && m_errors.empty()) {
            error("num_ranks", "is missing; expected num_ranks N");
        } else if (m_next_rank < m_ranks && m_errors.empty()) {
            error("rank", "there are " + std::to_string(m_next_rank) + " of " + std::to_string(m_ranks) +
                              " ranks; expected a part for each");
        }
    }

    std::istream& m_in;
    const std::string& m_file;
    error_log m_errors;
    goal_builder m_builder;
    std::string m_line;
    int m_number = 0;
    bool m_in_comment = false;
    bool m_full = false;
    std::vector<std::string_view> m_words;
    std::size_t m_at = 0;
    std::uint32_t m_ranks = 0;
    /// The one that is read, or will be next.
    std::uint32_t m_next_rank = 0;
    bool m_in_rank = false;
    // Of the rank that is read.
    std::unordered_map<std::string, goal_index> m_labels;
    std::vector<int> m_lines;
    std::vector<open_requirement> m_open;
};

}  // namespace

goal_file read_goal_text(std::istream& in, const std::string& file) {
    return goal_text_reader(in, file).read();
}

}  // namespace weir::traffic
