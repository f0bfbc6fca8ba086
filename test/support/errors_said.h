// Checks what errors say, and leaves their wording free. One line describes an error: its place, its key, and
// facts that its text must name as whole words, in any order. A `config_error` of the command line has no
// place:
//
//   EXPECT_TRUE(errors_are(loaded.errors, {"x.ini:2: run.warmup: 2ms, relation run.duration, 1ms",
//                                          "switch.speedup: 17, 1 to 16"}));
//   EXPECT_TRUE(has_error(program.err, "t.csv:3: dst: 9, 0 to 3"));
//
// `relation OPTIONS` and `missing OPTIONS` are the `config_fault` and the `others` of a `config_error`. Every
// error must also say what is right: "expected ...", "did you mean ...", "such as ..." or "... lists all".
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/config_error.h"

namespace weir::test {

struct said_error {
    std::string text;
    /// Such as `relation pfc.xoff`; empty for a wrong value that concerns no other option.
    std::string fault{};
};
using said_errors = std::vector<said_error>;

inline said_errors errors_in(const std::vector<std::string>& lines) {
    said_errors all;
    for (const std::string& line : lines) {
        all.push_back({line});
    }
    return all;
}
/// One error per line.
inline said_errors errors_in(const std::string& lines) {
    said_errors all;
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);) {
        all.push_back({line});
    }
    return all;
}
inline said_errors errors_in(const std::vector<config_error>& errors) {
    said_errors all;
    for (const config_error& error : errors) {
        const std::string line = error.line == 0 ? "" : std::to_string(error.line) + ": ";
        const std::string place = error.file.empty() ? line : error.file + (line.empty() ? ": " : ":" + line);
        std::string fault = error.fault == config_fault::relation  ? "relation"
                            : error.fault == config_fault::missing ? "missing"
                                                                   : "";
        for (const std::string& other : error.others) {
            fault += " " + other;
        }
        all.push_back({place + (error.key.empty() ? "" : error.key + ": ") + error.message, fault});
    }
    return all;
}
inline said_errors errors_in(const config_error& error) {
    return errors_in(std::vector{error});
}

/// True if the text holds the fact, not as a part of a longer word or number.
inline bool names_fact(std::string_view text, std::string_view fact) {
    const auto in_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    for (auto at = text.find(fact); at != std::string_view::npos; at = text.find(fact, at + 1)) {
        const std::size_t end = at + fact.size();
        if ((at == 0 || !in_word(text[at - 1]) || !in_word(fact.front())) &&
            (end == text.size() || !in_word(text[end]) || !in_word(fact.back()))) {
            return true;
        }
    }
    return false;
}

/// Returns the first part of the description that the error does not meet, or nothing. `within`: other text,
/// such as a program's name, may stand before the place or the key.
inline std::string unmet_part(const said_error& error, const std::string& description, bool within) {
    const std::size_t colon = description.rfind(": ");
    const std::size_t facts = colon == std::string::npos ? 0 : colon + 2;
    const std::string place_and_key = description.substr(0, facts);
    const std::size_t at = error.text.find(place_and_key);
    if (at == std::string::npos || (at != 0 && !within)) {
        return place_and_key;
    }
    const std::string_view text = std::string_view(error.text).substr(at + facts);
    std::string fault;
    for (std::size_t from = facts; from < description.size();) {
        const std::size_t comma = std::min(description.find(", ", from), description.size());
        const std::string fact = description.substr(from, comma - from);
        if (fact == "relation" || fact.rfind("relation ", 0) == 0 || fact.rfind("missing ", 0) == 0) {
            fault = fact;
        } else if (!names_fact(text, fact)) {
            return fact;
        }
        from = comma + 2;
    }
    const auto says = [&](const char* words) { return names_fact(error.text, words); };
    if (!says("expected") && !says("did you mean") && !says("such as") && !says("lists all")) {
        return "expected";
    }
    return fault == error.fault ? "" : "the fault '" + error.fault + "'";
}

inline testing::AssertionResult check_failure(const std::string& why, const said_errors& errors) {
    testing::AssertionResult result = testing::AssertionFailure() << why << "\nAll errors:\n";
    for (const said_error& error : errors) {
        result << "  " << error.text << (error.fault.empty() ? "" : "  [" + error.fault + "]") << '\n';
    }
    return result;
}

/// True if these are all errors, in this order.
template <class Errors>
testing::AssertionResult errors_are(const Errors& actual, const std::vector<std::string>& descriptions) {
    const said_errors errors = errors_in(actual);
    for (std::size_t i = 0; i < std::min(errors.size(), descriptions.size()); ++i) {
        const std::string unmet = unmet_part(errors[i], descriptions[i], false);
        if (!unmet.empty()) {
            return check_failure("Error " + std::to_string(i + 1) + " is not \"" + descriptions[i] +
                                     "\": it does not have '" + unmet + "'.",
                                 errors);
        }
    }
    return errors.size() == descriptions.size()
               ? testing::AssertionSuccess()
               : check_failure(std::to_string(descriptions.size()) + " errors are expected.", errors);
}

template <class Errors>
std::ptrdiff_t count_errors(const Errors& actual, const std::string& description) {
    const said_errors errors = errors_in(actual);
    return std::count_if(errors.begin(), errors.end(),
                         [&](const said_error& each) { return unmet_part(each, description, true).empty(); });
}

/// True if one of the errors is this one.
template <class Errors>
testing::AssertionResult has_error(const Errors& actual, const std::string& description) {
    return count_errors(actual, description) > 0
               ? testing::AssertionSuccess()
               : check_failure("No error is \"" + description + "\".", errors_in(actual));
}

}  // namespace weir::test

namespace weir {
using test::count_errors;
using test::errors_are;
using test::has_error;
}  // namespace weir
