// What switches and hosts have in common: an agenda's local time, wires, and a record of what went wrong.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "weir/base/agenda.h"
#include "weir/base/time.h"
#include "weir/model/engine/drop_reason.h"
#include "weir/model/engine/node_watch.h"
#include "weir/model/engine/violation.h"
#include "weir/model/link/mail_order.h"
#include "weir/model/link/port_config.h"
#include "weir/model/link/wire.h"

namespace weir::model {

/// Conservation of frames (PFC frames not counted): received + originated = sent + consumed + dropped + inside.
struct frame_balance {
    std::uint64_t received = 0;    ///< last bit came in over a wire
    std::uint64_t originated = 0;  ///< handed to a NIC's queue by its host, or made by the switch itself
    std::uint64_t sent = 0;        ///< first bit left on a wire
    std::uint64_t consumed = 0;    ///< reached its host's stack
    std::uint64_t dropped = 0;
    std::uint64_t inside = 0;
};

class node : public sc_core::sc_module {
 public:
    /// `index` is the position among the fabric's nodes: hosts first, then switches. Ports are numbered
    /// from 0 in the order given.
    node(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
         const std::vector<port_config>& ports);

    /// Runs all events before the end of the present quantum.
    virtual void advance() = 0;
    /// Time of the next event that is known by now; mail that waits does not count.
    picoseconds next_time() const { return *m_next_key == no_event ? never : time_of(*m_next_key); }
    /// It has an event with a key before `end`, or mail of `side`.
    bool has_work(unsigned side, event_key end) const { return *m_next_key < end || m_inbox.any(side); }
    /// Key of the next event, or `no_event`.
    event_key next_key() const { return *m_next_key; }
    /// From now on the group is told of mail, and of events that are scheduled at a barrier. Range of `lanes`:
    /// as `inbox::set_lanes`.
    void join(node_group& group, unsigned lanes) {
        m_group = &group;
        m_inbox.join(group);
        m_inbox.set_lanes(lanes);
    }
    /// Before the run: it asks for memory before it needs it. Speed only.
    void fetch_ahead() { m_fetches_ahead = true; }
    /// It will run soon: first this, then, when that is here, its mail and its parts.
    void prefetch() const {
        prefetch_line(this);
        prefetch_lines<hot_lines>(&m_inbox);
    }
    void prefetch_next(unsigned side) const {
        m_inbox.prefetch_first(side);
        prefetch_parts();
    }
    /// The thread of this lane runs the node's next quantum. `order` is the thread's own, and empty.
    void set_lane(unsigned lane, mail_order& order) {
        m_lane = lane;
        m_order = &order;
    }
    /// Accounts for all time up to `now`, so that statistics can be read.
    virtual void settle(picoseconds now) = 0;
    /// Before the run: statistics leave out what happens before `at`, the end of the warm-up.
    virtual void restart_statistics_at(picoseconds at) = 0;
    virtual frame_balance balance() const = 0;
    /// Frames of any kind in this node's store, those on their way in and out included.
    virtual std::uint32_t frames_held() const = 0;
    /// Ports with frames that wait to be sent, as text for the deadlock report; empty if none.
    virtual std::string waiting_ports() const = 0;

    unsigned ports() const { return static_cast<unsigned>(m_inputs.size()); }
    wire_input& input(unsigned port) { return *m_inputs[port]; }
    wire_output& output(unsigned port) { return *m_outputs[port]; }
    const wire_output& output(unsigned port) const { return *m_outputs[port]; }

    /// Something here is not ours, and may touch the SystemC kernel: only the kernel's own thread may run this
    /// node. After elaboration.
    virtual bool needs_kernel_thread() const = 0;

    /// Before the run: tells of pauses and losses from now on.
    void set_watch(node_watch& watch) { m_watch = &watch; }

    unsigned index() const { return m_index; }
    bool has_mail() const { return m_inbox.any(m_clock.writing ^ 1); }
    bool has_new_mail() const { return m_inbox.any(m_clock.writing); }
    const inbox& mail() const { return m_inbox; }
    const violation& first_violation() const { return m_violation; }
    bool broken() const { return m_broken; }
    /// When this node last finished sending or receiving a data frame.
    picoseconds last_activity() const { return m_last_activity; }
    std::uint64_t events() const { return m_events; }
    /// Frames for modules that are not ours.
    bool has_foreign_deliveries() const { return m_has_foreign_deliveries; }
    std::vector<foreign_delivery>& foreign_outbox() { return m_foreign_outbox; }
    void clear_foreign_outbox() {
        m_foreign_outbox.clear();
        m_has_foreign_deliveries = false;
    }

    // --- what the parts of a node ask of it

