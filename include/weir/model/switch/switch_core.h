// What the stages of a frame's path through a switch share: time and events, the packet store, blocks, ports
// and counts.
//
// A switch is one object in layers, so that a frame's path is one piece of code, which the compiler can inline.
// Each layer knows only those below it:
//
//     switch_node      elaboration, the agenda's loop, changes by configuration, statistics
//     ingress_stage    last bit in, lookup, port selection
//     egress_stage     egress queue, scheduler, transmitter
//     crossbar_stage   VOQs, arbitration, transfer
//     memory_stage     packet memory is charged and released; XOFF, XON and room follow
//     fetch_stage      memory that all of these will need is asked for before
//     switch_core      this
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "weir/base/agenda.h"
#include "weir/base/namespaces.h"
#include "weir/model/crossbar/islip.h"
#include "weir/model/crossbar/slot_clock.h"
#include "weir/model/engine/node.h"
#include "weir/model/forwarding/lookup_pipeline.h"
#include "weir/model/switch/block_ref.h"
#include "weir/model/switch/cause_recorder.h"
#include "weir/model/switch/memory_path.h"
#include "weir/model/switch/queue_manager.h"
#include "weir/model/switch/switch_blocks.h"
#include "weir/model/switch/switch_parameters.h"
#include "weir/model/switch/switch_port.h"
#include "weir/model/switch/switch_probe.h"
#include "weir/model/switch/switch_services.h"
#include "weir/model/switch/watchdog_driver.h"

namespace weir::model {

/// Order of a switch's events within an instant. Part of the model's identity: a change changes results.
struct switch_stages {
    enum : unsigned {
        warmup_end,     ///< statistics begin, before anything else of the instant
        control,        ///< table and link changes that the configuration schedules
        arrival,        ///< last bit in
        pause_effect,   ///< T_R after a PFC frame
        pause_expiry,   ///< a timer has run out
        pause_refresh,  ///< an XOFF is to be repeated
        lookup_done,    ///< an egress port is selected
        transfer_done,  ///< a frame has come to the memory that it is sent from, or has crossed (memory_path.h)
        transmit_done,  ///< last bit out
        memory_read,    ///< a frame that the port waited for has been read from its memory
        slot,           ///< the crossbar's next slot (`cell` mode)
        watchdog,       ///< the PFC watchdog looks at all queues
        own_lookup_done,  ///< a frame of the switch's own comes to its egress queue
        count
    };
    static constexpr unsigned rows = 4;
    static constexpr std::array<std::uint8_t, count> row_of{3, 3, 3, 3, 3, 3, 0, 1, 2, 3, 1, 3, 3};
};

struct switch_stats {
    /// Frames, or cells, that have begun to cross; those of a timed transfer (cell_streams.h) from its begin.
    std::uint64_t matches = 0;
    drop_counts drops{};
    /// Per port and class; empty before the first loss.
    std::vector<std::array<drop_counts, pfc_classes>> port_drops;

    drop_counts drops_at(unsigned port, pfc_class c) const {
        return port_drops.empty() ? drop_counts{} : port_drops[port][c];
    }
};

/// Of a switch's parameters, what each frame is subject to.
struct frame_rules {
    explicit frame_rules(const switch_parameters& p)
        : max_frame(p.device.max_frame),
          memory_cell(p.device.memory_cell),
          classes(p.device.classes),
          moves_cells(p.device.crossbar == crossbar_mode::cell),
          drops_at_egress(p.device.drop == drop_policy::egress_tail),
          charge(p.flow_control.charge) {}

    bytes max_frame;
    bytes memory_cell;
    std::uint32_t classes;
    bool moves_cells;
    /// Nothing is reserved: what has crossed may find no memory.
    bool drops_at_egress;
    charge_time charge;
};

class switch_core : public node {
 public:
    const switch_parameters& parameters() const { return m_parameters; }
    const switch_stats& stats() const { return m_stats; }
    unsigned classes() const { return m_rules.classes; }
    const mac_port& mac(unsigned port) const { return m_ports[port]; }
    bytes wire_overhead(unsigned port) const { return m_ports[port].wire->overhead(); }
    /// Ports of which the link partner has paused a class.
    const port_bitmap& paused_ports() const { return m_paused_ports; }
    /// The packet store, for modules that replace a buffer.
    frame_slab& slab() { return m_slab; }
    const frame_slab& slab() const { return m_slab; }

