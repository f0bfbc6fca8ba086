// Memory at each port that is SRAM with limited bandwidth (sram_timing.h). A frame is written to ingress memory
// from the wire, read from it by the crossbar, written to egress memory as it crosses, and read again by the
// transmitter.
#pragma once

#include "weir/model/memory/sram_timing.h"
#include "weir/model/switch/bank_reader.h"
#include "weir/model/switch/partitioned_path.h"

namespace weir::model {

class banked_partitioned_path final : public partitioned_path {
 public:
    banked_partitioned_path(const switch_parameters& parameters, const std::vector<port_config>& ports,
                            switch_services& device);

    picoseconds look_up(unsigned port, frame_slot slot, picoseconds now, lookup_pipeline& pipeline) override;
    picoseconds crossing_delay(frame_slot slot) override;
    void transferred(frame_slot slot) override;
    int class_read(unsigned port, class_mask eligible) override { return m_reader.class_read(port, eligible); }
    bool read(unsigned port, pfc_class c) override;
    void forget_read(unsigned port, class_mask classes) override { m_reader.forget(port, classes); }
    void restart_statistics() override { m_banks.restart_statistics(); }
    const sram_timing* banks() const override { return &m_banks; }

 private:
    sram_timing m_banks;
    bank_reader m_reader;
    serializer m_crossbar;
};

}  // namespace weir::model
