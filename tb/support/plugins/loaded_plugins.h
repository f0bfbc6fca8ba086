// Plugins that this process has loaded, or has in itself (weir/base/plugin.h). They stay until its end.
//
//   std::string error = load_plugin("libmine.so", "");   // empty: its kinds and options are registered
//   loaded_plugins().back().name;                         // mine
#pragma once

#include <string>
#include <vector>

namespace weir::tb {

struct loaded_plugin {
    std::string name;
    /// Absolute.
    std::string path;
    /// Of the file: input_file.h.
    std::string crc64;
};

/// In the order in which they were loaded.
const std::vector<loaded_plugin>& loaded_plugins();

/// Loads a plugin, once. `crc64`: what the file has to have; empty: any. Returns what is wrong: no such file,
/// another checksum, no plugin, one of another version of weir, of another compiler or number of ports, another
/// file of a plugin that is loaded, a name that is taken.
std::string load_plugin(const std::string& path, const std::string& crc64);

/// What is wrong with a plugin's file before it is loaded: a directory, a pipe, a file that cannot be read, one
/// that ends before its own headers say. Empty: nothing. A library that was cut off would end the program where
/// its missing part is first touched.
std::string wrong_with_plugin_file(const std::string& path);

/// Name of the plugin that is linked into this program; empty: there is none.
std::string linked_plugin();

/// Registers what the plugin has that is linked into this program, if there is one. Returns what is wrong, as
/// above.
std::string add_linked_plugin();

/// What is wrong with a plugin's file before it is loaded: a directory, a pipe, a file that cannot be read, one
/// that ends before its own headers say, and would end the program where its missing part is first touched.
/// Empty: nothing.
std::string wrong_with_plugin_file(const std::string& path);

}  // namespace weir::tb
