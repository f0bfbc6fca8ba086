// tcam.sv as a C++ object: its pins, whatever number of entries it was made for.
//
//   std::unique_ptr<tcam_pins> rtl = make_tcam_pins(20);      // the smallest that has 20 entries: 64
//   rtl->write(0, {0x0A000000, 0xFF000000, 0, true}, {3});    // at the next edge
//   rtl->look_up(0x0A000001);                                 // at the edge after it
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/model/forwarding/tcam.h"

namespace weir::tb {

/// Edges from the one that samples a lookup to its result, both counted.
inline constexpr unsigned tcam_rtl_cycles = 3;

class tcam_pins {
 public:
    virtual ~tcam_pins() = default;

    virtual std::uint32_t entries() const = 0;
    /// No entry is valid, no lookup under way.
    virtual void reset() = 0;

    // What the next edge samples; each holds for one edge. Keys have 32 bits; the RTL knows no priority, the
    // lowest index wins.
    virtual void write(std::uint32_t index, const tcam_entry& entry, const port_bitmap& ports) = 0;
    virtual void look_up(std::uint32_t key) = 0;
    virtual void clock() = 0;

    // Registered outputs.
    virtual bool result() const = 0;
    /// Index of the winner, or `tcam::no_match`.
    virtual int winner() const = 0;
    virtual port_bitmap ports() const = 0;
};

/// Numbers of entries that the RTL is built for, ascending (cmake/WeirRtl.cmake).
const std::vector<std::uint32_t>& tcam_rtl_sizes();

/// The smallest that has these entries; null where none has.
std::unique_ptr<tcam_pins> make_tcam_pins(std::uint32_t entries);

}  // namespace weir::tb
