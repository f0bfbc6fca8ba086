// Parameters of a ternary memory.
#pragma once

#include <cstdint>
#include <string>

#include "weir/base/config_error.h"
#include "weir/base/config_field.h"

namespace weir::model {

/// What a 1 of an entry's value means at a place that the mask does not compare.
enum class ternary_rule : std::uint8_t {
    /// Nothing: such a place is not looked at. Match: ((value ^ key) & mask) == 0.
    standard,
    /// The entry never matches. Match: value == (key & mask). Some RTL does this (mcjtag/tcam, see
    /// docs/blocks/tcam.md); choose it to reproduce such a device.
    canonical_values_only
};

struct tcam_config {
    /// Lines of the memory. Default: as `switch_config::tcam_entries`.
    std::uint32_t entries = 16384;
    static constexpr field_range entries_range{1U, 1'048'576U};
    /// Width of a key. Unit: bit. Default: an IPv4 address.
    std::uint32_t key_bits = 32;
    static constexpr field_range key_bits_range{1U, 64U};
    ternary_rule rule = ternary_rule::standard;
    /// Answers that a table of more than `tcam::memo_from` matchable entries remembers. It decides the
    /// simulator's speed and memory (16 B each), never a result. Range: 0 (none) or a power of two up to
    /// 65,536. Default: measured (docs/blocks/tcam.md).
    std::uint32_t memo_entries = 256;

    /// Keys are `section` + ".entries" and so on.
    config_errors validate(const std::string& section) const;
};

}  // namespace weir::model
