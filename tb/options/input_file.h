// Opens what a user has named as a file to be read. A directory can be opened and then gives nothing, and so
// says no reader what is wrong with it; a device may give text without end.
//
//   input_file topology = open_input("fabric.topo");
//   topology.why_not;   // "it is a directory", "No such file or directory"; empty: `topology.text` can be read
//   unreadable("fabric.file", "fabric.topo", topology.why_not, "a topology file");
#pragma once

#include <fstream>
#include <string>

#include "weir/base/config_error.h"

namespace weir {

struct input_file {
    std::ifstream text;
    /// Why it cannot be read; empty if it can.
    std::string why_not;
};

enum class input_kind {
    any,    ///< a pipe, too; no device: /dev/zero has no end
    stored  ///< read more than once: files proper only
};

input_file open_input(const std::string& path, input_kind kind = input_kind::any);

/// The error of an option that names a file; `allowed`: what the file should have been.
config_error unreadable(const std::string& key, const std::string& path, const std::string& why_not,
                        const std::string& allowed);

}  // namespace weir
