#include "tb/verify/events/signal_map.h"

#include <algorithm>
#include <boost/tokenizer.hpp>
#include <optional>
#include <set>

#include "tb/support/record/record_reader.h"
#include "tb/verify/events/whole_number.h"

namespace weir::tb {

namespace {

using term_divider = boost::char_separator<char>;

/// `!a&b=5`: nothing where it is not written like that.
std::optional<std::vector<signal_test>> parse_condition(const std::string& text) {
    std::vector<signal_test> tests;
    for (std::string term :
         boost::tokenizer<term_divider>(text, term_divider("&", "", boost::keep_empty_tokens))) {
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

}  // namespace

static bool read_cell(csv_file& file, std::size_t at, const column_facts&, std::vector<std::string>& paths) {
    paths = file.words(at);
    if (paths.empty()) {
        file.refuse(at, "is empty; expected one signal, or several separated by blanks");
    }
    return !paths.empty();
}

static bool read_cell(csv_file& file, std::size_t at, const column_facts&, stream_name& event) {
    event.text = file.text(at);
    if (event.text.empty()) {
        file.refuse(at, "is empty; expected the name of a stream");
    }
    return !event.text.empty();
}

static bool read_cell(csv_file& file, std::size_t at, const column_facts&, sampling_clock& clock) {
    const std::vector<std::string> words = file.words(at);
    const bool has_edge = words.size() == 2 && (words[0] == "posedge" || words[0] == "negedge");
    if (words.size() != 1 && !has_edge) {
        file.refuse(
            at, "'" + file.text(at) + "' is not a clock; expected a signal, with posedge or negedge before it");
        return false;
    }
    clock = {words.back(), words[0] == "negedge" && has_edge};
    return true;
}

static bool read_cell(csv_file& file, std::size_t at, const column_facts&, std::vector<signal_test>& tests) {
    auto read = file.text(at).empty() ? std::vector<signal_test>{} : parse_condition(file.text(at));
    if (!read) {
        file.refuse(at,
                    "'" + file.text(at) + "' is not a condition; expected a, !a, a=5, a!=0x1f, with & between");
        return false;
    }
    tests = std::move(*read);
    return true;
}

signal_map read_signal_map(const std::string& path, config_errors& errors) {
    const std::size_t before = errors.size();
    signal_map map{path, {}, {}};
    record_reader<mapped_event> file(path, errors);
    std::set<std::optional<std::size_t>> known;
    for (const char* const name : {"path", "event", "clock", "valid", "origin"}) {
        known.insert(file.optional_column(name));
    }
    std::vector<std::size_t> others;
    for (std::size_t column = 0; column < file.header().size(); ++column) {
        if (known.count(column) == 0) {
            others.push_back(column);
            map.columns.push_back(file.header()[column]);
        }
    }
    while (const mapped_event* const read = file.next()) {
        mapped_event& event = map.events.emplace_back(*read);
        event.line = file.line();
        for (const std::size_t column : others) {
            event.texts.push_back(file.text(column));
        }
    }
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
