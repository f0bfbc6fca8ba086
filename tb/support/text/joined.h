// Texts in a row, with a separator between them, and such a row in its parts.
//
//   joined(std::vector<std::string>{"a", "b"});                                         // a,b
//   joined(std::vector<int>{1, 2}, ", ", [](int n) { return std::to_string(n); });      // 1, 2
//   split_list("a, b");                                                                 // {"a", "b"}
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weir/base/trimmed.h"

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

/// Parts between commas, without the blanks round them; none for an empty text.
inline std::vector<std::string> split_list(std::string_view text) {
    std::vector<std::string> parts;
    for (bool more = !trimmed(text).empty(); more;) {
        const std::size_t comma = text.find(',');
        parts.emplace_back(trimmed(text.substr(0, comma)));
        more = comma != std::string_view::npos;
        text.remove_prefix(more ? comma + 1 : 0);
    }
    return parts;
}

}  // namespace weir::tb
