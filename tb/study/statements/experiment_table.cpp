#include "tb/study/statements/experiment_table.h"

#include <algorithm>
#include <set>

#include "tb/run/fields/ini_file.h"
#include "tb/run/fields/plugin_arguments.h"
#include "tb/run/options/run_options.h"
#include "tb/study/statements/paper_table.h"

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

class experiment_reader {
 public:
    experiment_reader(const fs::path& folder, config_errors& errors)
        : m_folder(folder),
          m_errors(errors),
          m_table(experiment_table(folder), errors, "a table with the columns name, file, vary and quick",
                  {"name", "file", "vary", "quick", "cpu_seconds?", "quick_cpu_seconds?", "memory_mb?"}) {}

    std::vector<paper_experiment> read() {
        while (m_table.next()) {
            paper_experiment e;
            e.line = m_table.line();
            e.name = m_table.text("name");
            if (e.name.empty()) {
                m_table.refuse("name", "is empty; expected a name");
            } else if (!m_names.insert(e.name).second) {
                m_table.refuse_text("name", "is there twice; expected a name of its own");
            }
            for (const std::string& each : m_table.words("file")) {
                e.files.push_back((m_folder / each).string());
                if (m_ini_files.insert(e.files.back()).second) {
                    load_plugins_of(e.files.back(), m_errors);  // options of the axes may be a plugin's
                }
            }
            if (e.files.empty()) {
                m_table.refuse("file", "is empty; expected the INI file of the experiment, beside this table");
            }
            e.plan.axes = read_axes("vary");
            e.quick.axes = with_quick(e.plan.axes, read_axes("quick"));
            m_table.number_if_there("cpu_seconds", e.cpu_seconds);
            m_table.number_if_there("quick_cpu_seconds", e.quick_cpu_seconds);
            m_table.number_if_there("memory_mb", e.memory_mb, 1, 1'000'000'000);
            m_all.push_back(std::move(e));
        }
        return std::move(m_all);
    }

 private:
    std::vector<sweep_axis> read_axes(const char* column) {
        std::vector<sweep_axis> axes;
        std::set<std::string> swept;
        for (const std::string& word : m_table.words(column)) {
            axis_result read = read_axis(word, known_options(), "");
            for (const config_error& error : read.errors) {
                const std::string option(trimmed(error.key));
                m_table.refuse(column, (option.empty() ? "" : option + ": ") + error.message);
            }
            for (const std::string& key : read.axis.keys) {
                if (!swept.insert(key).second) {
                    m_table.refuse(column, "'" + key + "' is there twice; expected once");
                }
            }
            if (read.errors.empty()) {
                resolve_paths(read.axis);
                axes.push_back(std::move(read.axis));
            }
        }
        return axes;
    }

    /// A file that a table names is beside it.
    void resolve_paths(sweep_axis& axis) const {
        for (std::vector<std::string>& place : axis.values) {
            for (std::size_t k = 0; k < place.size(); ++k) {
                if (known_options().find(split_key(axis.keys[k]).key)->is_path && !place[k].empty()) {
                    place[k] = fs::absolute(m_folder / place[k]).lexically_normal().string();
                }
            }
        }
    }

    std::vector<sweep_axis> with_quick(std::vector<sweep_axis> axes, const std::vector<sweep_axis>& quick) {
        for (const sweep_axis& axis : quick) {
            const auto same = std::find_if(axes.begin(), axes.end(), [&](const sweep_axis& each) {
                return std::find_first_of(each.keys.begin(), each.keys.end(), axis.keys.begin(),
                                          axis.keys.end()) != each.keys.end();
            });
            if (same == axes.end()) {
                axes.push_back(axis);
            } else if (same->keys == axis.keys) {
                *same = axis;
            } else {
                m_table.refuse("quick", "'" + joined(axis.keys) +
                                            "' are not the options of an axis in `vary`; expected " +
                                            joined(same->keys));
            }
        }
        return axes;
    }

    const fs::path m_folder;
    config_errors& m_errors;
    paper_table m_table;
    std::set<std::string> m_names;
    std::set<std::string> m_ini_files;
    std::vector<paper_experiment> m_all;
};

}  // namespace

fs::path experiment_table(const fs::path& folder) {
    return folder / "experiments.csv";
}

std::vector<paper_experiment> read_experiments(const fs::path& folder, config_errors& errors) {
    return experiment_reader(folder, errors).read();
}

bool has_experiment_beside(const fs::path& folder, const std::string& name) {
    const std::size_t slash = name.find('/');
    if (slash == std::string::npos) {
        return false;
    }
    config_errors ignored;
    csv_file table(experiment_table(folder / ".." / name.substr(0, slash)).string(), ignored);
    const std::optional<std::size_t> column = table.optional_column("name");
    while (column && table.next()) {
        if (table.text(*column) == name.substr(slash + 1)) {
            return true;
        }
    }
    return false;
}

}  // namespace weir::tb
