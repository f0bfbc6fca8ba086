// Classes, or PFC priorities, as a list.
//
//   classes_text(0b11000);         // 3,4
//   classes_text(0b11000, ", ");   // 3, 4
#pragma once

#include <string>

#include "weir/protocol/frame.h"

namespace weir::tb {

/// Empty: none. Bit: class.
inline std::string classes_text(class_mask mask, const char* separator = ",") {
    std::string text;
    for (unsigned c = 0; c < pfc_classes; ++c) {
        text += (mask >> c & 1) != 0 ? (text.empty() ? "" : separator) + std::to_string(c) : "";
    }
    return text;
}

}  // namespace weir::tb
