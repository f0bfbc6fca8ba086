// A host's NIC: a MAC as a switch's ports have, queues in front of it, and what a broken adapter sends.
//
// A host is one object in two layers, so that a frame's path is one piece of code, which the compiler can
// inline. The upper layer knows the lower one only:
//
//     host_node    network stack, endpoint, statistics
//     host_nic     queues, transmitter, pauses, link: this
//
//     admit, enqueue --> queues (nic_queues.h) -- classes that are not paused --> transmit --> wire
//     wire -- last bit in --> arrive --> lost, a PFC frame, the NIC's own, or for the stack
//
// The NIC obeys PAUSE and PFC; it takes frames as fast as they come, and so never sends any, unless it is told
// to behave as a broken adapter does.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "weir/base/agenda.h"
#include "weir/base/namespaces.h"
#include "weir/base/occupancy_meter.h"
#include "weir/base/rng.h"
#include "weir/model/analysis/cause_log.h"
#include "weir/model/config/host_config.h"
#include "weir/model/config/pfc_config.h"
#include "weir/model/config/qcn_config.h"
#include "weir/model/engine/node.h"
#include "weir/model/flow_control/mac_driver.h"
#include "weir/model/frame/frame_slab.h"
#include "weir/model/host/class_queues.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// Everything about a host that does not depend on the frames.
struct host_parameters {
    host_config device;
    pfc_config flow_control;
    qcn_config qcn;
    /// Classes in use in the fabric, as at the switches: a PFC frame must name the frame's class.
    std::uint32_t classes = 8;
    std::uint64_t seed = 1;
    host_id id = 0;
    ipv4_address address{};
    /// Frames come and leave with annexes.
    bool telemetry = false;
    /// Events are kept by the literal agenda: an oracle.
    bool literal_engine = false;
};

/// Order of a host's events within an instant. Part of the model's identity: a change changes results.
struct host_stages {
    enum : unsigned {
        warmup_end,     ///< statistics begin, before anything else of the instant
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

struct host_stats {
    drop_counts drops{};
    /// Data frames that finished their first transmission.
    std::uint64_t hops = 0;
    /// Of the frames dropped because the link was down: those that were still waiting to be sent.
    std::uint64_t unsent = 0;
    /// When the first frame of any kind began to leave, whatever the warm-up; `never` if none did.
    picoseconds first_sent = never;
    /// The same of data frames: no PAUSE and no PFC frame counts.
    picoseconds first_data_sent = never;
};

class host_nic : public node, private mac_services {
 public:
    /// Before the run, in order of time; the link's other end has to be told the same.
    void schedule(const link_change& change);
    /// Before the run: from `from` on, and until `to`, the adapter pauses these classes of its link partner.
    /// Several such times may overlap.
    void pause_partner(picoseconds from, picoseconds to, class_mask classes);
    /// Before the run: keeps when it is paused.
    void log_causes(const cause_options& options) { m_causes = std::make_unique<cause_log>(options); }
    /// Null where nothing is kept.
    const cause_log* causes() const { return m_causes.get(); }

    const host_stats& stats() const { return m_stats; }
    const mac_port& mac() const { return m_mac; }
    std::vector<rate_limit> rate_limits() const { return m_queues->rate_limits(); }
    /// Frames that wait, all classes.
    const occupancy_meter& nic_meter() const { return m_nic_meter; }

 protected:
    host_nic(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
             const port_config& port, const host_parameters& parameters);

    void prefetch_parts() const override {
        prefetch_line(m_wire);
        prefetch_lines<2>(m_class_queues);
        m_agenda.prefetch();
        m_slab.prefetch_places();
    }
    /// Whether the queues take a frame; `in_stack`: bytes on their way to them. Only where `m_may_refuse`
    /// holds.
    [[gnu::noinline]] send_outcome admit(const ethernet_frame& frame, std::uint32_t in_stack);
    void enqueue(frame_slot slot);
    /// The last bit is in. True: the frame is whole, and for this host's stack.
    bool arrive(frame_slot slot);
    /// At the end of an instant.
    void transmit_if_pending() {
        if (m_transmit_pending) {
            m_transmit_pending = false;
            transmit();
        }
    }
    void on_transmit_done() {
        m_mac.sending.end_scheduled = false;
        m_transmit_pending = true;
    }
    [[gnu::noinline]] void on_nic_event(unsigned stage, std::uint32_t payload);
    /// Counts the frame that has left at or before `until`.
    void settle_sent(picoseconds until);
    /// The adapter has told software to wait, and takes frames again.
    virtual void takes_again() = 0;

    /// The default queues by their type, so that calls to them are inlined; others by their interface.
    template <class Use>
    [[gnu::always_inline]] auto with_queues(Use&& use) const {
        return __builtin_expect(m_class_queues != nullptr, 1) ? use(*m_class_queues) : use(*m_queues);
    }
    class_mask backlog() const {
        return with_queues([](const auto& queues) { return queues.backlog(); });
    }

    // What each frame reads and writes comes first.
    agenda<host_stages> m_agenda;
    picoseconds m_now{0};
    bool m_may_refuse;
    // The NIC chooses a frame at the end of this instant.
    bool m_transmit_pending = false;
    std::uint32_t m_backlog_bytes = 0;
    // Frames in the store that are not inside.
    std::uint32_t m_arriving = 0;
    std::uint32_t m_control_frames = 0;
    std::uint32_t m_transmitting = 0;
    wire_output* m_wire;
    frame_slab m_slab;
    frame_balance m_balance;
    occupancy_meter m_nic_meter;
    mac_port m_mac;
    host_parameters m_parameters;
    host_stats m_stats;

 private:
    // Of the MAC's driver; there is one port.
    picoseconds now() const override { return m_now; }
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
    const frame_annex* leaving_annex(unsigned port) const override;

    /// As at the switches.
    pfc_class class_of(const ethernet_frame& frame) const {
        return m_class_of[frame.priority & (pfc_classes - 1)];
    }
    template <class Queues>
    frame_slot dequeue(Queues& queues, class_mask classes);
    void leave_queues(frame_slot slot);
    /// Software that was refused may hand over more before this returns.
    template <class Queues>
    void call_software(Queues& queues);
    void release_at(picoseconds at);
    /// The NIC chooses a frame at the end of this instant, or of the one in which it is free again.
    void transmit_later() {
        if (!m_mac.sending.busy(m_now)) {
            m_transmit_pending = true;
        } else if (!m_mac.sending.end_scheduled) {
            m_mac.sending.end_scheduled = true;
            m_agenda.schedule(m_mac.sending.end, host_stages::transmit_done, 0, 0);
        }
    }
    void transmit();
    void begin(frame_slot slot);
    [[gnu::noinline]] bool attend();
    [[gnu::noinline]] bool lost_on_link(frame_slot slot);
    [[gnu::noinline]] void drop(frame_slot slot, drop_reason reason);
    void add_control(picoseconds at);
    void on_control();
    void on_pause_effect(frame_slot slot);

    // By priority.
    std::array<pfc_class, pfc_classes> m_class_of;
    mac_driver m_driver;
    std::unique_ptr<nic_queues> m_queues;
    // The same, where they are the default ones; else null.
    class_queues* m_class_queues;
    picoseconds m_release = never;
    // `admit` has refused a frame.
    bool m_has_refused = false;
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
};

}  // namespace weir::model
