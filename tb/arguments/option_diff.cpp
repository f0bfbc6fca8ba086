#include "tb/arguments/option_diff.h"

#include <filesystem>
#include <map>
#include <vector>

#include "tb/options/given_units.h"
#include "tb/options/load_config.h"
#include "tb/options/plugin_arguments.h"
#include "tb/options/run_options.h"
#include "tb/process/error_text.h"
#include "tb/text/text_table.h"

namespace weir::tb {

namespace {

std::string file_of(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored)
               ? (std::filesystem::path(path) / "effective.ini").string()
               : path;
}

/// Sizes as they were given, by option: in an INI file, or in a run, whose run.json has their notation.
std::map<std::string, std::string> given_texts(const std::string& path) {
    return file_of(path) == path ? given_units({}, {path}).by_option()
                                 : given_in_run(std::filesystem::path(path) / "run.json");
}

/// An empty cell would look like a fault of the table.
std::string text_of(const option& each, const std::map<std::string, std::string>& given) {
    const auto found = given.find(each.key);
    const std::string text = found != given.end() ? found->second : each.value->text();
    return text.empty() ? "(empty)" : text;
}

}  // namespace

int print_option_diff(const std::string& a, const std::string& b, bool as_markdown, std::ostream& out,
                      std::ostream& err) {
    // Both know the plugins of both, so each is given its own.
    config_errors not_loaded;
    const std::vector<std::string> plugins_of_first = load_plugins_to_compare(file_of(a), not_loaded);
    const std::vector<std::string> plugins_of_second = load_plugins_to_compare(file_of(b), not_loaded);
    loaded_config first = load_config_files({}, {file_of(a)});
    loaded_config second = load_config_files({}, {file_of(b)});
    config_errors errors = first.errors;
    errors.insert(errors.end(), second.errors.begin(), second.errors.end());
    if (!errors.empty()) {
        errors.insert(errors.begin(), not_loaded.begin(), not_loaded.end());
        return print_errors(errors, err);
    }
    first.config.plugins.plugins = plugins_of_first;
    second.config.plugins.plugins = plugins_of_second;
    const option_table of_first = make_option_table(first.config);
    const option_table of_second = make_option_table(second.config);
    const std::map<std::string, std::string> given_in_first = given_texts(a);
    const std::map<std::string, std::string> given_in_second = given_texts(b);
    text_table table({"option", a, b});
    for (const auto& each : of_first.options()) {
        const option& other = *of_second.find(each->key);
        if (each->value->texts() != other.value->texts()) {
            table.add({each->key, text_of(*each, given_in_first), text_of(other, given_in_second)});
        }
    }
    if (table.is_empty()) {
        out << "no option differs\n";
    } else if (as_markdown) {
        out << table.markdown();
    } else {
        table.print(out);
    }
    return 0;
}

}  // namespace weir::tb
