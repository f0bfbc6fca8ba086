#include "tb/compare/signal_map.h"

#include <algorithm>
#include <boost/tokenizer.hpp>
#include <optional>

#include "tb/compare/whole_number.h"
#include "tb/text/csv_file.h"

namespace weir::tb {

namespace {

using separator = boost::char_separator<char>;

/// `!a&b=5`: nothing where it is not written like that.
std::optional<std::vector<signal_test>> parse_condition(const std::string& text) {
    std::vector<signal_test> tests;
    for (std::string term : boost::tokenizer<separator>(text, separator("&", "", boost::keep_empty_tokens))) {
        term.erase(std::remove(term.begin(), term.end(), ' '), term.end());
        signal_test test;
        const std::size_t equals = term.find('=');
        if (equals == std::string::npos) {
            // `a` is not 0, `!a` is 0.
            test.differs = term.empty() || term[0] != '!';
            test.path = term.substr(test.differs ? 0 : 1);
        } else {
            test.differs = equals > 0 && term[equals - 1] == '!';
            test.path = term.substr(0, equals - (test.differs ? 1 : 0));
            const auto value = plain_number(term.substr(equals + 1));
            // A decimal number that is too long to convert would differ from every signal.
            const bool is_too_long =
                value && value->size() > most_decimal_digits && value->compare(0, 2, "0x") != 0;
            if (!value || is_too_long || value->front() == '-') {
                return std::nullopt;
            }
            test.value = *value;
        }
        if (test.path.empty()) {
            return std::nullopt;
        }
        tests.push_back(std::move(test));
    }
    return tests;
}

class map_reader {
 public:
    map_reader(const std::string& path, config_errors& errors) : m_file(path, errors) {
        m_map.path = path;
        m_path = m_file.column("path");
        m_event = m_file.column("event");
        m_clock = m_file.column("clock");
        m_valid = m_file.optional_column("valid");
        m_origin = m_file.optional_column("origin");
        for (std::size_t column = 0; column < m_file.header().size(); ++column) {
            if (column != m_path && column != m_event && column != m_clock && m_valid != column &&
                m_origin != column) {
                m_others.push_back(column);
                m_map.columns.push_back(m_file.header()[column]);
            }
        }
    }

    signal_map read() {
        while (m_file.next()) {
            mapped_event event;
            event.line = m_file.line();
            event.paths = m_file.words(m_path);
            event.event = m_file.text(m_event);
            if (event.paths.empty()) {
                m_file.refuse(m_path, "is empty; expected one signal, or several separated by blanks");
            }
            if (event.event.empty()) {
                m_file.refuse(m_event, "is empty; expected the name of a stream");
            }
            read_clock(event);
            read_condition(m_valid, event.valid);
            read_condition(m_origin, event.origin);
            for (const std::size_t column : m_others) {
                event.texts.push_back(m_file.text(column));
            }
            m_map.events.push_back(std::move(event));
        }
        return std::move(m_map);
    }

 private:
    void read_clock(mapped_event& event) {
        const std::vector<std::string> words = m_file.words(m_clock);
        const bool edge = words.size() == 2 && (words[0] == "posedge" || words[0] == "negedge");
        if (words.size() != 1 && !edge) {
            m_file.refuse(m_clock,
                          "'" + m_file.text(m_clock) +
                              "' is not a clock; expected a signal, with posedge or negedge before it");
            return;
        }
        event.clock = words.back();
        event.falling_edge = edge && words[0] == "negedge";
    }

    void read_condition(const std::optional<std::size_t>& column, std::vector<signal_test>& tests) {
        if (!column || m_file.text(*column).empty()) {
            return;
        }
        auto read = parse_condition(m_file.text(*column));
        if (!read) {
            m_file.refuse(*column, "'" + m_file.text(*column) +
                                       "' is not a condition; expected a, !a, a=5, a!=0x1f, with & between");
            return;
        }
        tests = std::move(*read);
    }

    csv_file m_file;
    signal_map m_map;
    std::size_t m_path = 0;
    std::size_t m_event = 0;
    std::size_t m_clock = 0;
    std::optional<std::size_t> m_valid;
    std::optional<std::size_t> m_origin;
    std::vector<std::size_t> m_others;
};

}  // namespace

signal_map read_signal_map(const std::string& path, config_errors& errors) {
    const std::size_t before = errors.size();
    signal_map map = map_reader(path, errors).read();
    for (const char* const reserved : {"cycle", "signal", "value"}) {
        if (std::find(map.columns.begin(), map.columns.end(), reserved) != map.columns.end()) {
            errors.push_back({path, 1, reserved, "is a column of the events; expected another name"});
        }
    }
    if (map.events.empty() && errors.size() == before) {
        errors.push_back({path, 0, "", "has no lines; expected one line per event"});
    }
    return map;
}

}  // namespace weir::tb
