// A switch: combined input and output queued, with a crossbar, as docs/blocks/switch.md draws it.
//
// A frame's way, and what happens at each time (docs/timing-model.md):
//
//     last bit in     ingress memory is charged, XOFF is decided, the lookup starts          ingress_stage
//     + lookup        an egress port is selected among the acceptable ones; VOQ
//     match           egress room is reserved; the crossbar moves the frame                  crossbar_stage
//     + transfer      ingress memory is released, XON is decided, egress memory is charged   egress_stage
//     first bit out   the scheduler has chosen the frame among the classes not paused
//     last bit out    egress memory is released                                              memory_stage
//
// With another organisation of the packet memory, what lies between lookup and egress queue differs
// (memory_path.h).
//
// All events of an instant come first; then every port that is marked pending picks a frame to send; then the
// arbiter runs once. Blocks are bound through the public ports; each that is left open gets its default.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "weir/model/switch/default_blocks.h"
#include "weir/model/switch/switch_statistics.h"

namespace weir::model {

class switch_node : public switch_statistics, public block_ports {
 public:
    switch_node(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
                const std::vector<port_config>& ports, const switch_parameters& parameters);

    /// The table at the start. After elaboration.
    void load_routes(const std::vector<route_entry>& routes) { m_lookup->load(routes); }
    void schedule(route_change change);
    /// Before the run, in order of time; the link's other end has to be told the same.
    void schedule(const link_change& change);
    /// Before elaboration ends: shows every instant of this switch, and the first one even if nothing happens
    /// in it. Such a switch takes `frame_path::general`, so that all others pay nothing; results stay the same.
    void set_probe(switch_probe& probe) {
        m_probe = &probe;
        m_agenda.schedule(picoseconds{0}, switch_stages::warmup_end, 0, first_instant);
    }
    /// Before the run: keeps why it pauses and drops.
    void log_causes(const cause_options& options) { m_causes = m_memory->make_causes(options, *m_services); }
    /// In the order of time; at most 65,536.
    const std::vector<watchdog_event>& watchdog_events() const;

    void advance() override;
    bool needs_kernel_thread() const override { return m_has_foreign_block; }

 private:
    /// Payload of an event at 0 that does nothing: it makes a first instant for the probe.
    static constexpr std::uint32_t first_instant = 1;
    class services;
    struct control_action {
        std::unique_ptr<route_change> routes;
        link_change link{};
    };

    void before_end_of_elaboration() override;
    void end_of_elaboration() override;
    void bind_pfc();
    frame_path choose_path() const;

    void prefetch_parts() const override;
    template <frame_path Path>
    [[gnu::flatten]] void run_inlined();
    template <frame_path Path>
    void run();
    template <frame_path Path>
    [[gnu::noinline, gnu::flatten]] picoseconds take_few();
    template <frame_path Path>
    void dispatch_next();
    template <frame_path Path>
    [[gnu::noinline]] void dispatch_rare();
    template <frame_path Path>
    void dispatch(const event& e);
    template <frame_path Path>
    void finish_instant();

    void on_pause_effect(unsigned port, frame_slot slot);
    void on_watchdog();
    void on_control();
    void add_control(picoseconds at, control_action action);

    default_blocks m_defaults;
    // Some block was bound from outside.
    bool m_has_foreign_block = false;
    std::map<picoseconds, std::vector<control_action>> m_controls;
};

}  // namespace weir::model
