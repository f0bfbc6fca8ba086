// A switch: combined input and output queued, with a crossbar, as design section 3 draws it.
//
// A frame's way, and what happens at each time (docs/timing-model.md):
//
//   last bit in     ingress memory is charged, XOFF is decided, the lookup starts
//   + lookup        an egress port is selected among the acceptable ones; the frame enters its VOQ
//   match           egress room is reserved; the crossbar moves the frame
//   + transfer      ingress memory is released (XON is decided), egress memory charged
//   first bit out   the scheduler has chosen the frame among the classes that are not paused
//   last bit out    egress memory is released
//
// All events of an instant come first; then every port that is marked pending picks a frame to send; then the
// arbiter runs once. Blocks are bound through the public ports; each that is left open gets its default.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "weir/base/agenda.h"
#include "weir/base/rng.h"
#include "weir/model/config/pfc_config.h"
#include "weir/model/config/switch_config.h"
#include "weir/model/crossbar/islip.h"
#include "weir/model/engine/node.h"
#include "weir/model/flow_control/mac_port.h"
#include "weir/model/forwarding/lookup_pipeline.h"
#include "weir/model/memory/arrival_fifo.h"
#include "weir/model/memory/shared_buffer.h"
#include "weir/model/memory/sram_timing.h"
#include "weir/model/switch/block_interfaces.h"
#include "weir/model/switch/block_ref.h"
#include "weir/model/switch/bound_pfc.h"
#include "weir/model/switch/cause_recorder.h"
#include "weir/model/switch/switch_blocks.h"
#include "weir/model/switch/switch_probe.h"
#include "weir/model/switch/switch_services.h"
#include "weir/model/switch/switch_setup.h"
#include "weir/model/switch/watchdog_driver.h"

namespace weir {

/// Order within an instant. Part of the model's identity: a change changes results.
struct switch_stages {
    enum : unsigned {
        sample,         ///< statistics over time, before anything else of the instant
        control,        ///< table and link changes that the configuration schedules
        arrival,        ///< last bit in
        pause_effect,   ///< T_R after a PFC frame
        pause_expiry,   ///< a timer has run out
        pause_refresh,  ///< an XOFF is to be repeated
        lookup_done,    ///< the frame enters its VOQ
        transfer_done,  ///< a frame has crossed
        transmit_done,  ///< last bit out
        memory_read,    ///< a frame that the port waited for has been read from its memory
        slot,           ///< the crossbar's next slot (`cell` mode)
        watchdog,       ///< the PFC watchdog looks at all queues
        count
    };
    static constexpr unsigned rows = 4;
    static constexpr std::array<std::uint8_t, count> row_of{3, 3, 3, 3, 3, 3, 0, 1, 2, 3, 1, 3};
};

/// Everything about a switch that does not depend on the frames.
struct switch_parameters : switch_setup {
    shared_profiles profiles;
    std::uint64_t seed = 1;
    /// Events are kept by the literal agenda: an oracle.
    bool literal_engine = false;
};

/// In front of a shared memory, for their lookup or its banks.
bool frames_wait_before_memory(const switch_parameters& parameters);

/// A change of the forwarding table at a given time.
struct route_change {
    picoseconds at;
    std::vector<route_entry> routes;
};

struct switch_stats {
    drop_counts drops{};
    /// Per port and class.
    std::vector<std::array<drop_counts, pfc_classes>> port_drops;
    std::uint64_t arbitrations = 0;
    std::uint64_t matches = 0;
};

class switch_node : public node {
 public:
    switch_node(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
                const std::vector<port_config>& ports, const switch_parameters& parameters);

    // Blocks. Bind before elaboration ends, or leave open for the default.
    sc_core::sc_port<lookup_if, 1, sc_core::SC_ZERO_OR_MORE_BOUND> lookup;
    sc_core::sc_port<port_selector_if, 1, sc_core::SC_ZERO_OR_MORE_BOUND> port_selection;
    sc_core::sc_port<ingress_buffer_if, 1, sc_core::SC_ZERO_OR_MORE_BOUND> ingress;
    sc_core::sc_port<arbiter_if, 1, sc_core::SC_ZERO_OR_MORE_BOUND> arbiter;
    sc_core::sc_port<egress_buffer_if, 1, sc_core::SC_ZERO_OR_MORE_BOUND> egress;
    sc_core::sc_port<scheduler_if, 1, sc_core::SC_ZERO_OR_MORE_BOUND> egress_scheduler;
    /// Has no default module: the ports keep PFC themselves, unless something is bound.
    sc_core::sc_port<pfc_if, 1, sc_core::SC_ZERO_OR_MORE_BOUND> pfc;

