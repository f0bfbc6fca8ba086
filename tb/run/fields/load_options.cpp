#include "tb/run/fields/load_options.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "tb/run/fields/command_line.h"
#include "tb/support/files/input_file.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/text/joined.h"
#include "weir/base/trimmed.h"

namespace weir::tb {

namespace {

namespace fs = std::filesystem;

class loader {
 public:
    loader(loaded_options& loaded, option_table& table) : m_loaded(loaded), m_table(table) {}

    void load(const std::vector<std::string>& args, const std::vector<ini_source>& files,
              const load_steps& steps) {
        std::vector<settings> sources;
        for (const ini_source& file : files) {
            m_files.push_back(file.name);
            sources.push_back(read_ini(*file.text, file.name, m_table));
        }
        sources.push_back(read_command_line(args, m_table));
        std::vector<setting> written;
        for (settings& source : sources) {
            written.insert(written.end(), source.values.begin(), source.values.end());
            m_loaded.warnings.add(source.warnings);
            m_loaded.errors.add(source.errors);
        }
        for (const config_error& error : m_loaded.errors) {
            m_faulty.insert(error.key);
        }
        steps.before(written);
        for (const setting& each : written) {
            m_unset.emplace(each.key, m_table.find(each.key)->value->text());
        }
        find_cell(written);
        for (const settings& source : sources) {
            apply(source.values);
        }
        steps.after();
        check();
        sort_errors();
        if (m_loaded.errors.empty()) {
            warn_of_idle_options();
        }
    }

 private:
    /// Options that cannot matter as the others are. A file may list them with the values that they have
    /// anyway, as effective.ini does; who writes one on the command line wants something of it.
    void warn_of_idle_options() {
        for (const auto& each : m_table.options()) {
            const auto origin = m_loaded.origins.find(each->key);
            if (origin == m_loaded.origins.end() || origin->second.preset || !each->matters.holds ||
                each->matters.holds()) {
                continue;
            }
            if (origin->second.file.empty() || each->value->text() != m_unset.at(each->key)) {
                m_loaded.idle.push_back({origin->second.file, origin->second.line, each->key,
                                         "has no effect; it needs " + each->matters.needs});
                m_loaded.warnings.push_back(m_loaded.idle.back());
            }
        }
    }

    /// One file's, or the command line's. What it says of an option that may be given several times replaces
    /// what was said before, but for what it adds.
    void apply(const std::vector<setting>& values) {
        for (const setting& each : values) {
            if (!each.adds && m_table.find(each.key)->value->repeatable()) {
                replace(each, values);
            }
        }
        for (const setting& each : values) {
            const option& target = *m_table.find(each.key);
            std::string text = each.value;
            if (target.is_path && !text.empty()) {
                text = fs::absolute(fs::path(each.file).parent_path() / text).lexically_normal().string();
            }
            std::string error = m_table.put_in_bytes(target, text);
            if (error.empty()) {
                error = target.value->assign(text);
                if (target.in_cells && error.find("; expected a number with") != std::string::npos) {
                    error += ", or cells (120c)";
                }
            }
            const setting_origin origin{each.file, each.line, false};
            m_loaded.origins[each.key] = origin;
            if (target.value->repeatable() && error.empty()) {
                m_loaded.repeated_origins[each.key].push_back(origin);
            }
            if (!error.empty()) {
                const bool comment = !each.file.empty() && text.find(';') != std::string::npos;
                m_loaded.errors.push_back(
                    {each.file, each.line, each.key, error + (comment ? "; comments begin with '#'" : "")});
                m_faulty.insert(each.key);
            }
        }
    }

    void replace(const setting& by, const std::vector<setting>& values) {
        const bool is_first = &by == &*std::find_if(values.begin(), values.end(), [&](const setting& each) {
            return each.key == by.key && !each.adds;
        });
        if (!is_first) {
            return;
        }
        std::vector<setting_origin>& before = m_loaded.repeated_origins[by.key];
        if (!before.empty()) {
            const std::string which = before.size() == 1 ? "line " + std::to_string(before.front().line)
                                                         : std::to_string(before.size()) + " lines";
            m_loaded.warnings.push_back({by.file, by.line, by.key,
                                         "replaces " + which + " of " + before.front().file +
                                             (before.back().file == before.front().file ? "" : " and others") +
                                             "; " + by.key + "+=... would add to " +
                                             (before.size() == 1 ? "it" : "them")});
        }
        before.clear();
        m_table.find(by.key)->value->clear();
    }

