#include "model/c/option_text.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

#include "weir/base/unit_text.h"

namespace weir::model {

namespace {

/// All of the text as a number; false if it is none, or too large for `T`.
template <class T>
bool is_number(std::string_view text, T& value) {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc{} && end == text.data() + text.size();
}

std::string not_whole(std::string_view text, std::uint64_t most) {
    return "'" + std::string(text) + "' is not a whole number from 0 to " + std::to_string(most);
}

std::vector<std::string> list_in(const std::string& text) {
    std::vector<std::string> parts;
    std::istringstream list(text);
    for (std::string part; std::getline(list, part, ',');) {
        parts.push_back(part);
    }
    return parts;
}

}  // namespace

option_text::option_text(std::string_view text) {
    std::istringstream words{std::string(text)};
    for (std::string word; words >> word;) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos || equals == 0) {
            refuse(word.c_str(), "is no option; expected name=value");
        } else if (!m_given.emplace(word.substr(0, equals), word.substr(equals + 1)).second) {
            refuse(word.substr(0, equals).c_str(), "is given twice; expected it once");
        }
    }
}

const std::string* option_text::take(const char* name, const char* key) {
    m_names.emplace_back(name);
    m_name_of_key[key != nullptr ? key : name] = name;
    const auto at = m_given.find(name);
    return at == m_given.end() ? nullptr : &at->second;
}

void option_text::refuse(const char* name, const std::string& wrong) {
    if (!wrong.empty()) {
        m_refused.insert(name);
        m_errors += (m_errors.empty() ? "" : "\n") + std::string(name) + ": " + wrong;
    }
}

void option_text::finish(const config_errors& errors) {
    std::string expected;
    for (const std::string& name : m_names) {
        expected += (expected.empty() ? "" : ", ") + name;
    }
    for (const auto& [name, value] : m_given) {
        if (std::find(m_names.begin(), m_names.end(), name) == m_names.end()) {
            refuse(name.c_str(), "is unknown; expected one of " + expected);
        }
    }
    for (const config_error& error : errors) {
        const std::string key = error.key.substr(error.key.find('.') + 1);
        const auto at = m_name_of_key.find(key);
        const std::string& name = at == m_name_of_key.end() ? key : at->second;
        if (m_refused.count(name) == 0) {
            refuse(name.c_str(), error.message);
        }
    }
    if (!m_errors.empty()) {
        throw std::invalid_argument(m_errors);
    }
}

std::string option_text::parse(const std::string& text, std::uint32_t& value) {
    return is_number(text, value) ? std::string{} : not_whole(text, ~std::uint32_t{0});
}

std::string option_text::parse(const std::string& text, bool& value) {
    constexpr std::array<enum_name<bool>, 6> words{
        {{true, "true"}, {false, "false"}, {true, "on"}, {false, "off"}, {true, "yes"}, {false, "no"}}};
    return parse_word(text, value, words);
}

std::string option_text::parse(const std::string& text, cycles& value) {
    // Each cycle of latency is a register of the block.
    constexpr std::uint32_t most = 1'000'000;
    std::uint32_t count = 0;
    if (!is_number(text, count) || count > most) {
        return not_whole(text, most);
    }
    value = cycles{count};
    return {};
}

std::string option_text::parse(const std::string& text, bytes& value) {
    const parse_result<bytes> read = parse_bytes(text);
    value = read.value;
    return read.error;
}

std::string option_text::parse(const std::string& text, double& value) {
    return is_number(text, value) ? std::string{} : "'" + text + "' is not a number, such as 0.125";
}

std::string option_text::parse(const std::string& text, std::vector<std::uint32_t>& values) {
    for (const std::string& part : list_in(text)) {
        if (!is_number(part, values.emplace_back())) {
            return "'" + text + "' is not a list of whole numbers, such as 3,4";
        }
    }
    return {};
}

std::string option_text::parse(const std::string& text, std::array<std::uint16_t, 8>& values) {
    const std::vector<std::string> parts = list_in(text);
    bool good = parts.size() == 1 || parts.size() == values.size();
    for (std::size_t i = 0; good && i < values.size(); ++i) {
        good = is_number(parts[parts.size() == 1 ? 0 : i], values[i]);
    }
    return good ? std::string{}
                : "'" + text + "' is not a time; expected 0 to 65535, or eight of them with commas between";
}

}  // namespace weir::model
