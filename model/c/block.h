// What the blocks of the C interface share: a handle is a pointer to `c_block`; what is misused throws inside
// the library, and becomes WEIR_ERROR and a text at its edge.
//
//   struct gate final : c_block {
//       static constexpr const char* its_kind = "weir_gate";
//       const char* kind() const override { return its_kind; }
//       int openings() const { return 3; }
//   };
//
//   return use<gate>(handle, [](gate& g) { return g.openings(); });   // WEIR_ERROR if `handle` is no gate
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

#include "model/c/option_text.h"
#include "weir/base/port_bitmap.h"
#include "weir/c/weir.h"
#include "weir/protocol/frame.h"

namespace weir::model {

class c_block {
 public:
    c_block() = default;
    c_block(const c_block&) = delete;
    c_block& operator=(const c_block&) = delete;
    virtual ~c_block() = default;
    virtual const char* kind() const = 0;

    /// Of the last misuse.
    std::string error;
};

/// An argument out of its range.
class misuse : public std::runtime_error {
    using runtime_error::runtime_error;
};

inline void check_below(const char* name, std::uint64_t value, std::uint64_t limit) {
    if (value >= limit) {
        throw misuse(std::string(name) + ": " + std::to_string(value) + "; expected 0 to " +
                     std::to_string(limit - 1));
    }
}
inline pfc_class class_of(std::uint32_t frame_class, unsigned classes = pfc_classes) {
    check_below("frame_class", frame_class, classes);
    return static_cast<pfc_class>(frame_class);
}
inline class_mask mask_of(const char* name, std::uint32_t mask) {
    check_below(name, mask, 1U << pfc_classes);
    return static_cast<class_mask>(mask);
}
inline void check_pointer(const char* name, const void* pointer) {
    if (pointer == nullptr) {
        throw misuse(std::string(name) + ": is NULL; expected an address");
    }
}
/// A set of ports of the interface, all of which are below `ports`.
port_bitmap ports_of(const char* name, const std::uint32_t* words, unsigned ports);
void write_ports(std::uint32_t* words, const port_bitmap& ports);

/// What `work` returns; WEIR_ERROR, and the text in the block, where it throws.
template <class Block, class Work>
int use(void* handle, Work&& work) noexcept {
    if (handle == nullptr) {
        return WEIR_ERROR;
    }
    c_block& any = *static_cast<c_block*>(handle);
    try {
        auto* const block = dynamic_cast<Block*>(&any);
        if (block == nullptr) {
            throw misuse(std::string("block: is of kind ") + any.kind() + "; expected " + Block::its_kind);
        }
        return work(*block);
    } catch (const std::exception& e) {
        try {
            any.error = e.what();
        } catch (const std::exception&) {
            any.error.clear();  // no memory for the text
        }
        return WEIR_ERROR;
    }
}

/// Hands a text to the caller of a create function; it stays until the thread's next one.
void give_text(const char** place, std::string text) noexcept;
/// Throws for another major version.
void check_version(std::uint32_t api_major);

/// A block made from its options; NULL, and the text, where they are wrong.
template <class Handle, class Block>
Handle* create(std::uint32_t api_major, const char* options, const char** error) noexcept {
    try {
        check_version(api_major);
        check_pointer("options", options);
        option_text text(options);
        std::unique_ptr<c_block> made = std::make_unique<Block>(text);
        give_text(error, {});
        return reinterpret_cast<Handle*>(made.release());
    } catch (const std::exception& e) {
        give_text(error, e.what());
        return nullptr;
    }
}

}  // namespace weir::model
