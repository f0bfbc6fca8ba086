// Thousands apart in a decimal number, as `count_text` writes whole ones.
#pragma once

#include <algorithm>
#include <string>

namespace weir::tb {

/// `12,345.6` of `12345.6`.
inline std::string grouped(std::string number) {
    const std::size_t first = number.find_first_of("0123456789");
    std::size_t at = std::min(number.find('.'), number.size());
    for (; first != std::string::npos && at > first + 3; number.insert(at, ",")) {
        at -= 3;
    }
    return number;
}

}  // namespace weir::tb
