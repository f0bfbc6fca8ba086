// voq_crossbar.sv, made for four ports, as a C++ object: frames in, slots, cells out.
//
//   voq_crossbar_rtl rtl;
//   rtl.arrive(0, 2, 7, 24);                        // a frame of 24 cells; one clock edge
//   rtl.begin_slot(2, room);                        // one clock edge; frames may arrive meanwhile
//   const voq_slot slot = rtl.finish_slot();        // as many as are left
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "weir/protocol/frame.h"

namespace weir::tb {

/// What a slot has moved, by egress port.
struct voq_slot {
    std::uint64_t moved = 0;
    /// Those of them that were a frame's last cell.
    std::uint64_t last = 0;
    std::array<unsigned, 64> ingress{};
    std::array<pfc_class, 64> frame_class{};
};

class voq_crossbar_rtl {
 public:
    static constexpr unsigned ports = 4;

    voq_crossbar_rtl();
    ~voq_crossbar_rtl();

    /// No frame is inside, no slot under way.
    void reset();
    /// A frame enters its VOQ. Range of cells: 1-255.
    void arrive(unsigned ingress_port, unsigned egress_port, pfc_class c, unsigned cells);
    /// `room`: egress ports with room for a whole frame, by class.
    void begin_slot(unsigned iterations, const std::array<std::uint64_t, pfc_classes>& room);
    voq_slot finish_slot();
    /// A VOQ was full, and a frame is lost.
    bool overflow() const;
    /// Clock edges so far.
    std::uint64_t cycles() const { return m_cycles; }

 private:
    void clock();

    struct verilated;
    std::unique_ptr<verilated> m_rtl;
    std::uint64_t m_cycles = 0;
    bool m_slot_done = true;
};

}  // namespace weir::tb
