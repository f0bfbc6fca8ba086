#include "tb/options/load_options.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "tb/files/input_file.h"
#include "tb/options/command_line.h"
#include "tb/process/exit_status.h"

namespace weir::tb {

namespace {

namespace fs = std::filesystem;

class loader {
 public:
    loader(loaded_options& loaded, option_table& table) : m_loaded(loaded), m_table(table) {}

    void load(const std::vector<std::string>& args, std::istream* ini, const load_steps& steps) {
        settings file;
        if (ini != nullptr) {
            file = read_ini(*ini, m_loaded.ini_name, m_table);
        }
        settings line = read_command_line(args, m_table);
        m_loaded.warnings = std::move(file.warnings);
        m_loaded.warnings.insert(m_loaded.warnings.end(), line.warnings.begin(), line.warnings.end());
        m_loaded.errors = std::move(file.errors);
        m_loaded.errors.insert(m_loaded.errors.end(), line.errors.begin(), line.errors.end());
        for (const config_error& error : m_loaded.errors) {
            m_faulty.insert(error.key);
        }
        steps.before(file, line);
        note_values();
        const fs::path ini_directory = fs::path(m_loaded.ini_name).parent_path();
        apply(file.values, m_loaded.ini_name, ini_directory);
        apply(line.values, "", {});
        steps.after();
        check();
        sort_errors();
        if (m_loaded.errors.empty()) {
            warn_of_idle_options();
        }
    }

 private:
    void note_values() {
        for (const auto& each : m_table.options()) {
            m_loaded.unset[each->key] = each->value->text();
        }
    }

    /// Options that cannot matter as the others are. A file may list them with the values that they have
    /// anyway, as effective.ini does; who writes one on the command line wants something of it.
    void warn_of_idle_options() {
        for (const auto& each : m_table.options()) {
            const auto origin = m_loaded.origins.find(each->key);
            if (origin == m_loaded.origins.end() || origin->second.preset || !each->matters.holds ||
                each->matters.holds()) {
                continue;
            }
            if (origin->second.file.empty() || each->value->text() != m_loaded.unset.at(each->key)) {
                m_loaded.idle.push_back({origin->second.file, origin->second.line, each->key,
                                         "has no effect; it needs " + each->matters.needs});
                m_loaded.warnings.push_back(m_loaded.idle.back());
            }
        }
    }

    void apply(const std::vector<setting>& values, const std::string& file, const fs::path& directory) {
        std::set<std::string> begun;
        for (const setting& each : values) {
            const option& target = *m_table.find(each.key);
            if (begun.insert(each.key).second) {
                target.value->clear();
                m_loaded.repeated_origins.erase(each.key);
            }
            std::string text = each.value;
            if (target.is_path && !text.empty()) {
                text = fs::absolute(directory / text).lexically_normal().string();
            }
            const std::string error = target.value->assign(text);
            m_loaded.origins[each.key] = {file, each.line, false};
            if (target.value->repeatable() && error.empty()) {
                m_loaded.repeated_origins[each.key].push_back({file, each.line, false});
            }
            if (!error.empty()) {
                const bool comment = !file.empty() && text.find(';') != std::string::npos;
                m_loaded.errors.push_back(
                    {file, each.line, each.key, error + (comment ? "; comments begin with '#'" : "")});
                m_faulty.insert(each.key);
            }
        }
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

    void sort_errors() {
        std::stable_sort(m_loaded.errors.begin(), m_loaded.errors.end(),
                         [](const config_error& a, const config_error& b) {
                             const auto rank = [](const config_error& e) {
                                 return e.file.empty() ? INT32_MAX : e.line == 0 ? INT32_MAX - 1 : e.line;
                             };
                             return rank(a) < rank(b);
                         });
    }

    loaded_options& m_loaded;
    option_table& m_table;
    /// Keys with an error: nothing more is said about them.
    std::set<std::string> m_faulty;
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
    if (unset.count(error.key) != 0) {
        error.message = (error.is_missing() ? "needs " + error.key + ": "
                                            : "does not go with " + error.key + ", which has its default: ") +
                        error.message;
        error.key = *named;
    }
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
                  std::istream* ini, const load_steps& steps) {
    loaded.ini_name = ini == nullptr ? std::string{} : loaded.ini_name;
    loader(loaded, table).load(args, ini, steps);
}

void load_options_file(loaded_options& loaded, option_table& table, const std::vector<std::string>& args,
                       const std::string& path, const load_steps& steps) {
    input_file opened = open_input(path);
    if (opened.why_not.empty()) {
        loaded.ini_name = path;
        load_options(loaded, table, args, &opened.text, steps);
        return;
    }
    load_options(loaded, table, args, nullptr, steps);
    loaded.errors.insert(loaded.errors.begin(), unreadable("", path, opened.why_not, "an INI file"));
}

}  // namespace weir::tb
