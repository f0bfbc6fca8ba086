// How a switch's transmitters read frames from SRAM with limited bandwidth: a frame that is not read in time is
// waited for, and is sent next of its class.
#pragma once

#include "weir/model/memory/sram_timing.h"
#include "weir/model/switch/switch_services.h"

namespace weir::model {

class bank_reader {
 public:
    /// Both outlive this.
    bank_reader(sram_timing& banks, switch_services& device) : m_banks(banks), m_device(device) {}

    /// As `memory_path::class_read`.
    int class_read(unsigned port, class_mask eligible) const;
    /// Reads the first frame of the class from `memory`. Above 0: it can be sent that much later, and there
    /// will be an event; else now.
    picoseconds read(unsigned port, pfc_class c, packet_sram& memory);
    /// Frames of these classes that have been read are dropped next.
    void forget(unsigned port, class_mask classes) {
        sram_timing::port_state& state = m_banks.port(port);
        state.read = static_cast<class_mask>(state.read & ~classes);
    }

 private:
    sram_timing& m_banks;
    switch_services& m_device;
};

}  // namespace weir::model