    const simulation_clock& clock() const { return m_clock; }
    /// Lane of the thread that runs the present quantum.
    unsigned lane() const { return m_lane; }
    bool fetches_ahead() const { return m_fetches_ahead; }
    /// A data frame is, or will have been, sent or received at `at`.
    void note_activity(picoseconds at) { m_last_activity = at > m_last_activity ? at : m_last_activity; }
    /// To be called for each frame that comes over a link with errors or changes, when the node takes it.
    void note_taken(unsigned port) {
        if (input(port).changes()) {
            input(port).take();
        }
    }
    /// Sends the frame. `time`: time of the frame on the wire (`wire_output::wire_time`).
    void send_on_wire(wire_output& out, unsigned port, ethernet_frame& frame, picoseconds now,
                      picoseconds time) {
        if (__builtin_expect(out.is_plain(), 1)) {
            out.send(frame, now, time, m_clock, m_lane);
        } else {
            send_on_special_wire(port, frame, now);
        }
    }
    void tell_pauses(unsigned port, class_mask paused, picoseconds now) const {
        if (m_watch != nullptr) {
            m_watch->on_pauses(port, paused, now);
        }
    }
    void tell_drop(unsigned port, drop_reason reason, const ethernet_frame& frame, picoseconds now) const {
        if (m_watch != nullptr) {
            m_watch->on_drop(port, reason, frame, now);
        }
    }
    void tell_placed(unsigned wanted, unsigned placed, std::uint64_t held_bytes, const ethernet_frame& frame,
                     picoseconds now) const {
        if (m_watch != nullptr) {
            m_watch->on_placed(wanted, placed, held_bytes, frame, now);
        }
    }
    /// Keeps the first (earliest) one.
    [[gnu::cold, gnu::noinline]] void violate(picoseconds time, const std::string& message,
                                              violation_kind kind = violation_kind::invariant);

 protected:
    void end_of_elaboration() override;
    /// Once, by the derived class's constructor: where its agenda has the next event.
    void set_next_key(const event_key& next) { m_next_key = &next; }
    /// An event may have been scheduled at a barrier.
    void tell_group() {
        for (node_group* g = m_group; g != nullptr && *m_next_key < g->next.load(std::memory_order_relaxed);
             g = g->above) {
            g->next.store(*m_next_key, std::memory_order_relaxed);
        }
    }
    /// Hands every frame that was sent in the last quantum to `accept(arrival)`. False: there are more than
    /// `most`, and they are left to `take_window`. `ahead`: as in inbox.h.
    template <class Accept, class Ahead>
    [[gnu::always_inline]] bool take_mail(std::size_t most, Accept&& accept, Ahead&& ahead) {
        const unsigned side = m_clock.writing ^ 1;
        if (!m_inbox.any(side)) {
            return true;
        }
        if (__builtin_expect(m_inbox.size(side) > most, 0)) {
            m_order->sort(m_inbox, side);
            return false;
        }
        m_inbox.for_each(side, accept, ahead);
        m_inbox.clear(side);
        return true;
    }
    /// Of `take_mail`, for a node of one port, whose mail is in order.
    static constexpr std::size_t any_number = ~std::size_t{0};
    /// For quanta in which much mail comes: hands out the next `few` of the frames that `take_mail` has left,
    /// by the time of their first use, and returns until when the node may run. Before its first use a frame
    /// does nothing, so nothing depends on `few`; but the agenda stays short. The last window is the quantum's
    /// end.
    template <class Accept, class Ahead>
    picoseconds take_window(std::size_t few, Accept&& accept, Ahead&& ahead) {
        const mail_order& mail = *m_order;
        const auto take_until = [&](std::size_t end) {
            for (; m_next_in_order < end; ++m_next_in_order) {
                if (m_next_in_order + inbox::look_ahead < mail.size()) {
                    ahead(mail[m_next_in_order + inbox::look_ahead], inbox::look_ahead);
                }
                accept(mail[m_next_in_order]);
            }
        };
        const std::size_t end = std::min(m_next_in_order + few, mail.size());
        take_until(end);
        if (end < mail.size() && mail[end].first_used() < m_clock.end) {
            return mail[end].first_used();
        }
        take_until(mail.size());
        m_next_in_order = 0;
        m_order->clear();
        m_inbox.clear(m_clock.writing ^ 1);
        return m_clock.end;
    }
    /// Before elaboration ends: frames that our own nodes send to this one come with their annexes.
    void carry_annexes();
    /// Of the frame whose first bit leaves the port now; null: it has none.
    virtual const frame_annex* leaving_annex(unsigned /*port*/) const { return nullptr; }
    /// Before the run: both ends of this port's link look at each frame from now on, and the receiving end
    /// learns of the change. `on_control` does the rest at its time.
    void expect_change(const link_change& change);
    /// What frames need that is not in the node's first lines.
    virtual void prefetch_parts() const {}

 private:
    // From the inbox on.
    static constexpr std::size_t hot_lines = 12;

    /// Over a wire that is not plain.
    void send_on_special_wire(unsigned port, ethernet_frame& frame, picoseconds now);

    unsigned m_index;
    std::vector<std::unique_ptr<wire_input>> m_inputs;
    std::vector<std::unique_ptr<wire_output>> m_outputs;
    std::vector<foreign_delivery> m_foreign_outbox;
    violation m_violation;
    // Null without an observer.
    node_watch* m_watch = nullptr;
    node_group* m_group = nullptr;

    // What is read and written in every quantum stands together, here and at the beginning of derived classes.
    inbox m_inbox;
    const event_key* m_next_key = &no_event;

 protected:
    const simulation_clock& m_clock;
    std::uint64_t m_events = 0;

 private:
    picoseconds m_last_activity{0};
    unsigned m_lane = 0;
    // Of the thread; empty but in quanta that are run in windows. Those before `m_next_in_order` are taken.
    mail_order* m_order = nullptr;
    std::size_t m_next_in_order = 0;
    bool m_broken = false;
    bool m_fetches_ahead = false;
    bool m_has_foreign_deliveries = false;
};

}  // namespace weir::model
