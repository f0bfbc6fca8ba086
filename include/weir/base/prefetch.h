// Asks the processor for memory that will be read soon, so that it comes while other work is done. Changes
// nothing.
#pragma once

#include <cstddef>

#include "weir/base/namespaces.h"

namespace weir {

inline constexpr std::size_t cache_line = 64;

/// The line that holds this address, which need not be valid.
[[gnu::always_inline]] inline void prefetch_line(const void* address) {
    __builtin_prefetch(address, 1);
}
/// So many lines from the one that holds this address on.
template <std::size_t Lines>
[[gnu::always_inline]] inline void prefetch_lines(const void* address) {
    for (std::size_t line = 0; line < Lines; ++line) {
        prefetch_line(static_cast<const char*>(address) + line * cache_line);
    }
}

}  // namespace weir