    ingress_buffer_if& ingress_memory() { return *m_ingress; }
    egress_buffer_if& egress_memory() { return *m_egress; }
    const ingress_buffer_if& ingress_memory() const { return *m_ingress; }
    const egress_buffer_if& egress_memory() const { return *m_egress; }
    /// The default block's, or null where another module is bound.
    ingress_buffer* own_ingress() const { return m_ingress.own(); }
    const egress_buffer* own_egress() const { return m_egress.own(); }
    bool has_crossbar() const { return m_memory->has_crossbar(); }
    bool stays_at_ingress() const { return m_memory->stays_at_ingress(); }
    /// Null where ports have memories of their own.
    const shared_buffer* shared_memory() const { return m_memory->shared(); }
    /// Null where memories are as fast as they have to be.
    const sram_timing* sram() const { return m_memory->banks(); }
    /// Since the end of the warm-up: frames lost in front of a shared memory because others waited for lookups.
    std::uint64_t lost_for_lookup() const { return m_memory->lost_for_lookup(); }
    const lookup_pipeline& pipeline() const { return m_pipeline; }
    /// Null where nothing is kept.
    const cause_log* causes() const { return m_causes != nullptr ? &m_causes->log() : nullptr; }

 protected:
    switch_core(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
                const std::vector<port_config>& ports, const switch_parameters& parameters);

 private:
    /// The parameters are adapted to the kind of memory.
    struct adapted {};
    switch_core(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
                const std::vector<port_config>& ports, const switch_parameters& parameters, adapted);

 protected:
    // --- the instant

    /// Nothing else happens in this instant, and nothing waits for its end.
    bool is_last_of_instant() const { return m_agenda.next_key() > m_instant_last && !m_instant_unfinished; }
    void arbitrate_later() {
        m_arbitration_pending = true;
        m_instant_unfinished = true;
    }
    /// `cell` mode: there is something to match.
    void wake_slot() {
        const picoseconds at = m_slots.wake(m_now);
        if (at != never) {
            m_agenda.schedule(at, switch_stages::slot, 0, 0);
        }
    }
    /// The end of the port's transmission gets an event.
    void await_end(switch_port& p) {
        if (!p.sending.end_scheduled) {
            p.sending.end_scheduled = true;
            m_agenda.schedule(p.sending.end, switch_stages::transmit_done, p.number, 0);
        }
    }
    void await_end_unless_quiet(switch_port& p) {
        if (p.sending.frame != no_slot &&
            !(m_path == frame_path::direct && m_egress.own()->is_quiet(*p.egress_memory))) {
            await_end(p);
        }
    }
    /// The port chooses a frame at the end of this instant, or when it has sent what it is sending.
    void transmit_later(switch_port& p) {
        if (p.sending.busy(m_now)) {
            await_end(p);
        } else if (!p.sending.pending) {
            p.sending.pending = true;
            m_instant_unfinished = true;
            m_transmit_pending[m_transmit_count++] = static_cast<std::uint16_t>(p.number);
        }
    }

    // --- frames