    /// The packet store, for modules that replace a buffer.
    frame_slab& slab() { return m_slab; }

    /// The table at the start. After elaboration.
    void load_routes(const std::vector<route_entry>& routes) { m_lookup->load(routes); }
    void schedule(route_change change);
    /// Before the run, in order of time; the link's other end has to be told the same.
    void schedule(const link_change& change);

    /// Before elaboration ends: shows every instant of this switch from now on. Such a switch takes the path on
    /// which every change has an event of its own, so that all others pay nothing; results stay the same.
    void set_probe(switch_probe& probe) { m_probe = &probe; }

    void advance() override;
    void settle(picoseconds now) override;
    void sample_every(picoseconds interval, std::uint32_t capacity) override;
    void restart_statistics_at(picoseconds at) override;
    frame_balance balance() const override;
    std::uint32_t frames_held() const override;
    std::string waiting_ports() const override;
    bool needs_kernel_thread() const override { return m_has_foreign_block; }

    const switch_stats& stats() const { return m_stats; }
    /// Since the end of the warm-up, up to when the node was settled last: frames, or cells, that have begun to
    /// cross.
    std::uint64_t matches() const { return m_matches_settled - m_matches_before; }
    /// Of one cell, or frame with what it takes on the wire.
    picoseconds crossbar_time(bytes wire_bytes) const { return m_crossbar(wire_bytes); }
    bytes wire_overhead(unsigned port) const { return m_ports[port].wire_overhead; }
    /// Since then: frames lost in front of a shared memory because others waited for their lookups.
    std::uint64_t lost_for_lookup() const { return m_lost_for_lookup; }
    /// Data frames that finished a transmission.
    std::uint64_t hops() const { return m_balance.sent - transmitting(); }
    const mac_port& mac(unsigned port) const { return m_ports[port]; }
    ingress_buffer_if& ingress_memory() { return *m_ingress; }
    egress_buffer_if& egress_memory() { return *m_egress; }
    /// Null where memory is partitioned.
    const shared_buffer* shared_memory() const { return m_shared.get(); }
    /// Null where memories are as fast as they have to be.
    const sram_timing* sram() const { return m_sram.get(); }
    const ingress_buffer_if& ingress_memory() const { return *m_ingress; }
    const egress_buffer_if& egress_memory() const { return *m_egress; }
    const lookup_pipeline& pipeline() const { return m_pipeline; }

    unsigned classes() const { return m_classes; }
    /// Before the run: keeps why it pauses and drops.
    void log_causes(const cause_options& options);
    /// Null where nothing is kept.
    const cause_log* causes() const { return m_causes != nullptr ? &m_causes->log() : nullptr; }
    /// In the order of time; at most 65,536.
    const std::vector<watchdog_event>& watchdog_events() const;
    // For who looks for deadlocks. The project's own memories, or null.
    ingress_buffer* own_ingress() const { return m_ingress.own(); }
    const egress_buffer* own_egress() const { return m_egress.own(); }
    const frame_slab& slab() const { return m_slab; }
    /// Ports of which the link partner has paused a class.
    const port_bitmap& paused_ports() const { return m_paused_ports; }

 private:
    struct control_action {
        std::unique_ptr<route_change> routes;
        link_change link{};
    };
    void add_control(picoseconds at, control_action action);

    struct switch_port : mac_port {
        using mac_port::mac_port;
        unsigned number = 0;
        wire_output* wire = nullptr;
        // Where the buffers are ours: this port's part of them.
        ingress_buffer::port_state* ingress_memory = nullptr;
        egress_buffer::port_state* egress_memory = nullptr;
        bytes wire_overhead{0};
        // Frames whose last bit has come, or will come, without an event, in the order of time.
        frame_slot first_arrived = no_slot;
        frame_slot last_arrived = no_slot;
        // Accepted and not charged yet. Unit: B.
        std::uint32_t incoming_bytes = 0;
        // Classes with room at egress, as the arbiter knows it.
        std::uint32_t room = 0xFF;
        // Arrivals may be lost: the link is impaired, or there is a watchdog that drops.
        bool inspects_arrivals = false;
        // The link may be down, or a PFC frame due: data may have to wait.
        bool needs_attention = false;
    };

    template <class Block, class... Arguments>
    Block& make_default(const char* name, Arguments&&... arguments);
    void bind_default_arbiter();
    void before_end_of_elaboration() override;
    void end_of_elaboration() override;

