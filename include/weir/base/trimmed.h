// A text without the blanks round it.
//
//   trimmed(" a b\r");    // "a b"
#pragma once

#include <algorithm>
#include <string_view>

namespace weir {

inline constexpr std::string_view blanks = " \t\r\n\v\f";

inline std::string_view trimmed(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

}  // namespace weir
