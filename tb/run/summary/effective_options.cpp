#include "tb/run/summary/effective_options.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "tb/run/fields/ini_file.h"
#include "tb/run/help/given_units.h"
#include "tb/support/files/input_file.h"
#include "tb/support/text/joined.h"
#include "weir/base/trimmed.h"

namespace weir::tb {

namespace {

constexpr const char* expected_ini = "; expected the effective.ini of a run of weir";

template <class Options>
auto find_option(Options& options, const std::string& key) {
    return std::find_if(options.begin(), options.end(), [&](const auto& each) { return each.key == key; });
}

void add_value(std::vector<effective_option>& options, effective_option read) {
    const auto known = find_option(options, read.key);
    if (known == options.end()) {
        options.push_back(std::move(read));
    } else {
        known->value += "; " + read.value;
    }
}

}  // namespace

const std::string* effective_options::find(const std::string& key) const {
    const auto known = find_option(values, key);
    return known == values.end() ? nullptr : &known->value;
}

const std::string* effective_options::find_shown(const std::string& key) const {
    const auto known = find_option(values, key);
    return known == values.end() ? nullptr : &known->shown;
}

std::string effective_options::shown_size(const std::string& canonical) const {
    for (const effective_option& each : values) {
        if (each.shown == each.value) {
            continue;
        }
        const std::vector<std::string> from = split_list(each.value);
        const std::vector<std::string> to = split_list(each.shown);
        const auto same = std::find(from.begin(), from.end(), canonical);
        if (same != from.end() && from.size() == to.size()) {
            return to[static_cast<std::size_t>(same - from.begin())];
        }
    }
    return canonical;
}

/// Takes the notations that run.json has beside the file.
static void take_given(const std::filesystem::path& run_json, effective_options& options) {
    for (effective_option& each : options.values) {
        each.shown = each.value;
    }
    for (const auto& [key, text] : given_in_run(run_json)) {
        const auto known = find_option(options.values, key);
        if (known != options.values.end()) {
            known->shown = text;
        }
    }
}

effective_options read_effective_options(const std::filesystem::path& file, config_errors& errors) {
    effective_options options{file};
    if (!path_exists(file)) {
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
            add_value(options.values, {section + std::string(trimmed(whole.substr(0, equals))),
                                       std::string(trimmed(whole.substr(equals + 1))), "", number});
        }
    }
    if (last != effective_end) {
        errors.push_back(
            {file.string(), number, "",
             "is incomplete: its last line is not `" + std::string(effective_end) + "`" + expected_ini});
    }
    take_given(file.parent_path() / "run.json", options);
    return options;
}

std::vector<std::string> differing_options(const std::vector<const effective_options*>& all) {
    std::vector<std::string> keys;
    std::set<std::string> seen;
    std::vector<const effective_options*> known;
    std::copy_if(all.begin(), all.end(), std::back_inserter(known),
                 [](const effective_options* each) { return !each->is_missing; });
    for (const effective_options* each : known) {
        for (const effective_option& option : each->values) {
            if (seen.insert(option.key).second &&
                std::any_of(known.begin(), known.end(), [&](const effective_options* other) {
                    const std::string* const there = other->find(option.key);
                    return there == nullptr || *there != option.value;
                })) {
                keys.push_back(option.key);
            }
        }
    }
    return keys;
}

}  // namespace weir::tb
