#include "tb/view/report/report_configuration.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "tb/run/options/run_options.h"
#include "tb/view/report/report_tables.h"

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
void shorten_paths(std::vector<std::string>& values) {
    const std::set<std::string> whole(values.begin(), values.end());
    const auto longest = std::max_element(whole.begin(), whole.end(),
                                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
    for (std::size_t parts = 1; parts <= longest->size(); ++parts) {
        std::set<std::string> shown;
        for (const std::string& path : whole) {
            shown.insert(tail(path, parts));
        }
        if (shown.size() == whole.size()) {
            std::transform(values.begin(), values.end(), values.begin(),
                           [parts](const std::string& path) { return tail(path, parts); });
            return;
        }
    }
}

struct option_row {
    const option* described;
    /// One for each run.
    std::vector<std::string> values;

    bool differs() const {
        return std::any_of(values.begin(), values.end(), [&](const auto& value) { return value != values[0]; });
    }
};

/// Values of the runs, or of all runs together if they agree on every option.
ordered_json option_table_of(const std::vector<run_data>& runs, const std::string& title,
                             const std::vector<option_row>& rows, bool with_doc) {
    const bool differ =
        std::any_of(rows.begin(), rows.end(), [](const option_row& row) { return row.differs(); });
    const auto columns = static_cast<std::ptrdiff_t>(differ ? runs.size() : 1);
    table_block block{title};
    block.lines.push_back({"Option", "Default"});
    for (std::ptrdiff_t r = 0; r < columns; ++r) {
        block.lines[0].push_back(differ || runs.size() == 1 ? runs[static_cast<std::size_t>(r)].label
                                                            : "All runs");
    }
    for (const option_row& row : rows) {
        const option& described = *row.described;
        block.lines.push_back({described.key, described.default_text});
        block.lines.back().insert(block.lines.back().end(), row.values.begin(), row.values.begin() + columns);
        for (std::string& cell : block.lines.back()) {
            cell = cell.empty() ? "(empty)" : cell;
        }
        if (with_doc) {
            // The first sentence.
            const std::size_t end = described.doc.find(". ");
            block.lines.back().push_back(described.doc.substr(0, end == std::string::npos ? end : end + 1));
        }
    }
    if (with_doc) {
        block.lines[0].emplace_back("What it does");
    }
    block.labels = block.lines[0].size();
    return page_table("", "configuration", "", block);
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
    std::vector<option_row> differing;
    std::vector<option_row> changed;
    std::map<std::string, std::vector<option_row>> by_block;
    for (const auto& each : table.options()) {
        option_row row{each.get(), {}};
        bool is_recorded = false;
        bool is_changed = false;
        for (const option_texts& texts : used) {
            const auto found = texts.find(each->key);
            const bool has_value = found != texts.end();
            row.values.push_back(has_value ? found->second : "not recorded");
            is_recorded = is_recorded || has_value;
            is_changed = is_changed || (has_value && found->second != each->default_text);
        }
        if (!is_recorded) {
            continue;
        }
        if (each->is_path) {
            shorten_paths(row.values);
        }
        if (row.differs() || is_changed) {
            (row.differs() ? differing : changed).push_back(row);
        }
        by_block[each->block].push_back(std::move(row));
    }
    ordered_json folds = ordered_json::array();
    const auto add = [&](const char* title, bool is_open, const std::vector<option_row>& rows) {
        ordered_json tables = ordered_json::array();
        if (!rows.empty()) {
            tables.push_back(option_table_of(runs, "", rows, true));
        }
        folds.push_back({{"title", title + (" (" + std::to_string(rows.size()) + ")")},
                         {"is_open", is_open},
                         {"tables", std::move(tables)}});
    };
    const bool several = runs.size() > 1;
    if (several) {
        add("Options in which the runs differ", true, differing);
    }
    add(several ? "Other options that are not at their defaults" : "Options that are not at their defaults",
        !several, changed);
    folds.push_back({{"title", "All options"}, {"is_open", false}, {"tables", ordered_json::array()}});
    for (const option_block& block : table.blocks()) {
        if (by_block.count(block.name) != 0) {
            folds.back()["tables"].push_back(
                option_table_of(runs, "[" + block.name + "] " + block.doc, by_block[block.name], false));
        }
    }
    return folds;
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
