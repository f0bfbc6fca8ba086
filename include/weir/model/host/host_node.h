// A host: a NIC with the same MAC as a switch port, class queues in front of it, and the delays of the
// network stack. What runs on it is an `endpoint` (protocol/endpoint.h).
//
//     endpoint::send -- stack_out --> NIC queue of the frame's class -- strict priority, PFC --> wire
//     wire -- last bit in -- stack_in --> endpoint::receive
//
// The NIC obeys PAUSE and PFC; it takes frames as fast as they come, and so never sends any, unless it is told
// to behave as a broken adapter does.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>

#include "weir/base/agenda.h"
#include "weir/base/occupancy_meter.h"
#include "weir/base/rng.h"
#include "weir/model/analysis/cause_log.h"
#include "weir/model/config/host_config.h"
#include "weir/model/config/pfc_config.h"
#include "weir/model/engine/node.h"
#include "weir/model/flow_control/mac_driver.h"
#include "weir/model/frame/frame_slab.h"
#include "weir/model/host/nic_queues.h"
#include "weir/protocol/endpoint.h"

namespace weir::model {

/// Order within an instant.
struct host_stages {
    enum : unsigned {
        sample,         ///< statistics over time, before anything else of the instant
        control,        ///< link changes
        arrival,        ///< last bit in
        pause_effect,   ///< T_R after a PFC frame
        pause_expiry,   ///< a timer has run out
        pause_refresh,  ///< a broken adapter repeats its pause
        nic_release,    ///< a rate limiter lets a frame go
        stack_in,       ///< a frame reaches the endpoint
        wake,           ///< the endpoint's timers
        stack_out,      ///< frames reach the NIC
        transmit_done,  ///< last bit out
        count
    };
    static constexpr unsigned rows = 5;
    static constexpr std::array<std::uint8_t, count> row_of{4, 4, 0, 4, 4, 4, 4, 1, 2, 3, 3};
};

struct host_parameters {
    host_config device;
    pfc_config flow_control;
    /// Classes in use in the fabric, as at the switches: a PFC frame must name the frame's class.
    std::uint32_t classes = 8;
    std::uint64_t seed = 1;
    host_id id = 0;
    ipv4_address address{};
    bool literal_engine = false;
};

struct host_stats {
    drop_counts drops{};
    /// Data frames that finished their first transmission.
    std::uint64_t hops = 0;
    /// Frames handed to the endpoint.
    std::uint64_t delivered = 0;
    /// Of the frames dropped because the link was down: those that were still waiting to be sent.
    std::uint64_t unsent = 0;
};

class host_node : public node, private host_services, private mac_services {
 public:
    host_node(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
              const port_config& port, const host_parameters& parameters);

    /// What runs here; must outlive the run. Its `start` is called from here at time 0.
    void run(endpoint& guest);

    /// At a barrier: the endpoint has been given something to do at `time`, not before this node's time.
    void wake_endpoint_at(picoseconds time) {
        wake_at(time);
        tell_group();
    }

    /// Before the run, in order of time; the link's other end has to be told the same.
    void schedule(const link_change& change);
    /// Before the run: from `from` on, and until `to`, the adapter pauses these classes of its link partner.
    /// Several such times may overlap.
    void pause_partner(picoseconds from, picoseconds to, class_mask classes);
    [[gnu::flatten]] void advance() override;
    void settle(picoseconds now) override;
    void sample_every(picoseconds interval, std::uint32_t capacity) override;
    void restart_statistics_at(picoseconds at) override;
    frame_balance balance() const override;
    std::uint32_t frames_held() const override {
        const bool has_left = m_mac.sending.frame != no_slot && m_mac.sending.end < m_clock.end;
        return m_slab.used() - (has_left ? 1 : 0);
    }
    std::string waiting_ports() const override;
    bool needs_kernel_thread() const override { return m_guest != nullptr && m_guest->needs_kernel_thread(); }

    /// Before the run: keeps when it is paused.
    void log_causes(const cause_options& options) { m_causes = std::make_unique<cause_log>(options); }
    /// Null where nothing is kept.
    const cause_log* causes() const { return m_causes.get(); }

    const host_stats& stats() const { return m_stats; }
    const mac_port& mac() const { return m_mac; }
    /// NIC queue, all classes.
    const occupancy_meter& nic_meter() const { return m_nic_meter; }

 private:
    picoseconds now() const override { return m_now; }
    send_outcome send(const ethernet_frame& frame) override;
    void wake_at(picoseconds time) override;
    host_id id() const override { return m_parameters.id; }
    ipv4_address address() const override { return m_parameters.address; }
    bit_rate link_rate() const override { return m_port.rate; }
    bytes nic_backlog() const override { return bytes{m_backlog_bytes + m_stack_bytes}; }

