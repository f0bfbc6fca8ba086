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
// All events of an instant come first; then each port that has reason to chooses what to send; then the
// arbiter runs once. Blocks are bound through the public ports; each that is left open gets its default.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "weir/base/agenda.h"
#include "weir/base/rng.h"
#include "weir/model/block_interfaces.h"
#include "weir/model/lookup_pipeline.h"
#include "weir/model/mac_port.h"
#include "weir/model/node.h"
#include "weir/model/switch_config.h"

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
        slot,           ///< the crossbar's next slot (`cell` mode)
        count
    };
    static constexpr unsigned rings = 5;
    static constexpr std::array<std::uint8_t, count> ring_of{4, 4, 0, 4, 4, 4, 1, 2, 3, 2};
};

/// Everything about a switch that does not depend on the frames.
struct switch_parameters {
    switch_config device;
    pfc_config flow_control;
    std::uint64_t seed = 1;
    /// Events are kept by the literal agenda: an oracle.
    bool literal_engine = false;
};

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
    /// Data frames that finished a transmission.
    std::uint64_t hops = 0;
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

    /// The packet store, for modules that replace a buffer.
    frame_slab& slab() { return m_slab; }

    /// The table at the start. After elaboration.
    void load_routes(const std::vector<route_entry>& routes) { m_lookup->load(routes); }
    void schedule(route_change change);
    void schedule(const link_change& change);

    void advance() override;
    picoseconds next_time() const override { return m_agenda.next_time(); }
    void settle(picoseconds now) override;
    void sample_every(picoseconds interval, std::uint32_t capacity) override;
    void restart_statistics_at(picoseconds at) override;
    frame_balance balance() const override;
    std::uint32_t frames_held() const override { return m_slab.used(); }
    std::string waiting_ports() const override;

    const switch_stats& stats() const { return m_stats; }
    const mac_port& mac(unsigned port) const { return m_macs[port]; }
    ingress_buffer_if& ingress_memory() { return *m_ingress; }
    egress_buffer_if& egress_memory() { return *m_egress; }
    const lookup_pipeline& pipeline() const { return m_pipeline; }

 private:
    struct control_action {
        std::unique_ptr<route_change> routes;
        link_change link{};
    };
    void add_control(picoseconds at, control_action action);

    template <class Block, class... Arguments>
    Block& make_default(const char* name, Arguments&&... arguments);
    void bind_default_arbiter();
    void before_end_of_elaboration() override;
    void end_of_elaboration() override;

    void accept(unsigned port, const wire_arrival& arrival);
    void dispatch(const event& e);
    void finish_instant();

    void on_arrival(unsigned port, frame_slot slot);
    void on_lookup_done(unsigned port, frame_slot slot);
    void on_transfer_done(frame_slot slot);
    void on_transmit_done(unsigned port, frame_slot slot);
    void on_pause_effect(unsigned port, frame_slot slot);
    void on_pause_expiry(unsigned port);
    void on_pause_refresh(unsigned port);
    void schedule_pause_expiry(unsigned port);
    void on_control();
    // Of a `sample` event: end of the warm-up instead of a sample.
    static constexpr std::uint32_t restart_payload = 1;
    void on_sample();
    void restart_statistics();
    void on_slot();

    void arbitrate_frames();
    void move_cell(const crossbar_match& match);
    void transmit_later(unsigned port) {
        mac_port& mac = m_macs[port];
        if (!mac.transmit_pending) {
            mac.transmit_pending = true;
            m_transmit_pending[m_transmit_count++] = static_cast<std::uint8_t>(port);
        }
    }
    void transmit(unsigned port);
    void send_control(unsigned port);
    void send_data(unsigned port, pfc_class c, std::uint32_t wire_bytes);
    void drop_waiting(unsigned port);

    bool lost_on_link(unsigned port, frame_slot slot);
    bool charge(unsigned port, frame_slot slot);
    void report_lossless_loss(unsigned port, const frame_route& route);
    bool is_allowed(const crossbar_match& match);
    void take_from_voq(const crossbar_match& match);
    void reserve(frame_slot slot);
    void leave_ingress(frame_slot slot);
    void update_room(unsigned egress_port, class_mask room) {
        if (room != m_room[egress_port]) {
            change_room(egress_port, room);
        }
    }
    void change_room(unsigned egress_port, class_mask room);
    int select_by_length(unsigned port, class_mask eligible, std::uint32_t& wire_bytes);
    void drop(frame_slot slot, unsigned port, drop_reason reason);
    void wake_slot();
    pfc_class class_of(const ethernet_frame& frame) const {
        return frame.priority < m_classes ? frame.priority : static_cast<pfc_class>(m_classes - 1);
    }

    switch_parameters m_parameters;
    std::vector<port_config> m_port_configs;
    unsigned m_classes;
    bool m_lossless;
    // All but our own strict priority: it is told lengths and what was sent.
    bool m_scheduler_reads_lengths = false;
    // Its matches are checked.
    bool m_arbiter_is_foreign = false;
    agenda<switch_stages> m_agenda;
    picoseconds m_now{0};
    frame_slab m_slab;
    crossbar_requests m_requests;
    port_bitmap m_free_ingress;
    port_bitmap m_free_egress;
    // Ports that have reason to choose a frame at the end of this instant; each once.
    std::array<std::uint8_t, max_ports> m_transmit_pending{};
    unsigned m_transmit_count = 0;
    bool m_arbitration_pending = false;
    picoseconds m_slot_time{0};
    bool m_slot_scheduled = false;
    picoseconds m_last_slot{-1};
    std::vector<crossbar_match> m_matches;
    std::vector<class_mask> m_room;
    std::vector<mac_port> m_macs;
    serializer m_crossbar;
    lookup_pipeline m_pipeline;
    random_stream m_selection_chance;
    std::vector<random_stream> m_error_chance;
    std::map<picoseconds, std::vector<control_action>> m_controls;

    // Cached at the end of elaboration.
    lookup_if* m_lookup = nullptr;
    port_selector_if* m_selector = nullptr;
    ingress_buffer_if* m_ingress = nullptr;
    arbiter_if* m_arbiter = nullptr;
    egress_buffer_if* m_egress = nullptr;
    scheduler_if* m_scheduler = nullptr;

    std::vector<std::unique_ptr<sc_core::sc_module>> m_defaults;
    switch_stats m_stats;
    frame_balance m_balance;
    // Frames in the store that are not inside: still on their way in, PFC frames before T_R, and frames
    // whose first bit has left.
    std::uint32_t m_arriving = 0;
    std::uint32_t m_control_frames = 0;
    std::uint32_t m_transmitting = 0;
    // What the frames that were charged to ingress memory have, by their own account.
    std::int64_t m_charged_bytes = 0;
};

}  // namespace weir
