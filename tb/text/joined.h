// Texts in a row, with a separator between them.
//
//   joined(std::vector<std::string>{"a", "b"});                                         // a,b
//   joined(std::vector<int>{1, 2}, ", ", [](int n) { return std::to_string(n); });      // 1, 2
#pragma once

#include <string>

namespace weir::tb {

template <class Range, class ToText>
std::string joined(const Range& parts, const char* separator, const ToText& text_of) {
    std::string all;
    bool first = true;
    for (const auto& part : parts) {
        all += first ? "" : separator;
        all += text_of(part);
        first = false;
    }
    return all;
}

template <class Range>
std::string joined(const Range& texts, const char* separator = ",") {
    return joined(
        texts, separator, [](const auto& text) -> const auto& { return text; });
}

}  // namespace weir::tb
