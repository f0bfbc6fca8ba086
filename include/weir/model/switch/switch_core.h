// State that the stages of a switch share: its instant, ports, frames, blocks, counts, and the parts that only
// some switches have.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weir/base/port_bitmap.h"
#include "weir/model/crossbar/islip.h"
#include "weir/model/engine/node.h"
#include "weir/model/flow_control/pfc_thresholds.h"
#include "weir/model/forwarding/lookup_pipeline.h"
#include "weir/model/switch/block_ref.h"
#include "weir/model/switch/cause_recorder.h"
#include "weir/model/switch/memory_path.h"
#include "weir/model/switch/queue_manager.h"
#include "weir/model/switch/switch_instant.h"
#include "weir/model/switch/switch_parameters.h"
#include "weir/model/switch/switch_probe.h"
#include "weir/model/switch/switch_services.h"
#include "weir/model/switch/watchdog_driver.h"

namespace weir::model {

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

/// Facts about a switch that each frame's way depends on.
struct frame_rules {
    frame_rules(const switch_parameters& p, std::size_t port_count)
        : ports(static_cast<unsigned>(port_count)),
          max_frame(p.device.max_frame),
          memory_cell(p.device.memory_cell),
          classes(p.device.classes),
          moves_cells(p.device.crossbar == crossbar_mode::cell),
          drops_at_egress(p.device.drop == drop_policy::egress_tail),
          is_lossless(p.flow_control.mode != flow_control_mode::none),
          charge(p.flow_control.charge) {}

    pfc_class class_of(const ethernet_frame& frame) const {
        return frame.priority < classes ? frame.priority : static_cast<pfc_class>(classes - 1);
    }

    unsigned ports;
    bytes max_frame;
    bytes memory_cell;
    std::uint32_t classes;
    bool moves_cells;
    /// Nothing is reserved: what has crossed may find no memory.
    bool drops_at_egress;
    bool is_lossless;
    charge_time charge;
    /// Frames take `direct_path`.
    bool is_direct = false;
    /// Memory is at each port, and as fast as it has to be: frames need not ask it on their way.
    bool crosses_plainly = false;
    /// Memory has banks, and may not have read a frame yet that is to be sent.
    bool reads_banks = false;
    /// The scheduler is told lengths and what was sent. False for strict priority.
    bool scheduler_reads_lengths = false;
    /// The arbiter's matches are checked.
    bool has_foreign_arbiter = false;
};

/// The blocks of a switch, cached at the end of elaboration.
struct bound_blocks {
    block_ref<tcam_block, lookup_if> lookup;
    selector_ref selector;
    block_ref<ingress_buffer_block, ingress_buffer_if> ingress;
    block_ref<arbiter_block<islip>, arbiter_if> arbiter;
    block_ref<egress_buffer_block, egress_buffer_if> egress;
    scheduler_if* scheduler = nullptr;
};

/// Counts of frames, beside those of the node's balance.
struct switch_balance : frame_balance {
    // In the store and not inside: frames still on their way in, and PFC frames before T_R. Frames that arrive
    // without an event are in their ports' lists.
    std::uint32_t arriving = 0;
    std::uint32_t control_frames = 0;
};

/// Shared state of a switch. Stages use its members, parts the functions of switch_services.h.
class switch_core : public switch_services {
 public:
    /// `device` outlives this.
    switch_core(node& device, const std::vector<port_config>& port_links, const switch_parameters& adapted);

    // --- for the stages

