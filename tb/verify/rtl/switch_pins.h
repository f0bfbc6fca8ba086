// cell_switch.sv as a C++ object: its pins, whatever number of ports it was made for.
//
//   std::unique_ptr<switch_pins> rtl = make_switch_pins(6);    // the smallest that has 6 ports: 8
//   rtl->configure({4, 128_KiB, 1530_B, 20_B});
//   rtl->reset();                                              // the next edge is edge 0 of a slot
//   rtl->arrive(0, {2, 7, 1500, 41});                          // at the next edge
//   rtl->clock();
//   rtl->departing();                                          // egress ports whose frame's last bytes go now
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/base/units.h"
#include "weir/protocol/frame.h"

namespace weir::tb {

// What the RTL is built with.
/// Clock cycles of a slot.
inline constexpr unsigned switch_rtl_slot = 8;
/// Bytes that a line moves in a cycle.
inline constexpr unsigned switch_rtl_line = 2;
/// Bytes of a cell. Four slots a cell time of a line: 64 B in 4 x 8 cycles of 2 B.
inline constexpr bytes switch_rtl_cell{64};
inline constexpr unsigned switch_rtl_speedup = 4;
/// Names of frames are below that.
inline constexpr std::uint32_t switch_rtl_ids = 65'536;

struct switch_rtl_setting {
    /// Of the arbiter in a slot. Range: 1 to `switch_rtl_slot` - 2.
    unsigned iterations = 4;
    /// Of each egress port. Range: `largest` to 1 GiB.
    bytes egress_memory{128 * 1024};
    /// Largest frame. Range: 64 B to 16,320 B.
    bytes largest{1530};
    /// Of a frame on the line.
    bytes overhead{20};
};

struct switch_rtl_frame {
    unsigned egress_port = 0;
    pfc_class frame_class = 0;
    /// Range: 64 to 16,320.
    std::uint16_t frame_bytes = 64;
    /// Of no other frame that is inside.
    std::uint16_t id = 0;
};

class switch_pins {
 public:
    virtual ~switch_pins() = default;

    /// Ports that the RTL was made for.
    virtual unsigned ports() const = 0;
    /// Followed by a reset.
    virtual void configure(const switch_rtl_setting& setting) = 0;
    /// No frame is inside, all pointers are 0.
    virtual void reset() = 0;
    /// At the next edge; one frame for each ingress port and edge.
    virtual void arrive(unsigned ingress_port, const switch_rtl_frame& frame) = 0;
    virtual void clock() = 0;

    // Registered outputs.
    /// Egress ports whose line has a frame's last bytes until the next edge.
    virtual std::uint64_t departing() const = 0;
    virtual std::uint16_t departing_id(unsigned egress_port) const = 0;
    /// A VOQ of 64 frames, or a queue of 4,096, was full, and a frame is lost.
    virtual bool overflow() const = 0;
};

/// Numbers of ports that the RTL is built for, ascending (cmake/WeirRtl.cmake).
const std::vector<unsigned>& switch_rtl_sizes();

/// The smallest that has these ports; null where none has.
std::unique_ptr<switch_pins> make_switch_pins(unsigned ports);

}  // namespace weir::tb
