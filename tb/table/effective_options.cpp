#include "tb/table/effective_options.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "tb/files/input_file.h"
#include "tb/options/ini_file.h"
#include "weir/base/trimmed.h"

namespace weir::tb {

namespace {

constexpr const char* expected_ini = "; expected the effective.ini of a run of weir";

void add_value(effective_options& options, const std::string& key, const std::string& value) {
    const auto known = std::find_if(options.values.begin(), options.values.end(),
                                    [&](const auto& each) { return each.first == key; });
    if (known == options.values.end()) {
        options.values.emplace_back(key, value);
    } else {
        known->second += ", " + value;
    }
}

}  // namespace

const std::string* effective_options::find(const std::string& key) const {
    const auto known =
        std::find_if(values.begin(), values.end(), [&](const auto& each) { return each.first == key; });
    return known == values.end() ? nullptr : &known->second;
}

effective_options read_effective_options(const std::filesystem::path& file, config_errors& errors) {
    effective_options options;
    std::error_code error;
    if (!std::filesystem::exists(file, error)) {
        options.is_missing = true;
        return options;
    }
    input_file in = open_input(file.string());
    if (!in.why_not.empty()) {
        errors.push_back({file.string(), 0, "", "cannot be read: " + in.why_not + expected_ini});
        return options;
    }
    std::string section;
    std::string last;
    int number = 0;
    for (std::string line; std::getline(in.text, line);) {
        ++number;
        last = trimmed(line);
        const std::string text(trimmed(std::string_view(line).substr(0, line.find('#'))));
        const std::size_t equals = text.find('=');
        if (text.empty()) {
            continue;
        }
        if (text.front() == '[' && text.back() == ']') {
            section = text.substr(1, text.size() - 2) + ".";
        } else if (equals == std::string::npos || equals == 0 || section.empty()) {
            errors.push_back({file.string(), number, "",
                              "is neither a section nor `key = value` in one" + std::string(expected_ini)});
            return options;
        } else {
            const std::string_view whole(text);
            add_value(options, section + std::string(trimmed(whole.substr(0, equals))),
                      std::string(trimmed(whole.substr(equals + 1))));
        }
    }
    if (last != effective_end) {
        errors.push_back(
            {file.string(), number, "",
             "is incomplete: its last line is not `" + std::string(effective_end) + "`" + expected_ini});
    }
    return options;
}

std::vector<std::string> differing_options(const std::vector<const effective_options*>& all) {
    std::vector<std::string> keys;
    std::set<std::string> seen;
    std::vector<const effective_options*> known;
    std::copy_if(all.begin(), all.end(), std::back_inserter(known),
                 [](const effective_options* each) { return !each->is_missing; });
    for (const effective_options* each : known) {
        for (const auto& [key, value] : each->values) {
            const std::string& text = value;
            const std::string& name = key;
            if (seen.insert(key).second &&
                std::any_of(known.begin(), known.end(), [&](const effective_options* other) {
                    const std::string* const there = other->find(name);
                    return there == nullptr || *there != text;
                })) {
                keys.push_back(key);
            }
        }
    }
    return keys;
}

}  // namespace weir::tb