    // What a call to a buffer names its port by.
    template <bool Own>
    static auto& ingress_at(switch_port& p) {
        if constexpr (Own) {
            return *p.ingress_memory;
        } else {
            return p.number;
        }
    }
    template <bool Own>
    static auto& egress_at(switch_port& p) {
        if constexpr (Own) {
            return *p.egress_memory;
        } else {
            return p.number;
        }
    }

    // A frame's path. `Own`: all blocks are the default ones, the iSLIP arbiter among them, and calls to them
    // are direct.
    template <bool Own>
    [[gnu::flatten]] void run();
    template <bool Own>
    void accept(unsigned port, const wire_arrival& arrival);
    template <bool Own>
    [[gnu::noinline, gnu::cold]] picoseconds take_few();
    template <bool Own>
    void dispatch_next();
    [[gnu::noinline]] void dispatch_rare();
    void dispatch(const event& e);
    template <bool Own>
    void finish_instant();
    // Nothing else happens in this instant, and nothing waits for its end.
    bool is_last_of_instant() const { return m_agenda.next_key() > m_instant_last && !m_instant_unfinished; }
    template <bool Own>
    const port_bitmap& acceptable_ports(ipv4_address destination) const {
        if constexpr (Own) {
            return m_lookup.own()->lookup_ports(to_uint(destination));
        } else {
            return m_lookup->lookup(destination);
        }
    }
    template <bool Own>
    void on_lookup_done(unsigned port, frame_slot slot);
    template <bool Own>
    void request(frame_slot slot, const frame_route& route);
    template <bool Own>
    void match_lone(frame_slot slot);
    template <bool Own>
    [[gnu::noinline, gnu::flatten]] void arbitrate_frames();
    template <bool Own>
    void take_from_voq(const crossbar_match& match);
    template <bool Own>
    void begin_transfer(frame_slot slot, const stored_frame& stored);
    template <bool Own>
    void reserve(const frame_route& route);
    template <bool Own>
    void on_transfer_done(frame_slot slot);
    template <bool Own>
    bool pass_through(switch_port& p, frame_slot slot, const stored_frame& stored);
    template <bool Own>
    void leave_ingress(frame_slot slot, const stored_frame& stored);
    template <bool Own>
    void transmit(switch_port& p);
    template <bool Own>
    void send_data(switch_port& p, pfc_class c, std::uint32_t wire_bytes);
    void begin_transmission(switch_port& p, pfc_class c, frame_slot slot, ethernet_frame& frame);
    template <bool Own>
    void on_transmit_done(unsigned port);
    template <bool Own>
    void settle_sent(switch_port& p, picoseconds until) {
        const frame_slot slot = p.sending.take_done(until);
        if (slot != no_slot) {
            release_sent<Own>(p, slot, p.sending.end);
        }
    }
    template <bool Own>
    void release_sent(switch_port& p, frame_slot slot, picoseconds at);
    template <bool Own>
    [[gnu::noinline]] void on_slot(std::uint32_t number);
    template <bool Own>
    picoseconds run_slot();
    template <bool Own>
    std::uint16_t move_cell(const crossbar_match& match);

    /// What happens when the port's transmission ends is of interest: there will be an event.
    void await_end(switch_port& p) {
        if (!p.sending.end_scheduled) {
            p.sending.end_scheduled = true;
            m_agenda.schedule(p.sending.end, switch_stages::transmit_done, p.number, 0);
        }
    }
    void await_end_unless_quiet(switch_port& p) {
        if (p.sending.frame != no_slot && !(m_may_defer && m_egress.own()->is_quiet(*p.egress_memory))) {
            await_end(p);
        }
    }
    void transmit_later(switch_port& p) {
        if (p.sending.busy(m_now)) {
            await_end(p);
        } else if (!p.transmit_pending) {
            p.transmit_pending = true;
            m_instant_unfinished = true;
            m_transmit_pending[m_transmit_count++] = static_cast<std::uint16_t>(p.number);
        }
    }
    void update_room(switch_port& p, std::uint32_t room) {
        if (room != p.room) {
            change_room(p, room);
        }
    }

    void arbitrate_later() {
        m_arbitration_pending = true;
        m_instant_unfinished = true;
    }

    void count_arrival(switch_port& p, const stored_frame& stored) {
        ++m_balance.received;
        p.incoming_bytes -= stored.route.charged_bytes;
    }
    static void count_received(switch_port& p, const stored_frame& stored) {
        ++p.stats.rx_frames[stored.route.frame_class];
        p.stats.rx_bytes[stored.route.frame_class] += stored.frame.frame_bytes;
    }
    void charge_arrived(switch_port& p, picoseconds until) {
        if (p.first_arrived != no_slot) {
            charge_each_arrived(p, until);
        }
    }
    bool charge_and_release(frame_slot slot, switch_port& p, const stored_frame& stored);
    pfc_class class_of(const ethernet_frame& frame) const {
        return frame.priority < m_classes ? frame.priority : static_cast<pfc_class>(m_classes - 1);
    }