    /// The cell that memory is counted in, as it will be.
    void find_cell(const std::vector<setting>& written) {
        const option* const cell = m_table.find(m_table.cell_key());
        if (cell == nullptr) {
            return;
        }
        const auto last = std::find_if(written.rbegin(), written.rend(),
                                       [cell](const setting& each) { return each.key == cell->key; });
        const std::string text = last == written.rend() ? cell->value->text() : last->value;
        const parse_result<bytes> read = parse_bytes(text);
        m_table.set_cell(read ? read.value : 0_B);
    }

    /// Checks between options, less those of a value that has been refused: nobody has written the one that
    /// is checked in its place.
    void check() {
        config_errors found = m_table.run_checks();
        const auto refused = [this](const std::string& key) { return m_faulty.count(key) != 0; };
        const auto idle = [&](const config_error& error) {
            return refused(error.key) || std::any_of(error.others.begin(), error.others.end(), refused);
        };
        found.erase(std::remove_if(found.begin(), found.end(), idle), found.end());
        m_loaded.locate(found);
        m_loaded.errors.insert(m_loaded.errors.end(), found.begin(), found.end());
    }

    /// By file, in each by line, then the command line's.
    void sort_errors() {
        const auto rank = [this](const config_error& e) {
            const auto file = std::find(m_files.begin(), m_files.end(), e.file) - m_files.begin();
            return std::pair(file, e.line == 0 ? INT32_MAX : e.line);
        };
        std::stable_sort(m_loaded.errors.begin(), m_loaded.errors.end(),
                         [&](const config_error& a, const config_error& b) { return rank(a) < rank(b); });
    }

    loaded_options& m_loaded;
    option_table& m_table;
    /// Options that are set by name: their texts before.
    std::map<std::string, std::string> m_unset;
    /// Keys with an error: nothing more is said about them.
    std::set<std::string> m_faulty;
    std::vector<std::string> m_files;
};

}  // namespace

bool loaded_options::place_repeated(config_error& error) const {
    const std::size_t bracket = error.key.find('[');
    if (bracket == std::string::npos) {
        return false;
    }
    const std::size_t n = std::stoul(error.key.substr(bracket + 1));
    error.key.resize(bracket);
    const auto texts = repeated_origins.find(error.key);
    if (texts == repeated_origins.end() || n >= texts->second.size()) {
        return false;
    }
    error.file = texts->second[n].file;
    error.line = texts->second[n].line;
    return true;
}

/// To the first of the other options that was written.
void loaded_options::blame_other(config_error& error) const {
    const auto named = std::find_if(error.others.begin(), error.others.end(), [this](const std::string& key) {
        const auto origin = origins.find(key);
        return origin != origins.end() && !origin->second.preset;
    });
    if (named == error.others.end()) {
        error.file = ini_name;
        return;
    }
    const std::size_t expected = error.message.find("; expected");
    const bool says_only_what = error.is_missing() && expected != std::string::npos;
    error.message = says_only_what ? "needs " + error.key + error.message.substr(expected)
                    : error.is_missing()
                        ? "needs " + error.key + ": " + error.message
                        : "does not go with the default of " + error.key + ": " + error.message;
    error.key = *named;
    error.file = origins.at(*named).file;
    error.line = origins.at(*named).line;
}

void loaded_options::locate(config_errors& found) const {
    for (config_error& error : found) {
        if (!error.file.empty()) {
            continue;
        }
        if (place_repeated(error)) {
            continue;
        }
        const auto origin = origins.find(error.key);
        if (origin == origins.end()) {
            blame_other(error);
            continue;
        }
        error.file = origin->second.file;
        error.line = origin->second.line;
        if (origin->second.preset) {
            error.message += " (set by switch.scheme)";
        }
    }
}

void load_options(loaded_options& loaded, option_table& table, const std::vector<std::string>& args,
                  const std::vector<ini_source>& files, const load_steps& steps) {
    loaded.ini_name = files.empty() ? std::string{} : files.front().name;
    loader(loaded, table).load(args, files, steps);
}

void load_option_files(loaded_options& loaded, option_table& table, const std::vector<std::string>& args,
                       const std::vector<std::string>& paths, const load_steps& steps) {
    std::vector<input_file> opened;
    for (const std::string& path : paths) {
        opened.push_back(open_input(path));
    }
    std::vector<ini_source> files;
    config_errors unread;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        if (opened[i].why_not.empty()) {
            files.push_back({paths[i], &opened[i].text});
        } else {
            unread.push_back(unreadable("", paths[i], opened[i].why_not, "an INI file"));
        }
    }
    load_options(loaded, table, args, files, steps);
    loaded.errors.insert(loaded.errors.begin(), unread.begin(), unread.end());
}

}  // namespace weir::tb
