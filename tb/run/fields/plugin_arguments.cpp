#include "tb/run/fields/plugin_arguments.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "tb/run/fields/ini_file.h"
#include "tb/run/fields/option_table.h"
#include "tb/support/files/input_file.h"
#include "tb/support/plugins/loaded_plugins.h"
#include "weir/base/trimmed.h"

namespace weir::tb {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view checksum = " crc64:";
constexpr std::string_view key = "run.plugin";
/// Of a configuration; a longer file is none.
constexpr std::uintmax_t most_ini_bytes = 1 << 20;

struct named_plugin {
    setting given;
    /// Absolute; empty where none is given.
    std::string path;
    /// Empty: any.
    std::string crc64;
};

named_plugin named_by(const setting& given) {
    const std::size_t at = given.value.rfind(checksum);
    const std::string path(trimmed(std::string_view(given.value).substr(0, at)));
    return {given,
            path.empty() ? path
                         : fs::absolute(fs::path(given.file).parent_path() / path).lexically_normal().string(),
            at == std::string::npos ? "" : given.value.substr(at + checksum.size())};
}

void load(const named_plugin& plugin, const std::string& crc64, config_errors& errors) {
    const bool is_checksum =
        crc64.empty() ||
        (crc64.size() == 16 && crc64.find_first_not_of("0123456789abcdef") == std::string::npos);
    const std::string error =
        plugin.path.empty() ? "'' is empty; expected the path of a plugin"
        : !is_checksum      ? "'" + crc64 + "' is no checksum; expected 16 hexadecimal digits after crc64:"
                            : load_plugin(plugin.path, crc64);
    if (!error.empty()) {
        errors.push_back({plugin.given.file, plugin.given.line, std::string(key), error});
    }
}

/// Those of an INI file; none of any other file.
std::vector<named_plugin> plugins_in(const std::string& file) {
    std::error_code error;
    if (!fs::is_regular_file(file, error) || fs::file_size(file, error) > most_ini_bytes) {
        return {};
    }
    plugin_options options;
    option_table table;
    table.block("run", "").add(options);
    table.finish();
    std::ifstream text(file);
    std::vector<named_plugin> all;
    for (const setting& each : read_ini(text, file, table).values) {
        all.push_back(named_by(each));
    }
    return all;
}

}  // namespace

void plugin_options::take_loaded() {
    if (loaded_plugins().empty()) {
        return;
    }
    plugins.clear();
    for (const loaded_plugin& each : loaded_plugins()) {
        plugins.push_back(each.path + std::string(checksum) + each.crc64);
    }
}

plugin_arguments load_plugins(const std::vector<std::string>& args,
                              const std::function<bool(const std::string&)>& takes_options) {
    plugin_arguments given;
    std::vector<named_plugin> named;
    std::vector<std::string> as_options;
    std::vector<std::string> files;
    for (std::size_t i = 0; i < args.size(); ++i) {
        const std::string_view arg = args[i];
        const std::string_view name = arg.substr(0, arg.find('='));
        const bool is_short = name == "--plugin";
        if (!is_short && name != "--run.plugin" && name != "--run.plugin+") {
            if (arg.substr(0, 1) != "-" && !given.rest.empty()) {
                files.push_back(args[i]);
            }
            given.rest.push_back(args[i]);
            continue;
        }
        const bool is_joined = name.size() < arg.size();
        if (!is_joined && i + 1 == args.size()) {
            given.errors.push_back({"", 0, std::string(name), "has no value; expected the path of a plugin"});
            continue;
        }
        const std::string value(is_joined ? arg.substr(name.size() + 1) : std::string_view(args[++i]));
        named.push_back(named_by({std::string(key), value}));
        if (is_short) {
            as_options.push_back("--run.plugin+=" + value);
        } else {
            given.rest.push_back(std::string(name) + "=" + value);
        }
    }
    for (const named_plugin& each : named) {
        load(each, each.crc64, given.errors);
    }
    if (!given.rest.empty() && takes_options(given.rest.front())) {
        given.rest.insert(given.rest.end(), as_options.begin(), as_options.end());
        for (const std::string& file : files) {
            load_plugins_of(file, given.errors);
        }
    }
    return given;
}

void load_plugins_of(const std::string& file, config_errors& errors) {
    for (const named_plugin& each : plugins_in(file)) {
        load(each, each.crc64, errors);
    }
}

std::vector<std::string> load_plugins_to_compare(const std::string& file, config_errors& errors) {
    std::vector<std::string> all;
    for (const named_plugin& each : plugins_in(file)) {
        load(each, "", errors);
        const auto now = fingerprint_of(each.path);
        const std::string crc64 = each.crc64.empty() && now ? now->crc64 : each.crc64;
        all.push_back(each.path + (crc64.empty() ? "" : std::string(checksum) + crc64));
    }
    return all;
}

}  // namespace weir::tb
