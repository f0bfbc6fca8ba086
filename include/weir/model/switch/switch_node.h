// A switch: combined input and output queued, with a crossbar, as docs/blocks/switch.md draws it.
//
// A frame's way, and what happens at each time (docs/timing-model.md):
//
//     last bit in     ingress memory is charged, XOFF is decided, the lookup starts          ingress_stage
//     + lookup        an egress port is selected among the acceptable ones; VOQ
//     match           egress room is reserved; the crossbar moves the frame                  crossbar_stage
//     + transfer      ingress memory is released, XON is decided, egress memory is charged   egress_stage
//     first bit out   the scheduler has chosen the frame among the classes not paused
//     last bit out    egress memory is released                                              packet_memory
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
#include <string>
#include <vector>

#include "weir/model/switch/block_kinds.h"
#include "weir/model/switch/switch_path.h"

namespace weir::model {

class switch_node : public node {
 public:
    template <class Interface>
    using block_port = sc_core::sc_port<Interface, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

    switch_node(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
                const std::vector<port_config>& ports, const switch_parameters& parameters);

    // --- before the run

    /// The table at the start. After elaboration.
    void load_routes(const std::vector<route_entry>& routes) { m_path.blocks.lookup->load(routes); }
    void schedule(route_change change);
    /// In order of time; the link's other end has to be told the same.
    void schedule(const link_change& change);
    /// Before elaboration ends: shows every instant of this switch, and the first one even if nothing happens
    /// in it. Such a switch takes `general_path`, so that all others pay nothing; results stay the same.
    void set_probe(switch_probe& probe) {
        m_path.probe = &probe;
        m_path.instant.events.schedule(picoseconds{0}, switch_stages::warmup_end, 0, first_instant);
    }
    /// Keeps why it pauses and drops.
    void log_causes(const cause_options& options) { m_path.causes = m_path.organisation->make_causes(options); }

    // --- as a node

    void advance() override;
    bool needs_kernel_thread() const override { return m_has_foreign_block; }
    void settle(picoseconds now) override;
    void restart_statistics_at(picoseconds at) override;
    frame_balance balance() const override;
    std::uint32_t frames_held() const override;
    std::string waiting_ports() const override;

    // --- what it has, and has counted

    /// Parameters as the organisation of the memory has adapted them.
    const switch_parameters& parameters() const { return m_path.parameters; }
    unsigned classes() const { return m_path.rules.classes; }
    const switch_stats& stats() const { return m_path.stats; }
    const mac_port& mac(unsigned port) const { return m_path.ports[port]; }
    bytes wire_overhead(unsigned port) const { return m_path.ports[port].wire->overhead(); }
    /// Ports of which the link partner has paused a class.
    const port_bitmap& paused_ports() const { return m_path.paused_ports; }
    /// The packet store, for modules that replace a buffer.
    frame_slab& slab() { return m_path.frames; }
    const frame_slab& slab() const { return m_path.frames; }
    ingress_buffer_if& ingress_memory() { return *m_path.blocks.ingress; }
    egress_buffer_if& egress_memory() { return *m_path.blocks.egress; }
    const ingress_buffer_if& ingress_memory() const { return *m_path.blocks.ingress; }
    const egress_buffer_if& egress_memory() const { return *m_path.blocks.egress; }
    /// The default block's, or null where another module is bound.
    ingress_buffer* own_ingress() const { return m_path.blocks.ingress.own(); }
    const egress_buffer* own_egress() const { return m_path.blocks.egress.own(); }
    bool has_crossbar() const { return m_path.organisation->has_crossbar(); }
    bool stays_at_ingress() const { return m_path.organisation->stays_at_ingress(); }
    /// Null where ports have memories of their own.
    const shared_buffer* shared_memory() const { return m_path.organisation->shared(); }
    /// Null where memories are as fast as they have to be.
    const sram_timing* sram() const { return m_path.organisation->banks(); }
    /// Frames lost since the end of the warm-up in front of a shared memory, because others waited for lookups.
    std::uint64_t lost_for_lookup() const { return m_path.organisation->lost_for_lookup(); }
    const lookup_pipeline& pipeline() const { return m_path.pipeline; }
    /// Frames, or cells, that have begun to cross since the end of the warm-up, up to when the node was settled
    /// last.
    std::uint64_t matches() const { return m_path.matches(); }
    /// Time that one cell, or a frame with what it takes on the wire, needs to cross.
    picoseconds crossbar_time(bytes wire_bytes) const { return m_path.transfer_time(wire_bytes); }
    /// Data frames that finished a transmission.
    std::uint64_t hops() const { return m_path.balance.sent - m_path.transmitting(); }
    /// Null where nothing is kept.
    const cause_log* causes() const { return m_path.causes != nullptr ? &m_path.causes->log() : nullptr; }
    /// In the order of time; at most 65,536.
    const std::vector<watchdog_event>& watchdog_events() const;
    /// Statistics are about to be read at a time that nothing of `until` or later has touched.
    void catch_up(picoseconds until) { m_path.catch_up(until); }

 private:
    /// Payload of an event at 0 that does nothing: it makes a first instant for the probe.
    static constexpr std::uint32_t first_instant = 1;
    struct control_action {
        std::unique_ptr<route_change> routes;
        link_change link{};
    };

    void before_end_of_elaboration() override;
    void end_of_elaboration() override;
    void bind_default_blocks();
    template <class Interface>
    void bind_default(block_port<Interface>& open, const block_traits<Interface>& kind,
                      const block_setup& setup);
    void bind_pfc();
    void choose_path();

    void prefetch_parts() const override;
    const frame_annex* leaving_annex(unsigned port) const override;
    template <class Path>
    [[gnu::flatten]] void run_inlined();
    template <class Path>
    void run();
    template <class Path>
    [[gnu::noinline, gnu::flatten]] picoseconds take_few();
    template <class Path>
    void dispatch_next();
    template <class Path>
    [[gnu::noinline]] void dispatch_rare();
    template <class Path>
    void dispatch(const event& e);
    template <class Path>
    void finish_instant();

    void on_pause_effect(unsigned port, frame_slot slot);
    void on_watchdog();
    void on_control();
    void add_control(picoseconds at, control_action action);
    /// The warm-up has ended.
    void restart_statistics();

    switch_path m_path;

    // Frames take `own_path`. If neither this nor `frame_rules::is_direct` holds, they take `general_path`.
    bool m_has_own_blocks = false;
    // Some block was bound from outside.
    bool m_has_foreign_block = false;
    std::vector<std::unique_ptr<sc_core::sc_module>> m_default_blocks;
    std::map<picoseconds, std::vector<control_action>> m_controls;

 public:
    // Bind blocks before elaboration ends, or leave the ports open for the default ones.
    block_port<lookup_if> lookup{"lookup"};
    block_port<port_selector_if> port_selection{"port_selection"};
    block_port<ingress_buffer_if> ingress{"ingress"};
    block_port<arbiter_if> arbiter{"arbiter"};
    block_port<egress_buffer_if> egress{"egress"};
    block_port<scheduler_if> egress_scheduler{"egress_scheduler"};
    /// The default is no module: the ports keep PFC themselves.
    block_port<pfc_if> pfc{"pfc"};
};

}  // namespace weir::model
