// One side of a port, in the words of captures, causes, limits and errors.
//
//   port_text("tor0", port_side::ingress, "3");     // tor0.rx3
#pragma once

#include <cstdint>
#include <string>

#include "weir/base/enum_names.h"
#include "weir/protocol/frame.h"

namespace weir::tb {

enum class port_side : std::uint8_t {
    ingress,  ///< what it receives: rx
    egress    ///< what it sends: tx
};
constexpr auto names_of(port_side) {
    return enum_names<port_side>({{port_side::ingress, "ingress"}, {port_side::egress, "egress"}});
}

inline std::string port_text(const std::string& node, port_side side, const std::string& port) {
    return node + (side == port_side::ingress ? ".rx" : ".tx") + port;
}

// Classes, or PFC priorities, as a list.
//
//   classes_text(0b11000);         // 3,4
//   classes_text(0b11000, ", ");   // 3, 4

/// Empty: none. Bit: class.
inline std::string classes_text(class_mask mask, const char* separator = ",") {
    std::string text;
    for (unsigned c = 0; c < pfc_classes; ++c) {
        text += (mask >> c & 1) != 0 ? (text.empty() ? "" : separator) + std::to_string(c) : "";
    }
    return text;
}

}  // namespace weir::tb
