// Sets of ports and handles of the C interface, for its tests.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "weir/base/port_bitmap.h"
#include "weir/c/weir.h"

namespace weir::test {

struct freed {
    void operator()(void* block) const { weir_free(block); }
};
template <class Handle>
using owned = std::unique_ptr<Handle, freed>;

using port_words = std::array<std::uint32_t, WEIR_PORT_WORDS>;

inline port_words words_of(const port_bitmap& ports) {
    port_words words{};
    ports.for_each([&](unsigned p) { words[p / 32] |= 1U << p % 32; });
    return words;
}
inline port_bitmap ports_of(const port_words& words) {
    port_bitmap ports;
    for (unsigned p = 0; p < max_ports; ++p) {
        ports.assign(p, (words[p / 32] >> p % 32 & 1) != 0);
    }
    return ports;
}

}  // namespace weir::test
