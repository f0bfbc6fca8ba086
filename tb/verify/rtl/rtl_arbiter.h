// iSLIP as RTL (islip_arbiter.sv) in the place of a switch's arbiter.
//
// A run of the arbiter is as many clock cycles of the RTL as it has iterations. The switch sees their matches
// at once, as it does with the model. With a clock period, their transfers begin when the cycles are over;
// without one the cycles take no time (docs/rtl.md).
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "tb/verify/rtl/arbiter_pins.h"
#include "weir/model/switch/switch_blocks.h"

namespace weir::tb {

class rtl_arbiter : public block_module<arbiter_if> {
 public:
    /// `pins` has at least the switch's ports. `period`: of the clock; 0: cycles take no time.
    rtl_arbiter(sc_core::sc_module_name name, std::unique_ptr<arbiter_pins> pins,
                picoseconds period = picoseconds{0})
        : block_module(name), m_pins(std::move(pins)), m_period(period) {}

    void arbitrate(const crossbar_requests& requests, const port_bitmap& free_ingress,
                   const port_bitmap& free_egress, unsigned iterations,
                   std::vector<crossbar_match>& matches) override;
    picoseconds run_time() const override { return m_period * m_cycles_of_run; }

    /// Clock cycles so far.
    std::uint64_t cycles() const { return m_cycles; }

 private:
    void ask(const crossbar_requests& requests, const port_bitmap& free_egress, bool asks);
    void take_matches(std::vector<crossbar_match>& matches) const;

    std::unique_ptr<arbiter_pins> m_pins;
    picoseconds m_period;
    std::int64_t m_cycles_of_run = 0;
    std::uint64_t m_cycles = 0;
};

}  // namespace weir::tb
