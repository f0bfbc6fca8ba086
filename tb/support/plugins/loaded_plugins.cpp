#include "tb/support/plugins/loaded_plugins.h"

#include <dlfcn.h>

#include <algorithm>
#include <exception>
#include <filesystem>

#include "tb/support/files/input_file.h"
#include "weir/base/plugin.h"

/// Of a plugin that is linked into the program; null: there is none.
extern "C" [[gnu::weak]] const weir::plugin_entry weir_plugin;

namespace weir::tb {

namespace {

constexpr build_traits own_build{WEIR_VERSION, WEIR_HEADERS, WEIR_COMPILER, max_ports};

std::vector<loaded_plugin>& plugins() {
    static std::vector<loaded_plugin> list;
    return list;
}

std::string last_dl_error() {
    const char* const text = dlerror();
    return text == nullptr ? "no reason is given" : text;
}

/// What the plugin was built with, against what the program was.
std::string difference(const plugin_entry& entry) {
    if (entry.layout != plugin_entry::current_layout) {
        return "describes itself in form " + std::to_string(entry.layout) + "; expected form " +
               std::to_string(plugin_entry::current_layout) + ", that of this weir";
    }
    if (entry.name == nullptr || entry.add == nullptr || entry.build.version == nullptr ||
        entry.build.headers == nullptr || entry.build.compiler == nullptr) {
        return "does not say what it is; expected WEIR_PLUGIN (docs/extending.md)";
    }
    if (std::string(entry.build.version) != own_build.version) {
        return "is for weir " + std::string(entry.build.version) + "; expected " + own_build.version;
    }
    if (std::string(entry.build.headers) != own_build.headers) {
        return "was compiled with the headers of another weir " + std::string(own_build.version) + " (" +
               entry.build.headers + "); expected those of this program (" + own_build.headers + ")";
    }
    if (std::string(entry.build.compiler) != own_build.compiler) {
        return "was compiled by " + std::string(entry.build.compiler) + "; expected " + own_build.compiler +
               ", as the program";
    }
    if (entry.build.ports != own_build.ports) {
        return "was compiled with WEIR_MAX_PORTS = " + std::to_string(entry.build.ports) + "; expected " +
               std::to_string(own_build.ports) + ", as the program";
    }
    return {};
}

/// Of one without a difference. Returns what is wrong.
std::string add(const plugin_entry& entry) {
    try {
        entry.add();
        return {};
    } catch (const std::exception& error) {
        return std::string("cannot register what it has: ") + error.what();
    } catch (...) {
        return "cannot register what it has: it threw what is no std::exception";
    }
}

}  // namespace

const std::vector<loaded_plugin>& loaded_plugins() {
    return plugins();
}

std::string load_plugin(const std::string& path, const std::string& crc64) {
    const std::string file = std::filesystem::absolute(path).lexically_normal().string();
    const std::string named = "'" + file + "' ";
    if (const std::string wrong = wrong_with_plugin_file(file); !wrong.empty()) {
        return named + wrong;
    }
    const auto print = fingerprint_of(file);
    if (!print) {
        return named + "cannot be read; expected a plugin of weir (docs/extending.md)";
    }
    if (!crc64.empty() && print->crc64 != crc64) {
        return named + "has the checksum " + print->crc64 + "; expected " + crc64 +
               ", the plugin that these results were made with (or no `crc64:` at all)";
    }
    const auto there = [&](const loaded_plugin& each) { return each.path == file; };
    if (std::any_of(plugins().begin(), plugins().end(), there)) {
        return {};
    }
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        return named + "cannot be loaded: " + last_dl_error() +
               "; expected a plugin that was built for this weir (docs/extending.md)";
    }
    const auto* const entry = static_cast<const plugin_entry*>(dlsym(library, "weir_plugin"));
    if (entry == nullptr) {
        return named +
               "is no plugin of weir: it has no symbol weir_plugin; expected WEIR_PLUGIN (docs/extending.md)";
    }
    if (const std::string wrong = difference(*entry); !wrong.empty()) {
        return named + wrong;
    }
    const auto same = std::find_if(plugins().begin(), plugins().end(),
                                   [&](const loaded_plugin& each) { return each.name == entry->name; });
    if (same != plugins().end()) {
        return named + "is the plugin '" + same->name + "', which '" + same->path +
               "' is, too; expected one of the two";
    }
    if (const std::string wrong = add(*entry); !wrong.empty()) {
        return named + wrong;
    }
    plugins().push_back({entry->name, file, print->crc64});
    return {};
}

std::string linked_plugin() {
    return &weir_plugin == nullptr || weir_plugin.name == nullptr ? std::string{} : weir_plugin.name;
}

std::string add_linked_plugin() {
    if (&weir_plugin == nullptr) {
        return {};
    }
    std::string wrong = difference(weir_plugin);
    wrong = wrong.empty() ? add(weir_plugin) : wrong;
    return wrong.empty() ? wrong : "the plugin '" + linked_plugin() + "' of this program " + wrong;
}

}  // namespace weir::tb
