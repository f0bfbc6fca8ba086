// What can be told of a plugin's file before it is loaded: a library that was cut off would end the program
// where its missing part is first touched.
#pragma once

#include <string>

namespace weir::tb {

/// What is wrong: a directory, a pipe, a file that cannot be read, one that ends before its own headers say.
/// Empty: nothing.
std::string wrong_with_plugin_file(const std::string& path);

}  // namespace weir::tb
