// TCAM and bitmap RAM as RTL (tcam.sv) in the place of a switch's forwarding table.
//
// The RTL's lowest index wins, so routes are loaded with the longest prefixes first. The switch gets the answer
// at once, as from the model. With a clock period a lookup takes the RTL's cycles; without one, what the
// model's takes (docs/rtl.md).
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tb/verify/rtl/tcam_pins.h"
#include "weir/model/switch/switch_blocks.h"

namespace weir::tb {

class rtl_tcam : public block_module<lookup_if> {
 public:
    /// `period`: of the clock; 0: the latency is the model's.
    rtl_tcam(sc_core::sc_module_name name, std::unique_ptr<tcam_pins> pins, picoseconds period = picoseconds{0})
        : block_module(name), m_pins(std::move(pins)), m_period(period) {}

    const port_bitmap& lookup(ipv4_address destination) override;
    /// More routes than entries are fatal.
    void load(const std::vector<route_entry>& routes) override;
    picoseconds latency(picoseconds configured) const override {
        return m_period > picoseconds{0} ? m_period * tcam_rtl_cycles : configured;
    }

    /// Clock cycles so far.
    std::uint64_t cycles() const { return m_cycles; }

 private:
    void clock() {
        m_pins->clock();
        ++m_cycles;
    }

    std::unique_ptr<tcam_pins> m_pins;
    picoseconds m_period;
    std::uint32_t m_used = 0;
    std::uint64_t m_cycles = 0;
    port_bitmap m_answer;
};

}  // namespace weir::tb
