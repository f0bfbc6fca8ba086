// The interfaces by which a switch's blocks are composed, each bound through sc_port and sc_export.
//
// To replace a block, write a module that implements its interface (around another algorithm, or around
// verilated RTL) and bind it instead of the default one: see switch_blocks.h and docs/blocks/.
#pragma once

#include <systemc>
#include <vector>

#include "weir/base/occupancy_meter.h"
#include "weir/model/crossbar/arbiter.h"
#include "weir/model/forwarding/port_choice.h"
#include "weir/model/forwarding/routing.h"
#include "weir/model/frame/frame_slab.h"
#include "weir/model/memory/charge_result.h"
#include "weir/model/memory/queue_order.h"

namespace weir::model {

/// The forwarding table: which ports lead to a destination.
class lookup_if : public virtual sc_core::sc_interface {
 public:
    /// Acceptable ports of the winning entry; empty where none matches.
    virtual const port_bitmap& lookup(ipv4_address destination) = 0;
    /// Replaces the table's contents.
    virtual void load(const std::vector<route_entry>& routes) = 0;
    /// From a lookup's start to its result, asked once, at the end of elaboration. `configured`:
    /// `switch_config::lookup_delay`.
    virtual picoseconds latency(picoseconds configured) const { return configured; }
};

/// Which of the acceptable ports a frame takes.
class port_selector_if : public virtual sc_core::sc_interface {
 public:
    virtual unsigned select(const port_choice& choice) = 0;
};

/// The crossbar's arbiter: appends the matches of one run between free ports (arbiter.h).
class arbiter_if : public virtual sc_core::sc_interface {
 public:
    virtual void arbitrate(const crossbar_requests& requests, const port_bitmap& free_ingress,
                           const port_bitmap& free_egress, unsigned iterations,
                           std::vector<crossbar_match>& matches) = 0;
    /// A run in which this pair is the only request, eligible, and both ports are free. False: not done, ask
    /// `arbitrate`. What it changes must be what `arbitrate` would have changed.
    virtual bool arbitrate_lone(const crossbar_match& /*pair*/) { return false; }
    /// What the last run has taken: its transfers begin that much later, and no run begins before. Below the
    /// slot time where the crossbar moves cells.
    virtual picoseconds run_time() const { return picoseconds{0}; }
};

/// PFC at all ports of a switch, in the place of `pause_timers` and `pause_requests`: for RTL, which has a
/// pipeline and a clock. Calls about a port come in the order of time; times are the node's. Optional: without
/// one, the ports have the two classes themselves, and nothing of this is called.
class pfc_if : public virtual sc_core::sc_interface {
 public:
    // Receive side: frames to pauses.
    /// A PFC or PAUSE frame's last bit has come. Returns when its pauses hold, at or after `now`; `response` is
    /// T_R as configured.
    virtual picoseconds arrive(unsigned port, const ethernet_frame& frame, picoseconds now,
                               picoseconds response) = 0;
    /// Classes that the port must not send at `now`. Asked whenever a frame's pauses hold and at `next_change`.
    virtual class_mask paused(unsigned port, picoseconds now) = 0;
    /// After `paused`: when it may change by itself; `never` where only a frame can do that.
    virtual picoseconds next_change(unsigned port) const = 0;

    // Transmit side: requests to frames.
    /// The classes that the link partner shall stop, from `now` on. `again`: announce them even if nothing
    /// changes.
    virtual void request(unsigned port, class_mask wanted, bool again, picoseconds now) = 0;
    /// The transmitter is free at `now`: the frame that it has to send, or null. It is sent, and holds until
    /// `sent`.
    virtual const pause_fields* offer(unsigned port, picoseconds now) = 0;
    /// That frame is on the wire until `last_bit`.
    virtual void sent(unsigned port, picoseconds last_bit) = 0;
    /// When to ask `offer` next; `never` where only a request can make a frame.
    virtual picoseconds next_offer(unsigned port) const = 0;

    // The link.
    /// Quanta have another length from the next frame on.
    virtual void set_rate(unsigned port, bit_rate rate) = 0;
    /// The link comes up, with no class paused.
    virtual void clear(unsigned port, picoseconds now) = 0;
};

/// Which class an egress port sends next.
class scheduler_if : public virtual sc_core::sc_interface {
 public:
    /// `eligible`: classes with a frame that may be sent. `head_bytes`: length on the wire of each one's first.
    virtual int select(unsigned port, class_mask eligible, const std::uint32_t* head_bytes) = 0;
    virtual void sent(unsigned port, int c, std::uint32_t length) = 0;
    /// These classes' queues have run empty.
    virtual void drained(unsigned port, class_mask classes) = 0;
};

/// Packet memory and VOQs at ingress (ingress_buffer.h has the meaning of each call).
class ingress_buffer_if : public virtual sc_core::sc_interface {
 public:
    virtual charge_result charge(unsigned port, pfc_class c, std::uint32_t length, picoseconds now) = 0;
    virtual class_mask release(unsigned port, pfc_class c, std::uint32_t length, picoseconds now) = 0;
    virtual bool enqueue(frame_slot slot) = 0;
    virtual frame_slot head(unsigned ingress_port, unsigned egress_port, pfc_class c) = 0;
    virtual bool dequeue(unsigned ingress_port, unsigned egress_port, pfc_class c) = 0;
    virtual bytes occupancy(unsigned port) const = 0;
    virtual const occupancy_meter* meter(unsigned port, pfc_class c) const = 0;
    virtual void settle(picoseconds now) = 0;
    virtual void restart_statistics(picoseconds now) = 0;
};

/// Packet memory and class queues at egress (egress_buffer.h has the meaning of each call).
class egress_buffer_if : public virtual sc_core::sc_interface {
 public:
    virtual class_mask room(unsigned port) const = 0;
    virtual class_mask reserve(unsigned port, pfc_class c, std::uint32_t length) = 0;
    virtual void commit(frame_slot slot, picoseconds now) = 0;
    virtual bool admit(frame_slot slot, picoseconds now) = 0;
    virtual class_mask backlog(unsigned port) const = 0;
    virtual frame_slot head(unsigned port, pfc_class c) const = 0;
    /// The frame that `dequeue` gives next; the head where frames leave first in, first out.
    virtual frame_slot next(unsigned port, pfc_class c) const { return head(port, c); }
    virtual frame_slot dequeue(unsigned port, pfc_class c) = 0;
    /// Takes from its queue a frame that gives way to `newcomer`, if there is one.
    virtual eviction evict(frame_slot /*newcomer*/) { return {}; }
    virtual class_mask release(unsigned port, pfc_class c, std::uint32_t length, picoseconds now) = 0;
    virtual const egress_view& view() const = 0;
    virtual bytes occupancy(unsigned port) const = 0;
    virtual const occupancy_meter* meter(unsigned port, pfc_class c) const = 0;
    virtual void settle(picoseconds now) = 0;
    virtual void restart_statistics(picoseconds now) = 0;
};

}  // namespace weir::model
