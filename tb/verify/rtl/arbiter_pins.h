// islip_arbiter.sv as a C++ object: its pins, whatever number of ports it was made for.
//
//   std::unique_ptr<arbiter_pins> rtl = make_arbiter_pins(6);   // the smallest that has 6 ports: 8
//   rtl->ask(2, 7, 0b001);                                      // ingress port 0 asks egress port 2 in class 7
//   rtl->clock({true, 4, 0b111111, 0b111111});                  // the run's first iteration
//   rtl->accepted();                                            // 0b100: egress port 2 is matched
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/protocol/frame.h"

namespace weir::tb {

/// What one rising edge samples beside the request matrix.
struct arbiter_edge {
    /// The first iteration of a run.
    bool start = false;
    /// Most iterations of the run; 0: no limit. Range: 0-511.
    unsigned iterations = 0;
    /// Sets of ports; bits of ports that the RTL lacks are ignored.
    std::uint64_t free_ingress = 0;
    std::uint64_t free_egress = 0;
};

class arbiter_pins {
 public:
    virtual ~arbiter_pins() = default;

    /// Ports that the RTL was made for.
    virtual unsigned ports() const = 0;
    /// All pointers to 0, no run under way. Requests stay.
    virtual void reset() = 0;
    /// The ingress ports that ask for this egress port in this class, from the next edge on.
    virtual void ask(unsigned egress_port, pfc_class c, std::uint64_t ingress_ports) = 0;
    virtual void clock(const arbiter_edge& edge) = 0;

    // Registered outputs: what the last edge has made.
    virtual bool done() const = 0;
    /// Egress ports that granted, and those of them whose grant was accepted.
    virtual std::uint64_t granted() const = 0;
    virtual std::uint64_t accepted() const = 0;
    /// Of an egress port that granted.
    virtual unsigned grant_ingress(unsigned egress_port) const = 0;
    virtual pfc_class grant_class(unsigned egress_port) const = 0;
    virtual unsigned grant_pointer(unsigned egress_port, pfc_class c) const = 0;
    virtual unsigned accept_pointer(unsigned ingress_port, pfc_class c) const = 0;
};

/// Numbers of ports that the RTL is built for, ascending (cmake/WeirRtl.cmake).
const std::vector<unsigned>& arbiter_rtl_sizes();

/// The smallest that has these ports; null where none has.
std::unique_ptr<arbiter_pins> make_arbiter_pins(unsigned ports);

}  // namespace weir::tb