    /// The end of the port's transmission gets an event, if it has an effect.
    void await_end_unless_quiet(switch_port& p) {
        if (p.sending.frame != no_slot &&
            !(rules.is_direct && blocks.egress.own()->is_quiet(*p.egress_memory))) {
            instant.await_end(p);
        }
    }
    void count_arrival(switch_port& p, const stored_frame& stored) {
        ++balance.received;
        p.incoming_bytes -= stored.route.charged_bytes;
    }
    static void count_received(switch_port& p, const stored_frame& stored) {
        p.stats.classes[stored.route.frame_class].count_received(stored.frame.frame_bytes);
    }
    [[gnu::noinline]] void drop(frame_slot slot, unsigned port, drop_reason reason) override;
    /// A rule of the egress queues loses the frame. Causes do not explain it.
    [[gnu::noinline]] void drop_by_rule(frame_slot slot, unsigned port, drop_reason reason);
    /// The frame has a payload that the order cuts off.
    bool can_trim(frame_slot slot, const trim_order& order) const {
        const ethernet_frame& frame = frames.frame(slot);
        return frame.has_payload() && !frame.is_trimmed() && frame.frame_bytes > order.frame_bytes;
    }
    /// Range: `can_trim()`, and no memory holds the frame.
    void trim(frame_slot slot, const trim_order& order);
    /// A frame of a lossless class is lost next: the run ends with `what`, unless losses are only counted.
    [[gnu::cold, gnu::noinline]] void report_lossless_loss(const std::string& what);
    /// An invariant is broken: the run ends.
    [[gnu::cold, gnu::noinline]] void violate(const std::string& what);
    /// These classes of the link partner are to be paused. `crossing`: as `cause_recorder::note_xoff`.
    void note_xoff(unsigned port, class_mask classes, frame_slot crossing) {
        if (causes != nullptr) {
            causes->note_xoff(port, classes, crossing);
        }
    }
    /// Frames in the store that are still on their way in, and those whose first bit has left.
    std::uint32_t arriving() const;
    std::uint32_t transmitting() const;

    // --- for the parts

    picoseconds now() const override { return instant.now; }
    unsigned port_count() const override { return rules.ports; }
    unsigned classes() const override { return rules.classes; }
    const frame_slab& slab() const override { return frames; }
    frame_slab& slab() override { return frames; }
    ingress_buffer_if& ingress() const override { return *blocks.ingress; }
    egress_buffer_if& egress() const override { return *blocks.egress; }
    const mac_port& mac(unsigned port) const override { return ports[port]; }
    mac_port& mac(unsigned port) override { return ports[port]; }
    mac_driver& macs() override { return *flow_control; }
    std::uint64_t egress_class_limit(unsigned port) const override;
    void for_each_between_queues(const std::function<void(frame_slot, bool looked_up)>& visit) const override;
    std::uint64_t dropped(unsigned port, pfc_class c, drop_reason reason) const override {
        return stats.drops_at(port, c)[static_cast<unsigned>(reason)];
    }
    void expire_at(unsigned port, picoseconds at) override {
        instant.events.schedule(at, switch_stages::pause_expiry, port, 0);
    }
    void look_at(unsigned port, picoseconds at, std::uint32_t reason) override {
        instant.events.schedule(at, switch_stages::pause_refresh, port, reason);
    }
    void pauses_changed(unsigned port) override;
    void xoff_repeated(unsigned port) override { note_xoff(port, ports[port].requests.wanted(), no_slot); }
    void transmit_later(unsigned port) override { instant.transmit_later(ports[port]); }
    void send_control(unsigned port, ethernet_frame& frame) override;

    // --- what a frame reads and writes, in the order in which it needs it

    node& owner;
    switch_instant instant;
    std::vector<switch_port> ports;
    frame_rules rules;
    bound_blocks blocks;
    frame_slab frames;
    switch_balance balance;
    lookup_pipeline pipeline;
    switch_stats stats;
    /// Classes that wait in VOQs, and egress ports with room for them.
    crossbar_requests requests;

    // --- what is needed now and then

    switch_parameters parameters;
    std::vector<port_config> links;
    /// Thresholds of each port.
    std::vector<port_thresholds> thresholds;
    /// Ports of which the link partner has paused a class.
    port_bitmap paused_ports;
    std::unique_ptr<memory_path> organisation;
    std::unique_ptr<mac_driver> flow_control;
    /// Null where no rule depends on what egress queues hold.
    std::unique_ptr<queue_manager> queues;
    /// Null where causes are not kept.
    std::unique_ptr<cause_recorder> causes;
    /// Null without one.
    std::unique_ptr<watchdog_driver> watchdog;
    /// Null without one.
    switch_probe* probe = nullptr;

 private:
    void lose(frame_slot slot, unsigned port, drop_reason reason);
    bool is_lossless(pfc_class c) const;
    void check_loss(frame_slot slot, const char* what);
};

}  // namespace weir::model
