#include "tb/reproduce/experiment_table.h"

#include <algorithm>
#include <set>

#include "tb/options/ini_file.h"
#include "tb/options/plugin_arguments.h"
#include "tb/options/run_options.h"
#include "tb/text/csv_file.h"

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

class experiment_reader {
 public:
    experiment_reader(const fs::path& folder, config_errors& errors)
        : m_folder(folder),
          m_errors(errors),
          m_file(experiment_table(folder).string(), errors, input_kind::any,
                 "a table with the columns name, file, vary and quick") {}

    std::vector<paper_experiment> read() {
        const auto name = m_file.column("name");
        const auto file = m_file.column("file");
        const auto vary = m_file.column("vary");
        const auto quick = m_file.column("quick");
        m_file.refuse_others(
            {"name", "file", "vary", "quick", "cpu_seconds", "quick_cpu_seconds", "memory_mb"});
        while (m_file.next()) {
            paper_experiment e;
            e.line = m_file.line();
            e.name = m_file.text(name);
            if (e.name.empty()) {
                m_file.refuse(name, "is empty; expected a name");
            } else if (!m_names.insert(e.name).second) {
                m_file.refuse(name, "'" + e.name + "' is there twice; expected a name of its own");
            }
            for (const std::string& each : m_file.words(file)) {
                e.files.push_back((m_folder / each).string());
                know_options_of(e.files.back());
            }
            if (e.files.empty()) {
                m_file.refuse(file, "is empty; expected the INI file of the experiment, beside this table");
            }
            e.axes = read_axes(vary);
            e.quick_axes = with_quick(e.axes, read_axes(quick), quick);
            read_if_there("cpu_seconds", [&](std::size_t column) { m_file.number(column, e.cpu_seconds); });
            read_if_there("quick_cpu_seconds",
                          [&](std::size_t column) { m_file.number(column, e.quick_cpu_seconds); });
            read_if_there("memory_mb",
                          [&](std::size_t column) { m_file.number(column, e.memory_mb, 1, 1'000'000'000); });
            m_all.push_back(std::move(e));
        }
        return std::move(m_all);
    }

 private:
    /// Adds the options of the file's plugins to `known_options()`.
    void know_options_of(const std::string& file) {
        if (m_ini_files.insert(file).second) {
            load_plugins_of(file, m_errors);
        }
    }

    std::vector<sweep_axis> read_axes(std::size_t column) {
        std::vector<sweep_axis> axes;
        std::set<std::string> swept;
        for (const std::string& word : m_file.words(column)) {
            axis_result read = read_axis(word, known_options(), "");
            for (const config_error& error : read.errors) {
                const std::string option(trimmed(error.key));
                m_file.refuse(column, (option.empty() ? "" : option + ": ") + error.message);
            }
            for (const std::string& key : read.axis.keys) {
                if (!swept.insert(key).second) {
                    m_file.refuse(column, "'" + key + "' is there twice; expected once");
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

    std::vector<sweep_axis> with_quick(std::vector<sweep_axis> axes, const std::vector<sweep_axis>& quick,
                                       std::size_t column) {
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
                m_file.refuse(column, "'" + joined(axis.keys) +
                                          "' are not the options of an axis in `vary`; expected " +
                                          joined(same->keys));
            }
        }
        return axes;
    }

    template <class Read>
    void read_if_there(const char* name, const Read& read) {
        const auto column = m_file.optional_column(name);
        if (column && !m_file.text(*column).empty()) {
            read(*column);
        }
    }

    const fs::path m_folder;
    config_errors& m_errors;
    csv_file m_file;
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
