#include "tb/report/report_configuration.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "tb/options/run_options.h"

namespace weir::tb {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

using option_texts = std::map<std::string, std::string>;

/// By the keys that the options have now. Those that this version does not know are left out.
option_texts texts_of(const run_data& run, const option_table& table) {
    option_texts texts;
    for (const effective_option& each : run.options.values) {
        if (const option* const known = table.find(each.key)) {
            texts[known->key] = each.shown;
        }
    }
    return texts;
}

/// The last parts of a path.
std::string tail(const std::string& path, std::size_t parts) {
    const fs::path whole(path);
    std::vector<fs::path> names(whole.begin(), whole.end());
    fs::path shown;
    for (std::size_t i = names.size() - std::min(parts, names.size()); i < names.size(); ++i) {
        shown /= names[i];
    }
    return shown.string();
}

/// Directories say where files are on one machine, and not what a run did.
void shorten_paths(std::vector<std::optional<std::string>>& values) {
    std::set<std::string> whole;
    std::size_t longest = 1;
    for (const auto& value : values) {
        if (value) {
            whole.insert(*value);
            const fs::path path(*value);
            longest = std::max(longest, static_cast<std::size_t>(std::distance(path.begin(), path.end())));
        }
    }
    for (std::size_t parts = 1; parts <= longest; ++parts) {
        std::set<std::string> shown;
        for (const std::string& path : whole) {
            shown.insert(tail(path, parts));
        }
        if (shown.size() == whole.size()) {
            for (auto& value : values) {
                value = value ? std::optional(tail(*value, parts)) : value;
            }
            return;
        }
    }
}

ordered_json values_of(const std::vector<std::optional<std::string>>& values) {
    ordered_json list = ordered_json::array();
    const bool equal =
        std::all_of(values.begin(), values.end(), [&](const auto& value) { return value == values.front(); });
    for (const auto& value : values) {
        list.push_back(value ? ordered_json(*value) : ordered_json(nullptr));
        if (equal) {
            break;
        }
    }
    return list;
}

/// The first sentence of what the option does.
ordered_json with_doc(ordered_json shown, const option& described) {
    const std::size_t end = described.doc.find(". ");
    shown["doc"] = end == std::string::npos ? described.doc : described.doc.substr(0, end + 1);
    return shown;
}

/// Words of a command line as a shell divides them, quotes included.
std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\\' && !quoted && i + 1 < line.size()) {
            words.back() += line[i];
            words.back() += line[++i];
        } else if (line[i] == ' ' && !quoted) {
            words.emplace_back();
        } else {
            quoted = quoted != (line[i] == '\'');
            words.back() += line[i];
        }
    }
    return words;
}

}  // namespace

std::vector<std::string> unknown_options(const run_data& run) {
    if (run.options.is_missing) {
        return {"effective.ini is missing: its options are not shown"};
    }
    const option_table& table = known_options();
    std::vector<std::string> lines;
    for (const effective_option& each : run.options.values) {
        if (table.find(each.key) == nullptr) {
            lines.push_back("effective.ini:" + std::to_string(each.line) + ": " + each.key +
                            " is not known to this version of weir, and not shown");
        }
    }
    return lines;
}

ordered_json report_configuration(const std::vector<run_data>& runs) {
    const option_table& table = known_options();
    std::vector<option_texts> used;
    for (const run_data& run : runs) {
        used.push_back(texts_of(run, table));
    }
    ordered_json differing = ordered_json::array();
    ordered_json changed = ordered_json::array();
    std::map<std::string, ordered_json> by_block;
    for (const auto& each : table.options()) {
        std::vector<std::optional<std::string>> values;
        for (const option_texts& texts : used) {
            const auto found = texts.find(each->key);
            values.push_back(found != texts.end() ? std::optional(found->second) : std::nullopt);
        }
        if (std::none_of(values.begin(), values.end(), [](const auto& value) { return value.has_value(); })) {
            continue;
        }
        const bool is_changed = std::any_of(values.begin(), values.end(), [&](const auto& value) {
            return value && *value != each->default_text;
        });
        if (each->is_path) {
            shorten_paths(values);
        }
        ordered_json shown{{"key", each->key}, {"default", each->default_text}, {"values", values_of(values)}};
        if (shown["values"].size() > 1) {
            differing.push_back(with_doc(shown, *each));
        } else if (is_changed) {
            changed.push_back(with_doc(shown, *each));
        }
        by_block[each->block].push_back(std::move(shown));
    }
    ordered_json blocks = ordered_json::array();
    for (const option_block& block : table.blocks()) {
        if (by_block.count(block.name) != 0) {
            blocks.push_back(
                {{"name", block.name}, {"doc", block.doc}, {"options", std::move(by_block[block.name])}});
        }
    }
    return {
        {"differing", std::move(differing)}, {"changed", std::move(changed)}, {"blocks", std::move(blocks)}};
}

std::string shown_command(const std::string& command_line) {
    const std::vector<std::string> words = words_of(command_line);
    const option_table& table = known_options();
    // `--out DIR`, `--out=DIR`
    const auto is_left_out = [&](const std::string& word) {
        if (word.rfind("--", 0) != 0) {
            return false;
        }
        const std::string key = word.substr(2, word.find('=') - 2);
        const option* const known = table.find(key);
        return key == "out" || (known != nullptr && !known->in_results);
    };
    std::string shown = fs::path(words.front()).filename().string();
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (!is_left_out(words[i])) {
            shown += " " + words[i];
        } else if (words[i].find('=') == std::string::npos) {
            ++i;
        }
    }
    return shown;
}

}  // namespace weir::tb
