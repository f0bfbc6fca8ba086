// A plugin: a shared library that the program `weir` loads before it reads options (`--plugin libmine.so`),
// with kinds by name (registry.h) and options of its own (tb/run/fields/options_from_outside.h). One of its
// sources has the macro WEIR_PLUGIN(name) and, in braces behind it, what is to be registered;
// test/outside_plugin/plugin.cpp is one.
//
// It is not linked with weir's libraries: the program has them, and its symbols are those of the plugin. What
// both have to agree about, so that layouts are the same, is checked before anything is registered.
#pragma once

#include <cstdint>

#include "weir/base/header_hash.h"
#include "weir/base/port_bitmap.h"

#define WEIR_TEXT_OF_(x) #x
#define WEIR_TEXT_OF(x) WEIR_TEXT_OF_(x)
#if defined(__clang__)
#define WEIR_COMPILER "Clang " WEIR_TEXT_OF(__clang_major__)
#else
#define WEIR_COMPILER "GNU " WEIR_TEXT_OF(__GNUC__)
#endif

namespace weir {

/// What a plugin and the program have to agree about.
struct build_traits {
    /// Of weir: `0.1.0`.
    const char* version;
    /// Of all headers that a plugin can include: 12 hexadecimal digits of a SHA-256.
    const char* headers;
    /// `GNU 12`.
    const char* compiler;
    /// WEIR_MAX_PORTS.
    unsigned ports;
};

/// What the loader finds in a plugin, as the symbol `weir_plugin`.
struct plugin_entry {
    /// Of this struct: raised whenever it changes.
    static constexpr std::uint32_t current_layout = 2;
    std::uint32_t layout;
    build_traits build;
    const char* name;
    void (*add)();
};

}  // namespace weir

/// Opens the function that registers what the plugin has; it is called once, before options are read.
#define WEIR_PLUGIN(plugin_name)                                                                       \
    static void weir_add_plugin();                                                                     \
    extern "C" [[gnu::visibility("default")]] const weir::plugin_entry weir_plugin;                    \
    const weir::plugin_entry weir_plugin{weir::plugin_entry::current_layout,                           \
                                         {WEIR_VERSION, WEIR_HEADERS, WEIR_COMPILER, weir::max_ports}, \
                                         #plugin_name,                                                 \
                                         weir_add_plugin};                                             \
    static void weir_add_plugin()
