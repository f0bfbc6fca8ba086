// Paths whose memory is SRAM with limited bandwidth (sram_timing.h).
#pragma once

#include "weir/model/memory/sram_timing.h"
#include "weir/model/switch/partitioned_path.h"
#include "weir/model/switch/shared_path.h"

namespace weir::model {

/// How a switch's transmitters read frames from SRAM with limited bandwidth: a frame that is not read in time
/// is waited for, and is sent next of its class.
class bank_reader {
 public:
    /// Both outlive this.
    bank_reader(sram_timing& banks, switch_path& device) : m_banks(banks), m_device(device) {}

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
    switch_path& m_device;
};

/// Memory at each port that is SRAM with limited bandwidth (sram_timing.h). A frame is written to ingress
/// memory from the wire, read from it by the crossbar, written to egress memory as it crosses, and read again
/// by the transmitter.
class banked_partitioned_path final : public partitioned_path {
 public:
    explicit banked_partitioned_path(switch_path& device);

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

/// One memory for all ports, each slice of it SRAM with limited bandwidth (sram_timing.h). A frame is written
/// to its slice after the lookup, and read by the transmitter.
class banked_shared_path final : public shared_path {
 public:
    explicit banked_shared_path(switch_path& device);

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
