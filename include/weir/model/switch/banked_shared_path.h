// One memory for all ports, each slice of it SRAM with limited bandwidth (sram_timing.h). A frame is written to
// its slice after the lookup, and read by the transmitter.
#pragma once

#include <string>

#include "weir/model/memory/sram_timing.h"
#include "weir/model/switch/bank_reader.h"
#include "weir/model/switch/shared_path.h"

namespace weir::model {

class banked_shared_path final : public shared_path {
 public:
    banked_shared_path(const switch_parameters& parameters, const std::vector<port_config>& ports,
                       switch_services& device, const std::string& name);

    void transferred(frame_slot slot) override;
    int class_read(unsigned port, class_mask eligible) override { return m_reader.class_read(port, eligible); }
    bool read(unsigned port, pfc_class c) override;
    void forget_read(unsigned port, class_mask classes) override { m_reader.forget(port, classes); }
    void restart_statistics() override;
    const sram_timing* banks() const override { return &m_banks; }

 private:
    void write(unsigned slice, frame_slot slot) override;
    void note_lost_for_memory(unsigned port) override { m_banks.lose(port); }

    sram_timing m_banks;
    bank_reader m_reader;
};

}  // namespace weir::model