    std::uint32_t arriving() const;
    std::uint32_t transmitting() const;

    // A shared memory (switch_shared.cpp).
    void make_shared_memory();
    void require_own_buffers();
    [[gnu::noinline]] void store_shared(frame_slot slot);
    [[gnu::noinline]] void lose_shared(frame_slot slot, admission answer);
    std::string shared_loss_text(const frame_route& route) const;
    [[gnu::noinline]] void leave_shared(const frame_route& route, picoseconds at);
    void enqueue_shared(frame_slot slot);
    void apply_pauses(frame_slot crossing);
    void check_shared(picoseconds now);

    // Memories with limited bandwidth (switch_sram.cpp).
    void make_sram();
    [[gnu::noinline]] bool enter_fifo(unsigned port, frame_slot slot);
    [[gnu::noinline]] void note_lookup(unsigned port, frame_slot slot, picoseconds done);
    [[gnu::noinline]] picoseconds write_ingress(unsigned port, frame_slot slot, picoseconds done);
    [[gnu::noinline]] bool write_shared(unsigned slice, frame_slot slot);
    [[gnu::noinline]] picoseconds read_ingress(frame_slot slot);
    [[gnu::noinline]] bool write_egress(frame_slot slot);
    [[gnu::noinline]] bool follow_read(switch_port& p, class_mask eligible);
    [[gnu::noinline]] bool read_egress(switch_port& p, pfc_class c);

    // Beside the usual path: through the interfaces, and out of line.
    [[gnu::noinline]] void on_arrival(unsigned port, frame_slot slot);
    void charge_each_arrived(switch_port& p, picoseconds until);
    [[gnu::noinline]] void catch_up(picoseconds until);
    [[gnu::noinline]] bool charge(switch_port& p, frame_slot slot);
    [[gnu::noinline]] void report_lossless_loss(unsigned port, const frame_route& route);
    [[gnu::noinline]] bool lost_on_arrival(unsigned port, frame_slot slot);
    [[gnu::noinline]] void drop_unroutable(unsigned selected, frame_slot slot);
    [[gnu::noinline]] void drop(frame_slot slot, unsigned port, drop_reason reason);
    void drop_waiting(switch_port& p) { drop_backlog(p, 0xFF, drop_reason::link_down); }
    [[gnu::noinline]] void drop_backlog(switch_port& p, class_mask classes, drop_reason reason);
    [[gnu::noinline]] bool attend_to(switch_port& p);
    /// `made`: the frame's contents, where PFC is bound; else null.
    [[gnu::noinline]] void send_control(switch_port& p, const pause_fields* made);
    [[gnu::noinline]] int select_by_length(switch_port& p, class_mask eligible, std::uint32_t& wire_bytes);
    [[gnu::noinline]] void change_room(switch_port& p, std::uint32_t room);
    [[gnu::noinline]] void lose_room(switch_port& p);
    bool is_allowed(const crossbar_match& match);
    bool are_allowed(const port_bitmap& all);
    [[gnu::noinline]] void wake_slot();
    void schedule_slot(picoseconds at);
    void make_up_for_slots();
    void on_pause_effect(unsigned port, frame_slot slot);
    void on_pause_expiry(unsigned port);
    void on_pause_refresh(unsigned port, std::uint32_t reason);
    void bind_pfc();
    void change_requests(switch_port& p) {
        p.needs_attention = true;
        if (__builtin_expect(m_pfc != nullptr, 0)) {
            m_pfc->request(p.number, false);
        }
        transmit_later(p);
    }
    void schedule_pause_expiry(unsigned port);
    void note_pauses(const switch_port& p) {
        m_paused_ports.assign(p.number, p.timers.paused_mask() != 0);
        if (m_causes != nullptr) {
            m_causes->note_paused(p.number);
        }
    }
    void on_control();
    void make_parts();
    void on_watchdog();
    bool drop_on_arrival_in_storm(unsigned port, frame_slot slot);
    // Of a `sample` event: end of the warm-up instead of a sample.
    static constexpr std::uint32_t restart_payload = 1;
    bool is_empty() const;
    [[gnu::noinline, gnu::cold]] void wake_sampler();
    void on_sample();
    void restart_statistics();