    void fail(const std::string& what) override { violate(m_now, what); }

    // Of the MAC's driver; there is one port.
    mac_port& mac(unsigned /*port*/) override { return m_mac; }
    void expire_at(unsigned /*port*/, picoseconds at) override {
        m_agenda.schedule(at, host_stages::pause_expiry, 0, 0);
    }
    void look_at(unsigned /*port*/, picoseconds at, std::uint32_t reason) override {
        m_agenda.schedule(at, host_stages::pause_refresh, 0, reason);
    }
    void pauses_changed(unsigned port) override;
    void xoff_repeated(unsigned /*port*/) override {}
    void transmit_later(unsigned /*port*/) override { transmit_later(); }
    void send_control(unsigned port, ethernet_frame& frame) override;

    /// As at the switches.
    pfc_class class_of(const ethernet_frame& frame) const {
        return m_class_of[frame.priority & (pfc_classes - 1)];
    }
    void dispatch(const event& e);
    [[gnu::noinline]] void dispatch_rare(const event& e);
    void on_arrival(frame_slot slot);
    [[gnu::noinline]] bool lost_on_link(frame_slot slot);
    [[gnu::noinline]] void on_pause_effect(frame_slot slot);
    void on_stack_in(frame_slot slot);
    void on_stack_out();
    void on_transmit_done();
    void settle_sent(picoseconds until);
    /// The NIC chooses a frame at the end of this instant, or of the one in which it is free again.
    void transmit_later() {
        if (!m_mac.sending.busy(m_now)) {
            m_transmit_pending = true;
        } else if (!m_mac.sending.end_scheduled) {
            m_mac.sending.end_scheduled = true;
            m_agenda.schedule(m_mac.sending.end, host_stages::transmit_done, 0, 0);
        }
    }
    [[gnu::noinline]] void on_control();
    void add_control(picoseconds at);
    [[gnu::noinline]] bool attend();
    [[gnu::noinline]] void on_sample();
    [[gnu::noinline]] void restart_statistics();
    void enqueue(frame_slot slot);
    [[gnu::noinline]] send_outcome admit(const ethernet_frame& frame);
    /// The next frame of these classes leaves the queues of the host.
    frame_slot dequeue(class_mask classes);
    // The same where the NIC is of another kind; `no_slot` where it gives none now.
    [[gnu::noinline]] void enqueue_at_nic(frame_slot slot);
    [[gnu::noinline]] frame_slot dequeue_at_nic(class_mask classes);
    void transmit();
    [[gnu::noinline]] void drop(frame_slot slot, drop_reason reason);

    host_parameters m_parameters;
    // By priority.
    std::array<pfc_class, pfc_classes> m_class_of;
    port_config m_port;
    endpoint* m_guest = nullptr;
    agenda<host_stages> m_agenda;
    picoseconds m_now{0};
    frame_slab m_slab;
    mac_port m_mac;
    mac_driver m_driver;
    std::array<frame_queue, pfc_classes> m_queues;
    // In their place, where the NIC is of another kind; else null.
    std::unique_ptr<nic_queues> m_nic;
    picoseconds m_nic_release = never;
    // The NIC is of another kind, or its memory has a limit.
    bool m_may_refuse = false;
    // It has said `not_now`.
    bool m_has_refused = false;
    class_mask m_backlog = 0;
    std::uint32_t m_backlog_bytes = 0;
    // On their way through the stack to the NIC, whose memory they will need.
    std::uint32_t m_stack_bytes = 0;
    // Frames on their way through the stack, in order; the last batch's first frame and its time.
    frame_queue m_stack_queue;
    picoseconds m_stack_event = picoseconds{-1};
    frame_slot m_stack_batch = no_slot;
    // No wake is asked for: what would be later cannot come.
    static constexpr picoseconds no_wake = latest_time + 1_ps;
    picoseconds m_next_wake = no_wake;
    bool m_transmit_pending = false;
    random_stream m_error_chance;
    std::map<picoseconds, std::vector<link_change>> m_controls;
    struct partner_pause {
        picoseconds from;
        picoseconds to;
        class_mask classes;
    };
    std::vector<partner_pause> m_partner_pauses;
    // Null where they are not kept.
    std::unique_ptr<cause_log> m_causes;
    occupancy_meter m_nic_meter;
    host_stats m_stats;
    frame_balance m_balance;
    std::uint32_t m_arriving = 0;
    std::uint32_t m_control_frames = 0;
    std::uint32_t m_transmitting = 0;
    std::uint32_t m_waiting_for_stack = 0;
};

}  // namespace weir::model
