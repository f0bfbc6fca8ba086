#include "tb/plugins/loaded_plugins.h"

#include <dlfcn.h>

#include <algorithm>
#include <exception>
#include <filesystem>

#include "tb/files/file_fingerprint.h"
#include "weir/base/plugin.h"

/// Of a plugin that is linked into the program; null: there is none.
extern "C" [[gnu::weak]] const weir::plugin_entry weir_plugin;

namespace weir::tb {

namespace {

constexpr build_traits own_build{WEIR_VERSION, WEIR_COMPILER, max_ports};

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
    if (entry.layout != plugin_entry::current_layout || std::string(entry.build.version) != own_build.version) {
        return "is for weir " + std::string(entry.build.version) + "; expected " + own_build.version;
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

/// Returns what is wrong.
std::string add(const plugin_entry& entry) {
    std::string wrong = difference(entry);
    if (wrong.empty()) {
        try {
            entry.add();
        } catch (const std::exception& error) {
            wrong = std::string("cannot register what it has: ") + error.what();
        }
    }
    return wrong;
}

}  // namespace

const std::vector<loaded_plugin>& loaded_plugins() {
    return plugins();
}

std::string load_plugin(const std::string& path, const std::string& crc64) {
    const std::string file = std::filesystem::absolute(path).lexically_normal().string();
    const std::string named = "'" + file + "' ";
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

std::string add_linked_plugin() {
    if (&weir_plugin == nullptr) {
        return {};
    }
    const std::string wrong = add(weir_plugin);
    return wrong.empty() ? wrong
                         : "the plugin '" + std::string(weir_plugin.name) + "' of this program " + wrong;
}

}  // namespace weir::tb