    bool is_lossless() const { return m_parameters.flow_control.mode != flow_control_mode::none; }
    bool moves_cells() const { return m_rules.moves_cells; }
    pfc_class class_of(const ethernet_frame& frame) const {
        return frame.priority < classes() ? frame.priority : static_cast<pfc_class>(classes() - 1);
    }
    void count_arrival(switch_port& p, const stored_frame& stored) {
        ++m_balance.received;
        p.incoming_bytes -= stored.route.charged_bytes;
    }
    static void count_received(switch_port& p, const stored_frame& stored) {
        p.stats.classes[stored.route.frame_class].count_received(stored.frame.frame_bytes);
    }
    [[gnu::noinline]] void drop(frame_slot slot, unsigned port, drop_reason reason);
    /// A rule of the egress queues loses the frame. Causes do not explain it.
    [[gnu::noinline]] void drop_by_rule(frame_slot slot, unsigned port, drop_reason reason);
    void lose(frame_slot slot, unsigned port, drop_reason reason);
    /// A frame of a lossless class is lost next: the run ends with `what`, unless losses are only counted.
    [[gnu::cold, gnu::noinline]] void report_lossless_loss(const std::string& what);
    const frame_annex* leaving_annex(unsigned port) const override;
    /// What the link partner has paused at the port may be different now.
    void pauses_changed(unsigned port);
    /// Frames in the store that are still on their way in, and those whose first bit has left.
    std::uint32_t arriving() const;
    std::uint32_t transmitting() const;

    // --- what a frame reads and writes, in the order in which it needs it

    agenda<switch_stages> m_agenda;
    picoseconds m_now{0};
    event_key m_instant_last = 0;
    /// Arrivals that have been taken reach to here: the quantum's end, unless it is long (node::take_window).
    picoseconds m_run_end{0};
    frame_path m_path = frame_path::general;
    // One of the next three, or `crossbar_stage`'s lone frame, has something to do at the instant's end.
    bool m_instant_unfinished = false;
    bool m_arbitration_pending = false;
    // Ports that are marked pending: each picks a frame at the end of this instant.
    std::uint16_t m_transmit_count = 0;
    std::unique_ptr<std::uint16_t[]> m_transmit_pending;
    /// What has been fetched in this quantum (fetch_stage.h).
    struct fetched_parts {
        /// Of the frame that was looked up last; the next ones may be of the same class.
        pfc_class frame_class = 0;
        std::uint16_t ports = 0;
        std::uint16_t links = 0;
    };
    fetched_parts m_fetched;
    std::vector<switch_port> m_ports;
    frame_rules m_rules;
    // Memory is at each port, and as fast as it has to be: frames need not ask it on their way.
    bool m_crosses_plainly = false;
    // Memory has banks, and may not have read a frame yet that is to be sent.
    bool m_reads_banks = false;
    // All but the default strict priority: it is told lengths and what was sent.
    bool m_scheduler_reads_lengths = false;
    // Blocks, cached at the end of elaboration.
    block_ref<tcam_block, lookup_if> m_lookup;
    selector_ref m_selector;
    block_ref<ingress_buffer_block, ingress_buffer_if> m_ingress;
    block_ref<arbiter_block<islip>, arbiter_if> m_arbiter;
    block_ref<egress_buffer_block, egress_buffer_if> m_egress;
    frame_slab m_slab;
    frame_balance m_balance;
    lookup_pipeline m_pipeline;
    // Frames in the store that are not inside: still on their way in, PFC frames before T_R. Those that arrive
    // without an event are in their ports' lists.
    std::uint32_t m_arriving = 0;
    std::uint32_t m_control_frames = 0;
    switch_stats m_stats;
    // What waits in VOQs, and which egress ports have room for it.
    crossbar_requests m_requests;

    // --- what is needed now and then

    switch_parameters m_parameters;
    std::vector<port_config> m_port_configs;
    unsigned m_port_count;
    port_bitmap m_paused_ports;
    slot_clock m_slots;
    scheduler_if* m_scheduler = nullptr;

    // Parts. What they see of this switch:
    std::unique_ptr<switch_services> m_services;
    std::unique_ptr<memory_path> m_memory;
    std::unique_ptr<mac_driver> m_macs;
    // Null where no rule depends on what egress queues hold. Such a switch may take `frame_path::direct`.
    std::unique_ptr<queue_manager> m_queues;
    // Null where causes are not kept.
    std::unique_ptr<cause_recorder> m_causes;
    // Null without one.
    std::unique_ptr<watchdog_driver> m_watchdog;
    // Null without a probe.
    switch_probe* m_probe = nullptr;
};

}  // namespace weir::model