    switch_parameters m_parameters;
    std::vector<port_config> m_port_configs;
    unsigned m_port_count;
    unsigned m_classes;
    bool m_lossless;
    // All but our own strict priority: it is told lengths and what was sent.
    bool m_scheduler_reads_lengths = false;
    // Its matches are checked.
    bool m_arbiter_is_foreign = false;
    agenda<switch_stages> m_agenda;
    picoseconds m_now{0};
    /// Arrivals that have been taken reach to here: the quantum's end, unless it is long (node::take_window).
    picoseconds m_run_end{0};
    frame_slab m_slab;
    crossbar_requests m_requests;
    port_bitmap m_free_ingress;
    port_bitmap m_free_egress;
    event_key m_instant_last = 0;
    // Of the three that follow, some have something to do at the end of this instant.
    bool m_instant_unfinished = false;
    // Ports that are marked pending: each picks a frame at the end of this instant.
    // A port that has been served can come once more: with a shared memory a cut link's frames release others.
    std::array<std::uint16_t, std::size_t{2} * max_ports> m_transmit_pending{};
    unsigned m_transmit_count = 0;
    bool m_arbitration_pending = false;
    // A frame that alone wants to cross, from its lookup to the end of the instant.
    frame_slot m_lone = no_slot;
    // All blocks are the default ones: another arbiter of ours takes the interfaces, too.
    bool m_own_blocks = false;
    // Some block was bound from outside.
    bool m_has_foreign_block = false;
    // What nobody can see need not be an event: arrivals below all thresholds, ends of transmissions. Our own
    // blocks only, without a probe, and not with the literal engine, which so checks this too.
    bool m_may_defer = false;
    bool m_may_defer_arrivals = false;
    bool m_may_match_lone = false;
    picoseconds m_slot_time{0};
    picoseconds m_last_slot{-1};
    // `never`: nothing to match. The agenda may still have slots of earlier numbers.
    picoseconds m_next_slot = never;
    std::uint32_t m_slot_number = 0;
    // All slots up to the next one have the last one's matches.
    bool m_slots_repeat = false;
    bool m_may_repeat_slots = false;
    std::vector<crossbar_match> m_matches;
    std::vector<switch_port> m_ports;
    serializer m_crossbar;
    lookup_pipeline m_pipeline;
    random_stream m_selection_chance;
    std::vector<random_stream> m_error_chance;
    std::map<picoseconds, std::vector<control_action>> m_controls;
    port_bitmap m_paused_ports;
    // What the parts below see of this switch.
    class services;
    std::unique_ptr<switch_services> m_services;
    // Null where they are not kept.
    std::unique_ptr<cause_recorder> m_causes;
    // Null without one.
    std::unique_ptr<watchdog_driver> m_watchdog;

    // Cached at the end of elaboration.
    block_ref<tcam_block, lookup_if> m_lookup;
    block_ref<port_selector_block, port_selector_if> m_selector;
    block_ref<ingress_buffer_block, ingress_buffer_if> m_ingress;
    block_ref<arbiter_block<islip>, arbiter_if> m_arbiter;
    block_ref<egress_buffer_block, egress_buffer_if> m_egress;
    scheduler_if* m_scheduler = nullptr;
    // Null where nothing is bound.
    std::unique_ptr<bound_pfc> m_pfc;
    // An arbiter whose runs take time is busy until then.
    picoseconds m_arbiter_free{0};

    std::vector<std::unique_ptr<sc_core::sc_module>> m_defaults;
    std::unique_ptr<shared_buffer> m_shared;
    // Null where memories are as fast as they have to be.
    std::unique_ptr<sram_timing> m_sram;
    // By port; empty where nothing waits in front of a memory.
    std::vector<arrival_fifo> m_arrival_fifos;
    // Since the end of the warm-up: frames of which the FIFO was full of others that waited for a lookup.
    std::uint64_t m_lost_for_lookup = 0;
    // When the node was settled last, slots that have not been made up for included; at the end of the warm-up.
    std::uint64_t m_matches_settled = 0;
    std::uint64_t m_matches_before = 0;
    switch_stats m_stats;
    frame_balance m_balance;
    // Frames in the store that are not inside: still on their way in, PFC frames before T_R, and frames
    // whose first bit has left. Those that arrive without an event are in their ports' lists.
    std::uint32_t m_arriving = 0;
    std::uint32_t m_control_frames = 0;
    // What the frames that were charged to ingress memory have, by their own account.
    std::int64_t m_charged_bytes = 0;
    // Null where nobody looks on.
    switch_probe* m_probe = nullptr;
};

}  // namespace weir
