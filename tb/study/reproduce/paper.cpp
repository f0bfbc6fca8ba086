#include "tb/study/reproduce/paper.h"

#include <algorithm>
#include <boost/algorithm/cxx11/any_of.hpp>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "tb/run/fields/load_options.h"
#include "tb/study/points/seed_list.h"
#include "tb/support/files/input_file.h"
#include "tb/support/process/build_constants.h"
#include "tb/support/text/joined.h"

namespace weir::tb {

using boost::algorithm::any_of_equal;

namespace fs = std::filesystem;

namespace {

constexpr const char* facts_file = "paper.ini";

/// Where the papers are that come with the program: beside it where it is installed, else in its sources.
fs::path papers_directory() {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing changes the environment
    if (const char* const given = std::getenv("WEIR_EXPERIMENTS")) {
        return given;
    }
    std::error_code error;
    const fs::path installed =
        fs::read_symlink("/proc/self/exe", error).parent_path() / installed_experiments_folder;
    return fs::is_directory(installed, error) ? installed : fs::path(experiments_folder);
}

bool is_paper(const fs::path& folder) {
    std::error_code error;
    return fs::is_regular_file(folder / facts_file, error);
}

/// With one empty line after it, and none before.
std::string as_block(const std::string& text) {
    const std::size_t first = text.find_first_not_of('\n');
    return first == std::string::npos ? std::string{}
                                      : text.substr(first, text.find_last_not_of('\n') + 1 - first) + "\n\n";
}

}  // namespace

std::vector<fs::path> known_papers() {
    std::vector<fs::path> all;
    std::error_code error;
    for (fs::directory_iterator entry(papers_directory(), error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        if (is_paper(entry->path())) {
            all.push_back(entry->path());
        }
    }
    std::sort(all.begin(), all.end());
    return all;
}

fs::path find_paper(const std::string& name, config_errors& errors) {
    const bool is_path = name.find('/') != std::string::npos || name == "." || name == "..";
    const fs::path folder = is_path ? fs::path(name) : papers_directory() / name;
    if (is_paper(folder)) {
        return folder;
    }
    if (!is_path && is_paper(name)) {
        return name;
    }
    errors.push_back(
        {"", 0, "PAPER",
         "'" + name + "' is not a paper; expected " +
             joined(known_papers(), ", ", [](const fs::path& p) { return p.filename().string(); }) +
             ", or a folder that has " + facts_file});
    return {};
}

std::string name_of_folder(const fs::path& directory) {
    std::error_code ignored;
    const fs::path whole = fs::weakly_canonical(directory, ignored);
    return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

paper_facts read_paper_facts(const fs::path& folder, config_errors& errors) {
    paper_facts facts;
    option_table table;
    table.block("paper", "A paper.").add(facts);
    table.finish();
    loaded_options loaded;
    load_option_files(loaded, table, {}, {(folder / facts_file).string()});
    for (const auto& [key, text] :
         {std::pair{"paper.seeds", facts.seeds}, {"paper.quick_seeds", facts.quick_seeds}}) {
        if (const auto seeds = read_seeds(text, 1); !seeds) {
            config_errors wrong{{"", 0, key, seeds.error}};
            loaded.locate(wrong);
            loaded.errors.insert(loaded.errors.end(), wrong.begin(), wrong.end());
        }
    }
    if (facts.title.empty() && loaded.errors.empty()) {
        loaded.errors.push_back({loaded.ini_name, 0, "paper.title", "is empty; expected the paper's title"});
    }
    errors.insert(errors.end(), loaded.errors.begin(), loaded.errors.end());
    return facts;
}

about_text read_about(const std::filesystem::path& folder, const std::vector<std::string>& figures,
                      config_errors& errors) {
    about_text about;
    const std::filesystem::path file = folder / "about.md";
    if (!path_exists(file)) {
        return about;
    }
    input_file text = open_input(file.string());
    if (!text.why_not.empty()) {
        errors.push_back({file.string(), 0, "", "cannot be read: " + text.why_not + "; expected a text"});
        return about;
    }
    std::string* part = &about.introduction;
    std::string line;
    for (int number = 1; std::getline(text.text, line); ++number) {
        if (!line.empty() && line.back() == '\r') {
            line.pop_back();
        }
        if (line.rfind("## ", 0) != 0) {
            *part += line + "\n";
            continue;
        }
        const std::string name(trimmed(std::string_view(line).substr(3)));
        if (!any_of_equal(figures, name)) {
            errors.push_back(
                {file.string(), number, "",
                 "'" + name + "' is not a figure of the tables; expected one of " + joined(figures, ", ")});
        } else if (about.figures.count(name) != 0) {
            errors.push_back(
                {file.string(), number, "", "'" + name + "' is there twice; expected one heading"});
        }
        part = &about.figures[name];
    }
    about.introduction = as_block(about.introduction);
    for (auto& [name, told] : about.figures) {
        told = as_block(told);
    }
    return about;
}

paper read_paper(const fs::path& folder, config_errors& errors) {
    paper p;
    p.folder = folder;
    p.name = name_of_folder(folder);
    p.facts = read_paper_facts(folder, errors);
    p.experiments = read_experiments(folder, errors);
    if (!errors.empty()) {
        return p;  // the other tables are about these
    }
    p.statements = read_statements(folder, p.experiments, errors);
    p.figures = read_figures(folder, p.experiments, errors);
    p.about = read_about(folder, p.figure_names(), errors);
    if (errors.empty() && p.statements.empty()) {
        errors.push_back(
            {(folder / "statements.csv").string(), 0, "", "has no row; expected at least one statement"});
    }
    return p;
}

std::vector<std::string> paper::figure_names() const {
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
        if (!any_of_equal(names, name)) {
            names.push_back(name);
        }
    };
    for (const paper_statement& each : statements) {
        add(each.figure);
    }
    for (const paper_figure& each : figures) {
        add(each.figure);
    }
    return names;
}

std::vector<std::string> paper::with_ranges(std::vector<std::string> figures) const {
    const auto number = [](std::string_view text) {
        unsigned value = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
        return read.ec == std::errc{} && read.ptr == text.data() + text.size() ? value : 0;
    };
    const std::size_t asked = figures.size();
    for (const std::string& name : figure_names()) {
        const std::size_t dash = std::min(name.find('-'), name.size());
        const unsigned first = number(std::string_view(name).substr(0, dash));
        const unsigned last = dash < name.size() ? number(std::string_view(name).substr(dash + 1)) : 0;
        const bool holds_one =
            std::any_of(figures.begin(), figures.begin() + static_cast<std::ptrdiff_t>(asked),
                        [&](const std::string& figure) {
                            const unsigned n = number(figure);
                            return n > 0 && first > 0 && first <= n && n <= last;
                        });
        if (holds_one && !any_of_equal(figures, name)) {
            figures.push_back(name);
        }
    }
    return figures;
}

std::set<std::string> paper::rows_for(const std::vector<std::string>& figures) const {
    std::set<std::string> ids;
    for (const paper_statement& each : statements) {
        if (figures.empty() || any_of_equal(figures, each.figure)) {
            ids.insert(each.rows.begin(), each.rows.end());
        }
    }
    return ids;
}

std::string figure_text(const std::string& figure) {
    return (!figure.empty() && figure.front() >= '0' && figure.front() <= '9' ? "Fig. " : "") + figure;
}

}  // namespace weir::tb
