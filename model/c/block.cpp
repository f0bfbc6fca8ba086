#include "model/c/block.h"

#include <algorithm>
#include <utility>

namespace weir::model {

port_bitmap ports_of(const char* name, const std::uint32_t* words, unsigned ports) {
    check_pointer(name, words);
    port_bitmap set;
    for (unsigned w = 0; w < WEIR_PORT_WORDS; ++w) {
        for (std::uint32_t left = words[w]; left != 0; left &= left - 1) {
            const unsigned port = 32 * w + static_cast<unsigned>(__builtin_ctz(left));
            if (port >= ports) {
                throw misuse(std::string(name) + ": port " + std::to_string(port) + " is set; expected 0 to " +
                             std::to_string(ports - 1));
            }
            set.set(port);
        }
    }
    return set;
}

void write_ports(std::uint32_t* words, const port_bitmap& ports) {
    std::fill_n(words, WEIR_PORT_WORDS, 0);
    ports.for_each([&](unsigned port) { words[port / 32] |= 1U << port % 32; });
}

void give_text(const char** place, std::string text) noexcept {
    static thread_local std::string kept;
    kept = std::move(text);
    if (place != nullptr) {
        *place = kept.c_str();
    }
}

void check_version(std::uint32_t api_major) {
    if (api_major != WEIR_C_MAJOR) {
        throw misuse("api_major: " + std::to_string(api_major) + "; expected " + std::to_string(WEIR_C_MAJOR) +
                     ", this library's version is " + std::to_string(WEIR_C_MAJOR) + "." +
                     std::to_string(WEIR_C_MINOR));
    }
}

}  // namespace weir::model

using namespace weir::model;

std::uint32_t weir_c_version(void) {
    return WEIR_C_MAJOR << 16 | WEIR_C_MINOR;
}

const char* weir_error(const void* block) {
    return block == nullptr ? "block: is NULL; expected what a create function has returned"
                            : static_cast<const c_block*>(block)->error.c_str();
}

void weir_free(void* block) {
    delete static_cast<c_block*>(block);
}
