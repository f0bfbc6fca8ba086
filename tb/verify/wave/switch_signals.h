// The signals of one switch: declares them, and records what they become while the switch runs.
//
// Names follow SystemC's hierarchy: `fabric.tor0.rx3.bytes`. docs/waveforms.md lists them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/verify/wave/wave_file.h"
#include "tb/verify/wave/wave_window.h"
#include "weir/model/switch/switch_node.h"

namespace weir::tb {

/// Whether switches have signals of this group.
bool has_wave_group(const run_config& config, wave_group group);

class switch_signals final : public switch_probe {
 public:
    /// Appends the signals of the switch `name` (of SystemC's hierarchy) to the list. `first_word`: the number
    /// of words before them (wave_window.h). The switch and the configuration outlive this; the switch need not
    /// be elaborated yet. Null: another rank has it and records, and they are declared only.
    switch_signals(const switch_node* device, const std::string& name, unsigned ports, const run_config& config,
                   std::uint32_t first_word, std::vector<wave_signal>& signals);

    void after_instant(picoseconds now, picoseconds next) override;
    void on_match(unsigned ingress_port, unsigned egress_port, picoseconds until) override;

    /// What has changed since the list was emptied, in the order of time. At a barrier.
    std::vector<wave_change>& changes() { return m_changes; }
    /// When the first event of the trigger's kind came, or `never`. At a barrier.
    picoseconds triggered_at() const { return m_triggered_at; }
    /// Records nothing from now on. At a barrier.
    void stop() { m_end = picoseconds{0}; }
    std::uint32_t words() const { return static_cast<std::uint32_t>(m_known.size()); }

 private:
    class declaration;
    class recording;
    struct connection {
        unsigned ingress_port = no_port;
        picoseconds until{0};
    };

    bool has(wave_group group) const { return (m_groups >> static_cast<unsigned>(group) & 1) != 0; }
    template <class Sink>
    void visit(Sink& sink);
    template <class Sink>
    void visit_port(Sink& sink, unsigned port);
    template <class Sink, class Meter>
    void visit_memory(Sink& sink, Meter&& meter_of);
    template <class Sink>
    void visit_slice(Sink& sink, unsigned slice);
    std::uint64_t count_of_drops() const;
    void look_for_trigger(picoseconds now);

    const switch_node* m_device;
    const run_config& m_config;
    /// Groups of signals that are recorded, a bit each.
    unsigned m_groups = 0;
    picoseconds m_end;
    std::uint32_t m_first_word;
    unsigned m_ports;
    /// By egress port.
    std::vector<connection> m_connections;
    /// As recorded last, by word.
    std::vector<std::uint64_t> m_known;
    std::vector<wave_change> m_changes;
    picoseconds m_triggered_at = never;
    /// As of the last look.
    std::uint64_t m_drops = 0;
    std::vector<class_mask> m_wanted;
};

}  // namespace weir::tb
