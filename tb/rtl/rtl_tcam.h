// TCAM and bitmap RAM as RTL (tcam.sv) in the place of a switch's forwarding table.
//
// The RTL's lowest index wins, so routes are loaded with the longest prefixes first. The switch gets the answer
// at once, as from the model; how long a lookup takes is `switch.lookup_delay` (docs/rtl.md).
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tb/rtl/tcam_pins.h"
#include "weir/model/switch_blocks.h"

namespace weir {

class rtl_tcam : public block_module<lookup_if> {
 public:
    rtl_tcam(sc_core::sc_module_name name, std::unique_ptr<tcam_pins> pins)
        : block_module(name), m_pins(std::move(pins)) {}

    const port_bitmap& lookup(ipv4_address destination) override;
    /// More routes than entries are fatal.
    void load(const std::vector<route_entry>& routes) override;

 private:
    std::unique_ptr<tcam_pins> m_pins;
    std::uint32_t m_used = 0;
    port_bitmap m_answer;
};

}  // namespace weir
